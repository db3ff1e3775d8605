// Ops that make one of several inputs.
#include <array>

#include "core/model/ops/op_type.h"

namespace hearth::detail {
namespace {

Result<void> fitAdd(Op &op, const QString &place) {
    op.outputShape = op.inputShape();
    for (const Shape &shape : op.inputShapes) {
        if (shape != op.outputShape) {
            return misfit(place, QStringLiteral("%1 and %2").arg(shapeText(op.outputShape), shapeText(shape)),
                          QStringLiteral("inputs of one shape"),
                          QStringLiteral("Bring one to the shape of the other, for instance by a shortcut with a "
                                         "convolution of kernel 1."));
        }
    }
    return {};
}

OpCost addCost(const Op &op) {
    OpCost cost;
    cost.flops = static_cast<double>(elementCount(op.outputShape)) * static_cast<double>(op.inputShapes.size() - 1);
    return cost;
}

constexpr std::array types{OpType{.kind = "add", .joins = true, .fit = fitAdd, .cost = addCost}};

}  // namespace

std::span<const OpType> joinTypes() {
    return types;
}

}  // namespace hearth::detail
