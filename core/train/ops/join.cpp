#include <ATen/ExpandUtils.h>

#include <array>

#include "core/train/ops/op_run.h"

namespace hearth {
namespace {

/// With the batch first, shapes broadcast per sample: aligned at their end.
at::Tensor aligned(at::Tensor x, std::size_t rank) {
    while (x.dim() <= static_cast<std::int64_t>(rank))
        x = x.unsqueeze(1);
    return x;
}

RunOp bindAdd(const Op &op) {
    return [rank = op.outputShape.size()](const OpCall &call) {
        at::Tensor sum = aligned(call.input(), rank);
        bool own = call.mayOverwrite;
        for (const at::Tensor &input : call.inputs.subspan(1)) {
            const at::Tensor next = aligned(input, rank);
            const bool fits = own && sum.sizes() == at::infer_size(sum.sizes(), next.sizes());
            sum = fits ? sum.add_(next) : sum.add(next);
            own = true;
        }
        return sum;
    };
}

template <at::Tensor (*function)(const at::Tensor &, const at::Tensor &)>
RunOp bindPair(const Op &op) {
    return [rank = op.outputShape.size()](const OpCall &call) {
        return function(aligned(call.inputs[0], rank), aligned(call.inputs[1], rank));
    };
}

at::Tensor difference(const at::Tensor &a, const at::Tensor &b) {
    return a.sub(b);
}

RunOp bindConcat(const Op &op) {
    return [dimension = op.whole("axis") + 1](const OpCall &call) {
        return at::cat(at::TensorList(call.inputs.data(), call.inputs.size()), dimension);
    };
}

RunOp bindMatmul(const Op &op) {
    return [rank = op.outputShape.size()](const OpCall &call) {
        return multiplyBroadcast(aligned(call.inputs[0], rank), aligned(call.inputs[1], rank), call.products);
    };
}

}  // namespace

std::span<const OpRun> joinRuns() {
    static constexpr std::array runs{OpRun{.kind = "add", .bind = bindAdd, .outputIsFree = true, .takesRounded = true},
                                     OpRun{.kind = "sub", .bind = bindPair<difference>, .outputIsFree = true},
                                     OpRun{.kind = "mul", .bind = bindPair<at::mul>, .outputIsFree = true},
                                     OpRun{.kind = "div", .bind = bindPair<at::div>, .outputIsFree = true},
                                     OpRun{.kind = "maximum", .bind = bindPair<at::maximum>, .outputIsFree = true},
                                     OpRun{.kind = "minimum", .bind = bindPair<at::minimum>, .outputIsFree = true},
                                     OpRun{.kind = "concat", .bind = bindConcat, .outputIsFree = true},
                                     OpRun{.kind = "matmul", .bind = bindMatmul, .outputIsFree = true}};
    return runs;
}

}  // namespace hearth
