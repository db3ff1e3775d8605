// A planning problem whose rounds are easy to count by hand.
#pragma once

#include <vector>

#include "core/plan/problem.h"

namespace hearth::test {

inline QString dev(int i) {
    return QStringLiteral("dev%1").arg(i);
}

/// Layers of 1 s per sample forward and 2 s backward on a device of speed 1, one byte to send and to store.
inline PlanningProblem byHand(int layers, const std::vector<double> &speeds, int batch) {
    PlanningProblem problem;
    problem.batch = batch;
    for (int l = 0; l < layers; ++l) {
        LayerFacts facts;
        facts.outputBytes = facts.gradientBytes = 1;
        facts.parameterBytes = facts.trainableBytes = 1;
        problem.layers.push_back(facts);
    }
    for (std::size_t d = 0; d < speeds.size(); ++d) {
        problem.devices.push_back({dev(static_cast<int>(d)), 1'000'000, 0});
        TimeTable table{{1, 2}, {}, {}};
        for (int l = 0; l < layers; ++l) {
            table.forward.push_back({1 / speeds[d], 2 / speeds[d]});
            table.backward.push_back({2 / speeds[d], 4 / speeds[d]});
        }
        problem.times.push_back(table);
    }
    problem.links.fallback = LinkProfile::Link{1e9, 0, Duplex::Full};
    return problem;
}

}  // namespace hearth::test
