#include <array>

#include "core/model/ops/op_type.h"

namespace hearth::detail {
namespace {

const QLatin1String transposedKey("transposed");

QJsonObject readLinear(JsonReader &reader) {
    QJsonObject parameters;
    parameters[QLatin1String("features")] = readSize(reader, "features", 1, ModelLimits::dimension);
    parameters[QLatin1String("bias")] = reader.boolean("bias", true);
    // Left out where it is false: models of before keep their hash.
    if (reader.boolean("transposed", false))
        parameters[transposedKey] = true;
    const QString zero = QStringLiteral("zero");
    if (reader.choice("init", {QStringLiteral("uniform"), zero}, QStringLiteral("uniform")) == zero)
        parameters[initKey] = zero;
    return parameters;
}

Result<void> fitLinear(Op &op, const QString &place) {
    if (op.inputShape().empty())
        return misfit(place, sentence("a single number"), sentence("a list of features"),
                      sentence("Reshape what it takes."));
    op.outputShape = op.inputShape();
    op.outputShape.back() = op.whole("features");
    return {};
}

std::vector<TensorSpec> linearTensors(const Op &op, bool widened) {
    const qint64 in = op.inputShape().back(), out = op.outputShape.back();
    std::vector<TensorSpec> own{uniformWeight({out, in}, widened)};
    if (op.has("transposed"))
        own.front().shape = {in, out};
    if (op.has("init")) {
        own.front().init = InitKind::Zero;
        own.front().bound = 0;
    }
    if (op.flag("bias"))
        own.push_back(constantTensor("bias", out, InitKind::Zero));
    return own;
}

OpCost costOfLinear(const Op &op) {
    OpCost cost;
    cost.macs = static_cast<double>(elementCount(op.inputShape())) * static_cast<double>(op.outputShape.back());
    cost.flops = 2 * cost.macs;
    cost.keptInputs = 1;
    return cost;
}

}  // namespace

std::span<const OpType> linearTypes() {
    static constexpr std::array types{
        OpType{.kind = "linear", .read = readLinear, .fit = fitLinear, .tensors = linearTensors, .cost = costOfLinear}};
    return types;
}

}  // namespace hearth::detail
