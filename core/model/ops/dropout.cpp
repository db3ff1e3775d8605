#include <array>

#include "core/model/ops/op_type.h"

namespace hearth::detail {
namespace {

QJsonObject readRate(JsonReader &reader) {
    return {{QStringLiteral("probability"), reader.number("probability", 0.0, 0.99, 0.5)}};
}

/// `kept` elements of a mask.
OpCost costOf(const Op &op, qint64 kept) {
    OpCost cost = costKeepingNothing(op);
    cost.launched = op.number("probability") > 0;
    cost.keptBesides = cost.launched ? kept : 0;
    return cost;
}

/// The mask has one byte for each element, a quarter of what an element takes.
OpCost costOfDropout(const Op &op) {
    return costOf(op, (elementCount(op.inputShape()) + 3) / 4);
}

OpCost costOfDepth(const Op &op) {
    return costOf(op, 1);
}

}  // namespace

std::span<const OpType> dropoutTypes() {
    static constexpr std::array types{OpType{.kind = "dropout", .read = readRate, .cost = costOfDropout},
                                      OpType{.kind = "stochastic-depth", .read = readRate, .cost = costOfDepth}};
    return types;
}

}  // namespace hearth::detail
