#include <array>

#include "core/train/ops/op_run.h"

namespace hearth {
namespace {

/// A share of the elements becomes zero, the rest is scaled by 1/(1-p); the identity in evaluation.
RunOp bind(const Op &op) {
    return [probability = op.number("probability")](const OpCall &call) {
        const at::Tensor &x = call.input();
        if (!call.training || probability <= 0)
            return x;
        const at::Tensor mask = at::empty_like(x.detach()).bernoulli_(1 - probability, makeCpuGenerator(call.salt));
        return x * mask.div_(1 - probability);
    };
}

constexpr std::array runs{OpRun{.kind = "dropout", .bind = bind}};

}  // namespace

std::span<const OpRun> dropoutRuns() {
    return runs;
}

}  // namespace hearth
