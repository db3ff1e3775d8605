// The first step of a run: a worker on every device, connected and known.
#pragma once

#include <QObject>
#include <QSet>
#include <memory>
#include <vector>

#include "core/run/deadlines.h"
#include "core/run/links.h"
#include "core/run/worker_session.h"

namespace hearth {

/// Starts the workers through the agent, dials them and says hello, all at once. Ends with the first error. One use.
class ConnectWorkers : public QObject {
    Q_OBJECT
  public:
    ConnectWorkers(QString run, AgentLink &agent, WorkerConnector &connector, const RunDeadlines &deadlines,
                   QObject *parent = nullptr);
    void start(const std::vector<DeviceInfo> &devices);
    /// Dials workers that were started before, where they were then: the connections between workers that were at
    /// another place are dead, so such a one is started anew. For those that do not answer, leftOut() comes. Always
    /// ends in finished().
    void reconnect(const std::vector<std::pair<DeviceInfo, WorkerAddress>> &workers);
    /// Sessions in the order of their device ids; call once, at finished().
    std::vector<std::unique_ptr<WorkerSession>> takeSessions();

  Q_SIGNALS:
    void workerStarted(const QString &device, const hearth::WorkerAddress &address);
    void finished();
    void failed(const hearth::Error &error);
    /// A worker was gone before all were there.
    void lost(const QString &device, const hearth::Error &error);
    /// A worker that was to be reconnected.
    void leftOut(const QString &device, const hearth::Error &error);

  private:
    void dial(const DeviceInfo &device, const WorkerAddress &address);
    void greet(WorkerSession &session);
    void giveUp(const DeviceInfo &device, const Error &error);
    /// It has greeted, or it is not waited for any more: one that has greeted may be lost before the others have.
    void settled(const QString &device);

    QString m_run;
    AgentLink &m_agent;
    WorkerConnector &m_connector;
    RunDeadlines m_deadlines;
    std::vector<std::unique_ptr<WorkerSession>> m_sessions;
    QSet<QString> m_missing;
    bool m_tolerant = false;  // of workers that are gone
    bool m_over = false;
};

}  // namespace hearth
