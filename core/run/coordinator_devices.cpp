// The state machine: devices that come back or appear, and those that go.
#include <QCborArray>

#include "core/home/announcement.h"
#include "core/run/coordinator_private.h"

namespace hearth {
void Coordinator::Private::welcome(std::unique_ptr<WorkerSession> session) {
    if (!session || isEnding())
        return;
    const QString device = session->id();
    const QString before = membership.firstLibrary(device, session->hello().library);
    if (session->hello().library != before) {
        // Its times are others, and perhaps its results.
        agent.stopWorker(device);
        log.record(event::Warning{
            sentence("%1 is back and cannot take part.").arg(session->device().name),
            sentence("It computes with %1 now; the run began with %2.").arg(session->hello().library, before),
            sentence("Install the same version on it, or start the run again.")});
        return;
    }
    // To be relieved, of use only for the states that it may hold. It is expected again once it takes work.
    const bool goes = isDraining(membership.device(device)->state);
    if (goes && !waiting && !statesAwaited.isActive()) {
        agent.stopWorker(device);
        return;
    }
    if (goes)
        membership.beginLeaving(device);
    membership.add(std::move(session));
    if (!log.record(event::Joined{device}))
        return;
    if (goes && waiting)
        return;  // there is still nobody to go on with
    if (std::exchange(waiting, false) || statesAwaited.isActive())
        recover({}, 0);
    else if (replanner.problem()->indexOf(device) >= 0)
        replanner.consider(QStringLiteral("join"));
    replanner.measureNext();
}

void Coordinator::Private::meet(const DeviceInfo &device) {
    if (!request.anyDevice || request.safety.join == JoinPolicy::Ignore || !takesWork(device.state) ||
        !replanner.problem() || request.evaluateOnly || request.planOnly || request.measureOnly)
        return;
    membership.meet(device);
}

/// The device goes when its states have gone to others; at once where it has none.
void Coordinator::Private::leave(const QString &device) {
    if (isEnding())
        return;
    // While states are awaited it may hold them: then it goes when they are here.
    if (!statesAwaited.isActive() || membership.isSentAway(device))
        membership.expectNoMore(device);
    const WorkerSession *session = membership.session(device);
    if (!session || membership.leaving().contains(device))
        return;
    if (!canRecover()) {
        loseWorker(device, {QStringLiteral("run.device-left"), sentence("%1 leaves.").arg(session->device().name),
                            sentence("It asked to go before there was a plan."),
                            sentence("Start the run again without this device.")});
        return;
    }
    membership.beginLeaving(device);
    wakeForBoundary();
}

void Coordinator::Private::wakeForBoundary() {
    if (state != RunState::Training && state != RunState::Paused)
        return;
    enter(RunState::Training);
    advance();
}

/// Nothing of it is waited for, and nothing of it is taken any more.
void Coordinator::Private::expel(const QString &device) {
    if (isEnding())
        return;
    membership.cutOff(device);
    const DeviceInfo *known = membership.device(device);
    loseWorker(
        device,
        {QStringLiteral("run.device-removed"),
         sentence("%1 was removed from the home.").arg(known ? known->name : device.left(Announcement::prefixDigits)),
         sentence("It no longer takes part in any run."), QString()});
}

}  // namespace hearth
