// Evaluations of one run: when one is due, and the pass through the test set between two rounds.
#pragma once

#include <QObject>

#include "core/run/best_evaluation.h"
#include "core/run/continued_prompts.h"
#include "core/run/evaluation_pass.h"
#include "core/run/operation.h"
#include "core/run/plan_in_force.h"
#include "core/run/run_context.h"

namespace hearth {

/// Writes down what it finds, and how far it is. The only one that knows which round was evaluated last, which
/// evaluation is the best, and what was said of the samples that are watched. The coordinator's thread; what it is
/// given outlives it.
class Evaluator : public QObject {
    Q_OBJECT
  public:
    Evaluator(const RunContext &run, const PlanInForce &current, QObject *parent = nullptr);

    /// -1: none.
    void setLastRound(qint64 round) { m_lastRound = round; }
    /// Rounds behind this one are done again with other weights, and are evaluated again. `inFile`: of weights that are
    /// kept.
    void goBackTo(qint64 round, const std::optional<BestEvaluation::Scores> &inFile);
    /// Of all rounds so far.
    const BestEvaluation &best() const { return m_best; }
    void setBest(BestEvaluation best) { m_best = std::move(best); }
    /// A person asks for one.
    void want() { m_isWanted = true; }
    bool isWanted() const { return m_isWanted; }
    /// With that many rounds done.
    bool isDue(qint64 done) const;
    /// Rounds that may be done before the next one, or before the run's patience is used up.
    qint64 roundsUntilNext(qint64 done) const;

    /// At a boundary, after this round.
    void begin(qint64 round);
    /// The one of this round fails again and again: it is due no more, nor is any before it.
    void giveUp(qint64 round);
    /// What is under way ends; it is due as before.
    void drop() {
        m_pass.reset();
        m_prompts.drop();
    }

  Q_SIGNALS:
    void finished();
    void failed(const hearth::Error &error);
    /// BatchSource's.
    void waiting(const hearth::Error &error);
    void found();

  private:
    Split split() const;
    const Shape &outputShape() const;
    /// All that it finds is there.
    void conclude();

    RunContext m_run;
    const PlanInForce &m_current;
    Operation<EvaluationPass> m_pass;
    ContinuedPrompts m_prompts;  // after it
    qint64 m_lastRound = -1, m_givenUp = -1;
    BestEvaluation m_best;
    std::optional<std::vector<EvaluationDetails::Watched>> m_watched;  // none: not read yet
    bool m_isWanted = false;
};

}  // namespace hearth
