#include "core/plan/round_limit.h"

#include <algorithm>

#include "core/base/at.h"

namespace hearth {

std::map<int, double> computingSeconds(const CostModel &model, const Plan &plan) {
    std::map<int, double> seconds;
    for (const Plan &pipeline : plan.sideBySide()) {
        const Placement placement = placementOf(model.problem(), pipeline);
        for (std::size_t s = 0; s < placement.stages.size(); ++s) {
            const Group &group = placement.stages[s].group;
            const std::vector<LayerSeconds> once = memberSecondsOf(model, placement, s);
            for (std::size_t i = 0; i < group.size(); ++i)
                seconds[group[i].device] += pipeline.microBatches() * (once[i].forward + once[i].backward);
        }
    }
    return seconds;
}

RoundLimit limitOf(const CostModel &model, const Plan &plan, const std::vector<PlanSteps> &steps, double seconds) {
    const PlanningProblem &problem = model.problem();
    const auto isAllOfIt = [seconds](double part) { return part > 0 && part >= seconds * (1 - 1e-9); };
    const auto id = [&problem](int device) { return problem.devices[at(device)].id; };
    // Rounds that follow each other without an end neither fill nor drain.
    const bool isSteady = problem.asynchronous && plan.pipelines.empty();
    for (const PlanSteps &own : steps) {
        if (isAllOfIt(own.feedSeconds))
            return {RoundLimit::Kind::Feed, problem.dataDevice};
        if (isAllOfIt(isSteady ? own.carriedSeconds : own.cardSeconds))
            return {RoundLimit::Kind::Card, id(isSteady ? own.carriedDevice : own.cardDevice)};
    }
    if (!plan.isInterleaved())
        return {};
    const std::map<int, double> computing = computingSeconds(model, plan);
    const auto busiest = std::ranges::max_element(computing, {}, [](const auto &each) { return each.second; });
    return {RoundLimit::Kind::Device, id(busiest->first)};
}

}  // namespace hearth
