// Internal to the coordinator: its parts, and the turns of its state.
#pragma once

#include "core/run/best_weights.h"
#include "core/run/codec_guard.h"
#include "core/run/coordinator.h"
#include "core/run/evaluator.h"
#include "core/run/failure_advice.h"
#include "core/run/link_losses.h"
#include "core/run/measuring_break.h"
#include "core/run/other_versions.h"
#include "core/run/plan_in_force.h"
#include "core/run/reconfiguration.h"
#include "core/run/recovery_tries.h"
#include "core/run/replanner.h"
#include "core/run/replica_keeper.h"
#include "core/run/round_loop.h"
#include "core/run/run_context.h"
#include "core/run/run_questions.h"
#include "core/run/run_start.h"
#include "core/run/run_trace.h"
#include "core/run/weights_saver.h"

namespace hearth {

/// Decides what comes next where several parts have a say, and nothing else: what a part knows, it knows alone.
class Coordinator::Private {
  public:
    Private(Coordinator *coordinator, RunRequest theRequest, RunInputs theInputs, AgentLink &agent,
            WorkerConnector &connector, RunDirectory &directory, RunDeadlines theDeadlines);

    // Wiring (coordinator.cpp).
    void followStart();
    void followAgent();
    void followMembers();
    void followChanges();
    void followRounds();
    void watch(WorkerSession &session);

    // States.
    /// Does what this leads to; nothing where the run is over.
    void turn(RunTurn what);
    /// Tells what a reader of the run calls this state; false: the run is over.
    bool publish(RunState next);
    void end(RunTurn how);
    void finish(const event::Finished &summary);
    void fail(const Error &error);
    /// At once, without looking for what would help.
    void failNow(const Error &error);
    /// Ends all steps and all workers; the run itself may go on for a last word.
    void stopWork();
    bool isOver() const { return isFinal(state); }
    bool isEnding() const { return isOver() || advice.isSought(); }
    bool canRecover() const { return rounds.hasBegun() || reconfiguration.isUnderWay(); }

    // Rounds and what happens between them (coordinator_rounds.cpp).
    bool openTrace();
    void takePlan(const Plan &plan);
    void train(qint64 completed);
    void roundDone(const event::Round &round);
    /// Looks at where the run stands, and does what is due: feed, evaluate, save, change the plan, pause, end.
    void advance();
    void passBoundary();
    /// With what is done its patience is used up, before the last round.
    bool endsEarly() const { return rounds.completed() < total && evaluator.best().isEnd(rounds.completed()); }
    /// The same for a run that may be paused: something is due at the next boundary.
    void wake();
    /// The change under way, if any, has done what it was for. False: the run is over, or another one has begun.
    bool endChange();
    void changePlan(ChangeCause cause);
    void takePendingPlan(PendingPlan wanted);
    /// A person's, before there is a round.
    void refusePlan();
    /// Also what a person wanted to be saved is not any more.
    void stopNow();
    void takeCommand(const QCborMap &command);
    /// While no plan is possible. Devices that are only to be relieved still hold all that was trained: where the plan
    /// in force needs nobody else, they save it before they go.
    void stopAwaiting();
    void awaitData(const Error &error);
    void foundData();

    // What goes wrong, and who comes and goes (coordinator_losses.cpp).
    /// What belongs to the round or the change under way. Weights and checkpoints that are being written, or read, are
    /// of use whatever comes and go on: whoever is lost then must not wait for a disk.
    void dropRound();
    /// `culprit`: the device that is lost, or that lost a link; empty: none, somebody came back.
    void recover(const QString &culprit, double silentSeconds);
    /// A step between rounds, or a round, did not come to its end: the workers begin a new term, and it is due again.
    /// False: it has failed too often.
    bool tryAgain(const QString &step, const Error &error, double silentSeconds = 0);
    /// The one place where a lost worker is dealt with.
    void loseWorker(const QString &device, const Error &error, double silentSeconds = 0);
    /// `term`: as of LinkLosses::lost().
    void loseLink(const QString &from, const QString &to, const Error &error, qint64 term);
    void deviceChanged(const DeviceInfo &device);
    void welcome(const QString &device);
    /// The device goes when its states have gone to others; at once where it has none.
    void leave(const QString &device);
    /// The run waits to begin, and the device was taken out of it: `error` where it cannot begin without.
    void awaitWithout(const QString &device, const Error &error);
    /// A run that waits for devices was told to do without one, perhaps without the last.
    void tellNobodyLeft();

    Coordinator *q;
    RunRequest request;
    RunInputs inputs;
    RunDeadlines deadlines;
    RunLog log;
    Membership membership;
    CheckpointFolder folder;
    const qint64 total;    // rounds of the run
    const RunContext run;  // of all these
    PlanInForce current;
    ReplicaKeeper replicas;
    RoundLoop rounds;
    Replanner replanner;
    CodecGuard guard;
    Evaluator evaluator;
    RunQuestions questions;
    BestWeights best;
    WeightsSaver saver;
    Reconfiguration reconfiguration;
    RunStart beginning;
    MeasuringBreak measuring;
    LinkLosses links;
    FailureAdvice advice;
    OtherVersions versions;
    RecoveryTries tries;
    Operation<RunTrace> trace;  // none: nobody asked for one

    RunState state = RunState::Idle;
    QString published;  // the last "state" event
    // What a person asked for, done at the next boundary between rounds.
    bool wantsPause = false, wantsStop = false;
    bool awaitsData = false;  // a round or an evaluation cannot go on without
    bool hasEnded = false;
};

}  // namespace hearth
