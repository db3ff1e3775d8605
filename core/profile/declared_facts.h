// What a network's description alone tells of its layers.
#pragma once

#include <vector>

#include "core/model/model.h"
#include "core/model/optimizer_state.h"
#include "core/profile/model_profile.h"

namespace hearth {

/// Parameters, buffers and what crosses cuts; what only a measurement tells (saved tensors, workspace) is 0. Any
/// thread.
std::vector<LayerFacts> declaredFacts(const Model &model, DType dtype);
/// The same with saved tensors and workspace as the ops tell them: rather more than a processor takes for them, so that
/// what fits by these facts fits. Any thread.
std::vector<LayerFacts> estimatedFacts(const Model &model, DType dtype);
/// Adds the optimizer's factored second moments to the buffers of each layer, as its state has them: those of a tied
/// tensor count in every layer, which for a stage that computes several of them is too many by a row and a column.
void addSecondMoments(std::vector<LayerFacts> &layers, const Model &model, DType dtype, const OptimizerState &state);

}  // namespace hearth
