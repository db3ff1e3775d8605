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

/// Devices have several stages; of four layers and two devices at least. Whether it fits is not asked.
inline std::optional<Plan> randomInterleavedPlan(std::mt19937 &random, const CostModel &model, int microBatch) {
    const int stages = 3 + below(random, std::min(model.layerCount(), 8) - 2);
    const int devices = 2 + below(random, std::min(model.deviceCount(), stages - 1) - 1);
    std::vector<int> cuts(static_cast<std::size_t>(model.layerCount() - 1));
    std::iota(cuts.begin(), cuts.end(), 1);
    std::shuffle(cuts.begin(), cuts.end(), random);
    cuts.resize(static_cast<std::size_t>(stages - 1));
    cuts.push_back(model.layerCount());
    std::sort(cuts.begin(), cuts.end());
    std::vector<int> order(static_cast<std::size_t>(model.deviceCount()));
    std::iota(order.begin(), order.end(), 0);
    std::shuffle(order.begin(), order.end(), random);

    Placement placement{microBatch, Schedule::OneForwardOneBackward, {}};
    int first = 0, place = below(random, devices);
    for (const int last : cuts) {
        const int device = order[static_cast<std::size_t>(place)];
        placement.stages.push_back({first, last, {{device, microBatch}}, 1, false, {}});
        first = last;
        place = (place + 1 + below(random, devices - 1)) % devices;  // another one
    }
    return planOf(model.problem(), QStringLiteral("test"), placement);
}

}  // namespace hearth::test
