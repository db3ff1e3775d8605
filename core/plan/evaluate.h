// A plan judged: simulated and modelled seconds, memory, bytes on the wire.
#pragma once

#include <memory>

#include "core/plan/cost_model.h"
#include "core/plan/plan.h"
#include "core/plan/simulator.h"

namespace hearth {

struct EvaluateOptions {
    bool withSchedule = false;
};

/// The steps of a valid plan; members of a group in the order of their sample intervals.
std::vector<StepTimes> stepsOf(const CostModel &model, const Plan &plan);
std::vector<Group> groupsOf(const CostModel &model, const Plan &plan);

/// Errors: not a valid plan for this problem; two devices that must talk cannot reach each other. A plan that does not
/// fit the memory is no error: the prediction says so.
Result<Prediction> evaluate(const CostModel &model, const Plan &plan, const EvaluateOptions &options = {});
/// The same with the problem's own measured times.
Result<Prediction> evaluate(const PlanningProblem &problem, const Plan &plan, const EvaluateOptions &options = {});

}  // namespace hearth
