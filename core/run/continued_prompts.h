// After an evaluation a language model goes on with a few prompts.
#pragma once

#include <QObject>
#include <vector>

#include "core/data/prompt_tokens.h"
#include "core/run/evaluation_pass.h"
#include "core/run/operation.h"
#include "core/run/plan_in_force.h"
#include "core/run/run_context.h"

namespace hearth {

/// Always with the likeliest token: one pass of one sample for each. The coordinator's thread; what it is given
/// outlives it.
class ContinuedPrompts : public QObject {
    Q_OBJECT
  public:
    /// Seconds, of one evaluation: in a slow home texts end before they have all their tokens.
    static constexpr double mostSeconds = 10;

    ContinuedPrompts(const RunContext &run, const PlanInForce &current, QObject *parent = nullptr);

    /// Between rounds, after this one. finished() may come at once.
    void begin(qint64 round);
    void drop() { m_pass.reset(); }
    /// RunInputs::prompts, as far as they have come.
    const std::vector<PromptTokens> &texts() const { return m_texts; }

  Q_SIGNALS:
    void finished();
    void failed(const hearth::Error &error);

  private:
    void askNext();

    RunContext m_run;
    const PlanInForce &m_current;
    std::vector<PromptTokens> m_texts;
    std::size_t m_at = 0;  // the one that is continued
    qint64 m_round = 0;
    double m_end = 0;  // of the time for it, in seconds of the log
    Operation<EvaluationPass> m_pass;
};

}  // namespace hearth
