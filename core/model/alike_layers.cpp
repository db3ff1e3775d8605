#include "core/model/alike_layers.h"

#include <algorithm>

namespace hearth {
namespace {

bool areAlike(const Op &a, const Op &b) {
    return a.kind == b.kind && a.from == b.from && a.inputShapes == b.inputShapes && a.inputKinds == b.inputKinds &&
           a.outputShape == b.outputShape && a.outputKind == b.outputKind && a.tensors == b.tensors &&
           a.frozen == b.frozen && a.cost == b.cost && a.parameters == b.parameters;
}

}  // namespace

bool areAlike(const Layer &a, const Layer &b) {
    return a.outputs == b.outputs && a.shape.inputs == b.shape.inputs && a.shape.outputs == b.shape.outputs &&
           std::ranges::equal(a.ops, b.ops, [](const Op &one, const Op &other) { return areAlike(one, other); });
}

}  // namespace hearth
