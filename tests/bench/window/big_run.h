// A run on 64 devices of a model with 200 layers, as its events tell it.
#pragma once

#include <random>

#include "core/home/device_info.h"
#include "core/model/model.h"
#include "core/plan/plan.h"
#include "core/plan/problem.h"
#include "core/run/run_event.h"

namespace hearth::bench {

/// Events in order; every number repeatable. `stages` of equal length, each of a group of devices.
class BigRun {
  public:
    static constexpr int deviceCount = 64;
    static constexpr int layerCount = 200;

    explicit BigRun(int stages, double secondsPerRound = 1);

    const PlanningProblem &problem() const { return m_problem; }
    std::vector<DeviceInfo> devices() const;
    /// From the run's first event to its first round.
    std::vector<RunEvent> beginning();
    /// The next round, and what belongs to it: an evaluation after every hundredth, copies of states, checkpoints.
    std::vector<RunEvent> nextRound();
    /// A device falls silent, is lost, the run recovers and goes on; then it comes back.
    std::vector<RunEvent> fault();
    double t() const { return m_t; }
    qint64 round() const { return m_round; }

  private:
    RunEvent make(RunEventBody body);
    QString id(int device) const { return m_problem.devices[static_cast<std::size_t>(device)].id; }
    double around(double value, double part);

    double m_secondsPerRound;
    std::mt19937 m_random{7};
    PlanningProblem m_problem;
    Model m_model;
    Plan m_plan;
    std::vector<event::RoundLink> m_links;
    quint64 m_seq = 0;
    double m_t = 0;
    qint64 m_round = 0;
    quint32 m_term = 1;
    int m_faults = 0;
};

}  // namespace hearth::bench
