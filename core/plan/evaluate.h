// A plan judged: simulated and modelled seconds, memory, bytes on the wire.
#pragma once

#include "core/plan/cost_model.h"
#include "core/plan/plan.h"
#include "core/plan/simulator.h"

namespace hearth {

struct EvaluateOptions {
    bool withSchedule = false;
};

/// Errors: not a valid plan for this problem; two devices that must talk cannot reach each other. A plan that does not
/// fit the memory is no error: the prediction says so.
Result<Prediction> evaluate(const CostModel &model, const Plan &plan, const EvaluateOptions &options = {});
/// The same with the problem's own measured times. The problem must be valid.
Result<Prediction> evaluate(const PlanningProblem &problem, const Plan &plan, const EvaluateOptions &options = {});

/// A valid plan in the terms of the cost model; groups in the order of their sample intervals.
struct PlanSteps {
    std::vector<Group> groups;
    std::vector<StepTimes> times;
    std::vector<SimulatedStep> simulated;
    double feedSeconds = 0;  // what the data device's card needs to serve inputs and labels of one round
};
PlanSteps stepsOf(const CostModel &model, const Plan &plan);

/// Seconds of the round. Inputs and labels are sent ahead of need, so they only count where serving a whole round of
/// them takes longer than the round.
double simulatedSeconds(Simulator &simulator, const PlanSteps &steps, const Plan &plan,
                        SimulatedTimes *times = nullptr);

/// Devices of the plan whose memory is too small, and what all of them need.
void judgeMemory(const CostModel &model, const Plan &plan, Prediction *prediction);

/// The tasks of a simulated round by lane, for drawing.
std::vector<ScheduledTask> scheduleOf(const CostModel &model, const Plan &plan, const PlanSteps &steps,
                                      const SimulatedTimes &times);

}  // namespace hearth
