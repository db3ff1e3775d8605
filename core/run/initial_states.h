// The states that a run begins with, as blobs: version 0 can always be made again.
#pragma once

#include <vector>

#include "core/model/named_tensor.h"
#include "core/model/training_spec.h"
#include "core/run/checkpoint_store.h"

namespace hearth {

/// One state per layer: the given weights (one list per layer, in the order of its tensors and of the training's
/// precision), or where there are none those of the seed; the optimizer's buffers are zero, as before its first step.
/// Any thread; takes as long as initialise().
LayerStates initialStates(const Model &model, const TrainingSpec &training,
                          const std::vector<std::vector<NamedTensor>> &weights = {});

}  // namespace hearth
