// What training a network takes on one device, from its description alone.
#pragma once

#include <vector>

#include "core/model/model.h"
#include "core/model/optimizer_state.h"

namespace hearth {

/// Bytes. Activations are what the backward pass of one sample needs, each value once; a product whose weights are
/// frozen does not need what it took. What a worker takes besides, buffers and its own code, is not in it
/// (plan/memory.h).
struct TrainingMemory {
    qint64 weights = 0;      // and statistics
    qint64 gradients = 0;    // of what is trained
    qint64 activations = 0;  // of a sample
    qint64 factored = 0;     // second moments of what is trained, where an optimizer factors them

    qint64 optimizerBytes(const OptimizerState &state) const {
        return gradients * state.copies + (state.isFactored ? factored : 0);
    }
};
/// Elements of the factored second moments of all that is trained.
qint64 factoredMoments(const Model &model);
TrainingMemory trainingMemory(const Model &model, DType dtype = DType::Float32);

/// Bytes per sample of one layer as training runs it by itself.
struct LayerActivations {
    qint64 kept = 0;     // from forward to backward, of what it makes; what it gives is among it
    qint64 passing = 0;  // besides, at most: what one op takes and makes, and the gradients of all values at once
};
/// By layer, from the description alone; without the loss.
std::vector<LayerActivations> layerActivations(const Model &model, DType dtype);

}  // namespace hearth
