// Keeps a run from following every breath of its devices.
#pragma once

#include <deque>

namespace hearth {

/// A change of plan that was to make rounds shorter is held to its word: one that brought less than half of what it
/// promised doubles the wait before speeds may change the plan again. Devices whose speeds depend on each other (two
/// workers on one processor, a laptop that is used) would have their plan changed for ever otherwise. One thread; times
/// are the caller's, in seconds.
class DriftPatience {
  public:
    static constexpr double shortestWait = 5;
    static constexpr double longestWait = 300;

    void roundTook(double seconds);
    /// `promisedGain` is the part of a round's time that the new plan was to save.
    void switched(double now, double promisedGain);
    bool mayLook(double now) const { return !m_judging && now - m_switchedAt >= m_wait; }
    double wait() const { return m_wait; }

  private:
    static constexpr std::size_t looked = 5;  // rounds before and after
    double mean() const;

    std::deque<double> m_rounds;
    double m_before = 0, m_promised = 0;
    double m_switchedAt = -longestWait;
    double m_wait = shortestWait;
    bool m_judging = false;
    std::size_t m_since = 0;
};

}  // namespace hearth
