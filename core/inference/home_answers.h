// The home's devices compute together what a trained network answers.
#pragma once

#include "core/agent/agent_client.h"
#include "core/inference/answer_source.h"
#include "core/inference/asked_run.h"

namespace hearth {

/// A run of its own over a connection of its own (RunKind::Answer), which begins with the first question and ends with
/// this. One that ended because nobody asked for long begins anew. Main thread.
class HomeAnswers : public AnswerSource {
    Q_OBJECT
  public:
    /// `stateDir` is of this computer's agent, which is started where none runs.
    HomeAnswers(AskedRun asked, QString stateDir, QObject *parent = nullptr);

    void ask(const QByteArray &samples, std::optional<qint64> row, Done done) override;

  private:
    struct Question {
        QCborMap args;
        Done done;
        bool isRepeated = false;
    };
    void reachAgent();
    void start();
    void put(const Question &question);

    const AskedRun m_asked;
    const QString m_stateDir;
    AgentClient m_client;
    QString m_run;  // empty: there is none
    bool m_isStarting = false;
    std::vector<Question> m_waiting;  // for it
    int m_open = 0;                   // questions that are not answered yet
};

}  // namespace hearth
