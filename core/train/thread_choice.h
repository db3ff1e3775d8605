// How many threads compute: as many as are fastest, while other programs come and go.
#pragma once

#include <limits>
#include <vector>

namespace hearth {

/// Begins with the most. Tries fewer at first and whenever rounds have become longer, and more from time to time, the
/// more seldom the oftener that was in vain. Rounds are alike from one restart() to the next. Plain value, one thread.
class ThreadChoice {
  public:
    static constexpr int roundsOfTrial = 3;  // after one that warms up
    static constexpr int roundsUntilMore = 100, mostRoundsUntilMore = 1600;
    static constexpr double leastGain = 0.05;  // for a change
    static constexpr double surprise = 1.25;   // against what was measured when the number was chosen
    static constexpr double hopeless = 1.5;    // against the number in use: one round of that is enough

    explicit ThreadChoice(int most) : m_most(most), m_settled(most), m_now(most) {}
    int threads() const { return m_now; }
    /// Rounds do other work from now on; the first one also warms up.
    void restart();
    /// A round has computed for so long with threads().
    void took(double seconds);

  private:
    struct Measured {
        int threads = 0;
        double seconds = std::numeric_limits<double>::infinity();
    };
    void use(int threads);
    /// The numbers a little, a third and a half away, the farthest of them last; false: there are none.
    bool tryOthers(bool more);
    void judgeTrial(double seconds);
    void judgeSettled(double seconds);

    int m_most;
    int m_settled;  // the best so far
    int m_now;      // m_settled, or what is tried
    bool m_warmingUp = true;
    bool m_more = false;        // what m_trials are
    std::vector<int> m_trials;  // to come, the one under way first
    Measured m_tried;           // the best of these trials
    double m_best = 0;          // seconds of m_settled; 0: not measured
    int m_rounds = 0;           // with m_settled, since others were tried
    int m_pause = roundsUntilMore;
    std::vector<double> m_recent;  // with m_now
};

}  // namespace hearth
