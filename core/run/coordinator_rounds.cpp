// The state machine: rounds and what happens between them, and every way to end.
#include "core/run/coordinator_private.h"

namespace hearth {
namespace {

/// Rounds that are fed ahead of the last complete one: the pipeline stays full across the update, and a device that
/// falls behind does not pile up more than this.
constexpr qint64 roundsAhead = 2;

}  // namespace

bool Coordinator::Private::isOver() const {
    return state == RunState::Finished || state == RunState::Stopped || state == RunState::Failed;
}

void Coordinator::Private::train(qint64 completed) {
    replicas.begin(plan, completed);
    FeedLayout layout = FeedLayout::of(deployment, membership.membersOf(deployment));
    if (trace) {
        layout.observer = [this](const WorkerSession &worker, const TensorHeader &header, qint64 bytes) {
            trace->served(worker, header, bytes);
        };
    }
    rounds.begin(deployment, std::move(layout), completed, plan.prediction ? plan.prediction->roundSeconds : 0);
    enter(RunState::Training);
    advance();
}

qint64 Coordinator::Private::nextEvaluation() const {
    const qint64 every = request.job.evaluateEvery;
    if (every <= 0)
        return total;
    const qint64 done = rounds.completed();
    return request.job.evaluatesAfter(done, total) && evaluated < done ? done
                                                                       : std::min(total, (done / every + 1) * every);
}

void Coordinator::Private::advance() {
    if (state != RunState::Training || pending)
        return;
    const qint64 done = rounds.completed();
    const bool saves = wantsSave && !storing;
    const bool holds = wantsPause || wantsStop || wantsEvaluation || saves || replanner.hasPending() ||
                       !membership.leaving().isEmpty() || copiesLost;
    rounds.setLimit(holds ? rounds.begun() : std::min(done + roundsAhead, nextEvaluation()));
    if (done < rounds.limit())
        return;
    // A boundary: nothing is under way.
    rounds.rest();
    const bool isDue = request.job.evaluatesAfter(done, total) || (request.evaluateOnly && done == 0);
    if ((isDue && evaluated < done) || wantsEvaluation)
        evaluate();
    else if (saves)
        save(false);
    else if (storing && (wantsStop || done >= total || request.evaluateOnly))
        return;  // the end comes after what is being written
    else if (request.evaluateOnly)
        finish({});
    else if (wantsStop || done >= total)
        rest([this] { save(true); });
    else if (!membership.leaving().isEmpty() || copiesLost)
        drainDevices();
    else if (replanner.hasPending())
        takePendingPlan(*replanner.takePending());
    else if (wantsPause)
        rest([this] { enter(RunState::Paused); });
}

void Coordinator::Private::rest(const std::function<void()> &then) {
    finishChange();
    if (state == RunState::Training)
        then();
}

void Coordinator::Private::takeReport(const WorkerSession &worker, const RoundReport &report) {
    // Reports of a term that is over, or of a change under way, are of nothing any more.
    if (isEnding() || report.term != term || !rounds.isFed())
        return;
    if (report.kept)
        replicas.kept(worker.id(), report.version);
    rounds.take(worker, report);
}

void Coordinator::Private::roundDone(const event::Round &round) {
    fruitless.clear();
    failedSteps.remove(QStringLiteral("round"));
    if (trace)
        trace->roundDone(round);
    finishChange();
    if (isOver() || !rounds.isFed())
        return;  // another change may have begun
    replanner.followDrift(round);
    // A plan that pays may have been taken up at once; nothing is asked for then.
    const qint64 begun = rounds.isFed() ? rounds.limit() : rounds.completed();
    replicas.proceed(membership.membersOf(deployment), rounds.completed(), begun, rounds.meanSeconds());
    advance();
}

void Coordinator::Private::loseFabric(const WorkerSession &worker, const Error &error) {
    const int stage = deployment.placeOf(worker.address().fingerprint.toHex()).first;
    if (isOver() || stage < 0 || !fabricsLost.insert({term, stage}).second)
        return;
    log.record(
        event::Warning{sentence("Stage %1 sums its gradients over Hearth's own links from now on.").arg(stage + 1),
                       Sentence::joined({namedFor(worker.device(), error).what, error.cause}), error.advice});
}

void Coordinator::Private::finish(const event::Finished &summary) {
    if (log.record(summary))
        end(RunState::Finished);
}

void Coordinator::Private::takeCommand(const QCborMap &command) {
    if (isOver())
        return;
    if (pending) {
        // The run has failed already; only the advice is missing.
        if (command[QStringLiteral("command")].toString() == QLatin1String("stop"))
            failWith(*pending);
        return;
    }
    const QString word = command[QStringLiteral("command")].toString();
    if (word == QLatin1String("stop")) {
        wantsStop = true;
        // Before the first round there is nothing to save, and while nobody is left that could, nothing more than is.
        const bool hasRounds = rounds.hasBegun() || (change && change->roundsBefore > 0);
        if (!hasRounds || waiting || statesAwaited.isActive()) {
            end(RunState::Stopped);
            return;
        }
    } else if (word == QLatin1String("checkpoint")) {
        replicas.wantCheckpoint();
        return;
    } else if (word == QLatin1String("accept-plan")) {
        if (!rounds.hasBegun() || !replanner.acceptOffer())
            return;
    } else if (word == QLatin1String("plan")) {
        if (rounds.hasBegun() && replanner.problem() &&
            replanner.takeUserPlan(command[QStringLiteral("plan")].toMap().toJsonObject()))
            saveState();  // it stays in force also under the next coordinator
    } else if (word == QLatin1String("leave")) {
        const QString device = command[QStringLiteral("device")].toString();
        membership.sendAway(device);
        leave(device);
    } else if (word == QLatin1String("pause")) {
        wantsPause = true;
    } else if (word == QLatin1String("resume")) {
        wantsPause = false;
    } else if (word == QLatin1String("evaluate")) {
        wantsEvaluation = true;
    } else if (word == QLatin1String("save")) {
        wantsSave = true;
        saveOnce = command[QStringLiteral("path")].toString();
    } else {
        return;
    }
    // A paused run wakes for what was asked, and goes back to sleep after it unless it was resumed.
    if (state == RunState::Paused) {
        if (wantsPause && !wantsStop && !wantsEvaluation && !wantsSave)
            return;
        enter(RunState::Training);
    }
    advance();
}

void Coordinator::Private::enter(RunState next) {
    if (isOver())
        return;
    // A paused run wakes for an evaluation, a save or its end; nobody trains meanwhile.
    const bool asleep = wantsPause && published == publicName(RunState::Paused) &&
                        (next == RunState::Training || next == RunState::Evaluating || next == RunState::Saving);
    const QString name = asleep ? published : publicName(next);
    if (name != published) {
        published = name;
        if (!log.record(event::State{name}))
            return;
    }
    state = next;
    if (isOver())
        log.close();
    Q_EMIT q->stateChanged(next);
}

void Coordinator::Private::end(RunState final) {
    if (trace)
        trace->close();  // first: whoever sees the end may open it
    enter(final);
    if (std::exchange(ended, true))
        return;  // the last state could not be recorded: that was the end
    stopWork();
    fitting.reset();
    Q_EMIT q->ended(state);
}

void Coordinator::Private::stopWork() {
    if (trace)
        trace->close();
    dropRound();
    folder.stop();
    storing.reset();
    connecting.reset();
    profiling.reset();
    planning.reset();
    replanner.stop();
    trace.reset();
    membership.stopAll();
}

void Coordinator::Private::dropRound() {
    rounds.stop();
    endWaitForStates();
    deploying.reset();
    evaluation.reset();
    collecting.reset();
    halting.reset();
    replaying.reset();
    states.reset();
    replicas.halt();
    folder.forgetWaiting();
}

}  // namespace hearth
