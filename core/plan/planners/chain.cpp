#include "core/plan/planners/chain.h"

#include <numeric>

#include "core/plan/planners/tools.h"

namespace hearth {
namespace {

/// Costs that one cut of a chain may ask for.
constexpr double mostCosts = 2e8;

}  // namespace

std::vector<int> chainCuts(const PlanningProblem &problem, int stages) {
    return cutPoints(problem, std::max(stages, static_cast<int>(std::sqrt(2 * mostCosts / stages))));
}

std::vector<int> balancedChain(const CostModel &model, UniformHome &home, int microBatch) {
    const std::vector<int> cuts = chainCuts(model.problem(), model.deviceCount());
    const int parts = static_cast<int>(cuts.size()) - 1;
    const UniformHome::Sums &sums = home.sums(microBatch);
    const auto cost = [&](int, int first, int last) {
        return sums.seconds(cuts[static_cast<std::size_t>(first)], cuts[static_cast<std::size_t>(last)]);
    };
    std::vector<int> ends = *minimaxChain(parts, std::min(parts, model.deviceCount()), cost);
    for (int &end : ends)
        end = cuts[static_cast<std::size_t>(end)];
    return ends;
}

std::vector<PlanStage> chainStages(const PlanningProblem &problem, const std::vector<int> &ends,
                                   const std::vector<int> &devices, int microBatch) {
    std::vector<PlanStage> stages;
    int first = 0;
    for (std::size_t p = 0; p < ends.size(); ++p) {
        const int inFlight = std::min(static_cast<int>(ends.size() - p), problem.batch / microBatch);
        stages.push_back(stageOf(problem, first, ends[p], {{devices[p], microBatch}}, inFlight));
        first = ends[p];
    }
    return stages;
}

std::vector<int> devicesInOrder(const CostModel &model) {
    std::vector<int> devices(static_cast<std::size_t>(model.deviceCount()));
    std::iota(devices.begin(), devices.end(), 0);
    return devices;
}

}  // namespace hearth
