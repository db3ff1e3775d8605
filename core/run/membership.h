// Who takes part in a run: its workers, what is heard of them, and devices that return, leave or were sent away.
#pragma once

#include <QMap>
#include <QObject>
#include <QSet>
#include <memory>
#include <optional>
#include <set>
#include <vector>

#include "core/plan/problem.h"
#include "core/protocol/deployment.h"
#include "core/run/broken_links.h"
#include "core/run/heart_monitor.h"
#include "core/run/leaving_devices.h"
#include "core/run/operation.h"
#include "core/run/returning_devices.h"
#include "core/run/run_log.h"
#include "core/run/worker_session.h"

namespace hearth {

/// Why a worker takes part no more, which decides what becomes of it.
enum class Departure {
    Silent,    // nobody saw it end: it is left alone, and dialled again for the states that it may still have
    Ended,     // it is stopped, should it still live, and its device is asked for a new one
    Released,  // it is stopped, and its device not asked again
};

/// The only one that knows who is here. Owns the sessions, the heart monitor and the search for devices that return;
/// writes down whose worker was started and who is suspect. The coordinator's thread; `agent`, `connector` and `log`
/// outlive it. Devices are named by their ids.
class Membership : public QObject {
    Q_OBJECT
  public:
    Membership(const QString &run, std::vector<DeviceInfo> devices, AgentLink &agent, WorkerConnector &connector,
               const RunDeadlines &deadlines, RunLog &log, QObject *parent = nullptr);
    ~Membership() override;

    // Devices, whether they have a worker or not.
    const std::vector<DeviceInfo> &devices() const { return m_devices; }
    const DeviceInfo *device(const QString &id) const;
    /// One that the run did not begin with; false: the run is over.
    bool take(const DeviceInfo &device);
    /// The same, and a worker is asked for.
    void meet(const DeviceInfo &device);
    /// What its agent says of it now.
    void update(const DeviceInfo &device);
    /// Its agent may be linked from another place than before: others find its worker there, too.
    void locate(const DeviceInfo &device);
    /// Why it rests may change while it does: what an error then says of it.
    void takeRest(const DeviceInfo &device);
    /// Where its agent sees others now, by id.
    void see(const QString &device, const QMap<QString, QString> &places);
    /// A worker was asked for there, or is about to be.
    void markStarted(const QString &device) { m_started.insert(device); }
    /// It is there. Its address has where its agent sees others, newer than all that see() was told before.
    void workerStarted(const QString &device, const WorkerAddress &address);
    /// Else nothing that becomes of it matters to the run.
    bool wasAsked(const QString &device) const { return m_started.contains(device); }
    /// Its agent cannot be reached, and nothing else would tell of the worker's end.
    bool isLostWithAgent(const QString &device) const;

    // Workers.
    /// By device.
    std::vector<WorkerSession *> workers() const;
    /// Those that have layers in that deployment.
    std::vector<WorkerSession *> membersOf(const Deployment &deployment) const;
    WorkerSession *session(const QString &device) const;
    /// What the device computed with when it joined first; `now` where it never did.
    QString firstLibrary(const QString &device, const QString &now) const { return m_libraries.value(device, now); }
    void add(std::unique_ptr<WorkerSession> session);
    /// Nothing where there is no such worker. The others end their connections to one that is silent: it may be back
    /// before they would notice that these are dead.
    void remove(const QString &device, Departure why);
    /// Everybody; nobody is expected any more.
    void stopAll();
    /// The agent's word that a worker's process has ended. False: nobody here has that worker.
    bool workerExited(const QString &device, const Error &error);
    /// Somebody waits for it: it is asked whether it lives.
    void doubt(const QString &device);
    /// Since when nothing was heard of it; 0: it is well, or has no heart.
    double silentSeconds(const QString &device) const;

    // Who returns.
    /// A device that has, or had, a worker and has none now; nothing where a person sent it away.
    void expect(const QString &device);
    void expectNoMore(const QString &device) { m_returning.forget(device); }
    /// Somebody who is silent may still hold states.
    bool awaitsStates() const { return m_returning.mayHaveStates(); }

    // Who goes.
    LeavingDevices &leaving() { return m_leaving; }
    /// Of the workers, those whose devices have begun to rest, or to leave.
    std::vector<QString> draining() const;
    /// Those that were sent away and are still here stay: the run cannot do without them. Their names.
    QStringList keepSentAway();
    /// It is no device of the home any more: its links to the other workers end now, not with the next plan.
    void cutOff(const QString &device);
    /// That worker ends its connection to the other one, until the next deployment.
    void endLink(const QString &device, const QString &other);
    /// Devices of the problem that have no worker, or are about to leave.
    QSet<QString> absentOf(const PlanningProblem &problem) const;

    BrokenLinks &brokenLinks() { return m_brokenLinks; }
    const BrokenLinks &brokenLinks() const { return m_brokenLinks; }

  Q_SIGNALS:
    void added(hearth::WorkerSession *session);
    void removed(const QString &device);
    /// A link that was broken may work where one of its ends is found by now.
    void linkToTry();
    /// A worker is back, or new: add() takes it, or it goes.
    void returned(const QString &device);
    /// Its worker of before is gone, with its states.
    void statesGone();
    /// Heartbeats have ended for good.
    void silent(const QString &device, double seconds);

  public:
    /// In a slot of returned().
    std::unique_ptr<WorkerSession> takeReturned(const QString &device) { return m_returning.takeSession(device); }

  private:
    void followHearts();
    void followOwnPlace(WorkerSession &session);
    void endLinksTo(const QString &device);

    AgentLink &m_agent;
    RunDeadlines m_deadlines;
    RunLog &m_log;
    std::vector<DeviceInfo> m_devices;
    std::vector<Operation<WorkerSession>> m_sessions;  // by device
    std::set<QString> m_started;
    std::unique_ptr<HeartMonitor> m_hearts;  // none: workers have no hearts
    ReturningDevices m_returning;
    LeavingDevices m_leaving;
    QMap<QString, double> m_silentSince;           // of those that are suspect, in seconds of the run
    QMap<QString, QString> m_libraries;            // as each joined first
    QMap<QString, QMap<QString, QString>> m_seen;  // by device: what see() was told, for those that join later
    QMap<QString, QString> m_ownPlaces;            // by device: where the connection to its worker came from last
    BrokenLinks m_brokenLinks;
};

}  // namespace hearth
