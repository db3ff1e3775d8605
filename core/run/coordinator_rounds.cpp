// The state machine: rounds and what happens between them.
#include <QPointer>

#include "core/run/coordinator_private.h"
#include "core/run/plan_refusal.h"
#include "core/run/plan_run.h"

namespace hearth {
namespace {

/// Rounds that are fed ahead of the last complete one: the pipeline stays full across the update, and a device that
/// falls behind does not pile up more than this.
constexpr qint64 roundsAhead = 2;
/// Rounds of local steps are so long that the samples of one are as many as devices should have to keep.
constexpr qint64 longRoundsAhead = 1;

}  // namespace

bool Coordinator::Private::openTrace() {
    if (request.trace.isEmpty() || trace)
        return true;  // a run that begins again goes on with it
    auto created = RunTrace::create(request.trace, log.seconds());
    if (!created) {
        fail(created.error());
        return false;
    }
    trace.reset(created->release());
    current.setTraced();
    connect(trace.get(), &RunTrace::ended, q, [this](const Error &why) { log.warn(why); });
    return true;
}

void Coordinator::Private::takePlan(const Plan &plan) {
    current.setPlan(plan);
    if (!reconfiguration.beginFirst(replanner.given() ? QStringLiteral("user") : QStringLiteral("first")))
        return;
    if (request.kind == RunKind::Plan) {
        finish({});
        return;
    }
    if (auto fits = checkFits(current.plan(), membership.devices()); !fits) {
        if (fits.error().code == QLatin1String("run.memory"))
            advice.seek(fits.error());
        else
            fail(fits.error());
        return;
    }
    turn(RunTurn::Planned);
    reconfiguration.deploy();
}

void Coordinator::Private::train(qint64 completed) {
    if (!request.job.isSameAnywhere())
        evaluator.goBackTo(completed, best.kept());
    const Plan &plan = current.plan();
    const Deployment &deployment = current.deployment();
    replicas.begin(current.term(), plan, completed);
    FeedLayout layout = FeedLayout::of(deployment, membership.membersOf(deployment));
    if (trace) {
        // A feed that is dropped may still send what it was about to.
        layout.observer = [trace = QPointer<RunTrace>(trace.get())](const WorkerSession &worker,
                                                                    const TensorHeader &header, qint64 bytes) {
            if (trace)
                trace->served(worker, header, bytes);
        };
    }
    rounds.begin(deployment, std::move(layout), completed, guard.predicted(completed + 1));
    turn(RunTurn::Deployed);
    advance();
}

void Coordinator::Private::roundDone(const event::Round &round) {
    tries.roundDone();
    if (trace)
        trace->roundDone(round);
    if (!endChange() || !rounds.isFed())
        return;
    if (replanner.followPacking(rounds.packing()))
        rounds.setPredicted(guard.predicted(rounds.completed() + 1));
    replanner.followDrift(round, measuring.isWanted());
    guard.roundDone(round.round);
    // A plan that pays may have been taken up at once; nothing is asked for then.
    const qint64 begun = rounds.isFed() ? rounds.limit() : rounds.completed();
    replicas.proceed(membership.membersOf(current.deployment()), rounds.completed(), begun, rounds.meanSeconds());
    advance();
}

void Coordinator::Private::advance() {
    if (state != RunState::Training || advice.isSought())
        return;
    const qint64 done = rounds.completed();
    const bool needsStates =
        wantsStop || replanner.hasPending() || !membership.leaving().isEmpty() || replicas.lacksHolder();
    const qint64 ahead = request.job.localSteps ? longRoundsAhead : roundsAhead;
    const qint64 evaluated = std::min(evaluator.roundsUntilNext(done), best.roundsUntilNext(done));
    const bool isAsked = wantsPause || evaluator.isWanted() || saver.isDue(false);
    // Measuring comes after all else.
    if ((needsStates || isAsked) && measuring.drop()) {
        rounds.passOver();
        replanner.measureNext();
        if (!publish(state))
            return;
    }
    if (needsStates) {
        const qint64 whole = replicas.wholeAfter(membership.membersOf(current.deployment()), rounds.begun());
        rounds.setLimit(std::max(rounds.begun(), guard.limited(std::min(whole, evaluated))));
    } else if (isAsked || measuring.isDue()) {
        rounds.setLimit(rounds.begun());
    } else {
        const qint64 limit = guard.limited(std::min(done + ahead, evaluated));
        // It may be the last one, and what goes on from there needs whole states.
        if (request.job.patience > 0 && limit == evaluated)
            replicas.makeWhole(membership.membersOf(current.deployment()), limit);
        rounds.setLimit(limit);
    }
    if (done >= rounds.limit())
        passBoundary();
}

/// Nothing is under way.
void Coordinator::Private::passBoundary() {
    const qint64 done = rounds.completed();
    const bool isLast = wantsStop || done >= total || endsEarly();
    rounds.rest();
    if (questions.isDue()) {
        turn(RunTurn::EvaluationDue);
        questions.begin(done);
    } else if (evaluator.isDue(done)) {
        turn(RunTurn::EvaluationDue);
        evaluator.begin(done);
    } else if (saver.isDue(isLast)) {
        turn(RunTurn::SaveDue);
        saver.collect(false);
    } else if (saver.isStoring() && isLast) {
        return;  // the end comes after what is being written
    } else if (request.kind == RunKind::Evaluate) {
        finish({});
    } else if (isLast && request.kind == RunKind::Train) {
        if (endChange()) {
            turn(RunTurn::SaveDue);
            saver.collect(true);
        }
    } else if (!membership.leaving().isEmpty() || replicas.lacksHolder()) {
        // The plan loses them, and they give their states before they go. Copies are given out anew.
        changePlan({.reason = QStringLiteral("leave"), .roundsBefore = done});
    } else if (replanner.hasPending()) {
        takePendingPlan(*replanner.takePending());
    } else if (wantsPause) {
        if (endChange())
            turn(RunTurn::PauseDue);
    } else if (measuring.isDue()) {
        if (measuring.begin())
            publish(state);
        else
            advance();
    }
}

void Coordinator::Private::wake() {
    if (state != RunState::Training && state != RunState::Paused)
        return;
    turn(RunTurn::Woken);
    advance();
}

bool Coordinator::Private::endChange() {
    const auto done = reconfiguration.finish();
    if (!done)
        return state == RunState::Training;
    if (done->isDisturbed && !log.record(done->toEvent()))
        return false;
    replanner.changeEnded(done->reason, done->rebuild);
    for (const QString &device : beginning.takeMissed()) {
        membership.markStarted(device);  // it is of the run, whether or not it was asked for a worker
        if (const DeviceInfo *known = membership.device(device); known && !isDraining(known->state))
            membership.expect(device);
    }
    replanner.measureNext();
    // What is light is seldom the best.
    if (done->reason == QLatin1String("replay") || done->reason == QLatin1String("leave"))
        replanner.consider(QStringLiteral("full"));
    return state == RunState::Training;
}

void Coordinator::Private::changePlan(ChangeCause cause) {
    reconfiguration.begin(std::move(cause));
    dropRound();
    turn(RunTurn::PlanDue);
    if (!isOver())
        reconfiguration.halt();
}

/// At a boundary: switches to it if it is still possible.
void Coordinator::Private::takePendingPlan(PendingPlan wanted) {
    if (replanner.isPossible(wanted.plan)) {
        replanner.switching(wanted);
        changePlan({.reason = wanted.reason,
                    .why = wanted.why,
                    .roundsBefore = rounds.completed(),
                    .plan = std::move(wanted.plan)});
        return;
    }
    // A device that it needs went before its turn came.
    if (log.record(planRefused({QStringLiteral("run.plan-outdated"), sentence("The plan cannot be taken any more."),
                                sentence("A device that it needs has gone."),
                                sentence("When it is back, a better plan is looked for again.")})))
        advance();
}

void Coordinator::Private::awaitData(const Error &error) {
    awaitsData = true;
    log.warn(error, sentence("The run waits until it can be read. Connect its disk, or stop the run."));
}

void Coordinator::Private::foundData() {
    awaitsData = false;
    log.record(event::Warning{sentence("The data can be read again."), sentence("The run goes on."), {}});
}

void Coordinator::Private::stopAwaiting() {
    if (membership.leaving().recall() && replanner.isPossible(current.plan()))
        recover({}, 0);
    else
        stopNow();
}

void Coordinator::Private::refusePlan() {
    const Error early{QStringLiteral("run.no-round"), sentence("The plan was not taken."),
                      sentence("A run takes one between rounds, and none is under way yet."),
                      sentence("Give it again when there are rounds.")};
    log.record(canRecover() ? planRefused(early) : firstPlanRefused(early));
}

void Coordinator::Private::stopNow() {
    if (saver.isWanted() && !log.warn({QStringLiteral("run.not-saved"), sentence("The weights were not saved."),
                                       sentence("The run was stopped while no device could be asked for them."),
                                       folder.version() > 0 ? sentence("Resume it, and save them then.") : Sentence()}))
        return;
    end(RunTurn::Stopped);
}

void Coordinator::Private::takeCommand(const QCborMap &command) {
    if (isOver())
        return;
    const QString word = command[QStringLiteral("command")].toString();
    if (advice.isSought()) {
        // The run has failed already; only the advice is missing.
        if (word == QLatin1String("stop"))
            failNow(advice.error());
        return;
    }
    if (request.kind == RunKind::Answer) {
        // There is nothing to save, and nothing else that a person could want.
        if (word == QLatin1String("stop"))
            end(RunTurn::Stopped);
        return;
    }
    if (word == QLatin1String("stop")) {
        wantsStop = true;
        saver.stopWaiting();
        // Before the first round there is nothing to save, and while nobody is left that could, nothing more than is.
        const bool hasRounds =
            rounds.hasBegun() || (reconfiguration.isUnderWay() && reconfiguration.roundsBefore() > 0);
        // An evaluation alone makes nothing to save: half of it is of no use.
        if (!hasRounds || request.kind == RunKind::Evaluate || reconfiguration.isAwaitingStates()) {
            stopNow();
            return;
        }
        if (reconfiguration.isAwaitingDevices()) {
            stopAwaiting();
            return;
        }
        if (awaitsData && state != RunState::Paused) {
            // What is under way would not come to its end: it is dropped.
            evaluator.giveUp(rounds.completed());
            recover({}, 0);
            return;
        }
    } else if (word == QLatin1String("checkpoint")) {
        replicas.wantCheckpoint();
        return;
    } else if (word == QLatin1String("accept-plan")) {
        if (!replanner.acceptOffer()) {
            log.warn({QStringLiteral("run.no-offer"), sentence("No plan was accepted."),
                      sentence("The run offers none now."), sentence("It tells when it offers one again.")});
            return;
        }
    } else if (word == QLatin1String("plan")) {
        if (!rounds.hasBegun()) {
            refusePlan();
        } else if (replanner.takeUserPlan(command[QStringLiteral("plan")].toMap().toJsonObject())) {
            // It stays in force also under the next coordinator.
            if (auto saved = current.save(); !saved)
                fail(saved.error());
        }
    } else if (word == QLatin1String("leave")) {
        const QString device = command[QStringLiteral("device")].toString();
        membership.leaving().sendAway(device);
        leave(device);
        // Also under the next coordinator. While workers are connected their places are not known yet: the plan that
        // follows saves both.
        if (!beginning.isConnecting()) {
            if (auto saved = current.save(); !saved)
                fail(saved.error());
        }
        tellNobodyLeft();
    } else if (word == QLatin1String("pause") || word == QLatin1String("resume")) {
        wantsPause = word == QLatin1String("pause");
        // It may still read the checkpoint that it goes on from, and waits only then.
        if (state == RunState::Idle)
            beginning.setPaused(wantsPause);
    } else if (word == QLatin1String("evaluate")) {
        evaluator.want();
    } else if (word == QLatin1String("save")) {
        saver.want(command[QStringLiteral("path")].toString());
    } else {
        return;
    }
    if (beginning.isAwaiting()) {
        beginning.setPaused(wantsPause);
        publish(state);
    }
    // A paused run wakes for what was asked, and goes back to sleep after it unless it was resumed.
    if (state == RunState::Paused) {
        if (wantsPause && !wantsStop && !evaluator.isWanted() && !saver.isWanted())
            return;
        turn(RunTurn::Woken);
    }
    advance();
}

}  // namespace hearth
