// Convolutions, depthwise ones included: those have one input channel for each output channel.
#include <array>

#include "core/model/ops/op_type.h"

namespace hearth::detail {
namespace {

const QLatin1String depthwise("depthwise");

QJsonObject readWindow(JsonReader &reader, QJsonObject parameters) {
    parameters[QLatin1String("kernel")] = readSize(reader, "kernel", 1, largestKernel);
    parameters[QLatin1String("stride")] = readSize(reader, "stride", 1, largestKernel, 1);
    parameters[QLatin1String("padding")] = readSize(reader, "padding", 0, largestKernel, 0);
    parameters[QLatin1String("bias")] = reader.boolean("bias", true);
    return parameters;
}

QJsonObject readConvolution(JsonReader &reader) {
    QJsonObject parameters;
    parameters[QLatin1String("channels")] = readSize(reader, "channels", 1, ModelLimits::dimension);
    parameters[QLatin1String("groups")] = readSize(reader, "groups", 1, ModelLimits::dimension, 1);
    return readWindow(reader, parameters);
}

QJsonObject readDepthwise(JsonReader &reader) {
    return readWindow(reader, {});
}

Result<void> fitConvolution(Op &op, const QString &place) {
    if (auto image = expectImage(op, place); !image)
        return image;
    const auto in = static_cast<int>(op.inputShape()[0]);
    const int out = op.kind == depthwise ? in : op.whole("channels");
    const int groups = op.kind == depthwise ? in : op.whole("groups");
    if (in % groups != 0 || out % groups != 0) {
        return misfit(place, shapeText(op.inputShape()),
                      QStringLiteral("channels (in and out) that %1 groups divide").arg(groups),
                      QStringLiteral("Change \"groups\" or \"channels\"."));
    }
    // One convolution has one description, so that equal models have equal hashes.
    if (groups > 1 && groups == in && out == in) {
        op.kind = depthwise;
        op.parameters.remove(QLatin1String("channels"));
        op.parameters.remove(QLatin1String("groups"));
    } else {
        op.kind = QLatin1String("convolution");
        op.parameters[QLatin1String("channels")] = out;
        op.parameters[QLatin1String("groups")] = groups;
    }
    return fitWindow(op, out, op.whole("padding"), place);
}

/// Of the input, for each output channel.
qint64 channelsOfKernel(const Op &op) {
    return op.kind == depthwise ? 1 : op.inputShape()[0] / op.whole("groups");
}

std::vector<TensorSpec> convolutionTensors(const Op &op, bool widened) {
    const qint64 kernel = op.whole("kernel"), out = op.outputShape[0];
    std::vector<TensorSpec> tensors{uniformWeight({out, channelsOfKernel(op), kernel, kernel}, widened)};
    if (op.flag("bias"))
        tensors.push_back(constantTensor("bias", out, InitKind::Zero));
    return tensors;
}

OpCost convolutionCost(const Op &op) {
    OpCost cost;
    cost.macs = static_cast<double>(elementCount(op.outputShape)) * static_cast<double>(channelsOfKernel(op)) *
                op.whole("kernel") * op.whole("kernel");
    cost.flops = 2 * cost.macs;
    cost.kept = elementCount(op.inputShape());
    return cost;
}

constexpr std::array types{OpType{.kind = "convolution",
                                  .read = readConvolution,
                                  .fit = fitConvolution,
                                  .tensors = convolutionTensors,
                                  .cost = convolutionCost},
                           OpType{.kind = "depthwise",
                                  .read = readDepthwise,
                                  .fit = fitConvolution,
                                  .tensors = convolutionTensors,
                                  .cost = convolutionCost}};

}  // namespace

std::span<const OpType> convolutionTypes() {
    return types;
}

}  // namespace hearth::detail
