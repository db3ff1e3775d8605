#include <array>

#include "core/model/ops/op_type.h"

namespace hearth::detail {
namespace {

constexpr std::array types{OpType{.kind = "relu", .role = OpRole::Activation},
                           OpType{.kind = "relu6", .role = OpRole::Activation}};

}  // namespace

std::span<const OpType> activationTypes() {
    return types;
}

}  // namespace hearth::detail
