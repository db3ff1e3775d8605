#include "core/model/cut_slots.h"

namespace hearth {

std::vector<Slot> cutSlots(const Model &model, std::size_t layer, DType type) {
    const std::vector<ValueSpec> &values =
        layer == 0 ? model.layers.front().shape.inputs : model.layers[layer - 1].shape.outputs;
    std::vector<Slot> slots;
    for (const ValueSpec &value : values)
        slots.push_back({value.dtype(type), value.shape, value.needsGradient});
    return slots;
}

qint64 forwardBytes(const std::vector<Slot> &slots) {
    qint64 bytes = 0;
    for (const Slot &slot : slots)
        bytes += slot.bytes();
    return bytes;
}

qint64 backwardBytes(const std::vector<Slot> &slots) {
    qint64 bytes = 0;
    for (const Slot &slot : slots)
        bytes += slot.needsGradient ? slot.bytes() : 0;
    return bytes;
}

}  // namespace hearth
