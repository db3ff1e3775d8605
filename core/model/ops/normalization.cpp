#include <array>

#include "core/model/ops/op_type.h"

namespace hearth::detail {
namespace {

QJsonValue readEpsilon(JsonReader &reader, double fallback) {
    return reader.number("epsilon", 1e-12, 1.0, fallback);
}

QJsonObject readBatchNorm(JsonReader &reader) {
    QJsonObject parameters;
    parameters[QLatin1String("epsilon")] = readEpsilon(reader, 1e-5);
    parameters[QLatin1String("momentum")] = reader.number("momentum", 0.0, 1.0, 0.1);
    return parameters;
}

QJsonObject readLayerNorm(JsonReader &reader) {
    return {{QStringLiteral("dims"), readSize(reader, "dims", 1, 8, 1)},
            {QStringLiteral("epsilon"), readEpsilon(reader, 1e-5)},
            {QStringLiteral("affine"), reader.boolean("affine", true)},
            {QStringLiteral("bias"), reader.boolean("bias", true)}};
}

QJsonObject readGroupNorm(JsonReader &reader) {
    return {{QStringLiteral("groups"), readSize(reader, "groups", 1, ModelLimits::dimension)},
            {QStringLiteral("epsilon"), readEpsilon(reader, 1e-5)},
            {QStringLiteral("affine"), reader.boolean("affine", true)}};
}

QJsonObject readRmsNorm(JsonReader &reader) {
    return {{QStringLiteral("epsilon"), readEpsilon(reader, 1e-6)}};
}

Result<void> fitBatchNorm(Op &op, const QString &place) {
    op.outputShape = op.inputShape();
    const std::size_t rank = op.inputShape().size();
    if (rank >= 1 && rank <= 3)
        return {};
    return misfit(place, shapeText(op.inputShape()),
                  sentence("channels×height×width, channels×length or a list of features"),
                  sentence("Reshape what it takes."));
}

/// What one mean and one deviation are taken of.
qint64 normalised(const Op &op) {
    const Shape &shape = op.inputShape();
    const std::size_t dims = op.has("dims") ? static_cast<std::size_t>(op.whole("dims")) : 1;
    return elementCount(Shape(shape.end() - static_cast<std::ptrdiff_t>(dims), shape.end()));
}

Result<void> fitLastDimensions(Op &op, const QString &place) {
    const int dims = op.has("dims") ? op.whole("dims") : 1;
    op.outputShape = op.inputShape();
    if (op.inputShape().size() >= static_cast<std::size_t>(dims))
        return {};
    return misfit(place, shapeText(op.inputShape()), sentence("at least %1 {1|dimension|dimensions}").arg(dims),
                  sentence("Correct \"dims\", or reshape what it takes."));
}

Result<void> fitGroupNorm(Op &op, const QString &place) {
    op.outputShape = op.inputShape();
    if (!op.inputShape().empty() && op.inputShape()[0] % op.whole("groups") == 0)
        return {};
    return misfit(place, shapeText(op.inputShape()), sentence("channels that %1 groups divide").arg(op.whole("groups")),
                  sentence("Change \"groups\"."));
}

std::vector<TensorSpec> batchNormTensors(const Op &op, bool) {
    const qint64 channels = op.outputShape[0];
    std::vector<TensorSpec> tensors{constantTensor("weight", channels, InitKind::One),
                                    constantTensor("bias", channels, InitKind::Zero),
                                    constantTensor("running_mean", channels, InitKind::Zero),
                                    constantTensor("running_var", channels, InitKind::One)};
    tensors[2].role = tensors[3].role = TensorRole::Statistics;
    return tensors;
}

std::vector<TensorSpec> layerNormTensors(const Op &op, bool) {
    if (!op.flag("affine"))
        return {};
    std::vector<TensorSpec> tensors{constantTensor("weight", 0, InitKind::One)};
    if (op.flag("bias"))
        tensors.push_back(constantTensor("bias", 0, InitKind::Zero));
    for (TensorSpec &tensor : tensors)
        tensor.shape.assign(op.inputShape().end() - op.whole("dims"), op.inputShape().end());
    return tensors;
}

std::vector<TensorSpec> groupNormTensors(const Op &op, bool) {
    if (!op.flag("affine"))
        return {};
    return {constantTensor("weight", op.inputShape()[0], InitKind::One),
            constantTensor("bias", op.inputShape()[0], InitKind::Zero)};
}

std::vector<TensorSpec> rmsNormTensors(const Op &op, bool) {
    return {constantTensor("weight", op.inputShape().back(), InitKind::One)};
}

OpCost batchNormCost(const Op &op) {
    OpCost cost = costKeepingInput(op);
    cost.flops *= 4;
    // The variance of a single value is none.
    cost.minimumSamples = elementCount(op.inputShape()) == op.inputShape()[0] ? 2 : 1;
    return cost;
}

/// Besides its input an op keeps so many numbers for each mean that it takes.
OpCost costOfMeans(const Op &op, qint64 means, qint64 kept) {
    OpCost cost = costKeepingInput(op);
    cost.flops *= 4;
    cost.keptBesides = means * kept;
    return cost;
}

OpCost layerNormCost(const Op &op) {
    return costOfMeans(op, elementCount(op.inputShape()) / normalised(op), 2);
}

OpCost groupNormCost(const Op &op) {
    return costOfMeans(op, op.whole("groups"), 2);
}

OpCost rmsNormCost(const Op &op) {
    return costOfMeans(op, elementCount(op.inputShape()) / normalised(op), 1);
}

}  // namespace

std::span<const OpType> normalizationTypes() {
    static constexpr std::array types{OpType{.kind = "batch-norm",
                                             .role = OpRole::Normalization,
                                             .read = readBatchNorm,
                                             .fit = fitBatchNorm,
                                             .tensors = batchNormTensors,
                                             .cost = batchNormCost},
                                      OpType{.kind = "layer-norm",
                                             .role = OpRole::Normalization,
                                             .read = readLayerNorm,
                                             .fit = fitLastDimensions,
                                             .tensors = layerNormTensors,
                                             .cost = layerNormCost},
                                      OpType{.kind = "group-norm",
                                             .role = OpRole::Normalization,
                                             .read = readGroupNorm,
                                             .fit = fitGroupNorm,
                                             .tensors = groupNormTensors,
                                             .cost = groupNormCost},
                                      OpType{.kind = "rms-norm",
                                             .role = OpRole::Normalization,
                                             .read = readRmsNorm,
                                             .fit = fitLastDimensions,
                                             .tensors = rmsNormTensors,
                                             .cost = rmsNormCost}};
    return types;
}

}  // namespace hearth::detail
