// What somebody asks the network of a run that only answers (RunKind::Answer).
#pragma once

#include <QObject>
#include <QTimer>
#include <deque>
#include <functional>
#include <optional>
#include <vector>

#include "core/run/evaluation_pass.h"
#include "core/run/operation.h"
#include "core/run/plan_in_force.h"
#include "core/run/run_context.h"

namespace hearth {

/// One after the other, each a pass of its own. One that a loss disturbs is asked anew. The coordinator's thread; what
/// it is given outlives it.
class RunQuestions : public QObject {
    Q_OBJECT
  public:
    using Answer = std::function<void(Result<std::vector<double>>)>;
    /// For so long nobody may ask: the devices have better things to do.
    static constexpr std::chrono::minutes patience{10};

    RunQuestions(const RunContext &run, const PlanInForce &current, QObject *parent = nullptr);

    /// `samples` as askedSamples() takes them. `answer` gets, once, the numbers of one sample after the other; with
    /// `row`, of outputs {rows, …} those of this one alone. Errors: "answer.bad-samples", "answer.bad-row",
    /// "answer.too-large", and why the run ended.
    void ask(const QByteArray &samples, std::optional<qint64> row, Answer answer);
    bool isDue() const { return !m_waiting.empty(); }

    /// The first of them. At a boundary, after this round.
    void begin(qint64 round);
    /// What is under way ends; it is due as before.
    void drop() { m_pass.reset(); }
    /// The first one fails again and again.
    void giveUp(const Error &error);
    /// None will be answered any more.
    void end(const Error &error);

  Q_SIGNALS:
    void finished();
    void failed(const hearth::Error &error);
    /// Nobody asks any more.
    void idle();

  private:
    struct Question {
        QByteArray samples;
        AskedOutputs outputs;
        Answer answer;
    };
    /// Error: no network could answer that.
    Result<AskedOutputs> outputsOf(const QByteArray &samples, std::optional<qint64> row) const;
    void tell(const Result<std::vector<double>> &answer);

    RunContext m_run;
    const PlanInForce &m_current;
    std::deque<Question> m_waiting;
    Operation<EvaluationPass> m_pass;  // of the first of them
    std::optional<Error> m_end;
    QTimer m_patience;
};

}  // namespace hearth
