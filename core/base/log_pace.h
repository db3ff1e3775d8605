// Keeps others from filling a disk by way of the log.
#pragma once

#include <algorithm>
#include <chrono>
#include <utility>

namespace hearth {

/// For lines that somebody else can cause as often as they like. Plain value, one thread.
class LogPace {
  public:
    using Clock = std::chrono::steady_clock;
    /// Lines that are written at once, and how long each further one takes to be earned.
    static constexpr int burst = 40;
    static constexpr std::chrono::seconds interval{10};

    /// Whether there is a line for what has just happened; it counts as written.
    bool take() {
        const auto now = Clock::now();
        m_left += std::chrono::duration<double>(now - std::exchange(m_counted, now)) / interval;
        m_left = std::min<double>(m_left, burst);
        if (m_left < 1)
            return false;
        m_left -= 1;
        return true;
    }

  private:
    double m_left = burst;
    Clock::time_point m_counted = Clock::now();
};

}  // namespace hearth
