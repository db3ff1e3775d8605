// Adapters that become a part of the network's own weights.
#pragma once

#include <vector>

#include "core/base/error.h"
#include "core/model/model.h"
#include "core/model/named_tensor.h"

namespace hearth {

/// The weights of the network that withAdapters() was given, which answers with them as the one with adapters does: W +
/// alpha / rank · B · A where LoRA stands beside a linear op, all others as they are. `model` is the one with adapters,
/// `weights` are all of its tensors by name, as a file has them. Errors: "adapters.none"; "adapters.not-linear", which
/// bottlenecks are not; "adapters.tied", where another op has the same weight; "weights.mismatch". Any thread.
Result<std::vector<NamedTensor>> mergedWeights(const Model &model, std::vector<NamedTensor> weights);

}  // namespace hearth
