// SIGINT, SIGTERM and SIGHUP as Qt signals.
#pragma once

#include <QObject>

namespace hearth {

/// One per process, in the main thread; restores the former handlers at its end. A third one ends the process at once,
/// so that nobody is locked in.
class StopSignals : public QObject {
    Q_OBJECT
  public:
    explicit StopSignals(QObject *parent = nullptr);
    ~StopSignals() override;

  Q_SIGNALS:
    /// `count` is how often one has arrived so far, from 1.
    void received(int signal, int count);

  private:
    void read();
    int m_count = 0;
};

/// Emits once when the process at the other end of our standard input has ended.
class ParentPipe : public QObject {
    Q_OBJECT
  public:
    explicit ParentPipe(QObject *parent = nullptr);

  Q_SIGNALS:
    void ended();
};

}  // namespace hearth
