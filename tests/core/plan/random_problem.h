// Random but repeatable planning problems for the plan tests.
#pragma once

#include <random>

#include "core/plan/problem.h"

namespace hearth::test {

struct RandomShape {
    int layers = 6;
    int devices = 3;
    int batch = 16;
    bool tightMemory = false;
    bool ownPairs = false;
    Duplex duplex = Duplex::Full;
};

inline PlanningProblem randomProblem(std::mt19937 &random, const RandomShape &shape) {
    const auto between = [&random](double low, double high) {
        return std::uniform_real_distribution<double>(low, high)(random);
    };
    PlanningProblem problem;
    problem.batch = shape.batch;
    problem.optimizerStateFactor = 1;
    for (int l = 0; l < shape.layers; ++l) {
        LayerFacts facts;
        facts.name = QStringLiteral("layer%1").arg(l);
        facts.outputBytes = static_cast<qint64>(between(1e3, 1e5));
        facts.gradientBytes = facts.outputBytes;
        facts.savedBytes = static_cast<qint64>(between(1e4, 4e5));
        facts.workspaceBytes = static_cast<qint64>(between(0, 1e4));
        facts.parameterBytes = static_cast<qint64>(between(1e4, 2e6));
        facts.trainableBytes = facts.parameterBytes;
        problem.layers.push_back(facts);
    }
    for (int d = 0; d < shape.devices; ++d) {
        const double most = shape.tightMemory ? between(5e6, 2e7) : between(1e11, 1e12);
        problem.devices.push_back({QStringLiteral("dev%1").arg(d), static_cast<qint64>(most), 1000000});
        TimeTable table;
        table.batch = {1, 2, 4, 8, 16};
        const double speed = between(0.5, 4);
        for (int l = 0; l < shape.layers; ++l) {
            const double once = between(0.001, 0.01) / speed;
            std::vector<double> forward, backward;
            for (const int size : table.batch) {
                forward.push_back(once * (3 + size) / 4);
                backward.push_back(2 * once * (3 + size) / 4);
            }
            table.forward.push_back(forward);
            table.backward.push_back(backward);
        }
        problem.times.push_back(table);
    }
    problem.links.fallback = LinkProfile::Link{between(1e6, 1e8), 0.0003, shape.duplex};
    for (int i = 0; shape.ownPairs && i < shape.devices; ++i) {
        for (int j = 0; j < shape.devices; ++j) {
            if (i != j) {
                problem.links.pairs.push_back({problem.devices[static_cast<std::size_t>(i)].id,
                                               problem.devices[static_cast<std::size_t>(j)].id, between(1e6, 1e8),
                                               std::nullopt});
            }
        }
    }
    return problem;
}

/// Half of every backward pass is for weights.
inline PlanningProblem withHalves(PlanningProblem problem) {
    for (TimeTable &table : problem.times) {
        table.weights = table.backward;
        for (std::vector<double> &row : table.weights) {
            for (double &seconds : row)
                seconds /= 2;
        }
    }
    return problem;
}

}  // namespace hearth::test
