// The limits of a search: steps, seconds, and a caller that may lose patience.
#pragma once

#include <QElapsedTimer>
#include <algorithm>

#include "core/plan/planner.h"

namespace hearth {

/// Counts steps (a bound or a simulated plan each count for what they cost) and says when to stop. One thread.
class SearchClock {
  public:
    explicit SearchClock(const PlannerOptions &options) : m_options(options) { m_timer.start(); }

    void spend(quint64 steps) {
        m_steps += steps;
        if (m_steps >= m_nextLook)
            look();
    }
    /// A simulated plan costs about as much as so many bounds.
    void spendOnPlan(int stages, int microBatches) {
        spend(50 + static_cast<quint64>(stages) * static_cast<quint64>(microBatches));
    }
    /// Once true, it stays so.
    bool over() const { return m_over; }
    quint64 steps() const { return m_steps; }
    /// Of what there is of time or steps, 0 to 1; 0 where there is no end. By steps alone where they are limited, so
    /// that a search that follows it is the same everywhere.
    double spentPart() const {
        double part = 0;
        if (m_options.spentPart)
            part = m_options.spentPart();
        else if (m_options.stepLimit)
            part = static_cast<double>(m_steps) / static_cast<double>(std::max<quint64>(1, *m_options.stepLimit));
        else if (m_options.secondsLimit && *m_options.secondsLimit > 0)
            part = seconds() / *m_options.secondsLimit;
        return std::clamp(part, 0.0, 1.0);
    }
    double seconds() const { return static_cast<double>(m_timer.nsecsElapsed()) * 1e-9; }
    /// Stops at that many steps from now at the latest, until released: for a phase of a search. Nests not.
    void limitPhase(quint64 steps) { m_phaseEnd = m_steps + std::min(steps, ~m_steps); }
    void endPhase() { m_phaseEnd = ~quint64{0}; }
    bool phaseOver() const { return m_over || m_steps >= m_phaseEnd; }

  private:
    static constexpr quint64 between = 4096;
    void look() {
        m_nextLook = m_steps + between;
        m_over = m_over || (m_options.stepLimit && m_steps >= *m_options.stepLimit) ||
                 (m_options.secondsLimit && seconds() >= *m_options.secondsLimit) || m_options.stopped();
    }

    const PlannerOptions &m_options;
    QElapsedTimer m_timer;
    quint64 m_steps = 0;
    quint64 m_nextLook = 0;
    quint64 m_phaseEnd = ~quint64{0};
    bool m_over = false;
};

}  // namespace hearth
