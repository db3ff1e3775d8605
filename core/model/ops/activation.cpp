// Functions of each element by itself, and softmax.
#include <array>

#include "core/model/ops/op_type.h"

namespace hearth::detail {
namespace {

/// FLOPs of an exponential, a logarithm or an error function, about.
constexpr double transcendental = 10;
const QLatin1String minKey("min"), maxKey("max");

QJsonObject readLeaky(JsonReader &reader) {
    return {{QStringLiteral("slope"), reader.number("slope", 0, 1, 0.01)}};
}

QJsonObject readGelu(JsonReader &reader) {
    const QString none = QStringLiteral("none");
    return {{QStringLiteral("approximate"), reader.choice("approximate", {none, QStringLiteral("tanh")}, none)}};
}

QJsonObject readElu(JsonReader &reader) {
    return {{QStringLiteral("alpha"), reader.number("alpha", 0, largestNumber, 1)}};
}

QJsonObject readClip(JsonReader &reader) {
    const QJsonValue least = readOptionalNumber(reader, "min", -largestNumber, largestNumber);
    const QJsonValue most = readOptionalNumber(reader, "max", -largestNumber, largestNumber);
    if (reader.ok() && least.isNull() && most.isNull())
        reader.reject(minKey, sentence("It has no bound."), sentence("Give \"min\", \"max\" or both."));
    if (least.isDouble() && most.isDouble() && least.toDouble() > most.toDouble())
        reader.reject(maxKey, sentence("It is below \"min\"."), sentence("Exchange the two."));
    return {{minKey, least}, {maxKey, most}};
}

QJsonObject readPower(JsonReader &reader) {
    return {{QStringLiteral("exponent"), reader.number("exponent", -largestNumber, largestNumber)}};
}

QJsonObject readScale(JsonReader &reader) {
    return {{QStringLiteral("factor"), reader.number("factor", -largestNumber, largestNumber, 1)},
            {QStringLiteral("offset"), reader.number("offset", -largestNumber, largestNumber, 0)}};
}

QJsonObject readSoftmax(JsonReader &reader) {
    return {{QStringLiteral("axis"), readSize(reader, "axis", -8, 7, -1)}};
}

Result<void> fitSoftmax(Op &op, const QString &place) {
    op.outputShape = op.inputShape();
    return fitAxis(op, "axis", place);
}

OpCost costOfNothingKept(const Op &op) {
    return costKeepingNothing(op);
}

OpCost keepingInput(const Op &op) {
    OpCost cost = costKeepingInput(op);
    cost.flops *= transcendental;
    return cost;
}

OpCost keepingOutput(const Op &op) {
    OpCost cost = costInPlace(op);
    cost.flops *= transcendental;
    return cost;
}

}  // namespace

std::span<const OpType> activationTypes() {
    static constexpr std::array types{
        OpType{.kind = "relu", .role = OpRole::Activation},
        OpType{.kind = "relu6", .role = OpRole::Activation},
        OpType{.kind = "leaky-relu", .role = OpRole::Activation, .read = readLeaky},
        OpType{.kind = "silu", .role = OpRole::Activation, .cost = keepingInput},
        OpType{.kind = "gelu", .role = OpRole::Activation, .read = readGelu, .cost = keepingInput},
        OpType{.kind = "hard-swish", .role = OpRole::Activation, .cost = costKeepingInput},
        OpType{.kind = "elu", .role = OpRole::Activation, .read = readElu, .cost = keepingInput},
        OpType{.kind = "softplus", .role = OpRole::Activation, .cost = keepingInput},
        OpType{.kind = "sigmoid", .cost = keepingOutput},
        OpType{.kind = "hard-sigmoid", .cost = costKeepingInput},
        OpType{.kind = "tanh", .cost = keepingOutput},
        OpType{.kind = "exp", .cost = keepingOutput},
        OpType{.kind = "log", .cost = keepingInput},
        OpType{.kind = "sqrt"},
        OpType{.kind = "reciprocal"},
        OpType{.kind = "neg", .cost = costOfNothingKept},
        OpType{.kind = "abs", .cost = costKeepingInput},
        OpType{.kind = "erf", .cost = keepingInput},
        OpType{.kind = "clip", .read = readClip, .cost = costKeepingInput},
        OpType{.kind = "power", .read = readPower, .cost = keepingInput},
        OpType{.kind = "scale", .read = readScale, .cost = costOfNothingKept},
        OpType{.kind = "softmax", .read = readSoftmax, .fit = fitSoftmax, .cost = keepingOutput},
        OpType{.kind = "log-softmax", .read = readSoftmax, .fit = fitSoftmax, .cost = keepingOutput}};
    return types;
}

}  // namespace hearth::detail
