#include <array>

#include "core/model/ops/window.h"
#include "core/train/ops/op_run.h"
#include "core/train/weighted_ops.h"

namespace hearth {
namespace {

ConvolutionShape::Pair pairFrom(const std::array<qint64, 2> &numbers) {
    return {numbers[0], numbers[1]};
}

ConvolutionShape convolutionShape(const Op &op) {
    const detail::Window window = detail::windowOf(op);
    ConvolutionShape shape;
    shape.stride = pairFrom(window.stride);
    shape.before = pairFrom(window.before);
    shape.after = pairFrom(window.after);
    shape.dilation = pairFrom(window.dilation);
    shape.groups = op.has("groups") ? op.whole("groups") : op.outputShape.front();
    return shape;
}

RunOp run(const ConvolutionShape &shape, bool bias) {
    return [shape, bias](const OpCall &call) {
        return convolve(call.input(), call.tensors[0], bias ? call.tensors[1] : at::Tensor(), shape, call.queue,
                        call.products);
    };
}

RunOp bindConvolution(const Op &op) {
    return run(convolutionShape(op), op.flag("bias"));
}

RunOp bindTransposed(const Op &op) {
    ConvolutionShape shape = convolutionShape(op);
    shape.transposed = true;
    shape.extra = pairFrom(detail::pairOf(op, "output_padding", 0));
    return run(shape, op.flag("bias"));
}

}  // namespace

std::span<const OpRun> convolutionRuns() {
    static constexpr std::array runs{
        OpRun{.kind = "convolution", .bind = bindConvolution, .outputIsFree = true, .takesRounded = true},
        OpRun{.kind = "depthwise", .bind = bindConvolution, .outputIsFree = true, .takesRounded = true},
        OpRun{.kind = "transposed-convolution", .bind = bindTransposed, .outputIsFree = true}};
    return runs;
}

}  // namespace hearth
