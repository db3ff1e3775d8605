#include "core/model/layer_state.h"

namespace hearth {
namespace {

void append(LayerStateLayout &layout, std::size_t tensor, int optimizer, const Shape &shape, DType dtype) {
    const qint64 bytes = elementCount(shape) * byteSize(dtype);
    layout.parts.push_back({static_cast<int>(tensor), optimizer, shape, layout.bytes, bytes});
    layout.bytes += bytes;
}

}  // namespace

LayerStateLayout LayerStateLayout::of(const Layer &layer, DType dtype, const OptimizerState &optimizer) {
    LayerStateLayout layout;
    layout.optimizer = optimizer;
    const auto &specs = layer.shape.tensors;
    for (int buffer = -1; buffer < optimizer.buffers(); ++buffer) {
        for (std::size_t i = 0; i < specs.size(); ++i) {
            if (specs[i].role == TensorRole::Frozen || isRepeat(specs, i) || (buffer >= 0 && !specs[i].isTrainable()))
                continue;
            const auto shape = buffer < 0 ? specs[i].shape : optimizer.shapeIn(buffer, specs[i].shape);
            if (shape)
                append(layout, i, buffer, *shape, dtype);
        }
    }
    return layout;
}

LayerStateLayout LayerStateLayout::ofFrozen(const Layer &layer, DType dtype) {
    LayerStateLayout layout;
    const auto &specs = layer.shape.tensors;
    for (std::size_t i = 0; i < specs.size(); ++i) {
        if (specs[i].role == TensorRole::Frozen && !isRepeat(specs, i))
            append(layout, i, -1, specs[i].shape, dtype);
    }
    return layout;
}

}  // namespace hearth
