// So much at once, and so much a second from then on.
#pragma once

#include <algorithm>
#include <chrono>
#include <utility>

namespace hearth {

/// What happens costs a token; a full bucket has `burst` of them, and `perSecond` come back. Plain value, one thread.
class TokenBucket {
  public:
    using Clock = std::chrono::steady_clock;

    TokenBucket(double burst, double perSecond) : m_burst(burst), m_perSecond(perSecond), m_left(burst) {}
    /// Whether there was one; it is gone then.
    bool take(Clock::time_point now = Clock::now()) {
        const std::chrono::duration<double> passed = now - std::exchange(m_counted, now);
        m_left = std::min(m_burst, m_left + passed.count() * m_perSecond);
        if (m_left < 1)
            return false;
        m_left -= 1;
        return true;
    }

  private:
    double m_burst, m_perSecond, m_left;
    Clock::time_point m_counted{};
};

/// For lines in the log that somebody else can cause as often as they like: they must not fill a disk.
class LogPace : public TokenBucket {
  public:
    /// Lines that are written at once, and how long each further one takes to be earned.
    static constexpr int burst = 40;
    static constexpr std::chrono::seconds interval{10};

    LogPace() : TokenBucket(burst, 1.0 / static_cast<double>(interval.count())) {}
};

}  // namespace hearth
