// This computer computes what a trained network answers.
#pragma once

#include "core/agent/child_process.h"
#include "core/inference/answer_source.h"

namespace hearth {

/// hearth-worker in a process of its own, so that what goes wrong there ends nothing else. It starts with the first
/// question. Main thread, as ChildProcess.
class AnswerProcess : public AnswerSource {
    Q_OBJECT
  public:
    AnswerProcess(QString runFolder, QString weights);
    ~AnswerProcess() override;

    void ask(const QByteArray &samples, std::optional<qint64> row, Done done) override;

  private:
    void start();

    const QString m_folder, m_weights;
    ChildProcess m_process;
    bool m_isStarted = false;
};

}  // namespace hearth
