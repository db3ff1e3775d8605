// The program that computes what a trained network answers.
#pragma once

#include <QObject>
#include <functional>
#include <optional>
#include <vector>

#include "core/agent/child_process.h"

namespace hearth {

/// hearth-worker in a process of its own, so that what goes wrong there ends nothing else. It starts with the first
/// question. Main thread, as ChildProcess.
class AnswerProcess : public QObject {
    Q_OBJECT
  public:
    AnswerProcess(QString runFolder, QString weights);
    ~AnswerProcess() override;

    /// `samples`: by input of the network, its values of all samples. `done` gets what the last layer gives of each, in
    /// order, or of outputs {rows, …} this row alone: those of all do not fit a message where they are words.
    void ask(const QByteArray &samples, std::optional<qint64> row, std::function<void(std::vector<double>)> done);
    bool hasFailed() const { return m_hasFailed; }

  Q_SIGNALS:
    /// Once; nothing is answered any more.
    void failed(const hearth::Error &error);

  private:
    void start();
    void fail(const Error &error);

    const QString m_folder, m_weights;
    ChildProcess m_process;
    bool m_isStarted = false, m_hasFailed = false;
};

}  // namespace hearth
