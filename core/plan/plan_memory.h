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

/// What devices need for their parts of the plan and for the copies that the problem counts (PlanningProblem), and
/// whose memory is too small for it. Where there are several pipelines side by side nobody keeps copies.
void judgeMemory(const CostModel &model, const Plan &plan, Prediction *prediction);

}  // namespace hearth
