// Plans as the plain judge takes them.
#pragma once

#include "core/plan/plan.h"
#include "core/plan/steps.h"
#include "tests/core/plan/plain_judge.h"

namespace hearth::test {

inline std::vector<PlainStage> plainStages(const PlanningProblem &problem, const Plan &plan) {
    std::vector<PlainStage> stages;
    for (const PlanStage &stage : plan.stages) {
        PlainStage own{stage.firstLayer, stage.lastLayer, {}, stage.inFlight, stage.recompute};
        for (const Share &share : stage.shares)
            own.members.push_back({problem.indexOf(share.device), share.samples});
        stages.push_back(std::move(own));
    }
    return stages;
}

inline std::vector<PlainStage> plainStages(const Placement &placement) {
    std::vector<PlainStage> stages;
    for (const StagePlacement &stage : placement.stages) {
        PlainStage own{stage.firstLayer, stage.lastLayer, {}, stage.inFlight, stage.recompute};
        for (const MemberShare &member : stage.group)
            own.members.push_back({member.device, member.samples});
        stages.push_back(std::move(own));
    }
    return stages;
}

inline PlainSchedule plainSchedule(Schedule schedule) {
    return {schedule.putsOffWeights(), schedule == Schedule::ZeroBubble};
}

}  // namespace hearth::test
