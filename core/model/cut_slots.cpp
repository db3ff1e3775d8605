#include "core/model/cut_slots.h"

namespace hearth {

std::vector<Slot> cutSlots(const Model &model, std::size_t layer, DType type) {
    if (layer == 0)
        return {{type, model.inputShape, false}};
    return {{type, model.layers[layer - 1].shape.output, true}};
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
