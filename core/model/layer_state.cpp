#include "core/model/layer_state.h"

namespace hearth {

LayerStateLayout LayerStateLayout::of(const Layer &layer, DType dtype, int optimizerBuffers) {
    LayerStateLayout layout;
    const auto &specs = layer.shape.tensors;
    for (int optimizer = -1; optimizer < optimizerBuffers; ++optimizer) {
        for (std::size_t i = 0; i < specs.size(); ++i) {
            if (optimizer >= 0 && specs[i].isBuffer)
                continue;
            const qint64 bytes = specs[i].bytes(dtype);
            layout.parts.push_back({static_cast<int>(i), optimizer, layout.bytes, bytes});
            layout.bytes += bytes;
        }
    }
    return layout;
}

}  // namespace hearth
