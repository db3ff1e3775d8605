// Pipelines side by side, as HetPipe has them: what they cost each other within a round.
#pragma once

#include "core/plan/steps.h"

namespace hearth {

/// Part of one layer's gradients that one pipeline sends to the next when all of them bring theirs together.
struct Exchange {
    int from = 0;  // devices
    int to = 0;
    int stage = 0;  // of `from`, as Plan::allStages() counts
    double bytes = 0;
};

/// How V pipelines make one model of theirs at the end of a round: each layer goes round a ring of its owners, pipeline
/// after pipeline. Seconds are those of HetPipe with a wave of one round, 2(V-1)W / (V·min bw): the whole model passes
/// the slowest link between owners of a common layer. Members of a group each exchange their equal part (that is what
/// reduce-scatter leaves them with). Infinite when two owners cannot reach each other; nothing for one pipeline.
struct Synchronization {
    double seconds = 0;
    std::vector<Exchange> exchanges;
    std::vector<std::pair<int, int>> pairs;  // all that must reach each other
};
Synchronization synchronizationOf(const CostModel &model, const std::vector<Plan> &pipelines);

/// What the pipelines of a plan share, as a lower bound of the round before the synchronization. Each pipeline is
/// simulated as if it were alone; but the data device serves all of them through one card, and a medium carries one
/// transfer at a time, so neither can be busy for longer than the round lasts.
double sharedSeconds(const CostModel &model, const std::vector<Plan> &pipelines, const std::vector<PlanSteps> &steps);

/// Seconds of the round of any plan that is valid for the problem, by the simulator.
double simulatedSeconds(Simulator &simulator, const CostModel &model, const Plan &plan);

/// The lanes of pipelines side by side: `lanes` are those of each alone. All end with the synchronization and then the
/// optimizer step, when the round has lasted `roundSeconds`.
std::vector<ScheduledTask> joinedLanes(const CostModel &model, const std::vector<Plan> &pipelines,
                                       const std::vector<std::vector<ScheduledTask>> &lanes,
                                       const Synchronization &synchronization, double roundSeconds);

}  // namespace hearth
