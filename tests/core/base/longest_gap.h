// For tests of what a sign of life keeps alive, where the sign is the test's own.
#pragma once

#include <QElapsedTimer>
#include <algorithm>
#include <chrono>

namespace hearth {

/// The longest time without a sign. On a machine that stands still the test's signs stop, too: whoever waits for them
/// in vain is right then. One thread.
class LongestGap {
  public:
    LongestGap() { restart(); }
    void restart() {
        m_longest = {};
        m_since.start();
    }
    void sign() {
        m_longest = value();
        m_since.start();
    }
    /// Between two signs, and until now.
    std::chrono::milliseconds value() const {
        return std::max(m_longest, std::chrono::milliseconds(m_since.elapsed()));
    }
    /// A timer of `limit` that each sign starts anew may have ended; timers are early by up to a twentieth.
    bool reaches(std::chrono::milliseconds limit) const { return value() >= limit * 9 / 10; }

  private:
    QElapsedTimer m_since;
    std::chrono::milliseconds m_longest{};
};

}  // namespace hearth
