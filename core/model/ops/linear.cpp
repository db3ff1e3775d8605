#include <array>

#include "core/model/ops/op_type.h"

namespace hearth::detail {
namespace {

QJsonObject read(JsonReader &reader) {
    QJsonObject parameters;
    parameters[QLatin1String("features")] = readSize(reader, "features", 1, ModelLimits::dimension);
    parameters[QLatin1String("bias")] = reader.boolean("bias", true);
    return parameters;
}

Result<void> fit(Op &op, const QString &place) {
    if (op.inputShape().size() != 1) {
        return misfit(place, shapeText(op.inputShape()), QStringLiteral("a flat list of features"),
                      QStringLiteral("Put a flatten before it."));
    }
    op.outputShape = {op.whole("features")};
    return {};
}

std::vector<TensorSpec> tensors(const Op &op, bool widened) {
    const qint64 out = op.outputShape[0];
    std::vector<TensorSpec> own{uniformWeight({out, op.inputShape()[0]}, widened)};
    if (op.flag("bias"))
        own.push_back(constantTensor("bias", out, InitKind::Zero));
    return own;
}

OpCost cost(const Op &op) {
    OpCost cost;
    cost.macs = static_cast<double>(op.inputShape()[0]) * static_cast<double>(op.outputShape[0]);
    cost.flops = 2 * cost.macs;
    cost.kept = op.inputShape()[0];
    return cost;
}

constexpr std::array types{OpType{.kind = "linear", .read = read, .fit = fit, .tensors = tensors, .cost = cost}};

}  // namespace

std::span<const OpType> linearTypes() {
    return types;
}

}  // namespace hearth::detail
