// Which codec each cut of a plan gets (AccEPT-style: bit-level compression where links are slow).
#pragma once

#include "core/plan/steps.h"

namespace hearth {

/// What relaxing may cost of the round.
inline constexpr double relaxedPart = 0.01;
/// A round that is shorter by a smaller part is not worth what is lost, and predictions are not much better than that.
inline constexpr double leastGain = 0.1;

/// Gives both directions of every cut a level of the problem: first those that make the simulated round shortest, then,
/// cut by cut, the least lossy ones with which it stays at most relaxedPart longer than that. Where the round gains
/// less than leastGain, everything crosses as it is; where the problem has no levels, nothing changes. No cut loses
/// more than the problem's limits allow. Deterministic.
void chooseLevels(const CostModel &model, Placement &placement);
/// The same for a plan of stages that is valid for the problem; others stay as they are.
void chooseLevels(const CostModel &model, Plan &plan);

/// The plan as far as the problem's limits allow its levels.
Plan limitedLevels(const PlanningProblem &problem, Plan plan);

/// Whether something crosses a cut otherwise than as it is: such a run is not the exact mathematics of one device.
bool isLossy(const Plan &plan);
bool isLossy(const Placement &placement);

}  // namespace hearth
