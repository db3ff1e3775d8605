// Homes and plans that a person edits.
#pragma once

#include <memory>

#include "core/plan/edit/edit.h"
#include "tests/core/plan/measured_home.h"
#include "tests/core/plan/random_plan.h"
#include "tests/core/plan/random_problem.h"

namespace hearth::test {

struct Case {
    PlanningProblem problem;
    std::unique_ptr<MeasuredCosts> costs;
    std::unique_ptr<CostModel> model;
    std::optional<Plan> plan;
};

/// Whole objects stay where they are: models refer to problems.
inline std::unique_ptr<Case> randomCase(std::mt19937 &random, bool tight) {
    auto own = std::make_unique<Case>();
    RandomShape shape{2 + below(random, 9), 1 + below(random, 6), 48};
    shape.tightMemory = tight;
    shape.ownPairs = below(random, 2) == 0;
    own->problem = randomProblem(random, shape);
    if (below(random, 3) == 0)
        own->problem.layers[static_cast<std::size_t>(below(random, shape.layers))].minimumSamples = 2;
    if (below(random, 2) == 0) {
        own->problem.dataDevice = own->problem.devices[0].id;
        own->problem.inputBytes = 3000;
        own->problem.labelBytes = 8;
    }
    own->costs = std::make_unique<MeasuredCosts>(own->problem.times);
    own->model = std::make_unique<CostModel>(own->problem, *own->costs);
    constexpr int sizes[] = {4, 8, 12, 16};
    for (int attempt = 0; attempt < 20 && !own->plan; ++attempt)
        own->plan = randomPlan(random, *own->model, sizes[below(random, 4)],
                               tight ? InFlightRule::Early : static_cast<InFlightRule>(below(random, 4)));
    return own;
}

constexpr int editKinds = 8;

inline Result<Edited> randomEdit(std::mt19937 &random, const PlanEditor &editor, const PlanningProblem &problem,
                                 const Plan &plan, int kind) {
    const int stages = static_cast<int>(plan.stages.size());
    const int layers = static_cast<int>(problem.layers.size());
    const auto device = [&] {
        return problem.devices[static_cast<std::size_t>(below(random, static_cast<int>(problem.devices.size())))].id;
    };
    const int stage = below(random, stages);
    switch (kind) {
        case 0:
            return editor.moveBorder(plan, stage, below(random, layers + 1));
        case 1:
            return editor.moveDevice(plan, device(), stage);
        case 2:
            return editor.moveDevice(plan, device(), std::nullopt);
        case 3:
            return editor.insertStage(plan, device(), below(random, stages + 1));
        case 4:
            return editor.mergeStages(plan, stage);
        case 5: {
            std::vector<Share> shares = plan.stages[static_cast<std::size_t>(stage)].shares;
            const int given = 1 + below(random, 3);
            shares.front().samples -= given;
            if (shares.size() > 1)
                shares.back().samples += given;
            return editor.setShares(plan, stage, shares);
        }
        case 6:
            return editor.setInFlight(plan, stage, 1 + below(random, 6));
        default:
            return editor.setMicroBatch(plan, 2 << below(random, 4));
    }
}

inline QString stageOfDevice(const Plan &plan, const QString &device) {
    for (const PlanStage &stage : plan.stages) {
        for (const Share &share : stage.shares) {
            if (share.device == device)
                return QStringLiteral("%1-%2").arg(stage.firstLayer).arg(stage.lastLayer);
        }
    }
    return QStringLiteral("rest");
}

inline int samplesOf(const Plan &plan, const QString &device) {
    for (const PlanStage &stage : plan.stages) {
        for (const Share &share : stage.shares) {
            if (share.device == device)
                return share.samples;
        }
    }
    return 0;
}

/// Six layers, three devices of equal speed and ample memory; nx0 and nx1 in front, nx2 behind.
inline PlanningProblem smallHome() {
    PlanningProblem problem;
    problem.batch = 32;
    problem.optimizerStateFactor = 1;
    for (int l = 0; l < 6; ++l)
        problem.layers.push_back({QStringLiteral("conv%1").arg(l), 1000, 1000, 10000, 0, 100000, 100000, 0, 1});
    problem.layers[4].minimumSamples = 2;
    for (int d = 0; d < 4; ++d) {
        problem.devices.push_back({QStringLiteral("nx%1").arg(d), 2'000'000'000, 0});
        TimeTable table{{1, 8}, {}, {}};
        for (int l = 0; l < 6; ++l) {
            table.forward.push_back({0.01, 0.08});
            table.backward.push_back({0.02, 0.16});
        }
        problem.times.push_back(table);
    }
    problem.links.fallback = LinkProfile::Link{1e8, 0.0003, Duplex::Full};
    return problem;
}

inline Plan smallPlan(const PlanningProblem &problem) {
    Placement placement{8, Schedule::OneForwardOneBackward, {}};
    placement.stages.push_back({0, 3, {{0, 4}, {1, 4}}, 3, false});
    placement.stages.push_back({3, 6, {{2, 8}}, 1, false});
    return planOf(problem, QStringLiteral("test"), placement);
}

}  // namespace hearth::test
