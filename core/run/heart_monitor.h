// Listens to the heartbeats of a run's workers, apart from everything else that the coordinator does.
#pragma once

#include <QObject>
#include <memory>

#include "core/run/links.h"
#include "core/wire/identity.h"

class QThread;

namespace hearth {

/// Dials every worker's port for heartbeats from a thread of its own, so that neither copies of batches nor files keep
/// it from listening; LinkWatch says when silence is a loss. A connection that ends, or cannot be made, makes the
/// device suspect. Public functions and signals are of the thread that made it.
class HeartMonitor : public QObject {
    Q_OBJECT
  public:
    /// `identity` is what the workers accept as their coordinator.
    explicit HeartMonitor(const Identity &identity, QObject *parent = nullptr);
    ~HeartMonitor() override;

    /// `port` is the one that the worker named for heartbeats.
    void watch(const QString &device, const WorkerAddress &worker, quint16 port);
    void forget(const QString &device);
    /// Somebody else cannot reach it: probe it now.
    void doubt(const QString &device);

  Q_SIGNALS:
    void suspected(const QString &device);
    void revived(const QString &device);
    /// It is gone, and not watched any more.
    void silent(const QString &device, double silentSeconds);

  private:
    class Listener;
    std::unique_ptr<QThread> m_thread;
    Listener *m_listener;  // lives in that thread
};

}  // namespace hearth
