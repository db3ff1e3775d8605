// The state machine: what goes wrong, and devices that come and go.
#include <algorithm>

#include "core/run/coordinator_private.h"

namespace hearth {
namespace {

/// Nobody saw the worker end: network or device stand still, and may go on.
bool isSilence(const Error &error) {
    for (const char *code : {"run.device-silent", "run.round-quiet", "run.device-lost", "device.lost"}) {
        if (error.code == QLatin1String(code))
            return true;
    }
    return false;
}

Error leftTooEarly(const QString &name) {
    return {QStringLiteral("run.device-left"), sentence("%1 leaves.").arg(name),
            sentence("It asked to go before there was a plan."), sentence("Start the run again without this device.")};
}

}  // namespace

void Coordinator::Private::dropRound() {
    rounds.stop();
    awaitsData = false;
    reconfiguration.drop();
    guard.drop();
    evaluator.drop();
    questions.drop();
    measuring.dropForChange();
    saver.drop();
    replicas.halt();
    folder.forgetWaiting();
}

void Coordinator::Private::recover(const QString &culprit, double silentSeconds) {
    if (!culprit.isEmpty() && !tries.mayLose(culprit)) {
        fail(tries.last);
        return;
    }
    dropRound();
    turn(RunTurn::Lost);
    if (!isOver())
        reconfiguration.recover(silentSeconds);
}

bool Coordinator::Private::tryAgain(const QString &step, const Error &error, double silentSeconds) {
    if (!canRecover() || !tries.mayRepeat(step))
        return false;
    tries.last = error;
    if (log.warn(error, sentence("It is tried again.")))
        recover({}, silentSeconds);
    return true;
}

void Coordinator::Private::loseWorker(const QString &device, const Error &error, double silentSeconds) {
    if (isEnding())
        return;
    WorkerSession *session = membership.session(device);
    if (!session && (!beginning.isConnecting() || canRecover() || !membership.wasAsked(device)))
        return;  // it was told already, whoever reconnects finds out, or it is of another run
    // Others may notice the same silence first.
    silentSeconds = std::max(silentSeconds, membership.silentSeconds(device));
    const qint64 round = rounds.hasBegun() ? rounds.completed() + 1 : 0;
    // What helps is said where the run cannot help itself.
    if (!log.record(event::Lost{device, round, Sentence::joined({error.what, error.cause})}))
        return;
    const bool lacksMemory = isMemoryError(error);
    if (!canRecover() && !lacksMemory && beginning.mayLose(device)) {
        beginning.goOnWithout(device);
        return;
    }
    if (!canRecover() || (lacksMemory && rounds.completed() == 0 && !replanner.isGuess())) {
        if (lacksMemory && session)
            advice.seekForMemory(*session, error);
        else
            fail(error);
        return;
    }
    if (saver.hasAll()) {
        membership.remove(device, Departure::Released);
        return;
    }
    if (lacksMemory)
        replanner.remember(current.shortageOf(*session));
    tries.last = error;
    const bool isNeeded = reconfiguration.isUnderWay() || current.hasLayers(*session);
    const bool keepsCopies = current.keepsCopies(*session);
    membership.remove(device, versions.isShutOut(device) ? Departure::Released
                              : isSilence(error)         ? Departure::Silent
                                                         : Departure::Ended);
    if (isNeeded) {
        recover(device, silentSeconds);
    } else if (keepsCopies) {
        replicas.noteHolderLost();
        wake();
    }
}

void Coordinator::Private::loseLink(const QString &from, const QString &to, const Error &error, qint64 term) {
    // The last save needs no links between workers.
    if (isEnding() || (state == RunState::Saving && rounds.completed() >= total))
        return;
    if (!canRecover()) {
        fail(error);
        return;
    }
    // States that were on their way may be gone, and no worker builds a connection twice for a plan. One that had not
    // got the plan yet builds it with that.
    const bool isOfDeployment = reconfiguration.step() == Reconfiguration::Step::Deploying && term == current.term();
    if (!rounds.isFed() && !isOfDeployment)
        return;
    membership.doubt(from);
    membership.doubt(to);
    // Its end may be dead and look well: the next deployment would leave it as it is.
    membership.endLink(to, from);
    tries.last = error;
    // Some carry greetings and nothing that is large: built again, they are silent again.
    const bool isBroken = error.code == QLatin1String("run.link-silent") && !tries.mayBeSilent(from, to);
    if (isBroken)
        membership.brokenLinks().add(from, to);
    if (!log.warn(error, isBroken         ? sentence("The run goes on with a plan that does not need it.")
                         : rounds.isFed() ? sentence("It is built again; the round is repeated.")
                                          : sentence("It is tried again.")))
        return;
    recover(from, 0);
    if (isBroken)
        reconfiguration.needNewPlan();
}

void Coordinator::Private::deviceChanged(const DeviceInfo &device) {
    const DeviceInfo *known = membership.device(device.id);
    const bool mayJoin = request.takesNewcomers() && !membership.leaving().isSentAway(device.id);
    if (!known && !isEnding() && mayJoin && takesWork(device.state)) {
        if (replanner.problem())
            membership.meet(device);  // the run did not begin with it
        else if (membership.take(device))
            beginning.meet(device.id);
    }
    if (!known || isOver())
        return;
    membership.locate(device);
    membership.takeRest(device);
    if (known->state == device.state)
        return;
    const bool isBack = !takesWork(known->state) && takesWork(device.state);
    membership.update(device);
    if (isOver())
        return;
    beginning.lookAgain();
    // It was to rest and may go on before others could take its layers.
    if (isBack && membership.leaving().end(device.id) && reconfiguration.isAwaitingDevices())
        recover({}, 0);
    // It announced that it leaves, and went; whoever is lost is expected anyway.
    if (isBack && canRecover())
        membership.expect(device.id);
    if (isDraining(device.state))
        leave(device.id);
    if (takesWork(device.state) || isDraining(device.state) || !membership.isLostWithAgent(device.id))
        return;
    const Sentence why =
        device.lastError.isEmpty() ? sentence("Its agent cannot be reached any more.") : Sentence(device.lastError);
    loseWorker(device.id,
               namedFor(device, {QStringLiteral("run.device-lost"), sentence("The device %1 is gone.").arg(device.name),
                                 why, sentence("Check its power and its network.")}));
}

void Coordinator::Private::welcome(const QString &device) {
    std::unique_ptr<WorkerSession> session = membership.takeReturned(device);
    if (!session || isEnding())
        return;
    if (versions.isShutOut(*session)) {
        run.agent.stopWorker(device);  // as it was told before
        return;
    }
    const QString &library = session->hello().library;
    if (const QString before = membership.firstLibrary(device, library); library != before) {
        // Its times are others, and perhaps its results.
        run.agent.stopWorker(device);
        log.warn({QStringLiteral("run.other-library"),
                  sentence("%1 is back and cannot take part.").arg(session->device().name),
                  sentence("It computes with %1 now; the run began with %2.").arg(library, before),
                  sentence("Install the same version on it, or start the run again.")});
        return;
    }
    // To be relieved, of use only for the states that it may hold. It is expected again once it takes work.
    const bool goes = isDraining(membership.device(device)->state);
    const bool isAwaited = reconfiguration.isAwaitingDevices() || reconfiguration.isAwaitingStates();
    if (goes && !isAwaited) {
        run.agent.stopWorker(device);
        return;
    }
    if (goes)
        membership.leaving().begin(device);
    replanner.takeMemory(*session);
    replanner.welcome(device);
    membership.add(std::move(session));
    if (!log.record(event::Joined{device}) || !versions.tell({membership.session(device)}))
        return;
    if (goes && reconfiguration.isAwaitingDevices())
        return;  // there is still nobody to go on with
    if (isAwaited)
        recover({}, 0);
    else if (replanner.problem()->indexOf(device) >= 0)
        replanner.consider(QStringLiteral("join"));
    replanner.measureNext();
}

void Coordinator::Private::leave(const QString &device) {
    if (isEnding())
        return;
    if (const DeviceInfo *known = membership.device(device); known && beginning.isAwaiting()) {
        if (membership.leaving().isSentAway(device))
            awaitWithout(device, leftTooEarly(known->name));
        return;
    }
    // While states are awaited it may hold them: then it goes when they are here.
    if (!reconfiguration.isAwaitingStates() || membership.leaving().isSentAway(device))
        membership.expectNoMore(device);
    const WorkerSession *session = membership.session(device);
    if (!session || membership.leaving().contains(device))
        return;
    if (!canRecover()) {
        const bool rests =
            membership.device(device)->state == DeviceState::Resting && !membership.leaving().isSentAway(device);
        if (rests && beginning.mayAwait() && !beginning.mayLose(device))
            beginning.beginAgain();
        else
            loseWorker(device, leftTooEarly(session->device().name));
        return;
    }
    membership.leaving().begin(device);
    wake();
}

void Coordinator::Private::awaitWithout(const QString &device, const Error &error) {
    if (!membership.device(device))
        return;  // it is of another run
    if (beginning.lacksDevices())
        fail(error);
    else if (log.record(event::Left{device}))
        beginning.lookAgain();
}

void Coordinator::Private::tellNobodyLeft() {
    const auto mayReturn = [this](const DeviceInfo &device) { return !membership.leaving().isSentAway(device.id); };
    if (isEnding() || !reconfiguration.isAwaitingDevices() || std::ranges::any_of(membership.devices(), mayReturn))
        return;
    log.warn({QStringLiteral("run.nobody"), sentence("No device is left that can train."),
              sentence("All of them were taken out of the run."),
              request.takesNewcomers() ? sentence("The run waits for another one. Add it to the home, or stop the run.")
                                       : sentence("Stop the run: it can be resumed with other devices.")});
}

}  // namespace hearth
