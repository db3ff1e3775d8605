// Notices that training waits for its samples.
#pragma once

#include <deque>
#include <optional>

namespace hearth {

/// Adds up the time in which no device had a sample left that was still to be read or decoded. Times in seconds of the
/// run. Plain value; one thread.
class StarvedRounds {
  public:
    /// So many rounds are looked at together, and so much of their time may be spent like that.
    static constexpr std::size_t window = 20;
    static constexpr double most = 0.25;

    /// Whether it is so now; what is said twice counts once.
    void set(bool starved, double now);
    /// A round is complete: the share of the window's time, when it is above what may be for the first time.
    std::optional<double> done(double now, double seconds);

  private:
    struct Round {
        double starved = 0, seconds = 0;
    };
    std::optional<double> m_since;
    double m_starved = 0;  // of the round under way
    std::deque<Round> m_rounds;
    bool m_told = false;
};

}  // namespace hearth
