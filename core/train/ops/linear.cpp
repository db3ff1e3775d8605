#include <array>

#include "core/train/ops/op_run.h"
#include "core/train/weighted_ops.h"

namespace hearth {
namespace {

RunOp bindLinear(const Op &op) {
    return [bias = op.flag("bias"), transposed = op.has("transposed")](const OpCall &call) {
        return applyLinear(call.input(), call.tensors[0], bias ? call.tensors[1] : at::Tensor(), call.queue, transposed,
                           call.products);
    };
}

}  // namespace

std::span<const OpRun> linearRuns() {
    static constexpr std::array runs{OpRun{.kind = "linear", .bind = bindLinear, .outputIsFree = true}};
    return runs;
}

}  // namespace hearth
