// A plan judged: simulated and modelled seconds, memory, bytes on the wire.
#pragma once

#include "core/plan/steps.h"

namespace hearth {

struct EvaluateOptions {
    bool withSchedule = false;
    bool simulated = true;  // false: closed form only, which also stands for roundSeconds
    /// Also plays the round device by device, where it has no more computations and transfers than this.
    qint64 playTasks = 0;
};
/// Plays the rounds of any home that people have in well under a second.
inline constexpr qint64 playableTasks = 100'000;

/// Errors: not a valid plan for this problem; two devices that must talk cannot reach each other. A plan that does not
/// fit the memory is no error: the prediction says so, as a run would (judgeMemoryAsRun()).
Result<Prediction> evaluate(const CostModel &model, const Plan &plan, const EvaluateOptions &options = {});
/// The same with the problem's own costs. The problem must be valid.
Result<Prediction> evaluate(const PlanningProblem &problem, const Plan &plan, const EvaluateOptions &options = {});

/// What crosses the cut behind a stage in a round, both ways, were it written by that codec. The plan must be valid.
double bytesAcross(const CostModel &model, const Plan &plan, int stage, const CutCodec &codec);

/// The tasks of a simulated round by lane, for drawing.
std::vector<ScheduledTask> scheduleOf(const CostModel &model, const Plan &plan, const PlanSteps &steps,
                                      const SimulatedTimes &times);

}  // namespace hearth
