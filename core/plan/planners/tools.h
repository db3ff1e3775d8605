// What planners share: building plans, and choosing between them.
#pragma once

#include <optional>

#include "core/plan/evaluate.h"
#include "core/plan/planner.h"

namespace hearth {

PlanStage stageOf(const PlanningProblem &problem, int firstLayer, int lastLayer, const Group &group, int inFlight);
Plan planOf(const PlanningProblem &problem, const QString &planner, int microBatch, std::vector<PlanStage> stages);
/// All devices in the problem's order.
std::vector<int> devicesInOrder(const CostModel &model);

/// Cut points of which there are about so many pairs at most, but two parts at least: what a search over the first and
/// last layers of stages can afford.
std::vector<int> affordableCuts(const CostModel &model, double pairs);

/// Keeps the best plan seen: one that fits before one that does not, then the shorter simulated round.
class BestPlan {
  public:
    explicit BestPlan(const CostModel &model) : m_model(model) {}
    void offer(Plan plan);
    bool any() const { return m_plan.has_value(); }
    /// The first plan offered that cannot run, two of its devices being out of reach of each other: where there is no
    /// other, the judge names them.
    const std::optional<Plan> &unreachable() const { return m_unreachable; }
    bool fits() const { return m_fits; }
    Plan take() { return std::move(*m_plan); }

  private:
    const CostModel &m_model;
    Simulator m_simulator;
    std::optional<Plan> m_plan, m_unreachable;
    bool m_fits = false;
    double m_excess = 0;   // bytes that do not fit, where nothing fits
    double m_seconds = 0;  // simulated
};

/// For planners whose paper takes the micro-batch as given: `make(microBatch, best)` offers their plans of one size
/// that has enough samples for every layer, and of all sizes the common simulator chooses.
template <class Make>
Result<Plan> bestMicroBatch(const CostModel &model, const PlannerOptions &options, Make make);
/// Why a planner has no plan that knows no memory limits: no share would be large enough.
tl::unexpected<Error> noShares(const CostModel &model);

/// Why no plan could be made: memory in words, else links; or that the search was stopped, where neither is known.
tl::unexpected<Error> noPlan(const CostModel &model, bool stopped = false);

template <class Make>
Result<Plan> bestMicroBatch(const CostModel &model, const PlannerOptions &options, Make make) {
    BestPlan best(model);
    for (const int microBatch : microBatchChoices(model.problem())) {
        if (options.isOver(best.any()))
            break;
        if (microBatch >= model.memory().minimumSamples(0, model.layerCount()))
            make(microBatch, best);
    }
    if (best.any())
        return best.take();
    if (best.unreachable())
        return *best.unreachable();
    return noShares(model);
}

}  // namespace hearth
