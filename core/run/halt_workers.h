// The first step of every change of plan: the round ends everywhere, under a new term, and everybody tells what it has.
#pragma once

#include <QMap>
#include <QObject>
#include <vector>

#include "core/protocol/term_origins.h"
#include "core/run/deadlines.h"
#include "core/run/deploy.h"
#include "core/run/recovery_choice.h"
#include "core/run/worker_session.h"

namespace hearth {

/// Asks all workers at once. One use; the coordinator's thread.
class HaltWorkers : public QObject {
    Q_OBJECT
  public:
    /// Whoever was away forgets what does not count by `origins`.
    HaltWorkers(quint32 term, const RunDeadlines &deadlines, TermOrigins origins, QObject *parent = nullptr)
        : QObject(parent), m_term(term), m_deadlines(deadlines), m_origins(std::move(origins)) {}
    void start(const std::vector<WorkerSession *> &workers);
    /// At finished().
    const HeldByDevice &held() const { return m_held; }
    /// At finished(): layers whose frozen tensors each device has.
    const FrozenByDevice &frozen() const { return m_frozen; }

  Q_SIGNALS:
    void finished();
    /// This worker does not answer, or not sensibly: nothing can be built on it. Nothing follows.
    void refused(const QString &device, const hearth::Error &error);

  private:
    quint32 m_term;
    RunDeadlines m_deadlines;
    TermOrigins m_origins;
    HeldByDevice m_held;
    FrozenByDevice m_frozen;
    std::size_t m_open = 0;
    bool m_over = false;
};

}  // namespace hearth
