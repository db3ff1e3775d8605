// Convolutions, matrices, norms and pools as nodes of ONNX.
#include "core/model/import/onnx_write.h"

namespace hearth::onnx_export {
namespace {

void setWindow(const Call &call) {
    const std::size_t count = call.windowDims();
    std::vector<qint64> pads = call.list("padding");
    if (pads.size() != 4) {
        pads = call.each("padding", count, 0);
        const std::vector<qint64> before = pads;
        pads.insert(pads.end(), before.begin(), before.end());
    } else if (count == 1) {
        pads = {pads[1], pads[3]};  // a row is an image of height 1
    }
    call.writer.with("kernel_shape", call.each("kernel", count, 1))
        .with("strides", call.each("stride", count, 1))
        .with("pads", pads);
}

Name convolution(const Call &call) {
    const bool isTransposed = call.op.kind == QLatin1String("transposed-convolution");
    const Name result = call.writer.node(isTransposed ? "ConvTranspose" : "Conv", withWeights(call));
    setWindow(call);
    const bool isDepthwise = call.op.kind == QLatin1String("depthwise");
    call.writer.with("group", isDepthwise ? call.op.inputShape().front() : call.value("groups").toInteger(1));
    call.writer.with("dilations", call.each("dilation", call.windowDims(), 1));
    if (isTransposed)
        call.writer.with("output_padding", call.each("output_padding", call.windowDims(), 0));
    return result;
}

Name linear(const Call &call) {
    const bool stored = call.flag("transposed");  // {in, out}
    if (call.op.inputShape().size() == 1) {
        const Name result = call.writer.node("Gemm", withWeights(call));
        call.writer.with("transB", qint64{stored ? 0 : 1});
        return result;
    }
    Name matrix = call.weights.front();
    if (!stored) {
        matrix = call.writer.node("Transpose", {matrix});
        call.writer.with("perm", std::vector<qint64>{1, 0});
    }
    const Name product = call.writer.node("MatMul", {call.x(), matrix});
    return call.weights.size() > 1 ? call.writer.node("Add", {product, call.weights[1]}) : product;
}

Name batchNorm(const Call &call) {
    const Name result = call.writer.node("BatchNormalization", withWeights(call));
    call.writer.with("epsilon", call.number("epsilon"));
    return result;
}

Name layerNorm(const Call &call) {
    const Shape &shape = call.op.inputShape();
    const qint64 dims = call.whole("dims");
    Names names = withWeights(call);
    if (names.size() == 1)
        names.push_back(call.writer.filled(Shape(shape.end() - dims, shape.end()), 1));
    const Name result = call.writer.node("LayerNormalization", names);
    call.writer.with("axis", -dims).with("epsilon", call.number("epsilon"));
    return result;
}

/// Each group as a channel of an instance norm.
Name groupNorm(const Call &call) {
    Writer &w = call.writer;
    const qint64 groups = call.whole("groups");
    const Shape &shape = call.op.inputShape();
    const Name grouped = w.reshaped(call.x(), {groups, elementCount(shape) / groups});
    const Name normal = w.node("InstanceNormalization", {grouped, w.filled({groups}, 1), w.filled({groups}, 0)});
    w.with("epsilon", call.number("epsilon"));
    Name result = w.reshaped(normal, shape);
    if (call.weights.empty())
        return result;
    std::vector<qint64> each(shape.size(), 1);
    each.front() = shape.front();
    const Name weight = w.node("Reshape", {call.weights[0], w.wholes(each)});
    const Name bias = w.node("Reshape", {call.weights[1], w.wholes(each)});
    result = w.node("Mul", {result, weight});
    return w.node("Add", {result, bias});
}

Name rmsNorm(const Call &call) {
    Writer &w = call.writer;
    const Name square = w.node("Mul", {call.x(), call.x()});
    const Name mean = w.node("ReduceMean", {square});
    w.with("axes", std::vector<qint64>{-1});
    const Name root = w.node("Sqrt", {w.node("Add", {mean, w.number(call.number("epsilon"))})});
    const Name normal = w.node("Div", {call.x(), root});
    return w.node("Mul", {normal, call.weights.front()});
}

Name pool(const Call &call) {
    const bool isMaximum = call.op.kind == QLatin1String("max-pool");
    const Name result = call.writer.node(isMaximum ? "MaxPool" : "AveragePool", {call.x()});
    setWindow(call);
    call.writer.with("ceil_mode", qint64{call.flag("ceil")});
    if (isMaximum)
        call.writer.with("dilations", call.each("dilation", call.windowDims(), 1));
    else
        call.writer.with("count_include_pad", qint64{call.flag("count_padding", true)});
    return result;
}

/// Where all windows are of one size, which is what ONNX can say.
Name adaptivePool(const Call &call) {
    const Shape &in = call.op.inputShape(), &out = call.op.outputShape;
    std::vector<qint64> window;
    for (std::size_t i = 1; i < in.size(); ++i) {
        if (in[i] % out[i] != 0)
            return {};
        window.push_back(in[i] / out[i]);
    }
    const Name result = call.writer.node("AveragePool", {call.x()});
    call.writer.with("kernel_shape", window).with("strides", window);
    return result;
}

}  // namespace

Names withWeights(const Call &call) {
    Names names{call.x()};
    names.insert(names.end(), call.weights.begin(), call.weights.end());
    return names;
}

void addLayerWrites(WriteTable &table) {
    for (const char *kind : {"convolution", "depthwise", "transposed-convolution"})
        table[QLatin1String(kind)] = convolution;
    table[QStringLiteral("linear")] = linear;
    table[QStringLiteral("batch-norm")] = batchNorm;
    table[QStringLiteral("layer-norm")] = layerNorm;
    table[QStringLiteral("group-norm")] = groupNorm;
    table[QStringLiteral("rms-norm")] = rmsNorm;
    table[QStringLiteral("max-pool")] = pool;
    table[QStringLiteral("average-pool")] = pool;
    table[QStringLiteral("adaptive-average-pool")] = adaptivePool;
}

}  // namespace hearth::onnx_export
