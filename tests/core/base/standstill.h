// Whether this machine stood still, for tests that a pause of seconds spoils; tests/lab/hearthlab/standstill.py is the
// same for tests in Python.
#pragma once

#include <QString>
#include <algorithm>
#include <array>
#include <chrono>
#include <cstddef>
#include <fstream>
#include <mutex>
#include <stop_token>
#include <thread>

namespace hearth {

/// Of a test that something else than what it tests may spoil. One thread.
class Tries {
  public:
    static constexpr int most = 3;

    /// Whether there is another one, which is told with its cause. After the last one the test fails.
    bool again(const QString &cause) {
        if (m_begun == most)
            return false;
        ++m_begun;
        qInfo("Try %d of %d: %s", m_begun, most, qUtf8Printable(cause));
        return true;
    }

  private:
    int m_begun = 1;
};

/// Watches the machine as long as it exists: a thread of its own sleeps for short times and notes how long it took
/// until it ran again, whatever the code under test does in the other threads, and how many threads of all programs
/// wanted a processor then. Any thread.
class Standstill {
  public:
    /// The longest time without a look, up to this moment.
    std::chrono::milliseconds longest() const {
        const std::scoped_lock lock(m_mutex);
        return std::max(m_longest, sinceLook());
    }
    /// A timer of `limit` may have ended meanwhile; timers are early by up to a twentieth.
    bool reaches(std::chrono::milliseconds limit) const { return longest() >= limit * 9 / 10; }
    /// Whether what a pause of `limit` spoils is tried again.
    bool excuses(std::chrono::milliseconds limit, Tries &tries) const {
        return reaches(limit) &&
               tries.again(QStringLiteral("The machine stood still for %1 ms.").arg(longest().count()));
    }
    /// How many other threads of all programs ran or waited for a processor: the highest mean of some 1.6 s.
    double mostRunnable() const {
        const std::scoped_lock lock(m_mutex);
        return m_mostRunnable;
    }

  private:
    using Clock = std::chrono::steady_clock;
    static constexpr std::chrono::milliseconds pace{50};
    static constexpr std::size_t looksOfAMean = 32;

    void watch(const std::stop_token &stop) {
        std::array<int, looksOfAMean> recent{};
        int sum = 0;
        for (std::size_t look = 0; !stop.stop_requested(); ++look) {
            std::this_thread::sleep_for(pace);
            int &oldest = recent[look % recent.size()];
            sum -= oldest;
            oldest = othersRunnable();
            sum += oldest;
            const std::scoped_lock lock(m_mutex);
            m_longest = std::max(m_longest, sinceLook());
            m_looked = Clock::now();
            m_mostRunnable = std::max(m_mostRunnable, static_cast<double>(sum) / looksOfAMean);
        }
    }
    /// At this moment. The file has three means of minutes, and then how many threads run or wait.
    static int othersRunnable() {
        std::ifstream file("/proc/loadavg");
        double means[3] = {};
        int runnable = 0;
        file >> means[0] >> means[1] >> means[2] >> runnable;
        return std::max(0, runnable - 1);
    }
    std::chrono::milliseconds sinceLook() const {
        return std::chrono::duration_cast<std::chrono::milliseconds>(Clock::now() - m_looked);
    }

    mutable std::mutex m_mutex;
    std::chrono::milliseconds m_longest{};
    double m_mostRunnable = 0;
    Clock::time_point m_looked = Clock::now();
    std::jthread m_thread{[this](const std::stop_token &stop) { watch(stop); }};  // last: it uses the others
};

}  // namespace hearth
