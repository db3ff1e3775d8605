// Rows by number, weights without an input, and what tells positions apart.
#include <array>
#include <cmath>

#include "core/model/ops/op_type.h"

namespace hearth::detail {
namespace {

/// Deviation of initial embeddings and positions.
constexpr double embeddingDeviation = 0.02;
const QLatin1String boundKey("bound");

double embeddingBound() {
    return embeddingDeviation * std::sqrt(3.0);
}

QJsonObject readEmbedding(JsonReader &reader) {
    const int rows = readSize(reader, "rows", 1, ModelLimits::dimension);
    return {{QStringLiteral("rows"), rows},
            {QStringLiteral("features"), readSize(reader, "features", 1, ModelLimits::dimension)},
            {QStringLiteral("padding"), readOptionalWhole(reader, "padding", 0, std::max(0, rows - 1))}};
}

Result<void> fitEmbedding(Op &op, const QString &place) {
    if (auto numbers = expectKind(op, 0, ValueKind::Int64, place); !numbers)
        return numbers;
    op.outputKind = ValueKind::Real;
    op.outputShape = op.inputShape();
    op.outputShape.push_back(op.whole("features"));
    return {};
}

std::vector<TensorSpec> embeddingTensors(const Op &op, bool) {
    TensorSpec weight = uniformWeight({op.whole("rows"), op.whole("features")}, false);
    weight.bound = embeddingBound();
    return {weight};
}

OpCost costOfEmbedding(const Op &op) {
    OpCost cost = costKeepingNothing(op, 0);
    cost.keptInputs = 1;
    return cost;
}

QJsonObject readParameter(JsonReader &reader) {
    const QJsonArray shape = readWholes(reader, "shape", 1, ModelLimits::dimension);
    if (shape.size() > 7)
        reader.reject(shapeKey, sentence("It has more than 7 dimensions."), sentence("Join some of them."));
    const QString zero = QStringLiteral("zero"), uniform = QStringLiteral("uniform"), normal = QStringLiteral("normal");
    QString init = reader.choice("init", {zero, QStringLiteral("one"), uniform, normal}, zero);
    // Of the same deviation: the same bits everywhere (init.h).
    if (init == normal)
        init = uniform;
    return {{shapeKey, shape},
            {initKey, init},
            {boundKey, reader.number("bound", 0, largestNumber, init == uniform ? embeddingBound() : 0)}};
}

Result<void> fitParameter(Op &op, const QString &) {
    op.outputKind = ValueKind::Real;
    op.outputShape = op.list("shape");
    return {};
}

std::vector<TensorSpec> parameterTensors(const Op &op, bool) {
    const QString init = op.word("init");
    TensorSpec weight = constantTensor("weight", 0, init == QLatin1String("one") ? InitKind::One : InitKind::Zero);
    weight.shape = op.list("shape");
    if (init == QLatin1String("uniform")) {
        weight.init = InitKind::Uniform;
        weight.bound = op.number("bound");
    }
    return {weight};
}

/// The same memory for every sample.
OpCost costOfConstant(const Op &) {
    OpCost cost;
    cost.launched = false;
    return cost;
}

Result<void> expectTokens(const Op &op, const QString &place) {
    if (op.inputShape().size() == 2)
        return {};
    return misfit(place, shapeText(op.inputShape()), sentence("tokens×features"), sentence("Reshape what it takes."));
}

Result<void> fitSinusoidal(Op &op, const QString &place) {
    op.outputShape = op.inputShape();
    return expectTokens(op, place);
}

QJsonObject readRotary(JsonReader &reader) {
    const QString half = QStringLiteral("half");
    return {{QStringLiteral("heads"), readSize(reader, "heads", 1, ModelLimits::dimension)},
            {QStringLiteral("base"), reader.number("base", 1, largestNumber, 10000)},
            {QStringLiteral("offset"), readSize(reader, "offset", 0, ModelLimits::dimension, 0)},
            {QStringLiteral("style"), reader.choice("style", {half, QStringLiteral("interleaved")}, half)}};
}

Result<void> fitRotary(Op &op, const QString &place) {
    op.outputShape = op.inputShape();
    if (auto tokens = expectTokens(op, place); !tokens)
        return tokens;
    if (op.inputShape()[1] % (2 * op.whole("heads")) == 0)
        return {};
    return misfit(place, shapeText(op.inputShape()),
                  sentence("features that make an even number for each of %1 {1|head|heads}").arg(op.whole("heads")),
                  sentence("Change \"heads\"."));
}

OpCost costOfRotary(const Op &op) {
    return costKeepingNothing(op, 3);
}

}  // namespace

std::span<const OpType> embeddingTypes() {
    static constexpr std::array types{
        OpType{.kind = "embedding",
               .takesInt64 = true,
               .read = readEmbedding,
               .fit = fitEmbedding,
               .tensors = embeddingTensors,
               .cost = costOfEmbedding},
        OpType{.kind = "parameter",
               .takesInt64 = true,
               .read = readParameter,
               .fit = fitParameter,
               .tensors = parameterTensors,
               .cost = costOfConstant},
        OpType{.kind = "sinusoidal-positions", .fit = fitSinusoidal, .cost = costOfConstant},
        OpType{.kind = "rotary", .read = readRotary, .fit = fitRotary, .cost = costOfRotary}};
    return types;
}

}  // namespace hearth::detail
