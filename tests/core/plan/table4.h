// Asteroid's Table 4: how many times as fast its plan is as one device, data and pipeline parallelism; theirs and ours.
#pragma once

#include <array>
#include <limits>

#include "core/plan/homes/presets.h"
#include "core/plan/planner.h"

namespace hearth::test {

struct Table4Row {
    const char *workload;
    const char *environment;
    double linkMbitPerSecond;
    double overDevice, overDataParallel, overPipeline;  // as printed
};

inline constexpr std::array<Table4Row, 12> table4{{{"efficientnet-b1", "A", 100, 4.4, 2.1, 2.8},
                                                   {"efficientnet-b1", "B", 100, 3.0, 4.8, 9.7},
                                                   {"efficientnet-b1", "B", 1000, 3.7, 2.1, 1.4},
                                                   {"mobilenetv2-cifar", "A", 100, 4.5, 1.5, 3.5},
                                                   {"mobilenetv2-cifar", "B", 100, 3.2, 2.3, 11.2},
                                                   {"mobilenetv2-cifar", "B", 1000, 3.8, 1.2, 1.3},
                                                   {"resnet50", "A", 100, 3.4, 3.6, 5.8},
                                                   {"resnet50", "B", 100, 1.5, 6.1, 12.2},
                                                   {"resnet50", "B", 1000, 3.7, 2.9, 3.1},
                                                   {"bert-small:head=token-classification", "A", 100, 3.5, 6.4, 1.0},
                                                   {"bert-small:head=token-classification", "B", 100, 1.3, 6.8, 1.0},
                                                   {"bert-small:head=token-classification", "B", 1000, 3.9, 4.2, 1.3}}};

inline PlanningProblem problemOf(const Table4Row &row) {
    EnvironmentOptions options;
    options.linkMbitPerSecond = row.linkMbitPerSecond;
    return *environmentProblem(QString::fromLatin1(row.environment), *loadWorkload(QString::fromLatin1(row.workload)),
                               options);
}

/// Simulated seconds of a round by that planner's plan; infinite where it has none that fits.
inline double roundSeconds(const char *planner, const PlanningProblem &problem, const PlannerOptions &options = {}) {
    const auto plan = makePlan(QString::fromLatin1(planner), problem, options);
    return plan && plan->prediction->fits ? plan->prediction->roundSeconds : std::numeric_limits<double>::infinity();
}

struct Table4Times {
    double device, dataParallel, pipeline, best;
};

/// The pipeline is the better of GPipe's and the one under 1F1B; `best` is the default planner's plan.
inline Table4Times timesOf(const Table4Row &row, const PlannerOptions &options = {}) {
    const PlanningProblem problem = problemOf(row);
    return {roundSeconds("single", problem), roundSeconds("dp", problem),
            std::min(roundSeconds("gpipe", problem), roundSeconds("pp-1f1b", problem)),
            roundSeconds(qPrintable(defaultPlanner()), problem, options)};
}

}  // namespace hearth::test
