// What a network says, as numbers that travel. Internal to core/train.
#pragma once

#include <optional>
#include <vector>

#include "core/train/compute_device.h"
#include "core/train/torch_api.h"

namespace hearth {

/// Of what the last layer gave, with the batch first: all of it, or of each sample this row.
std::vector<double> answersOf(ComputeDevice &device, const at::Tensor &output, std::optional<qint64> row);

}  // namespace hearth
