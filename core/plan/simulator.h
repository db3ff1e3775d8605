// The event simulator: the one judge of all plans (algorithms.md §11).
#pragma once

#include <vector>

#include "core/plan/cost_model.h"
#include "core/plan/plan.h"

namespace hearth {

/// What one step of the simulated pipeline is made of; durations in seconds.
struct SimulatedStep {
    double forward = 0;
    double backward = 0;
    double allReduce = 0;  // executions only
    int inFlight = 1;      // executions only
    /// Transfers only: steps with the same channel take turns, both directions (half duplex, shared air); -1: both
    /// directions run freely.
    int channel = -1;
};

/// Start of every task: [step * microBatches + microBatch].
struct SimulatedTimes {
    std::vector<double> forwardStart;
    std::vector<double> backwardStart;
    std::vector<double> lastBackwardEnd;  // per step
};

/// Plays rounds over steps (execution, transfer, execution, …). Backward first; else forward while fewer than inFlight
/// are under way; FIFO among equals. Keeps its arrays between calls, so make one per thread and use it again.
class Simulator {
  public:
    /// Seconds of the round: the last backward plus AllReduce of the last stage to end. `times` may be null.
    double run(const std::vector<SimulatedStep> &steps, int microBatches, Schedule schedule,
               SimulatedTimes *times = nullptr);

  private:
    struct Lane;
    std::vector<double> m_forwardArrival, m_backwardArrival;
    std::vector<double> m_next;
};

}  // namespace hearth
