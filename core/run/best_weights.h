// The weights of a run's best evaluation: which are kept, and when better ones are collected.
#pragma once

#include <algorithm>
#include <map>

#include "core/run/evaluator.h"
#include "core/run/run_context.h"
#include "core/run/weights_task.h"

namespace hearth {

/// They stand in a file of their own beside the last ones, which says of which evaluation they are: what it says holds,
/// whenever a coordinator ended. The one before stays until the next is whole. The coordinator's thread; what it is
/// given outlives it.
class BestWeights {
  public:
    /// Reads what an earlier coordinator of the run has left.
    BestWeights(const RunContext &run, const Evaluator &evaluator);

    /// Where the record does not tell of the file: its coordinator ended in between. False: the run is over.
    bool tellKept(const std::optional<BestEvaluation::Scores> &told);
    /// In the file, or on the way to it.
    const std::optional<BestEvaluation::Scores> &kept() const { return m_kept; }

    /// With so many rounds done workers hold what is better than the file.
    bool isAtHand(qint64 done) const;
    /// And to collect it pays: it takes no more than a part of the time since the last.
    bool isDue(qint64 done) const;
    /// Rounds that may be done before that.
    qint64 roundsUntilNext(qint64 done) const;

    void collected(double seconds);
    /// What is at hand is on its way to the file.
    void addTo(WeightsOrder *order);
    /// Where the order had it: tells of it, and takes a failure out of the result, for no run ends by that. False: the
    /// run is over.
    bool settle(const WeightsOrder &order, WeightsWritten *written);
    /// Those of this round cannot be kept, nor any before them.
    void giveUp(qint64 round) { m_givenUp = std::max(m_givenUp, round); }

  private:
    RunContext m_run;
    const Evaluator &m_evaluator;
    std::optional<BestEvaluation::Scores> m_kept;
    std::optional<BestEvaluation::Scores> m_before;  // in the file while others are on their way
    qint64 m_givenUp = -1;
    double m_seconds = 0, m_ended = 0;  // of the last collecting: how long, and when it ended
    bool m_hasWarned = false;
};

}  // namespace hearth
