// Which versions of all states are safe: what workers keep and copy, and when a checkpoint is due.
#pragma once

#include <QObject>
#include <chrono>

#include "core/run/checkpoint_folder.h"
#include "core/run/membership.h"
#include "core/run/recent_losses.h"
#include "core/run/replication_interval.h"
#include "core/run/run_request.h"
#include "core/run/state_book.h"
#include "core/run/state_collector.h"

namespace hearth {

/// Under each plan: plans who keeps copies of whose states, asks the workers for one version at a time, tells them once
/// it is complete, and collects a checkpoint of it when one is due (Asteroid; FTPipeHD). The only one that knows which
/// version is complete. It rests from halt() until settled(): states of a change under way are no checkpoint. The
/// coordinator's thread; owns nothing of what it is given, which outlives it.
class ReplicaKeeper : public QObject {
    Q_OBJECT
  public:
    ReplicaKeeper(const RunRequest &request, qint64 rounds, Membership &membership, CheckpointFolder &folder,
                  RunLog &log, const RunDeadlines &deadlines, QObject *parent = nullptr);

    /// Bytes of each layer's state.
    StateLayers layers() const;

    // A change of plan, in this order.
    /// Rounds end. A checkpoint whose states are not here yet is dropped, and due again.
    void halt();
    /// Something was lost: copies are made more often where that is frequent.
    void noteLoss() { m_losses.add(m_log.seconds()); }
    /// For this plan, by a problem of the devices that are present.
    void planCopies(const PlanningProblem &present, const Plan &plan);
    const ReplicationPlan &replication() const { return m_replication; }
    int snapshotEvery() const { return m_intervals.snapshotEvery; }
    /// Says what a person can only guess otherwise: once, until it is so of other devices. `areOthers`: more than one
    /// device is here. False: the run is over.
    bool tellCopies(bool areOthers);
    /// Rounds begin, after these.
    void begin(quint32 term, const Plan &plan, qint64 completed);
    /// The first of them is done.
    void settled() { m_isSettled = true; }
    /// Somebody who keeps copies, and computes nothing, was lost: others get them with the next plan.
    void noteHolderLost() { m_lacksHolder = true; }
    bool lacksHolder() const { return m_lacksHolder; }

    // Rounds.
    /// That worker keeps a version, as it was asked to.
    void kept(const QString &device, quint64 version) { m_book.kept(device, version); }
    /// A copy is whole.
    void stored(const QString &holder, const StoredBackup &copy);
    /// Between rounds that are done: `begun` are, or will be before anything else can be said. `members` have layers;
    /// `roundSeconds` is the mean.
    void proceed(const std::vector<WorkerSession *> &members, qint64 done, qint64 begun, double roundSeconds);
    /// Rounds are to end for a change: the first one from `begun` on after which states are whole; makeWhole() where
    /// that is one more.
    qint64 wholeAfter(const std::vector<WorkerSession *> &members, qint64 begun);
    /// The round that makes this version has not begun: after it states are whole. Where that takes it, `members` are
    /// told.
    void makeWhole(const std::vector<WorkerSession *> &members, qint64 version);
    /// A person wants a checkpoint.
    void wantCheckpoint() { m_wantsCheckpoint = true; }
    /// Who holds what of the version that is complete.
    HeldByDevice holders() const { return m_book.holders(); }

  private:
    void chooseIntervals();
    bool isWhole(qint64 version) const { return version % m_step == 0 || version == m_exact || version >= m_total; }
    int interval() const { return std::max(m_intervals.backupEvery, m_intervals.snapshotEvery); }
    void takeCompleted();
    void ask(const std::vector<WorkerSession *> &members, qint64 done, qint64 begun);
    std::chrono::milliseconds spread() const;
    double checkpointPause() const;
    void collectCheckpoint();
    void tellLate(const StateBook::GivenUp &given);
    QString namesOf(const QStringList &devices) const;

    const RunRequest &m_request;
    const qint64 m_total;
    Membership &m_membership;
    CheckpointFolder &m_folder;
    RunLog &m_log;
    RunDeadlines m_deadlines;
    StateBook m_book;
    ReplicationPlan m_replication;
    ReplicationFacts m_facts;
    ReplicationIntervals m_intervals;
    RecentLosses m_losses;
    QStringList m_toldUnprotected, m_toldTight;
    bool m_toldLate = false;
    Operation<StateCollector> m_collecting;
    quint32 m_term = 0;           // of the plan whose rounds these are
    int m_step = 1;               // rounds from one after which states are whole to the next
    qint64 m_exact = 0;           // one between them
    qint64 m_next = 1;            // the next version that is to be kept by all, or a later one
    double m_lastCheckpoint = 0;  // in seconds of the run
    qint64 m_lastVersion = 0;     // of a checkpoint
    double m_roundSeconds = 0;    // mean; 0: none is done
    bool m_wantsCheckpoint = false;
    bool m_isSettled = false;
    bool m_lacksHolder = false;
};

}  // namespace hearth
