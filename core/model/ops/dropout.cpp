#include <array>

#include "core/model/ops/op_type.h"

namespace hearth::detail {
namespace {

QJsonObject read(JsonReader &reader) {
    return {{QStringLiteral("probability"), reader.number("probability", 0.0, 0.99, 0.5)}};
}

OpCost cost(const Op &op) {
    OpCost cost = costKeepingInput(op);  // the mask
    cost.launched = op.number("probability") > 0;
    return cost;
}

constexpr std::array types{OpType{.kind = "dropout", .read = read, .cost = cost}};

}  // namespace

std::span<const OpType> dropoutTypes() {
    return types;
}

}  // namespace hearth::detail
