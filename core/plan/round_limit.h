// What limits a round, and how long its devices compute.
#pragma once

#include <map>
#include <vector>

#include "core/plan/steps.h"

namespace hearth {

/// Seconds of a round in which each device of the plan computes, by device of the problem: with what it encodes,
/// decodes, copies and computes again. Only devices that have layers. The plan is valid for the model's problem.
std::map<int, double> computingSeconds(const CostModel &model, const Plan &plan);

/// Of a round that lasts `seconds` until its pipelines, of these steps, bring their gradients together. The closed form
/// and the simulator know the steps of pipelines alone: what else takes all of the round limits it.
RoundLimit limitOf(const CostModel &model, const Plan &plan, const std::vector<PlanSteps> &steps, double seconds);

}  // namespace hearth
