// Whether layers fit into what this device has. Internal to core/train.
#pragma once

#include "core/base/error.h"
#include "core/model/model.h"
#include "core/model/training_spec.h"
#include "core/plan/memory.h"
#include "core/train/compute_device.h"

namespace hearth {

/// A network too large for this device is refused by its numbers alone: what the layers of these stages take in a run
/// like this before the first sample comes, with all versions and copies of weights that are kept (MemoryModel). Layers
/// that are none are no error here. On the compute thread.
Result<void> checkLayers(const Model &model, std::vector<StagePlace> places, const TrainingSpec &training,
                         ComputeDevice &device);

}  // namespace hearth
