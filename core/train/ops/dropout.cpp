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
        // Drawn on the host: the same elements on every kind of device.
        at::Tensor mask = at::empty_strided(x.sizes(), x.strides(), at::TensorOptions().dtype(x.dtype()));
        mask.bernoulli_(1 - probability, makeCpuGenerator(call.salt)).div_(1 - probability);
        return x * call.device.fromHost(mask);
    };
}

constexpr std::array runs{OpRun{.kind = "dropout", .bind = bind}};

}  // namespace

std::span<const OpRun> dropoutRuns() {
    return runs;
}

}  // namespace hearth
