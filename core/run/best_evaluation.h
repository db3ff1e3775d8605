// The best evaluation of a run so far, and for how long none was better.
#pragma once

#include <optional>
#include <vector>

#include "core/run/job.h"
#include "core/run/run_event.h"

namespace hearth {

/// Plain value, any thread.
class BestEvaluation {
  public:
    struct Scores {
        qint64 round = 0;
        double loss = 0, accuracy = 0;  // as event::Evaluation; the loss is finite
        bool isSame(const Scores &other) const { return round == other.round && loss == other.loss; }
    };

    BestEvaluation() = default;
    /// Of a run of `total` rounds.
    BestEvaluation(Job job, qint64 total) : m_job(std::move(job)), m_total(total) {}

    /// Evaluations as they are written down; those of rounds that are repeated after a loss come again. A loss that is
    /// no number is never better.
    void take(const event::Evaluation &evaluation);
    /// The run ended for want of a better one, and somebody lets it go on: as many evaluations again.
    void beginAnew();
    /// Rounds behind this one are done again with other weights. What was found there holds no more, but of the weights
    /// that are in their file: these are there, whatever the run becomes.
    void goBackTo(qint64 round, const std::optional<Scores> &inFile);

    const std::optional<Scores> &scores() const { return m_bests.back().scores; }
    /// The round after which the run ends before its time: the job's patience is used up there. None: not so far.
    std::optional<qint64> endRound() const;
    bool isEnd(qint64 done) const { return endRound() && done >= *endRound(); }
    /// Why it ends.
    Sentence why() const;

  private:
    struct Best {
        std::optional<Scores> scores;  // nothing before the first
        std::vector<qint64> since;     // rounds of evaluations that were due, and not better; no more than the patience
    };
    bool isBetter(const event::Evaluation &evaluation) const;

    Job m_job;
    qint64 m_total = 0;
    std::vector<Best> m_bests = std::vector<Best>(1);  // each better than the one before
};

}  // namespace hearth
