// What a network's description alone tells of its layers.
#pragma once

#include <vector>

#include "core/model/model.h"
#include "core/profile/model_profile.h"

namespace hearth {

/// Parameters, buffers and what crosses cuts; what only a measurement tells (saved tensors, workspace) is 0. Any
/// thread.
std::vector<LayerFacts> declaredFacts(const Model &model, DType dtype);

}  // namespace hearth
