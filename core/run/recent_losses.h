// How often something is lost, as far as it can be known.
#pragma once

#include <deque>

namespace hearth {

/// Plain value, the coordinator's thread. Times are seconds of the run and never go back.
class RecentLosses {
  public:
    /// A home is calm again after this time.
    static constexpr double windowSeconds = 600;
    /// One loss in the first minute says little about the next hour.
    static constexpr double leastSeconds = 120;

    void add(double now);
    /// Infinity: nothing was lost within the window.
    double secondsBetween(double now) const;

  private:
    std::deque<double> m_losses;
};

}  // namespace hearth
