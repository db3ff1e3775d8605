// Homes and plans that lose devices.
#pragma once

#include <QSet>
#include <algorithm>

#include "core/plan/replay/replay.h"
#include "core/plan/steps.h"
#include "tests/core/plan/measured_home.h"

namespace hearth::test {

inline QString id(int device) {
    return QStringLiteral("nx%1").arg(device);
}

/// Layers of 100 kB of weights with momentum (200 kB of state) and devices of equal speed; links of 1 MB/s.
inline PlanningProblem smallHome(int layers, int devices) {
    PlanningProblem problem;
    problem.batch = 16;
    problem.optimizerStateFactor = 1;
    for (int l = 0; l < layers; ++l)
        problem.layers.push_back({QStringLiteral("conv%1").arg(l), 100, 100, 1000, 0, 100000, 100000, 0, 1});
    for (int d = 0; d < devices; ++d) {
        problem.devices.push_back({id(d), 1'000'000'000, 0});
        TimeTable table{{1, 8}, {}, {}};
        for (int l = 0; l < layers; ++l) {
            table.forward.push_back({0.01, 0.08});
            table.backward.push_back({0.02, 0.16});
        }
        problem.times.push_back(table);
    }
    problem.links.fallback = LinkProfile::Link{1e6, 0, Duplex::Full};
    return problem;
}

/// Three layers on two devices, of which the second is half as fast: the first computes two of them, which leaves it
/// no room for copies of the third one's state. It has room for one layer and copies of two.
inline PlanningProblem tightHome() {
    PlanningProblem problem = smallHome(3, 2);
    problem.microBatch = 4;
    problem.keptStates = 4;  // 1.1 MB for each layer
    problem.keptCopies = 2;  // 0.4 MB
    problem.devices[0].memoryBytes = 2'500'000;
    problem.devices[1].memoryBytes = 3'200'000;
    for (auto *rows : {&problem.times[1].forward, &problem.times[1].backward}) {
        for (auto &row : *rows) {
            for (double &seconds : row)
                seconds *= 2;
        }
    }
    return problem;
}

/// Stages of so many layers each; a group of n takes the next n devices, with even shares.
inline Plan planOfStages(const PlanningProblem &problem, const QList<std::pair<int, int>> &layersAndDevices) {
    Placement placement{4, Schedule::OneForwardOneBackward, {}};
    int layer = 0, device = 0;
    const auto count = static_cast<int>(layersAndDevices.size());
    for (const auto &[layers, devices] : layersAndDevices) {
        const int place = static_cast<int>(placement.stages.size());
        StagePlacement stage{layer, layer + layers, {}, std::min(2 * (count - place) - 1, problem.batch / 4), false};
        for (int i = 0; i < devices; ++i)
            stage.group.push_back({device++, 4 / devices});
        layer += layers;
        placement.stages.push_back(stage);
    }
    return planOf(problem, QStringLiteral("test"), placement);
}

inline QSet<QString> ownersOf(const Plan &plan, int layer) {
    QSet<QString> owners;
    for (const PlanStage &stage : plan.stages) {
        if (layer < stage.firstLayer || layer >= stage.lastLayer)
            continue;
        for (const Share &share : stage.shares)
            owners.insert(share.device);
    }
    return owners;
}

inline QList<int> bordersOf(const Plan &plan) {
    QList<int> borders;
    for (const PlanStage &stage : plan.stages)
        borders << stage.lastLayer;
    return borders;
}

inline QStringList devicesOf(const Plan &plan) {
    QStringList devices;
    for (const PlanStage &stage : plan.stages) {
        for (const Share &share : stage.shares)
            devices << share.device;
    }
    return devices;
}

/// Every new owner gets each layer that it lacks once, from a survivor that has it, and nothing else moves.
inline bool movesAreExact(const PlanningProblem &problem, const Plan &before, const Replay &replay,
                          const QSet<QString> &lost, const StateHolders &holders) {
    qint64 expected = 0;
    qsizetype count = 0;
    for (int l = 0; l < before.layerCount; ++l) {
        const QSet<QString> old = ownersOf(before, l) - lost;
        const QStringList &copies = holders.of(l);
        for (const QString &owner : ownersOf(replay.plan, l)) {
            const auto matches = std::count_if(replay.moves.begin(), replay.moves.end(), [&](const LayerMove &move) {
                const bool source =
                    old.contains(move.from) || (copies.contains(move.from) && !lost.contains(move.from));
                return move.layer == l && move.to == owner && source && move.bytes == stateBytes(problem, l);
            });
            const bool needed = !old.contains(owner) && !copies.contains(owner);
            if (matches != (needed ? 1 : 0))
                return false;
            count += matches;
            expected += needed ? stateBytes(problem, l) : 0;
        }
    }
    return count == static_cast<qsizetype>(replay.moves.size()) && expected == movedBytes(replay.moves);
}

/// A home with a plan under way that loses devices; copies lie where they lie by default.
struct Loss : MeasuredHome {
    Plan plan;
    ReplayRequest request;
    Loss(const PlanningProblem &given, const QList<std::pair<int, int>> &layersAndDevices, const QSet<QString> &lost)
        : MeasuredHome(given), plan(planOfStages(problem, layersAndDevices)) {
        request.lost = lost;
        request.copies = defaultCopies(model, plan);
    }
};

}  // namespace hearth::test
