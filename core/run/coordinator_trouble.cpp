// The state machine: what ends a run before its time, and what is said about it.
#include <algorithm>

#include "core/run/coordinator_private.h"
#include "core/wire/stream_channel.h"

namespace hearth {
namespace {

/// Of the run's folder; "hearth train --plan" takes it.
const QString fittingPlanFile = QStringLiteral("plan-that-fits.json");

}  // namespace

void Coordinator::Private::loseWorker(const QString &device, const Error &error) {
    if (isEnding())
        return;
    const qint64 round = tracker ? tracker->completed() + 1 : 0;
    if (!record(event::Lost{device, round, error.toString()}))
        return;
    const auto session = std::ranges::find(sessions, device, [](const auto &each) { return each->id(); });
    if (isMemoryError(error) && session != sessions.end())
        failForMemory(**session, error);
    else
        fail(error);
}

void Coordinator::Private::warnOfSlowRound(qint64 round) {
    struct Wait {
        QString from, to;
        qint64 bytes = 0;
    } longest;
    const auto consider = [&longest](const QString &from, const QString &to, qint64 bytes) {
        if (bytes > longest.bytes)
            longest = {from, to, bytes};
    };
    const DeviceInfo *data = deviceOf(request.dataDevice);
    for (const auto &session : sessions) {
        // The data device serves its own worker over no link at all.
        if (data && data->id != session->id())
            consider(data->name, session->device().name, undeliveredBytes(session->channel()));
        for (const auto &to : sessions) {
            consider(session->device().name, to->device().name,
                     session->waitingBytes().value(to->address().fingerprint.toHex()));
        }
    }
    const QString what = QStringLiteral("Round %1 takes more than %2 times as long as predicted (%3 s).")
                             .arg(round)
                             .arg(SlowRounds::factor)
                             .arg(plan.prediction ? plan.prediction->roundSeconds : 0, 0, 'g', 3);
    const QString again = QStringLiteral(
        "The run goes on. If it stays so, stop it and start again: the plan is made "
        "for links and devices as they are then.");
    if (longest.bytes > 0) {
        record(event::Warning{what,
                              QStringLiteral("%1 wait on the link from %2 to %3.")
                                  .arg(countedBytes(longest.bytes), longest.from, longest.to),
                              QStringLiteral("Look at the network between the two. ") + again});
    } else {
        record(event::Warning{
            what, QStringLiteral("Not done with it: %1.").arg(tracker->missing().join(QStringLiteral(", "))),
            QStringLiteral("Look at what else is busy there. ") + again});
    }
}

void Coordinator::Private::loseLink(const QString &device, const QString &peer, const Error &error) {
    // The last save needs no links between workers.
    if (isEnding() || (state == RunState::Saving && tracker->completed() >= total))
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
    fail({QStringLiteral("run.link-lost"),
          QStringLiteral("The connection between %1 and %2 broke.").arg(from->device().name, to->device().name),
          error.toString(), QStringLiteral("Check the network between the two, and start again.")});
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

void Coordinator::Private::failForMemory(const WorkerSession &worker, Error error) {
    MemoryTrouble trouble{worker.id(), worker.hello().memoryBytes, 0, worker.shortage()};
    if (plan.prediction)
        trouble.predictedBytes = plan.prediction->memoryBytes.value(worker.id());
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
