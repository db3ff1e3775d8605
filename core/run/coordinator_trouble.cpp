// The state machine: what ends a run before its time, and what is said about it.
#include <algorithm>

#include "core/base/number_text.h"
#include "core/home/link_watch.h"
#include "core/plan/replay/survivors.h"
#include "core/run/coordinator_private.h"
#include "core/run/measuring_pace.h"
#include "core/wire/stream_channel.h"

namespace hearth {
namespace {

/// Of the run's folder; "hearth train --plan" takes it.
const QString fittingPlanFile = QStringLiteral("plan-that-fits.json");

/// Nobody saw the worker end: network or device stand still, and may go on.
bool isSilence(const Error &error) {
    for (const char *code : {"run.device-silent", "run.round-quiet", "run.device-lost", "device.lost"}) {
        if (error.code == QLatin1String(code))
            return true;
    }
    return false;
}

}  // namespace

void Coordinator::Private::deviceChanged(const DeviceInfo &device) {
    DeviceInfo *known = deviceOf(device.id);
    if (!known && !isEnding())
        meet(device);
    if (!known || isOver() || known->state == device.state)
        return;
    const bool isBack = !takesWork(known->state) && takesWork(device.state);
    *known = device;
    if (!record(event::Device{device.id, device.name, toWord(device.state), device.address, device.agentPid}))
        return;
    returning->changed(device);
    // It was to rest and may go on before others could take its layers.
    if (isBack && leaving.remove(device.id) && std::exchange(waiting, false))
        recover({}, 0);
    // It announced that it leaves, and went; whoever is lost is expected anyway.
    if (isBack && canRecover() && started.contains(device.id) && !sentAway.contains(device.id) &&
        !sessionOf(device.id) && !returning->expects(device.id))
        returning->expect(device);
    if (isDraining(device.state))
        leave(device.id);
    if (takesWork(device.state) || isDraining(device.state))
        return;
    // Agents' connections are not the workers': with heartbeats these know better.
    if (!started.contains(device.id) || (hearts && sessionOf(device.id)))
        return;
    loseWorker(
        device.id,
        namedFor(device, {QStringLiteral("run.device-lost"), QStringLiteral("The device %1 is gone.").arg(device.name),
                          device.lastError.isEmpty() ? QStringLiteral("Its agent cannot be reached any more.")
                                                     : device.lastError,
                          QStringLiteral("Check its power and its network.")}));
}

void Coordinator::Private::followHearts() {
    connect(hearts.get(), &HeartMonitor::suspected, q, [this](const QString &device) {
        if (!sessionOf(device))
            return;
        silentSince[device] = directory.seconds() - std::chrono::duration<double>(LinkWatch::suspectAfter).count();
        record(event::Suspect{device});
    });
    connect(hearts.get(), &HeartMonitor::revived, q, [this](const QString &device) { silentSince.remove(device); });
    connect(hearts.get(), &HeartMonitor::silent, q, [this](const QString &device, double seconds) {
        const WorkerSession *session = sessionOf(device);
        if (!session)
            return;
        const QString name = session->device().name;
        loseWorker(device,
                   {QStringLiteral("run.device-silent"), QStringLiteral("%1 is silent.").arg(name),
                    QStringLiteral("Nothing was heard of it for %1 s, nor an answer to three questions.")
                        .arg(seconds, 0, 'f', 1),
                    QStringLiteral("Check its power and its network.")},
                   seconds);
    });
}

void Coordinator::Private::loseWorker(const QString &device, const Error &error, double silentSeconds) {
    if (isEnding())
        return;
    WorkerSession *session = sessionOf(device);
    if (!session && (!connecting || canRecover()))
        return;  // it was told already, or whoever reconnects finds out
    // Others may notice the same silence first.
    if (const auto since = silentSince.constFind(device); since != silentSince.constEnd())
        silentSeconds = std::max(silentSeconds, directory.seconds() - *since);
    silentSince.remove(device);
    const qint64 round = tracker ? tracker->completed() + 1 : 0;
    if (!record(event::Lost{device, round, error.toString()}))
        return;
    const bool begun = tracker && tracker->completed() > 0;
    if (!canRecover() && (profiling || planning) && session && sessions.size() > 1 && !given && !isMemoryError(error)) {
        // There is no plan yet: it is made without this device.
        missedStart << device;
        profiling.reset();
        planning.reset();
        drop(device);
        if (!problem) {
            profile();
            return;
        }
        problem = problemWithout(*problem, {device});
        startPlanning();
        return;
    }
    if (!canRecover() || (isMemoryError(error) && !begun)) {
        if (isMemoryError(error) && session)
            failForMemory(*session, error);
        else
            fail(error);
        return;
    }
    if (hasAllWeights()) {
        drop(device);
        return;
    }
    if (isMemoryError(error))
        remember(shortageOf(*session));
    lastLoss = error;
    const QString key = session->address().fingerprint.toHex();
    const bool keepsCopies = std::ranges::any_of(deployment.backups, [&](const auto &copy) { return copy.to == key; });
    const bool needed = change || deployment.placeOf(key).first >= 0;
    if (session && isSilence(error))
        expectSilent(*session);
    else
        dismiss(device);
    if (needed) {
        recover(device, silentSeconds);
    } else if (keepsCopies) {
        copiesLost = true;
        wakeForBoundary();
    }
}

void Coordinator::Private::forget(const QString &device) {
    if (hearts)
        hearts->forget(device);
    leaving.remove(device);
    measuring.reset();  // it goes over all sessions
    std::erase_if(sessions, [&](const auto &session) { return session->id() == device; });
    measureNext();
}

void Coordinator::Private::drop(const QString &device) {
    forget(device);
    // Should it still live, it must not go on with what is over.
    agent.stopWorker(device);
}

void Coordinator::Private::dismiss(const QString &device) {
    drop(device);
    if (const DeviceInfo *known = deviceOf(device); known && !sentAway.contains(device))
        returning->expect(*known);
}

void Coordinator::Private::expectSilent(const WorkerSession &session) {
    const QString device = session.id();
    const WorkerAddress address = session.address();
    forget(device);
    if (const DeviceInfo *known = deviceOf(device); known && !sentAway.contains(device))
        returning->expect(*known, address);
}

void Coordinator::Private::waitForRound() {
    roundQuiet.start(std::min(deadlines.roundQuiet, progressLimit.limit() * (1 + alarms)));
}

void Coordinator::Private::noteProgress() {
    alarms = 0;
    quietSince = directory.seconds();
    waitForRound();
}

QString Coordinator::Private::lateNames() const {
    QStringList names;
    for (const WorkerSession *worker : tracker->missing())
        names << worker->device().name;
    return names.join(QStringLiteral(", "));
}

void Coordinator::Private::askWhoIsLate() {
    const double quiet = directory.seconds() - quietSince;
    if (quiet * 1000 < static_cast<double>(deadlines.roundQuiet.count())) {
        // A false alarm costs a question; each one makes the next one later.
        ++alarms;
        if (hearts) {
            for (const WorkerSession *worker : tracker->missing())
                hearts->doubt(worker->id());
        }
        waitForRound();
        return;
    }
    // All that wait for the one that hangs are late. To repeat the round everybody is halted: who hangs does not
    // answer, and is lost.
    Error told{QStringLiteral("run.round-quiet"),
               QStringLiteral("Round %1 does not get on.").arg(countText(tracker->completed() + 1)),
               QStringLiteral("Nothing came for %1 seconds from %2.")
                   .arg(deadlines.roundQuiet.count() / 1000)
                   .arg(lateNames()),
               QStringLiteral("Look at these devices: one may be asleep, or busy with something else.")};
    const WaitingBytes longest = longestWait();
    const bool isBroken = longest.from && longest.to;
    if (isBroken) {
        told.cause = longest.toString();
        brokenLinks.insert({longest.from->id(), longest.to->id()});
        brokenLinks.insert({longest.to->id(), longest.from->id()});
    }
    if (!tryAgain(QStringLiteral("round"), told, quiet))
        fail(told);
    else if (isBroken && change)
        change->heavy = true;  // only a plan without this link helps
}

QString Coordinator::Private::WaitingBytes::toString() const {
    return QStringLiteral("%1 wait on the link from %2 to %3.").arg(countedBytes(bytes), fromName, to->device().name);
}

Coordinator::Private::WaitingBytes Coordinator::Private::longestWait() {
    WaitingBytes longest;
    const auto consider = [&longest](const WaitingBytes &each) {
        if (each.bytes > longest.bytes)
            longest = each;
    };
    const DeviceInfo *data = deviceOf(request.dataDevice);
    for (const auto &session : sessions) {
        // The data device serves its own worker over no link at all.
        if (data && data->id != session->id())
            consider({nullptr, session.get(), data->name, undeliveredBytes(session->channel())});
        for (const auto &to : sessions) {
            consider({session.get(), to.get(), session->device().name,
                      session->waitingBytes().value(to->address().fingerprint.toHex())});
        }
    }
    return longest;
}

void Coordinator::Private::warnOfSlowRound(qint64 round) {
    const WaitingBytes longest = longestWait();
    const QString what = QStringLiteral("Round %1 takes more than %2 times as long as predicted (%3).")
                             .arg(countText(round))
                             .arg(SlowRounds::factor)
                             .arg(secondsText(plan.prediction ? plan.prediction->roundSeconds : 0));
    const QString again = QStringLiteral(
        "The run goes on. If it stays so, stop it and start again: the plan is made "
        "for links and devices as they are then.");
    if (longest.bytes > 0) {
        record(
            event::Warning{what, longest.toString(), QStringLiteral("Look at the network between the two. ") + again});
    } else {
        record(event::Warning{what, QStringLiteral("Not done with it: %1.").arg(lateNames()),
                              QStringLiteral("Look at what else is busy there. ") + again});
    }
}

void Coordinator::Private::loseLink(const QString &device, const QString &peer, const Error &error, quint32 heard) {
    // The last save needs no links between workers.
    if (isEnding() || heard != term || (state == RunState::Saving && tracker->completed() >= total))
        return;
    const WorkerSession *from = nullptr, *to = nullptr;
    for (const auto &session : sessions) {
        if (session->id() == device)
            from = session.get();
        if (session->address().fingerprint.toHex() == peer)
            to = session.get();
    }
    if (!from || !to || from->isClosing() || to->isClosing())
        return;
    const Error told{
        QStringLiteral("run.link-lost"),
        QStringLiteral("The connection between %1 and %2 broke.").arg(from->device().name, to->device().name),
        error.toString(), QStringLiteral("Check the network between the two.")};
    if (!canRecover()) {
        fail(told);
        return;
    }
    // Of a change under way, or of a plan that is over.
    if (!feed)
        return;
    if (hearts) {
        hearts->doubt(from->id());
        hearts->doubt(to->id());
    }
    lastLoss = told;
    if (record(event::Warning{told.what, told.cause, QStringLiteral("It is built again; the round is repeated.")}))
        recover(device, 0);
}

void Coordinator::Private::fail(const Error &error) {
    if (isEnding())
        return;
    const auto shortOf = std::ranges::find_if(sessions, [](const auto &each) { return each->shortage().has_value(); });
    if (isMemoryError(error) && shortOf != sessions.end()) {
        failForMemory(**shortOf, error);
        return;
    }
    if (record(event::Failure{error}))
        end(RunState::Failed);
}

MemoryTrouble Coordinator::Private::shortageOf(const WorkerSession &worker) const {
    MemoryTrouble trouble{worker.id(), worker.hello().memoryBytes, 0, worker.shortage()};
    if (plan.prediction)
        trouble.predictedBytes = plan.prediction->memoryBytes.value(worker.id());
    return trouble;
}

void Coordinator::Private::remember(const MemoryTrouble &trouble) {
    if (const int index = problem->indexOf(trouble.device); index >= 0)
        problem->devices[static_cast<std::size_t>(index)].memoryBytes = trouble.usableBytes();
}

void Coordinator::Private::failForMemory(const WorkerSession &worker, Error error) {
    const MemoryTrouble trouble = shortageOf(worker);
    const QString words = trouble.describe(worker.device().name);
    error.cause = QStringList{words, error.cause}.join(QLatin1Char(' ')).trimmed();
    if (!problem) {
        error.advice = QStringLiteral(
                           "Measuring takes batches of up to %1 samples: a smaller \"micro_batch\" in the job takes "
                           "less. Or close other programs there, or train without this device.")
                           .arg(profiledBatches(request.job).back());
        failWith(error);
        return;
    }
    PlanningProblem known = *problem;
    if (const int index = known.indexOf(trouble.device); index >= 0)
        known.devices[static_cast<std::size_t>(index)].memoryBytes = trouble.usableBytes();
    failWithFittingPlan(error, known);
}

void Coordinator::Private::failWithFittingPlan(const Error &error, const PlanningProblem &known) {
    pending = error;
    stopWork();
    const auto save = [this](const Plan &found) -> Result<QString> {
        return directory.saveJson(fittingPlanFile, found.toJson()).map([this] {
            return directory.file(fittingPlanFile);
        });
    };
    fitting.reset(new FittingPlan(known, plan, request.devices, save));
    connect(fitting.get(), &FittingPlan::finished, q, [this](const QString &advice) {
        pending->advice = advice;
        failWith(*pending);
    });
    fitting->start();
}

void Coordinator::Private::failWith(const Error &error) {
    if (isOver())
        return;
    const Error last = error;
    pending.reset();
    if (record(event::Failure{last}))
        end(RunState::Failed);
}

}  // namespace hearth
