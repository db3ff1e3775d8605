// Growing pauses after failures.
#pragma once

#include <chrono>

namespace hearth {

struct BackoffTimes {
    /// After the first failure; doubles with every further one. A person who mistyped hardly notices.
    std::chrono::milliseconds first{2000};
    /// At most 12 attempts an hour then: a chance of one in a million each is 1 in 3500 a day for whoever says yes to
    /// everything, all day.
    std::chrono::milliseconds longest{300000};
    /// Failures that are so old count no more.
    std::chrono::milliseconds forgotten{900000};
};

/// Pure bookkeeping; time is an argument.
class Backoff {
  public:
    using Time = std::chrono::steady_clock::time_point;

    static constexpr int mostFailures = 32;  // not counted beyond what doubling needs

    explicit Backoff(BackoffTimes times = {}) : m_times(times) {}
    Backoff(BackoffTimes times, int failures, Time last) : m_times(times), m_failures(failures), m_last(last) {}
    void fail(Time now);
    void succeed() { m_failures = 0; }
    /// 0: at once.
    std::chrono::milliseconds wait(Time now) const;
    /// Nothing is left to remember.
    bool isOver(Time now) const { return m_failures == 0 || now - m_last >= m_times.forgotten; }
    int failures() const { return m_failures; }

  private:
    std::chrono::milliseconds pause() const;

    BackoffTimes m_times;
    int m_failures = 0;
    Time m_last;
};

}  // namespace hearth
