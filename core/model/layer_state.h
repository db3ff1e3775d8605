// All that training has made of one layer, as one run of bytes: what moves between devices and rests on disks.
#pragma once

#include <vector>

#include "core/base/dtype.h"
#include "core/model/model.h"
#include "core/model/optimizer_state.h"

namespace hearth {

/// Where the tensors of a layer's state lie in its bytes: the layer's tensors but for the frozen ones, in the order of
/// its specs (tied ones, too, each once, so that any layer can move alone), then for every buffer of the optimizer what
/// it has of each trainable tensor, in the same order. All little-endian and contiguous in the part's shape, so that
/// the bytes mean the same on every device. Plain value, any thread.
struct LayerStateLayout {
    struct Part {
        int tensor = 0;      // index in the layer's specs
        int optimizer = -1;  // which buffer of the optimizer; -1: the tensor itself
        Shape shape;
        qint64 offset = 0;
        qint64 bytes = 0;
    };
    std::vector<Part> parts;
    qint64 bytes = 0;
    OptimizerState optimizer;

    static LayerStateLayout of(const Layer &layer, DType dtype, const OptimizerState &optimizer);
    /// Of the frozen tensors alone, in the order of the specs.
    static LayerStateLayout ofFrozen(const Layer &layer, DType dtype);
};

}  // namespace hearth
