// Convolutions over images and rows, depthwise ones included: those have one input channel for each output channel.
#include <array>

#include "core/model/ops/op_type.h"
#include "core/model/ops/window.h"

namespace hearth::detail {
namespace {

const QLatin1String depthwise("depthwise"), channelsKey("channels"), groupsKey("groups");

QJsonObject readConvolution(JsonReader &reader) {
    QJsonObject parameters;
    parameters[channelsKey] = readSize(reader, "channels", 1, ModelLimits::dimension);
    parameters[groupsKey] = readSize(reader, "groups", 1, ModelLimits::dimension, 1);
    readWindow(reader, parameters, 1);
    parameters[QLatin1String("bias")] = reader.boolean("bias", true);
    return parameters;
}

QJsonObject readDepthwise(JsonReader &reader) {
    QJsonObject parameters;
    readWindow(reader, parameters, 1);
    parameters[QLatin1String("bias")] = reader.boolean("bias", true);
    return parameters;
}

QJsonObject readTransposed(JsonReader &reader) {
    QJsonObject parameters = readConvolution(reader);
    QJsonValue extra = 0;
    if (reader.has("output_padding") && reader.value("output_padding").isArray())
        extra = readWholes(reader, "output_padding", 0, largestKernel);
    else
        extra = readSize(reader, "output_padding", 0, largestKernel, 0);
    if (extra.isArray() && extra.toArray().size() != 2)
        reader.reject(QStringLiteral("output_padding"), sentence("It has not two numbers."),
                      sentence("Give one number, or [height, width]."));
    parameters[QLatin1String("output_padding")] = extra;
    return parameters;
}

Result<void> checkGroups(const Op &op, qint64 in, qint64 out, qint64 groups, const QString &place) {
    if (in % groups == 0 && out % groups == 0)
        return {};
    return misfit(place, shapeText(op.inputShape()),
                  sentence("channels (in and out) that %1 groups divide").arg(groups),
                  sentence("Change \"groups\" or \"channels\"."));
}

Result<void> fitConvolution(Op &op, const QString &place) {
    if (auto image = expectImageOrRow(op, place); !image)
        return image;
    const auto in = static_cast<int>(op.inputShape()[0]);
    const int out = op.kind == depthwise ? in : op.whole("channels");
    const int groups = op.kind == depthwise ? in : op.whole("groups");
    if (auto divided = checkGroups(op, in, out, groups, place); !divided)
        return divided;
    // One convolution has one description, so that equal models have equal hashes.
    if (groups > 1 && groups == in && out == in) {
        op.kind = depthwise;
        op.parameters.remove(channelsKey);
        op.parameters.remove(groupsKey);
    } else {
        op.kind = QLatin1String("convolution");
        op.parameters[channelsKey] = out;
        op.parameters[groupsKey] = groups;
    }
    return fitWindow(op, out, place);
}

Result<void> fitTransposed(Op &op, const QString &place) {
    if (auto image = expectImageOrRow(op, place); !image)
        return image;
    const qint64 in = op.inputShape()[0], out = op.whole("channels");
    if (auto divided = checkGroups(op, in, out, op.whole("groups"), place); !divided)
        return divided;
    const Window window = windowOf(op);
    const std::array extra = pairOf(op, "output_padding", 0);
    if (!window.isSymmetric()) {
        return fail(QStringLiteral("model.shape"), sentence("%1 does not fit.").arg(place),
                    sentence("Its padding differs between the sides, which a transposed convolution cannot have."),
                    sentence("Give \"padding\" as [height, width], and cut the result with slices."));
    }
    shortenWindow(op);
    shortenPair(op, "output_padding", 0);
    op.outputShape = {out};
    for (std::size_t i = 3 - op.inputShape().size(); i < 2; ++i) {
        const qint64 size = op.inputShape()[i + op.inputShape().size() - 2];
        const qint64 given = (size - 1) * window.stride[i] - 2 * window.before[i] + window.extent(i) + extra[i];
        if (extra[i] >= std::max(window.stride[i], window.dilation[i]) || given < 1) {
            return misfit(place, shapeText(op.inputShape()),
                          sentence("something that leaves at least one place, and an \"output_padding\" below stride "
                                   "or dilation"),
                          sentence("Use less \"padding\" or \"output_padding\"."));
        }
        op.outputShape.push_back(given);
    }
    return {};
}

/// Of the input, for each output channel.
qint64 channelsOfKernel(const Op &op) {
    return op.kind == depthwise ? 1 : op.inputShape()[0] / op.whole("groups");
}

/// {h, w}, or {w} for rows.
Shape withKernel(const Op &op, Shape shape) {
    const Window window = windowOf(op);
    if (op.inputShape().size() == 3)
        shape.push_back(window.kernel[0]);
    shape.push_back(window.kernel[1]);
    return shape;
}

std::vector<TensorSpec> withBias(const Op &op, TensorSpec weight) {
    std::vector<TensorSpec> tensors{std::move(weight)};
    if (op.flag("bias"))
        tensors.push_back(constantTensor("bias", op.outputShape[0], InitKind::Zero));
    return tensors;
}

std::vector<TensorSpec> convolutionTensors(const Op &op, bool widened) {
    return withBias(op, uniformWeight(withKernel(op, {op.outputShape[0], channelsOfKernel(op)}), widened));
}

std::vector<TensorSpec> transposedTensors(const Op &op, bool widened) {
    return withBias(
        op, uniformWeight(withKernel(op, {op.inputShape()[0], op.outputShape[0] / op.whole("groups")}), widened));
}

/// Each of so many elements takes so many channels of the kernel.
OpCost costOf(const Op &op, qint64 elements, qint64 channels) {
    const Window window = windowOf(op);
    OpCost cost;
    cost.macs = static_cast<double>(elements) * static_cast<double>(channels) * static_cast<double>(window.kernel[0]) *
                static_cast<double>(window.kernel[1]);
    cost.flops = 2 * cost.macs;
    cost.keptInputs = 1;
    return cost;
}

OpCost convolutionCost(const Op &op) {
    return costOf(op, elementCount(op.outputShape), channelsOfKernel(op));
}

OpCost transposedCost(const Op &op) {
    return costOf(op, elementCount(op.inputShape()), op.outputShape[0] / op.whole("groups"));
}

}  // namespace

std::span<const OpType> convolutionTypes() {
    static constexpr std::array types{OpType{.kind = "convolution",
                                             .read = readConvolution,
                                             .fit = fitConvolution,
                                             .tensors = convolutionTensors,
                                             .cost = convolutionCost},
                                      OpType{.kind = "depthwise",
                                             .read = readDepthwise,
                                             .fit = fitConvolution,
                                             .tensors = convolutionTensors,
                                             .cost = convolutionCost},
                                      OpType{.kind = "transposed-convolution",
                                             .read = readTransposed,
                                             .fit = fitTransposed,
                                             .tensors = transposedTensors,
                                             .cost = transposedCost}};
    return types;
}

}  // namespace hearth::detail
