// The state machine: what ends a run before its time, and what is said about it.
#include <algorithm>

#include "core/plan/replay/survivors.h"
#include "core/run/coordinator_private.h"
#include "core/run/measuring_pace.h"

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
    const DeviceInfo *known = membership.device(device.id);
    if (!known && !isEnding())
        meet(device);
    if (!known || isOver() || known->state == device.state)
        return;
    const bool isBack = !takesWork(known->state) && takesWork(device.state);
    membership.update(device);
    if (isOver())
        return;
    // It was to rest and may go on before others could take its layers.
    if (isBack && membership.stay(device.id) && std::exchange(waiting, false))
        recover({}, 0);
    // It announced that it leaves, and went; whoever is lost is expected anyway.
    if (isBack && canRecover())
        membership.expect(device.id);
    if (isDraining(device.state))
        leave(device.id);
    if (takesWork(device.state) || isDraining(device.state))
        return;
    if (!membership.isLostWithAgent(device.id))
        return;
    loseWorker(device.id,
               namedFor(device, {QStringLiteral("run.device-lost"), sentence("The device %1 is gone.").arg(device.name),
                                 device.lastError.isEmpty() ? sentence("Its agent cannot be reached any more.")
                                                            : device.lastError,
                                 sentence("Check its power and its network.")}));
}

void Coordinator::Private::loseWorker(const QString &device, const Error &error, double silentSeconds) {
    if (isEnding())
        return;
    WorkerSession *session = membership.session(device);
    if (!session && (!connecting || canRecover()))
        return;  // it was told already, or whoever reconnects finds out
    // Others may notice the same silence first.
    silentSeconds = std::max(silentSeconds, membership.silentSeconds(device));
    const qint64 round = rounds.hasBegun() ? rounds.completed() + 1 : 0;
    if (!log.record(event::Lost{device, round, error.toSentence()}))
        return;
    const bool begun = rounds.hasBegun() && rounds.completed() > 0;
    if (!canRecover() && (profiling || planning) && session && membership.workers().size() > 1 && !replanner.given() &&
        !isMemoryError(error)) {
        // There is no plan yet: it is made without this device.
        missedStart << device;
        profiling.reset();
        planning.reset();
        membership.remove(device, Departure::Released);
        if (!replanner.problem()) {
            profile();
            return;
        }
        replanner.setProblem(problemWithout(*replanner.problem(), {device}));
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
        membership.remove(device, Departure::Released);
        return;
    }
    if (isMemoryError(error))
        replanner.remember(shortageOf(*session));
    lastLoss = error;
    const QString key = session->address().fingerprint.toHex();
    const bool keepsCopies = std::ranges::any_of(deployment.backups, [&](const auto &copy) { return copy.to == key; });
    const bool needed = change || deployment.placeOf(key).first >= 0;
    membership.remove(device, isSilence(error) ? Departure::Silent : Departure::Ended);
    if (needed) {
        recover(device, silentSeconds);
    } else if (keepsCopies) {
        copiesLost = true;
        wakeForBoundary();
    }
}

void Coordinator::Private::repeatRound(const Error &error, double quietSeconds, const QString &from,
                                       const QString &to) {
    const bool isBroken = !from.isEmpty();
    if (isBroken)
        membership.brokenLinks().add(from, to);
    if (!tryAgain(QStringLiteral("round"), error, quietSeconds))
        fail(error);
    else if (isBroken && change)
        change->heavy = true;  // only a plan without this link helps
}

void Coordinator::Private::loseLink(const QString &device, const QString &peer, const Error &error, quint32 heard) {
    // The last save needs no links between workers.
    if (isEnding() || heard != term || (state == RunState::Saving && rounds.completed() >= total))
        return;
    const WorkerSession *from = nullptr, *to = nullptr;
    for (WorkerSession *session : membership.workers()) {
        if (session->id() == device)
            from = session;
        if (session->address().fingerprint.toHex() == peer)
            to = session;
    }
    if (!from || !to || from->isClosing() || to->isClosing())
        return;
    const Error told{QStringLiteral("run.link-lost"),
                     sentence("The connection between %1 and %2 broke.").arg(from->device().name, to->device().name),
                     error.toSentence(), sentence("Check the network between the two.")};
    if (!canRecover()) {
        fail(told);
        return;
    }
    // Of a change under way, or of a plan that is over.
    if (!rounds.isFed())
        return;
    membership.doubt(from->id());
    membership.doubt(to->id());
    lastLoss = told;
    if (log.warn(told, sentence("It is built again; the round is repeated.")))
        recover(device, 0);
}

void Coordinator::Private::fail(const Error &error) {
    if (isEnding())
        return;
    const auto workers = membership.workers();
    const auto shortOf = std::ranges::find_if(workers, [](const auto *each) { return each->shortage().has_value(); });
    if (isMemoryError(error) && shortOf != workers.end()) {
        failForMemory(**shortOf, error);
        return;
    }
    if (log.record(event::Failure{error}))
        end(RunState::Failed);
}

MemoryTrouble Coordinator::Private::shortageOf(const WorkerSession &worker) const {
    MemoryTrouble trouble{worker.id(), worker.hello().memoryBytes, 0, worker.shortage()};
    if (plan.prediction)
        trouble.predictedBytes = plan.prediction->memoryBytes.value(worker.id());
    return trouble;
}

void Coordinator::Private::failForMemory(const WorkerSession &worker, Error error) {
    const MemoryTrouble trouble = shortageOf(worker);
    error.cause = Sentence::joined({trouble.describe(worker.device().name), error.cause});
    if (!replanner.problem()) {
        error.advice = sentence(
                           "Measuring takes batches of up to %1 samples: a smaller \"micro_batch\" in the job takes "
                           "less. Or close other programs there, or train without this device.")
                           .arg(profiledBatches(request.job).back());
        failWith(error);
        return;
    }
    PlanningProblem known = *replanner.problem();
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
    fitting.reset(new FittingPlan(known, plan, membership.devices(), save));
    connect(fitting.get(), &FittingPlan::finished, q, [this](const Sentence &advice) {
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
    if (log.record(event::Failure{last}))
        end(RunState::Failed);
}

}  // namespace hearth
