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

bool isRectified(const Model &model, std::size_t layer, std::size_t slot) {
    if (layer == 0)
        return false;
    const Layer &before = model.layers[layer - 1];
    const auto inputs = static_cast<int>(before.shape.inputs.size());
    for (int value = before.outputs[slot]; value >= inputs;) {
        const Op &op = before.ops[static_cast<std::size_t>(value - inputs)];
        if (op.kind == QLatin1String("relu") || op.kind == QLatin1String("relu6"))
            return true;
        if (op.kind != QLatin1String("max-pool") && op.kind != QLatin1String("reshape") &&
            op.kind != QLatin1String("dropout"))
            return false;
        value = op.from.front();
    }
    return false;
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
