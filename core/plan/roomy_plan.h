// Plans with room for what devices keep beside the states at work, where there are such plans.
#pragma once

#include <functional>

#include "core/plan/planner.h"

namespace hearth {

/// A search places stage by stage, and cannot see where copies of other stages' states will lie. Where its plan has no
/// room for them this searches once more, with what they take of that plan's devices taken off their memory; where that
/// plan has none either it gives up room as a run does (PlanningProblem::keepLess()). `search` is called with problems
/// of the same devices, layers and links, each time for as long as the options let it; its plans are valid for them. A
/// plan's claim to be the best is kept where it is the best of a problem as it stands.
Result<Plan> planWithRoom(const PlanningProblem &problem, const PlannerOptions &options,
                          const std::function<Result<Plan>(const PlanningProblem &problem)> &search);

}  // namespace hearth
