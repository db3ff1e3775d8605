// How long the devices of a plan compute.
#pragma once

#include <map>

#include "core/plan/cost_model.h"
#include "core/plan/plan.h"

namespace hearth {

/// Seconds of a round, by device of the problem, with what it encodes, decodes and computes again. Only devices that
/// have layers. The plan is valid for the model's problem.
std::map<int, double> computingSeconds(const CostModel &model, const Plan &plan);

}  // namespace hearth
