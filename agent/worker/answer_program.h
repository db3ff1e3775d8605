// hearth-worker as a network that answers: its parent on standard input and output.
#pragma once

#include <QObject>
#include <memory>

#include "core/train/trained_network.h"
#include "core/wire/rpc.h"
#include "core/wire/stdio_channel.h"

namespace hearth {

/// Calls: `open {run, weights}` with a run's folder and a file; `answer {samples}` with their bytes as they travel
/// answers {values}: the outputs of all, float64 as this machine has them; `answer {samples, row}` that row of them
/// alone. One at a time, in the main thread, which reads and computes.
class AnswerProgram : public QObject {
    Q_OBJECT
  public:
    explicit AnswerProgram(int threads, QObject *parent = nullptr);

  Q_SIGNALS:
    /// Standard input ended.
    void parentGone();

  private:
    Result<void> open(const QString &runFolder, const QString &weights);
    Result<QCborMap> answer(const QCborMap &question);

    StdioChannel m_parent;
    Rpc m_rpc;
    std::unique_ptr<TrainedNetwork> m_network;
};

}  // namespace hearth
