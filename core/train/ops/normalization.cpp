#include <array>

#include "core/train/ops/op_run.h"

namespace hearth {
namespace {

using torch::autograd::AutogradContext;
using torch::autograd::variable_list;

RunOp bindBatchNorm(const Op &op) {
    return [momentum = op.number("momentum"), epsilon = op.number("epsilon")](const OpCall &call) {
        const bool statistics = !call.training || call.updateStatistics;
        const auto &own = call.tensors;
        return at::batch_norm(call.input(), own[0], own[1], statistics ? own[2] : at::Tensor(),
                              statistics ? own[3] : at::Tensor(), call.training, momentum, epsilon,
                              !call.device.isHost());
    };
}

/// The i-th of an op's own tensors, undefined where it has fewer.
at::Tensor tensorOf(const OpCall &call, std::size_t i) {
    return i < call.tensors.size() ? call.tensors[i] : at::Tensor();
}

RunOp bindLayerNorm(const Op &op) {
    const std::vector<std::int64_t> sizes(op.inputShape().end() - op.whole("dims"), op.inputShape().end());
    return [sizes, epsilon = op.number("epsilon")](const OpCall &call) {
        return at::layer_norm(call.input(), sizes, tensorOf(call, 0), tensorOf(call, 1), epsilon);
    };
}

RunOp bindGroupNorm(const Op &op) {
    return [groups = op.whole("groups"), epsilon = op.number("epsilon")](const OpCall &call) {
        return at::group_norm(call.input(), groups, tensorOf(call, 0), tensorOf(call, 1), epsilon);
    };
}

/// x / sqrt(mean(x²) + epsilon) · weight over the last dimension. Keeps the input and one number for each mean, a third
/// of what autograd would keep.
struct RmsNorm : torch::autograd::Function<RmsNorm> {
    static at::Tensor forward(AutogradContext *context, const at::Tensor &x, const at::Tensor &weight, double epsilon) {
        const at::Tensor inverse = x.square().mean(std::vector<std::int64_t>{-1}, true).add_(epsilon).rsqrt_();
        context->save_for_backward({x, weight, inverse});
        return x.mul(inverse).mul_(weight);
    }

    static variable_list backward(AutogradContext *context, const variable_list &gradients) {
        const variable_list saved = context->get_saved_variables();
        const at::Tensor &x = saved[0], &weight = saved[1], &inverse = saved[2], &gradient = gradients[0];
        const at::Tensor normal = x.mul(inverse);
        at::Tensor toInput, toWeight;
        if (context->needs_input_grad(1))
            toWeight = gradient.mul(normal).reshape({-1, weight.size(0)}).sum(0);
        if (context->needs_input_grad(0)) {
            const at::Tensor weighted = gradient.mul(weight);
            toInput =
                weighted.sub(normal.mul(weighted.mul(normal).mean(std::vector<std::int64_t>{-1}, true))).mul_(inverse);
        }
        return {toInput, toWeight, {}};
    }
};

RunOp bindRmsNorm(const Op &op) {
    return [epsilon = op.number("epsilon")](const OpCall &call) {
        return RmsNorm::apply(call.input(), call.tensors[0], epsilon);
    };
}

}  // namespace

std::span<const OpRun> normalizationRuns() {
    static constexpr std::array runs{
        OpRun{.kind = "batch-norm", .bind = bindBatchNorm, .outputIsFree = true, .takesRounded = true},
        OpRun{.kind = "layer-norm", .bind = bindLayerNorm, .outputIsFree = true},
        OpRun{.kind = "group-norm", .bind = bindGroupNorm, .outputIsFree = true},
        OpRun{.kind = "rms-norm", .bind = bindRmsNorm, .outputIsFree = true}};
    return runs;
}

}  // namespace hearth
