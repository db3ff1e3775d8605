// Whether layers fit into what this device has. Internal to core/train.
#pragma once

#include "core/base/error.h"
#include "core/model/model.h"
#include "core/model/training_spec.h"
#include "core/train/compute_device.h"

namespace hearth {

/// A network too large for this device is refused by its numbers alone. Layers that are none are no error here. On the
/// compute thread.
Result<void> checkLayers(const Model &model, int firstLayer, int lastLayer, Precision precision,
                         const OptimizerState &optimizer, ComputeDevice &device);

}  // namespace hearth
