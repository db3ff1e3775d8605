// Ops that make one of several inputs. Their shapes broadcast per sample, aligned at the end.
#include <array>

#include "core/model/ops/op_type.h"

namespace hearth::detail {
namespace {

Result<void> fitElementwise(Op &op, const QString &place) {
    op.outputShape = op.inputShape();
    for (const Shape &shape : op.inputShapes) {
        const auto together = broadcastShape(op.outputShape, shape);
        if (!together) {
            return misfit(place, sentence("%1 and %2").arg(shapeText(op.outputShape), shapeText(shape)),
                          sentence("inputs of one shape"),
                          sentence("Bring one to the shape of the other, for instance by a shortcut with a convolution "
                                   "of kernel 1. Only dimensions of 1 are repeated."));
        }
        op.outputShape = *together;
    }
    return {};
}

OpCost costOfSum(const Op &op) {
    return costKeepingNothing(op, static_cast<double>(op.inputShapes.size() - 1));
}

OpCost costKeepingBoth(const Op &op) {
    OpCost cost = costKeepingNothing(op);
    cost.keptInputs = 0b11;
    return cost;
}

QJsonObject readConcat(JsonReader &reader) {
    return {{QStringLiteral("axis"), readSize(reader, "axis", -8, 7)}};
}

Result<void> fitConcat(Op &op, const QString &place) {
    for (std::size_t i = 1; i < op.inputKinds.size(); ++i) {
        if (auto kind = expectKind(op, i, op.inputKinds.front(), place); !kind)
            return kind;
    }
    if (auto axis = fitAxis(op, "axis", place); !axis)
        return axis;
    const auto axis = static_cast<std::size_t>(op.whole("axis"));
    op.outputShape = op.inputShape();
    op.outputShape[axis] = 0;
    for (const Shape &shape : op.inputShapes) {
        Shape rest = shape;
        if (rest.size() == op.outputShape.size())
            rest[axis] = op.outputShape[axis];
        if (rest != op.outputShape) {
            return misfit(place, sentence("%1 and %2").arg(shapeText(op.inputShape()), shapeText(shape)),
                          sentence("shapes that differ in dimension %1 alone").arg(axis),
                          sentence("Correct \"axis\" (0 is the first dimension behind the batch), or what is before."));
        }
        op.outputShape[axis] += shape[axis];
    }
    return {};
}

OpCost costOfConcat(const Op &op) {
    return costKeepingNothing(op, 0);
}

Result<void> fitMatmul(Op &op, const QString &place) {
    const Shape &a = op.inputShapes[0], &b = op.inputShapes[1];
    const auto wrong = [&] {
        return misfit(place, sentence("%1 and %2").arg(shapeText(a), shapeText(b)),
                      sentence("matrices …×n×k and …×k×m whose other dimensions are the same or 1"),
                      sentence("Transpose or reshape one of them."));
    };
    if (a.size() < 2 || b.size() < 2 || a.back() != b[b.size() - 2])
        return wrong();
    auto shape = broadcastShape(Shape(a.begin(), a.end() - 2), Shape(b.begin(), b.end() - 2));
    if (!shape)
        return wrong();
    shape->push_back(a[a.size() - 2]);
    shape->push_back(b.back());
    op.outputShape = std::move(*shape);
    return {};
}

OpCost costOfMatmul(const Op &op) {
    OpCost cost;
    cost.macs = static_cast<double>(elementCount(op.outputShape)) * static_cast<double>(op.inputShape().back());
    cost.flops = 2 * cost.macs;
    cost.keptInputs = 0b11;
    return cost;
}

}  // namespace

std::span<const OpType> joinTypes() {
    static constexpr std::array types{
        OpType{.kind = "add", .leastInputs = 2, .mostInputs = anyNumber, .fit = fitElementwise, .cost = costOfSum},
        OpType{.kind = "sub", .leastInputs = 2, .mostInputs = 2, .fit = fitElementwise, .cost = costOfSum},
        OpType{.kind = "mul", .leastInputs = 2, .mostInputs = 2, .fit = fitElementwise, .cost = costKeepingBoth},
        OpType{.kind = "div", .leastInputs = 2, .mostInputs = 2, .fit = fitElementwise, .cost = costKeepingBoth},
        OpType{.kind = "maximum", .leastInputs = 2, .mostInputs = 2, .fit = fitElementwise, .cost = costKeepingBoth},
        OpType{.kind = "minimum", .leastInputs = 2, .mostInputs = 2, .fit = fitElementwise, .cost = costKeepingBoth},
        OpType{.kind = "concat",
               .leastInputs = 2,
               .mostInputs = anyNumber,
               .takesInt64 = true,
               .read = readConcat,
               .fit = fitConcat,
               .cost = costOfConcat},
        OpType{.kind = "matmul", .leastInputs = 2, .mostInputs = 2, .fit = fitMatmul, .cost = costOfMatmul}};
    return types;
}

}  // namespace hearth::detail
