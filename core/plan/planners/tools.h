// What planners share: building plans, and choosing between them.
#pragma once

#include <optional>

#include "core/plan/evaluate.h"
#include "core/plan/planner.h"

namespace hearth {

/// The micro-batch sizes that a planner may choose from: the fixed one, or the divisors of the batch, descending.
std::vector<int> microBatchChoices(const PlanningProblem &problem);

PlanStage stageOf(const PlanningProblem &problem, int firstLayer, int lastLayer, const Group &group, int inFlight);
Plan planOf(const PlanningProblem &problem, const QString &planner, int microBatch, std::vector<PlanStage> stages);

/// Keeps the best plan seen: one that fits before one that does not, then the shorter simulated round.
class BestPlan {
  public:
    explicit BestPlan(const CostModel &model) : m_model(model) {}
    void offer(Plan plan);
    bool any() const { return m_plan.has_value(); }
    bool fits() const { return m_fits; }
    Plan take() { return std::move(*m_plan); }

  private:
    const CostModel &m_model;
    Simulator m_simulator;
    std::optional<Plan> m_plan;
    bool m_fits = false;
    double m_excess = 0;   // bytes that do not fit, where nothing fits
    double m_seconds = 0;  // simulated
};

/// Why no plan could be made: memory in words, else links.
tl::unexpected<Error> noPlan(const CostModel &model);

}  // namespace hearth
