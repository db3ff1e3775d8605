#include <array>

#include "core/train/ops/op_run.h"
#include "core/train/random_mask.h"

namespace hearth {
namespace {

/// A share of the elements becomes zero, the rest is scaled by 1/(1-p); the identity in evaluation.
RunOp bindDropout(const Op &op) {
    return [probability = op.number("probability")](const OpCall &call) {
        if (!call.training || probability <= 0)
            return call.input();
        const at::Tensor x = call.input().is_non_overlapping_and_dense() ? call.input() : call.input().contiguous();
        return dropWithMask(x, randomMask(x.sizes().vec(), x.strides().vec(), probability, call.salt, call.device),
                            probability);
    };
}

/// The same for whole samples.
RunOp bindStochasticDepth(const Op &op) {
    return [probability = op.number("probability")](const OpCall &call) {
        const at::Tensor &x = call.input();
        if (!call.training || probability <= 0)
            return x;
        std::vector<std::int64_t> sizes(static_cast<std::size_t>(x.dim()), 1);
        sizes.front() = x.size(0);
        return dropWithMask(
            x, randomMask(sizes, std::vector<std::int64_t>(sizes.size(), 1), probability, call.salt, call.device),
            probability);
    };
}

}  // namespace

std::span<const OpRun> dropoutRuns() {
    static constexpr std::array runs{OpRun{.kind = "dropout", .bind = bindDropout},
                                     OpRun{.kind = "stochastic-depth", .bind = bindStochasticDepth}};
    return runs;
}

}  // namespace hearth
