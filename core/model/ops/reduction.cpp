// Means, sums and largest elements over dimensions.
#include <array>

#include "core/model/ops/op_type.h"

namespace hearth::detail {
namespace {

QJsonObject readReduction(JsonReader &reader) {
    return {{QStringLiteral("axes"), readWholes(reader, "axes", -8, 7)},
            {QStringLiteral("keep"), reader.boolean("keep", false)}};
}

Result<void> fitReduction(Op &op, const QString &place) {
    if (auto axes = fitAxes(op, "axes", place); !axes)
        return axes;
    op.outputShape = op.inputShape();
    const std::vector<qint64> axes = op.list("axes");
    for (auto axis = axes.rbegin(); axis != axes.rend(); ++axis) {
        if (op.flag("keep"))
            op.outputShape[static_cast<std::size_t>(*axis)] = 1;
        else
            op.outputShape.erase(op.outputShape.begin() + *axis);
    }
    return {};
}

OpCost costOfReduction(const Op &op) {
    OpCost cost;
    cost.flops = static_cast<double>(elementCount(op.inputShape()));
    return cost;
}

OpCost costOfMax(const Op &op) {
    OpCost cost = costKeepingInput(op);
    cost.keepsOutput = true;
    return cost;
}

}  // namespace

std::span<const OpType> reductionTypes() {
    static constexpr std::array types{
        OpType{.kind = "mean", .read = readReduction, .fit = fitReduction, .cost = costOfReduction},
        OpType{.kind = "sum", .read = readReduction, .fit = fitReduction, .cost = costOfReduction},
        OpType{.kind = "max", .read = readReduction, .fit = fitReduction, .cost = costOfMax}};
    return types;
}

}  // namespace hearth::detail
