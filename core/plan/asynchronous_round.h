// Rounds that follow each other without an end: what asynchronous training takes of them.
#pragma once

#include "core/plan/planner.h"
#include "core/plan/steps.h"

namespace hearth {

/// Asynchrony's delay of each stage of a plan without pipelines side by side, in updates.
std::vector<int> delaysOf(const Plan &plan, const Asynchrony &how);

/// Of a plan for the problem: several where it trains asynchronously with one for each micro-batch. Pipelines side by
/// side end every round together.
int updatesPerRound(const PlanningProblem &problem, const Plan &plan);

/// Seconds of one round in the steady state: what each of the later of several rounds adds that are played as one.
/// While a group sums its gradients its members compute no backward pass, so that counts as work of the stage.
double asynchronousSeconds(Simulator &simulator, const PlanSteps &steps, int microBatches, const Asynchrony &how);
/// The least, by the busiest stage or cut alone, which is the dominant step.
RoundLatency asynchronousBound(const PlanSteps &steps, int microBatches, const Asynchrony &how);

/// The plan under 1F1B, with the limits of micro-batches in flight that suit asynchronous training best, lowered as far
/// as memory asks, and its prediction. Nothing where it cannot be judged. `plan` is valid for an asynchronous problem
/// and has no pipelines side by side.
std::optional<Plan> withAsynchronousLimits(const CostModel &model, Plan plan);

/// Planners look for the shortest round with an end. This is the best of what they find for the steady state, each with
/// several limits on what is in flight: `plan`, and those of planners that balance stages (PipeDream's and others),
/// their cuts compressed as the problem lets them be. Only plans that fit count, where one does. `plan` is as above.
Plan bestAsynchronous(const CostModel &model, const Plan &plan, const PlannerOptions &options);

}  // namespace hearth
