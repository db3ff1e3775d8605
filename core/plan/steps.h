// A plan in indexes, and the steps of its pipeline: what searches, edits and the judge work on.
#pragma once

#include <span>
#include <vector>

#include "core/plan/cost_model.h"
#include "core/plan/plan.h"
#include "core/plan/simulator.h"
#include "core/plan/tied_sums.h"

namespace hearth {

/// A stage by indexes of the problem: layers [firstLayer, lastLayer), devices with their shares.
struct StagePlacement {
    int firstLayer = 0;
    int lastLayer = 0;
    Group group;
    int inFlight = 1;
    bool recompute = false;
    CutCodec codec{};  // of the cut after the stage
};

/// A pipeline by indexes: cheap to copy, to change and to judge. Plain value, any thread.
struct Placement {
    int microBatch = 1;
    Schedule schedule = Schedule::OneForwardOneBackward;
    std::vector<StagePlacement> stages;
};

/// The stages of a plan that is valid for the problem (not its pipelines).
Placement placementOf(const PlanningProblem &problem, const Plan &plan);
/// A plan for the problem that has no stages yet.
Plan planFor(const PlanningProblem &problem, const QString &planner, int microBatch);
PlanStage stageOf(const PlanningProblem &problem, const StagePlacement &placement);
Plan planOf(const PlanningProblem &problem, const QString &planner, const Placement &placement);

/// What a stage's devices encode and decode, at the cut in front of it and at the one behind it.
StageCuts cutsOf(const CostModel &model, const Placement &placement, std::size_t stage);
/// Of each member of a stage, in the order of its group: all that its processor does for a micro-batch.
std::vector<LayerSeconds> memberSecondsOf(const CostModel &model, const Placement &placement, std::size_t stage);

/// What the closed form and the simulator take. Steps alternate: execution, cut, execution, …
struct PlanSteps {
    std::vector<Group> groups;
    std::vector<StepTimes> times;
    std::vector<SimulatedStep> simulated;
    /// Counted in the AllReduce of each of their stages: the round ends when the last of these has ended its backward
    /// pass and the sum after it, which is what the largest of the stages' ends says.
    std::vector<TiedSum> tied = {};
    int updates = 1;         // of the round: so often groups sum their gradients, and tied tensors theirs
    double feedSeconds = 0;  // what the data device's card, or the air, needs to serve inputs and labels of one round;
                             // with local steps, whose next round is not served before this one has ended, and its
                             // sum
    double cardSeconds = 0;  // what the busiest card of a stage carries, from filling the pipeline to draining it: of
                             // cuts, and inputs and labels where these take longer than it waits for cuts
    double carriedSeconds = 0;                // the same without filling and draining
    int cardDevice = -1, carriedDevice = -1;  // whose cards these are; -1: no card counts
    /// No round is shorter, however well its parts overlap.
    double leastSeconds() const { return std::max(feedSeconds, cardSeconds); }
    /// Of rounds that follow each other without an end.
    double leastSteadySeconds() const { return std::max(feedSeconds, carriedSeconds); }
};
PlanSteps stepsOf(const CostModel &model, const Placement &placement);
/// Of a pipeline that plays this many micro-batches in a round, with so many `updates` (updatesPerRound() of
/// core/plan/asynchronous_round.h).
PlanSteps stepsOf(const CostModel &model, const Placement &placement, int microBatches, int updates = 1);
PlanSteps stepsOf(const CostModel &model, const Plan &plan, int updates = 1);

/// Seconds of the round. Inputs and labels are sent ahead of need, so they only count where serving a whole round of
/// them takes longer than the round. Likewise a card that a middle stage uses for both of its cuts: the simulator plays
/// each cut alone, so the card counts where all that it carries, after the pipeline has filled and before it drains,
/// takes longer.
double simulatedSeconds(Simulator &simulator, const PlanSteps &steps, int microBatches, Schedule schedule,
                        SimulatedTimes *times = nullptr);
double simulatedSeconds(Simulator &simulator, const PlanSteps &steps, const Plan &plan,
                        SimulatedTimes *times = nullptr);

/// Calls `each(dataDevice, member, bytesPerSample)` for all that the data device serves to others.
template <class Each>
void forEachFeed(const CostModel &model, const std::vector<Group> &groups, Each each) {
    const PlanningProblem &problem = model.problem();
    const int data = problem.dataDevice.isEmpty() ? -1 : model.indexOf(problem.dataDevice);
    if (data < 0)
        return;
    for (const MemberShare &member : groups.front()) {
        if (member.device != data && problem.inputBytes > 0)
            each(data, member, problem.inputBytes);
    }
    for (const MemberShare &member : groups.back()) {
        if (member.device != data && problem.labelBytes > 0)
            each(data, member, problem.labelBytes);
    }
}

}  // namespace hearth
