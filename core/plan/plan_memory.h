// What a plan takes of each device's memory: its own part, and the copies that it keeps of others' states.
#pragma once

#include <QMap>
#include <QString>
#include <vector>

#include "core/plan/cost_model.h"
#include "core/plan/plan.h"

namespace hearth {

/// By topology (Asteroid), the device that keeps copies of each stage's state; empty: none does. A group of two or more
/// holds its own; the state of a lone device's stage lies on the next stage, the last one's on the first, on the device
/// that its own part leaves most memory. The plan must have one pipeline and be valid for the problem.
std::vector<QString> copyHolders(const CostModel &model, const Plan &plan);

/// What devices need for their parts of the plan and for all that the problem counts besides, states of their own and
/// copies of others', and whose memory is too small for it. Where there are several pipelines side by side nobody keeps
/// copies. The plan must be valid for the problem.
void judgeMemory(const CostModel &model, const Plan &plan, Prediction *prediction);
/// Likewise as a run judges it: room for copies, and then for all states that devices keep, is given up where that is
/// what the plan lacks (PlanningProblem::keepLess()). Such a run trains, and is told of the risk.
void judgeMemoryAsRun(const CostModel &model, const Plan &plan, Prediction *prediction);
/// It fits with room for all that the problem counts.
bool fitsWholly(const CostModel &model, const Plan &plan);

}  // namespace hearth
