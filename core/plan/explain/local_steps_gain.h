// Whether devices had better average their weights now and then.
#pragma once

#include <optional>

#include "core/plan/planner.h"

namespace hearth {

/// Where working together brings next to nothing (the plan is less than 1.1 times as fast as the fastest device alone)
/// and averaging only every so many batches would bring much (1.3 times as fast at least): after how many, the fewest
/// of 8, 32 and 128 that get most of it, and how much faster than the plan. Nothing where the problem has local steps
/// already, no device can train alone, or pipelines lie side by side. The plan is valid for the model's problem and has
/// a prediction. Deterministic but for `cancelled`.
std::optional<LocalStepsGain> localStepsGain(const CostModel &model, const Plan &plan,
                                             const PlannerOptions &options = {});

/// The problem of the same batches with local steps (in place of those that it has), for an optimizer whose state the
/// problem knows. Error: a round would have more samples than one may have.
Result<PlanningProblem> withLocalSteps(PlanningProblem problem, int every);

}  // namespace hearth
