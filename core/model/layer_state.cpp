#include "core/model/layer_state.h"

namespace hearth {

LayerStateLayout LayerStateLayout::of(const Layer &layer, DType dtype, int optimizerBuffers) {
    LayerStateLayout layout;
    const auto &specs = layer.shape.tensors;
    for (int optimizer = -1; optimizer < optimizerBuffers; ++optimizer) {
        for (std::size_t i = 0; i < specs.size(); ++i) {
            if (specs[i].role == TensorRole::Frozen || isRepeat(specs, i) ||
                (optimizer >= 0 && !specs[i].isTrainable()))
                continue;
            const qint64 bytes = specs[i].bytes(dtype);
            layout.parts.push_back({static_cast<int>(i), optimizer, layout.bytes, bytes});
            layout.bytes += bytes;
        }
    }
    return layout;
}

LayerStateLayout LayerStateLayout::ofFrozen(const Layer &layer, DType dtype) {
    LayerStateLayout layout;
    const auto &specs = layer.shape.tensors;
    for (std::size_t i = 0; i < specs.size(); ++i) {
        if (specs[i].role != TensorRole::Frozen || isRepeat(specs, i))
            continue;
        const qint64 bytes = specs[i].bytes(dtype);
        layout.parts.push_back({static_cast<int>(i), -1, layout.bytes, bytes});
        layout.bytes += bytes;
    }
    return layout;
}

}  // namespace hearth
