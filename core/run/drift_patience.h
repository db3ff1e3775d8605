// Keeps a run from following every breath of its devices.
#pragma once

#include <deque>
#include <optional>
#include <vector>

#include "core/plan/plan.h"
#include "core/run/capacity_drift.h"

namespace hearth {

/// A change of plan that was to make rounds shorter is held to its word: one that brought less than half of what it
/// promised doubles the wait before speeds may change the plan again, and is not made again for a while where the
/// devices are as fast as they were when it was made. Devices whose speeds depend on each other (two workers on one
/// processor, a laptop that is used) would have their plan changed for ever otherwise. Where rounds even became longer,
/// though the devices are as fast, the plan before is known to be better, whatever is predicted. One thread; times are
/// the caller's, in seconds.
class DriftPatience {
  public:
    /// A plan that was left for one that is worse.
    struct Regret {
        Plan plan;
        double secondsThen = 0, secondsNow = 0;  // of a round, as measured
    };
    /// What rounds after a change say of it.
    enum class Verdict {
        Due,  // whether it kept its word
        None  // nothing: it promised nothing, or its rounds differ from all that follow
    };
    static constexpr double shortestWait = 5;
    static constexpr double longestWait = 300;
    static constexpr double forgives = 600;

    void roundTook(double seconds);
    /// Once, after a change was judged; devices have these speeds by now.
    std::optional<Regret> takeRegret(const CapacityFactors &speeds);
    /// A change is not judged yet.
    bool isJudging() const { return m_judging; }
    /// Another plan is in force, for another reason than speeds, or the same one with other codecs: rounds are not to
    /// be compared with those before, and a promise that is still to be judged is nothing any more.
    void planChanged();
    /// `promisedGain` is the part of a round's time that the new plan was to save, at these speeds. After too few
    /// rounds to compare with it is not judged.
    void switched(double now, double promisedGain, const Plan &from = {}, const Plan &to = {},
                  const CapacityFactors &speeds = {}, Verdict verdict = Verdict::Due);
    bool mayLook(double now) const { return !m_judging && now - m_switchedAt >= m_wait; }
    double wait() const { return m_wait; }
    /// This plan was tried lately, at such speeds, and did not keep its word.
    bool disappointed(double now, const Plan &plan, const CapacityFactors &speeds) const;

  private:
    // Rounds that are compared, before and after: so many, and for so long, at least.
    static constexpr std::size_t looked = 5;
    static constexpr double lookedSeconds = 2;
    static constexpr std::size_t newestLooked = 3;
    static constexpr std::size_t remembered = 16;
    struct Promise {
        Plan from, plan;
        CapacityFactors speeds;
        double at = 0;
    };
    bool hasLooked() const { return m_rounds.size() >= looked && m_sum >= lookedSeconds; }
    /// Median seconds of the newest rounds, so many at most: one that is odd says nothing of a plan. 0: there are none.
    double typical(std::size_t newest) const;

    std::deque<double> m_rounds;
    double m_sum = 0;
    double m_before = 0, m_promised = 0;
    double m_switchedAt = -longestWait;
    double m_wait = shortestWait;
    bool m_judging = false;
    bool m_warmingUp = false;
    Promise m_promise;
    std::optional<Regret> m_regret;
    std::deque<Promise> m_broken;
};

}  // namespace hearth
