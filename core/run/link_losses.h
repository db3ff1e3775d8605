// What a run's workers tell of the connections among themselves.
#pragma once

#include <QObject>
#include <set>
#include <utility>

#include "core/run/plan_in_force.h"
#include "core/run/run_context.h"

namespace hearth {

/// Tells a link that is lost from a worker that ended and took its connections along. The end of a trusted fabric is
/// only written down: its members go on with the built-in AllReduce. The coordinator's thread; what it is given
/// outlives it.
class LinkLosses : public QObject {
    Q_OBJECT
  public:
    LinkLosses(const RunContext &run, const PlanInForce &current, QObject *parent = nullptr);
    void watch(WorkerSession &session);

  Q_SIGNALS:
    /// Both workers are there, and do not reach each other any more. Error "run.link-silent": their connection was
    /// there and let nothing through; "run.link-lost". `term`: as of WorkerSession::peerLost().
    void lost(const QString &from, const QString &to, const hearth::Error &error, qint64 term);

  private:
    void judge(const QString &device, const QString &peer, const Error &error, qint64 term, quint32 heard);
    void loseFabric(const WorkerSession &worker, const Error &error);

    RunContext m_run;
    const PlanInForce &m_current;
    std::set<std::pair<quint32, int>> m_fabrics;  // term and stage: several members tell of the same end
};

}  // namespace hearth
