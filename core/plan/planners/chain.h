// Planners that put one device on each stage: how a chain is cut.
#pragma once

#include <algorithm>
#include <cmath>
#include <limits>
#include <optional>
#include <vector>

#include "core/plan/planners/uniform_home.h"

namespace hearth {

/// Where the stages of a chain end, in parts 1..parts, so that the largest cost(stage, first, last) is least; among
/// equals the smaller sum of squares, so that the other stages are even too. Every stage has one part or more; a cost
/// may be infinite. Nothing when every chain has such a cost, or nobody waits for it. O(stages · parts²) calls.
template <class Cost>
std::optional<std::vector<int>> minimaxChain(int parts, int stages, Cost cost, const PlannerOptions &options) {
    struct Best {
        double most = std::numeric_limits<double>::infinity();
        double squares = std::numeric_limits<double>::infinity();
        int from = -1;
    };
    const auto width = static_cast<std::size_t>(parts) + 1;
    std::vector<Best> table(static_cast<std::size_t>(stages + 1) * width);
    const auto best = [&](int stage, int part) -> Best & {
        return table[static_cast<std::size_t>(stage) * width + static_cast<std::size_t>(part)];
    };
    best(0, 0) = {0, 0, -1};
    for (int stage = 1; stage <= stages; ++stage) {
        const int end = stage == stages ? parts : parts - (stages - stage);
        for (int last = stage == stages ? parts : stage; last <= end; ++last) {
            if (options.isAbandoned())
                return std::nullopt;
            Best &own = best(stage, last);
            for (int first = stage - 1; first < last; ++first) {
                const Best &before = best(stage - 1, first);
                if (before.most > own.most || !std::isfinite(before.most))
                    continue;
                const double seconds = cost(stage - 1, first, last);
                const double most = std::max(before.most, seconds);
                const double squares = before.squares + seconds * seconds;
                if (most < own.most || (most == own.most && squares < own.squares))
                    own = {most, squares, first};
            }
        }
    }
    if (!std::isfinite(best(stages, parts).most))
        return std::nullopt;
    std::vector<int> ends(static_cast<std::size_t>(stages));
    for (int stage = stages, last = parts; stage > 0; --stage) {
        ends[static_cast<std::size_t>(stage - 1)] = last;
        last = best(stage, last).from;
    }
    return ends;
}

/// Cut points of a chain of all devices: all layers, fewer only where the search would take more than seconds.
std::vector<int> chainCuts(const CostModel &model);

/// Stages that end there, stage p on device devices[p] alone, with K_p = P - p.
std::vector<PlanStage> chainStages(const PlanningProblem &problem, const std::vector<int> &ends,
                                   const std::vector<int> &devices, int microBatch);

/// GPipe's cut under 1F1B: as many stages as devices (or as layers, where there are fewer), the slowest as fast as can
/// be on a mean device, transfers left out. Nothing where nobody waits for it.
std::optional<Plan> balancedPlan(const CostModel &model, UniformHome &home, const QString &planner, int microBatch,
                                 const PlannerOptions &options);

/// What so many samples take over a link at its rate, without latency as the planners of chains have it. Infinite where
/// the devices cannot reach each other.
double sampleSeconds(const CostModel &model, int from, int to, double bytesPerSample, int samples);

}  // namespace hearth
