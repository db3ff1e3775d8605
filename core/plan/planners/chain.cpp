#include "core/plan/planners/chain.h"

#include "core/plan/planners/tools.h"

namespace hearth {
namespace {

/// Costs that one cut of a chain may ask for.
constexpr double mostChainCosts = 2e8;

/// The layers at which stages end. Nothing where nobody waits for them.
std::optional<std::vector<int>> balancedChain(const CostModel &model, UniformHome &home, int microBatch,
                                              const PlannerOptions &options) {
    const std::vector<int> cuts = chainCuts(model);
    const int parts = static_cast<int>(cuts.size()) - 1;
    const UniformHome::Sums &sums = home.sums(microBatch);
    const auto cost = [&](int, int first, int last) {
        return sums.seconds(cuts[static_cast<std::size_t>(first)], cuts[static_cast<std::size_t>(last)]);
    };
    auto ends = minimaxChain(parts, std::min(parts, model.deviceCount()), cost, options);
    for (std::size_t p = 0; ends && p < ends->size(); ++p)
        (*ends)[p] = cuts[static_cast<std::size_t>((*ends)[p])];
    return ends;
}

}  // namespace

std::vector<int> chainCuts(const CostModel &model) {
    const int stages = model.deviceCount();
    return affordableCuts(model, std::max(mostChainCosts / stages, 0.5 * stages * stages));
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

std::optional<Plan> balancedPlan(const CostModel &model, UniformHome &home, const QString &planner, int microBatch,
                                 const PlannerOptions &options) {
    const auto ends = balancedChain(model, home, microBatch, options);
    if (!ends)
        return std::nullopt;
    return planOf(model.problem(), planner, microBatch,
                  chainStages(model.problem(), *ends, devicesInOrder(model), microBatch));
}

double sampleSeconds(const CostModel &model, int from, int to, double bytesPerSample, int samples) {
    if (bytesPerSample <= 0)
        return 0;
    const double rate = model.links().bytesPerSecond(from, to);
    return rate > 0 ? bytesPerSample * samples / rate : std::numeric_limits<double>::infinity();
}

}  // namespace hearth
