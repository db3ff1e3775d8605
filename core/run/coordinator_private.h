// Internal to the coordinator: its state, shared by the files that implement its steps.
#pragma once

#include <QPointer>
#include <QTimer>
#include <memory>
#include <optional>
#include <set>
#include <vector>

#include "core/base/heap_tidy.h"
#include "core/run/connect_workers.h"
#include "core/run/coordinator.h"
#include "core/run/deploy.h"
#include "core/run/evaluation_pass.h"
#include "core/run/fitting_plan.h"
#include "core/run/halt_workers.h"
#include "core/run/membership.h"
#include "core/run/operation.h"
#include "core/run/plan_run.h"
#include "core/run/profile_workers.h"
#include "core/run/recovery_choice.h"
#include "core/run/replanner.h"
#include "core/run/replay_task.h"
#include "core/run/replica_keeper.h"
#include "core/run/round_loop.h"
#include "core/run/run_log.h"
#include "core/run/run_state_file.h"
#include "core/run/run_trace.h"
#include "core/run/state_collector.h"
#include "core/run/weights_collector.h"
#include "core/run/weights_task.h"
#include "core/run/worker_session.h"

namespace hearth {

/// The change of a plan: from its cause to the first step under the new term.
struct PlanChange {
    QString reason;         // event::Plan's
    Sentence why;           // with numbers; empty where the reason says it all
    bool disturbed = true;  // something was lost: rounds are repeated, and a recovery is told
    bool heavy = false;     // what is light cannot help
    int attempts = 0;       // deployments that failed
    double since = 0;       // in seconds of the run, as all moments
    double detectS = 0;
    double halted = 0, planned = 0, deployed = 0;
    double moveS = 0;
    double gatherS = 0;  // of that, before the plan was made
    double waitedS = 0;  // for states of whoever was silent
    std::optional<double> waitsSince;
    qint64 roundsBefore = 0;
    qint64 movedBytes = 0;
    QString method = QStringLiteral("lightweight");
    RecoveryVersion from;
    std::optional<Plan> plan;      // chosen before it began
    HeldByDevice held;             // by the workers, of all versions
    std::optional<Error> missing;  // why none of these versions will do
};

class Coordinator::Private {
  public:
    Private(Coordinator *coordinator, RunRequest theRequest, RunInputs theInputs, AgentLink &theAgent,
            WorkerConnector &theConnector, RunDirectory &theDirectory, RunDeadlines theDeadlines);

    // The steps, in order; each ends in the next, in fail() or in loseWorker().
    void begin();
    void beginAnew();
    void beginWithDevices();
    /// Goes on where a run that has ended was, from its newest checkpoint.
    void resume();
    /// Takes the place of a coordinator that died: the workers may be well.
    void takeUp();
    void connectWorkers();
    void reconnect(const std::vector<RunStateFile::Worker> &workers);
    void profile();
    /// Opens the trace that the order asks for, if it does. False: the run has failed.
    bool openTrace();
    void makePlan();
    void startPlanning();
    void takePlan(const Plan &made);
    bool announcePlan();
    Deployment describe(const Plan &of, quint64 version) const;
    void train(qint64 completed);
    RunStanding standing() const;
    void evaluate();
    void save(bool isEnd);

    // What is saved (coordinator_saving.cpp): one file after the other is written, beside everything else.
    void store(const WeightsOrder &order, const std::function<void(const WeightsWritten &)> &then);
    void storeLast(const WeightsOrder &order);
    /// Of what does not end the run: a failure costs a warning. False: the run is over.
    bool tellStored(const WeightsOrder &order, const WeightsWritten &written);
    void waitForSpace(const WeightsOrder &order, const Error &error);
    void endStored(const WeightsOrder &order, const QByteArray &sha256);
    /// All that the run is for is here: nobody is needed any more.
    bool hasAllWeights() const;

    void finish(const event::Finished &summary);
    void end(RunState final);

    /// Looks at where the run stands, and does what is due: feed, evaluate, save, pause, stop.
    void advance();
    /// The same for a run that may be paused: something is due at the next boundary.
    void wakeForBoundary();
    /// Ends the change under way, if any, and does `then` unless that began another one: training rests or is over.
    void rest(const std::function<void()> &then);
    void takeReport(const WorkerSession &worker, const RoundReport &report);
    void roundDone(const event::Round &round);
    void takeCommand(const QCborMap &command);

    // Losses (coordinator_trouble.cpp).
    /// The one place where a lost worker is dealt with.
    void loseWorker(const QString &device, const Error &error, double silentSeconds = 0);
    /// Two workers are there and cannot reach each other any more: no round can end.
    /// `heard`: the term at which that was told; links of a term that is over are of no interest.
    void loseLink(const QString &device, const QString &peer, const Error &error, quint32 heard);
    /// Nothing moves, perhaps because of that link.
    void repeatRound(const Error &error, double quietSeconds, const QString &from, const QString &to);
    void deviceChanged(const DeviceInfo &device);
    MemoryTrouble shortageOf(const WorkerSession &worker) const;

    // Changes of the plan in force (coordinator_changes.cpp, coordinator_deployment.cpp).
    bool canRecover() const { return rounds.hasBegun() || change.has_value(); }
    /// `culprit`: the device that is lost, or that lost a link; empty: none, somebody came back.
    void recover(const QString &culprit, double silentSeconds);
    /// A step between rounds, or a round, did not come to its end: the workers begin a new term, and it is due again.
    /// False: it has failed too often.
    bool tryAgain(const QString &step, const Error &error, double silentSeconds = 0);
    /// The same, of a step that a run can do without: it is due no more.
    void continueWithout(const Error &error);
    /// At a boundary: switches to it if it is still possible.
    void takePendingPlan(PendingPlan wanted);
    void switchTo(PendingPlan wanted);
    void drainDevices();
    void releaseDrained();
    void beginChange(RunState how);
    void takeStates();
    /// True: the run waits for somebody who is silent and may hold what is missing.
    bool waitForStates(const Error &missing);
    void endWaitForStates();
    void goOnFromDisk();
    void choosePlan();
    void usePlan(const Plan &next);
    void deployChange();
    void deployFailed(const QString &device, const Error &error);
    void takeReplay(const Replay &replay);
    /// After the first round under the new term.
    void finishChange();
    /// No plan for those who are left: the run waits for another device.
    void waitForDevices(const Error &why);
    // What rests on the disk (coordinator_states.cpp).
    void readCheckpoint(const std::function<void()> &then);
    void saveBeforeEnd(const std::function<void()> &then);
    bool beginTerm();
    bool saveState();

    // Devices that come back or appear (coordinator_devices.cpp).
    void welcome(std::unique_ptr<WorkerSession> session);
    void leave(const QString &device);
    /// It is no device of this home any more.
    void expel(const QString &device);
    /// A device of the home that this run did not begin with.
    void meet(const DeviceInfo &device);
    void gatherStates();

    /// A group's trusted fabric ended; its members go on with the built-in AllReduce.
    void loseFabric(const WorkerSession &worker, const Error &error);
    void fail(const Error &error);
    /// Ends the work, looks for a plan that fits what that worker was seen to bear, and fails with it as advice.
    void failForMemory(const WorkerSession &worker, Error error);
    void failWithFittingPlan(const Error &error, const PlanningProblem &known);
    /// Fails at once.
    void failWith(const Error &error);
    void enter(RunState next);
    /// Ends the steps and all workers; the run itself may go on for a last word.
    void stopWork();
    /// What belongs to the round or the change under way. Weights and checkpoints that are being written, or read, are
    /// of use whatever comes and go on: whoever is lost then must not wait for a disk.
    void dropRound();

    void watch(WorkerSession &session);
    std::vector<WorkerSession *> needed() const;
    bool isOver() const;
    bool isEnding() const { return isOver() || pending; }
    qint64 nextEvaluation() const;

    Coordinator *q;
    RunRequest request;
    RunInputs inputs;
    AgentLink &agent;
    WorkerConnector &connector;
    RunDirectory &directory;
    RunDeadlines deadlines;
    RunLog log;
    Membership membership;
    CheckpointFolder folder;
    const qint64 total;  // rounds of the run
    ReplicaKeeper replicas;
    RoundLoop rounds;
    Replanner replanner;

    RunState state = RunState::Idle;
    QString published;                    // the last "state" event
    Plan plan;                            // the one in force
    std::vector<ScheduledTask> schedule;  // of its predicted round, for the trace
    Deployment deployment;                // likewise
    quint32 term = 1;                     // rises with every plan
    qint64 evaluated = -1;                // the last round that was evaluated
    Operation<ConnectWorkers> connecting;
    Operation<ProfileWorkers> profiling;
    Operation<PlanTask> planning;
    Operation<Deploy> deploying;
    Operation<EvaluationPass> evaluation;
    Operation<WeightsCollector> collecting;
    Operation<WeightsTask> storing;
    Operation<FittingPlan> fitting;
    std::optional<Error> pending;  // the run has failed for this; the advice is being looked for
    Operation<RunTrace> trace;     // none: nobody asked for one
    std::optional<PlanChange> change;
    Operation<HaltWorkers> halting;
    Operation<ReplayTask> replaying;
    Operation<StateCollector> states;
    QStringList missedStart;         // devices that were lost before there was a plan; expected once it runs
    bool copiesLost = false;         // with a device that computed nothing: others get them at the next boundary
    quint32 announced = 0;           // the term of the last "plan" event
    LayerStates statesHere;          // of all layers, from the disk or gathered, while a deployment needs them
    quint64 statesHereVersion = 0;   // and their version
    bool weightsDropped = false;     // given initial weights: a checkpoint took their place
    QMap<QString, int> fruitless;    // recoveries since the last round that was done, by who caused them
    QMap<QString, int> failedSteps;  // tries of a step between rounds that is due, also across recoveries
    Error lastLoss;
    bool waiting = false;  // for a device, since no plan is possible
    QTimer statesAwaited;  // runs while the run waits for states
    HeapTidy tidy;         // after a change: states that went through here are held no longer
    // What the user asked for, done at the next boundary between rounds.
    bool wantsPause = false, wantsStop = false, wantsEvaluation = false, wantsSave = false;
    QString saveOnce;  // where else the next save goes; empty: nowhere
    bool warnedOfSpace = false;
    std::set<std::pair<quint32, int>> fabricsLost;  // term and stage: several members tell of the same end
    bool ended = false;
};

}  // namespace hearth
