// Random but repeatable plans for a problem.
#pragma once

#include <algorithm>
#include <numeric>
#include <optional>
#include <random>

#include "core/plan/edit/settle.h"

namespace hearth::test {

inline int below(std::mt19937 &random, int count) {
    return static_cast<int>(random() % static_cast<unsigned>(count));
}

/// Fits the memory; nothing where these stages cannot.
inline std::optional<Plan> randomPlan(std::mt19937 &random, const CostModel &model, int microBatch,
                                      InFlightRule rule = InFlightRule::Early) {
    const PlanningProblem &problem = model.problem();
    const int devices = model.deviceCount(), layers = model.layerCount();
    const int stages = 1 + below(random, std::min({layers, devices, 5}));
    std::vector<int> inner(static_cast<std::size_t>(layers - 1));
    std::iota(inner.begin(), inner.end(), 1);
    std::shuffle(inner.begin(), inner.end(), random);
    std::vector<int> cuts(inner.begin(), inner.begin() + stages - 1);
    cuts.push_back(0);
    cuts.push_back(layers);
    std::sort(cuts.begin(), cuts.end());
    std::vector<int> order(static_cast<std::size_t>(devices));
    std::iota(order.begin(), order.end(), 0);
    std::shuffle(order.begin(), order.end(), random);

    Placement placement{microBatch, Schedule::OneForwardOneBackward, {}};
    const int microBatches = problem.batch / microBatch;
    for (int s = 0; s < stages; ++s) {
        StagePlacement stage;
        stage.firstLayer = cuts[static_cast<std::size_t>(s)];
        stage.lastLayer = cuts[static_cast<std::size_t>(s) + 1];
        stage.inFlight = inFlightLimit(rule, stages - s, microBatches);
        placement.stages.push_back(stage);
    }
    const int used = stages + below(random, devices - stages + 1);
    for (int i = 0; i < used; ++i) {
        const int stage = i < stages ? i : below(random, stages);
        placement.stages[static_cast<std::size_t>(stage)].group.push_back({order[static_cast<std::size_t>(i)], 0});
    }
    for (StagePlacement &stage : placement.stages) {
        auto settled = settleStage(model, {stage, {}, microBatch, microBatches, placement.schedule, true});
        if (!settled)
            return std::nullopt;
        stage = std::move(*settled);
    }
    return planOf(problem, QStringLiteral("test"), placement);
}

}  // namespace hearth::test
