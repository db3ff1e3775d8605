// Internal to the coordinator: its state, shared by the files that implement its steps.
#pragma once

#include <QPointer>
#include <QTimer>
#include <memory>
#include <optional>
#include <set>
#include <vector>

#include "core/run/connect_workers.h"
#include "core/run/coordinator.h"
#include "core/run/data_feed.h"
#include "core/run/deploy.h"
#include "core/run/evaluation_pass.h"
#include "core/run/fitting_plan.h"
#include "core/run/plan_run.h"
#include "core/run/profile_workers.h"
#include "core/run/round_tracker.h"
#include "core/run/run_trace.h"
#include "core/run/slow_rounds.h"
#include "core/run/weights_collector.h"
#include "core/run/worker_session.h"

namespace hearth {

/// A step that has ended may still be on the call stack.
struct DeleteLater {
    void operator()(QObject *object) const {
        object->disconnect();
        object->deleteLater();
    }
};
template <class T>
using Step = std::unique_ptr<T, DeleteLater>;

class Coordinator::Private {
  public:
    Private(Coordinator *coordinator, RunRequest theRequest, RunInputs theInputs, AgentLink &theAgent,
            WorkerConnector &theConnector, RunDirectory &theDirectory, RunDeadlines theDeadlines);

    // The steps, in order; each ends in the next, in fail() or in loseWorker().
    void begin();
    void connectWorkers();
    void profile();
    /// Opens the trace that the order asks for, if it does. False: the run has failed.
    bool openTrace();
    void makePlan();
    void takePlan(const Plan &made);
    void dismissUnused();
    void deploy();
    void train();
    void evaluate();
    void save(bool isEnd);
    void writeWeights(const std::vector<NamedTensor> &tensors, bool isEnd);
    void finish(const event::Finished &summary);
    void end(RunState final);

    /// Looks at where the run stands, and does what is due: feed, evaluate, save, pause, stop.
    void advance();
    void takeReport(WorkerSession &worker, const RoundReport &report);
    void takeCommand(const QCborMap &command);

    /// The one place where a lost worker is dealt with. Recovery begins here one day: sessions, deployment and tracker
    /// belong to one term, everything else outlives it.
    void loseWorker(const QString &device, const Error &error);
    /// Two workers are there and cannot reach each other any more: no round can end.
    /// A round takes much longer than predicted: says which device or link it waits for.
    void warnOfSlowRound(qint64 round);
    void loseLink(const QString &device, const QString &peer, const Error &error);
    /// A group's trusted fabric ended; its members go on with the built-in AllReduce.
    void loseFabric(const WorkerSession &worker, const Error &error);
    void fail(const Error &error);
    /// Ends the work, looks for a plan that fits what that worker was seen to bear, and fails with it as advice.
    void failForMemory(const WorkerSession &worker, Error error);
    void failWithFittingPlan(const Error &error, const PlanningProblem &known);
    /// Fails at once.
    void failWith(const Error &error);
    void enter(RunState next);
    /// False when the event could not be written: the run is over then.
    bool record(const RunEventBody &body);
    /// Ends the steps and all workers; the run itself may go on for a last word.
    void stopWork();
    void dropSteps();

    void watch(WorkerSession &session);
    std::vector<WorkerSession *> workers() const;
    DeviceInfo *deviceOf(const QString &id);
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

    RunState state = RunState::Idle;
    QString published;                          // the last "state" event
    std::vector<QString> started;               // devices whose worker was asked for
    std::optional<PlanningProblem> problem;     // as it was measured
    std::optional<Plan> given;                  // checked, waiting for measurements
    Plan plan;                                  // the one in force
    std::vector<ScheduledTask> schedule;        // of its predicted round, for the trace
    Deployment deployment;                      // likewise
    quint32 term = 1;                           // rises with every plan
    qint64 total = 0;                           // rounds of the run
    qint64 evaluated = -1;                      // the last round that was evaluated
    std::vector<Step<WorkerSession>> sessions;  // by device id
    Step<ConnectWorkers> connecting;
    Step<ProfileWorkers> profiling;
    Step<PlanTask> planning;
    Step<Deploy> deploying;
    Step<DataFeed> feed;
    Step<EvaluationPass> evaluation;
    Step<WeightsCollector> collecting;
    Step<FittingPlan> fitting;
    std::optional<Error> pending;  // the run has failed for this; the advice is being looked for
    Step<RunTrace> trace;          // none: nobody asked for one
    std::optional<RoundTracker> tracker;
    SlowRounds slowRounds;
    QTimer roundQuiet;
    // Wishes of the user, fulfilled at the next boundary between rounds.
    bool wantsPause = false, wantsStop = false, wantsEvaluation = false, wantsSave = false;
    QString saveOnce;  // where else the next save goes; empty: nowhere
    bool warnedOfLoss = false;
    std::set<std::pair<quint32, int>> fabricsLost;  // term and stage: several members tell of the same end
    bool ended = false;
};

}  // namespace hearth
