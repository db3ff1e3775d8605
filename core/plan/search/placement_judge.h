// The round of a placement under the in-flight limits that suit it best.
#pragma once

#include "core/plan/steps.h"

namespace hearth {

/// Simulates placements. Keeps its arrays: one per thread.
class PlacementJudge {
  public:
    /// With free limits every placement is also tried with fewer and more micro-batches under way, as far as the
    /// memory of its devices allows, and with gradients of weights put off; else only as it is.
    PlacementJudge(const CostModel &model, bool freeLimits) : m_model(model), m_freeLimits(freeLimits) {}

    /// Seconds of the round; infinite when devices cannot reach each other or it is not below `limit`. The limits and
    /// the schedule that won are written into the placement.
    double judge(Placement &placement, double limit = std::numeric_limits<double>::infinity());
    /// By its schedule alone, from one micro-batch under way on to the limits that suit it best. Infinite likewise.
    double judgeSchedule(Placement &placement);
    bool fits(const Placement &placement) const;
    quint64 simulations() const { return m_simulations; }

  private:
    void findMost(const Placement &placement);
    /// After findMost().
    double tryLimits(Placement &placement, Schedule schedule, double best, double limit);
    int mostInFlight(const StagePlacement &stage, int microBatches) const;

    const CostModel &m_model;
    bool m_freeLimits;
    Simulator m_simulator;
    std::vector<SimulatedStep> m_steps;
    std::vector<int> m_most;  // micro-batches that the devices of each stage can hold
    quint64 m_simulations = 0;
};

}  // namespace hearth
