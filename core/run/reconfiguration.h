// The change from one plan to the next: from its cause to the first round under the new term.
#pragma once

#include <QObject>
#include <QTimer>
#include <functional>
#include <optional>

#include "core/base/heap_tidy.h"
#include "core/run/codec_guard.h"
#include "core/run/deploy.h"
#include "core/run/halt_workers.h"
#include "core/run/plan_in_force.h"
#include "core/run/recovery_choice.h"
#include "core/run/replanner.h"
#include "core/run/replay_task.h"
#include "core/run/replica_keeper.h"
#include "core/run/round_loop.h"
#include "core/run/run_context.h"
#include "core/run/state_collector.h"

namespace hearth {

/// Why a plan changes.
struct ChangeCause {
    QString reason;            // event::Plan's
    Sentence why{};            // with numbers; empty where the reason says it all
    bool isDisturbed = false;  // something was lost: rounds are repeated, and a recovery is told
    double silentSeconds = 0;  // before that was noticed
    qint64 roundsBefore = 0;
    std::optional<Plan> plan{};  // chosen before; none: one for those who are here
};

/// A change that has ended; times in seconds.
struct Reconfigured {
    QString reason;
    bool isDisturbed = false;
    quint32 term = 0;
    quint64 fromVersion = 0;
    double detect = 0;  // until the cause was certain, waits for silent devices included
    double halt = 0;    // until the workers had ended their round
    double plan = 0;
    double move = 0;     // states, also those that were gathered before planning
    double rebuild = 0;  // stages and connections at the workers, beside what moved
    double replay = 0;   // until the first round was done
    double total = 0;
    qint64 replayedRounds = 0;
    qint64 movedBytes = 0;
    QString method;  // "lightweight" | "heavy" | "disk"

    event::Recovered toEvent() const;
};

/// One after the other: halts the workers, finds the newest version that is complete, gathers or awaits states where
/// that takes it, chooses a plan, deploys it, and ends with finish(). What is lost meanwhile begins it anew, under
/// another term, with what is known by then (Asteroid, pipeline replay; FTPipeHD, recovery from several failures). The
/// only one that brings plans into force. The coordinator's thread; what it is given outlives it. While it works no
/// rounds are fed: whoever begins a change has seen to that.
class Reconfiguration : public QObject {
    Q_OBJECT
  public:
    enum class Step {
        None,
        Halting,          // workers end their round under a new term and tell what they hold
        Gathering,        // states come to this device, from workers or from the disk
        AwaitingStates,   // of somebody who is silent, as long as that is worth it
        Planning,         // for those who are here
        AwaitingDevices,  // no plan is possible
        Deploying,
        FirstRound,  // the plan is in force
    };

    Reconfiguration(const RunContext &run, PlanInForce &current, const RoundLoop &rounds, ReplicaKeeper &replicas,
                    CheckpointFolder &folder, Replanner &replanner, const CodecGuard &guard, QObject *parent = nullptr);

    Step step() const { return m_step; }
    bool isUnderWay() const { return m_step != Step::None; }
    bool isAwaitingStates() const { return m_step == Step::AwaitingStates; }
    bool isAwaitingDevices() const { return m_step == Step::AwaitingDevices; }
    /// Rounds that were done when it began.
    qint64 roundsBefore() const { return m_change.cause.roundsBefore; }

    /// The first plan of a run, which no state comes before but the disk's; it is announced. False: that failed.
    bool beginFirst(const QString &reason);
    /// Brings the plan that is chosen into force.
    void deploy();
    /// From the newest whole checkpoint. `then` follows also where there is none: version 0.
    void readCheckpoint(const std::function<void()> &then);

    /// A change; halt() follows, at once or when workers are connected again.
    void begin(ChangeCause cause);
    /// What it begins for is certain by now.
    void noteDetected() { m_change.detect = m_run.log.seconds() - m_change.since; }
    void halt();
    /// Something was lost: begins a change, or begins the one under way anew, for those who are left.
    void recover(double silentSeconds);
    /// Only a plan made from nothing helps.
    void needNewPlan() { m_change.isHeavy = true; }
    /// What is under way ends without a result; the change itself goes on with halt() or recover().
    void drop();
    /// The first round under the plan is done, or the run rests without one. Nothing where no change was under way.
    std::optional<Reconfigured> finish();

  Q_SIGNALS:
    /// The plan that was wanted cannot be brought into force: what follows is a recovery.
    void disturbed();
    /// Everybody is about to get the deployment of the plan in force.
    void deploys();
    /// Rounds may begin, after this one.
    void deployed(qint64 completed);
    /// No plan is possible, and that was told. Nothing follows until somebody begins a change, or recovers.
    void awaited(bool allRest);
    /// This worker cannot be built on: it is to be lost.
    void refused(const QString &device, const hearth::Error &error);
    void failed(const hearth::Error &error);

  private:
    struct Change {
        ChangeCause cause;
        bool isHeavy = false;  // what is light cannot help
        int attempts = 0;      // deployments that failed
        double since = 0;      // in seconds of the run, as all moments
        double detect = 0;
        double halted = 0, planned = 0, deployed = 0;
        double move = 0;
        double gather = 0;  // of that, before the plan was made
        double waited = 0;  // for states of whoever was silent
        std::optional<double> waitsSince;
        qint64 movedBytes = 0;
        QString method = QStringLiteral("lightweight");
        RecoveryVersion from;
        HeldByDevice held;             // by the workers, of all versions
        FrozenByDevice frozen;         // by the workers
        std::optional<Error> missing;  // why none of these versions will do
    };

    void takeStates();
    bool awaitStates(const Error &missing);
    void goOnFromDisk();
    /// There is a checkpoint, or the weights that the run began with can be made again.
    bool hasDisk() const { return m_folder.version() > 0 || !m_weightsDropped; }
    bool isLost(const RecoveryVersion &from);
    void gather();
    void choosePlan();
    void takeReplay(const Replay &replay);
    void doWithoutReplay(const Error &error);
    void use(const Plan &plan);
    void awaitDevices(const Error &why);
    /// What is to be told where all devices of the run only rest.
    std::optional<Error> whyAllRest() const;
    bool announce();
    std::optional<Deployment> prepare();
    void startDeploying();
    void deployFailed(const QString &device, const Error &error);
    void releaseDrained();

    RunContext m_run;
    PlanInForce &m_current;
    const RoundLoop &m_rounds;
    ReplicaKeeper &m_replicas;
    CheckpointFolder &m_folder;
    Replanner &m_replanner;
    const CodecGuard &m_guard;
    Step m_step = Step::None;
    Change m_change;
    Operation<HaltWorkers> m_halting;
    Operation<StateCollector> m_collecting;
    Operation<ReplayTask> m_replaying;
    Operation<Deploy> m_deploying;
    QTimer m_awaited;           // runs while states are awaited
    quint32 m_announced = 0;    // the term of the last "plan" event
    LayerStates m_here;         // of all layers, from the disk or gathered, while a deployment needs them
    quint64 m_hereVersion = 0;  // and their version
    bool m_weightsDropped;      // nobody can make version 0 again: a checkpoint took its place
    HeapTidy m_tidy;            // after a change: states that went through here are held no longer
};

}  // namespace hearth
