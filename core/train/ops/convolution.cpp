#include <array>

#include "core/train/ops/op_run.h"
#include "core/train/weighted_ops.h"

namespace hearth {
namespace {

RunOp bind(const Op &op) {
    const std::int64_t groups =
        op.parameters.contains(QLatin1String("groups")) ? op.whole("groups") : op.outputShape.front();
    const ConvolutionShape shape{op.whole("stride"), op.whole("padding"), groups};
    return [shape, bias = op.flag("bias")](const OpCall &call) {
        return convolve(call.input(), call.tensors[0], bias ? call.tensors[1] : at::Tensor(), shape, call.queue);
    };
}

constexpr std::array runs{OpRun{.kind = "convolution", .bind = bind, .outputIsFree = true},
                          OpRun{.kind = "depthwise", .bind = bind, .outputIsFree = true}};

}  // namespace

std::span<const OpRun> convolutionRuns() {
    return runs;
}

}  // namespace hearth
