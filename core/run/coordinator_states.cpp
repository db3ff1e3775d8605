// The state machine: which versions of all states are safe, where their copies are, and what rests on the disk.
#include <algorithm>

#include "core/plan/replay/layer_moves.h"
#include "core/plan/replay/survivors.h"
#include "core/run/coordinator_private.h"
#include "core/run/run_state_file.h"

namespace hearth {

StateLayers Coordinator::Private::stateLayers() const {
    return stateLayersOf(request.model, dtypeOf(request.job.precision), request.job.optimizer.stateFactor());
}

bool Coordinator::Private::beginTerm() {
    ++term;
    return saveState();
}

bool Coordinator::Private::saveState() {
    RunStateFile file;
    file.term = term;
    file.evaluated = evaluated;
    file.problem = problem;
    if (!plan.stages.empty())
        file.plan = plan;
    file.given = given;
    for (WorkerSession *session : membership.workers())
        file.workers.push_back({session->id(), session->address()});
    auto saved = directory.saveJson(RunStateFile::name(), file.toJson());
    if (!saved)
        fail(saved.error());
    return saved.has_value();
}

void Coordinator::Private::planCopies() {
    copiesLost = false;
    const PlanningProblem present = problemWithout(presentProblem(), membership.absentOf(*problem));
    const CostModel model(present);
    replication = replicationFor(model, plan, request.safety.replication);
    copyFacts = replicationFacts(model, plan, replication);
    chooseIntervals();
}

/// What a person can only guess otherwise: once, until it is so of other devices.
bool Coordinator::Private::tellCopies() {
    const auto names = [this](const QStringList &devices) {
        QStringList list;
        for (const QString &device : devices)
            list << membership.session(device)->device().name;
        return list.join(QLatin1String(", "));
    };
    const bool areOthers =
        static_cast<qsizetype>(membership.workers().size()) - membership.absentOf(*problem).size() > 1 &&
        request.safety.replication != ReplicationMode::Off;
    const QStringList unprotected = areOthers ? replication.unprotected : QStringList();
    if (std::exchange(toldUnprotected, unprotected) != unprotected && !unprotected.isEmpty() &&
        !log.record(
            event::Warning{QStringLiteral("Nobody keeps a copy of what %1 computes.").arg(names(unprotected)),
                           QStringLiteral("No other device with room for it can be reached from there."),
                           QStringLiteral("If it is lost, the run goes on from the newest version on the disk.")}))
        return false;
    const QStringList tight = replication.shortOfMemory;
    if (std::exchange(toldTight, tight) == tight || tight.isEmpty())
        return true;
    QStringList needs;
    for (const QString &device : tight) {
        const qint64 bytes = replication.snapshotBytes.value(device) + replication.holderBytes.value(device);
        needs << QStringLiteral("%1 up to %2").arg(names({device}), countedBytes(bytes));
    }
    return log.record(event::Warning{
        QStringLiteral("The memory of %1 may not do for the versions that a run keeps.").arg(names(tight)),
        QStringLiteral("Beside its part of the plan, each takes at worst: %1.").arg(needs.join(QLatin1String("; "))),
        QStringLiteral("Add a device, or give these more memory.")});
}

void Coordinator::Private::chooseIntervals() {
    ReplicationRule rule;
    rule.secondsBetweenLosses = losses.secondsBetween(log.seconds());
    intervals = replicationIntervals(copyFacts, request.safety.replication, rule);
}

/// Between rounds that are done: a version that no round has begun to make, so that every worker hears of it before.
void Coordinator::Private::askForStates() {
    if (request.evaluateOnly || states || change || !feed)
        return;
    const qint64 done = tracker->completed();
    const int every = std::max(intervals.backupEvery, intervals.snapshotEvery);
    if (book.giveUpLate(static_cast<quint64>(done), static_cast<quint64>(every)))
        nextStates = done;
    if (book.wanted() || done < nextStates)
        return;
    const qint64 version = std::max(feed->limit(), done) + 1;
    if (version > total)
        return;
    book.ask(static_cast<quint64>(version));
    chooseIntervals();
    nextStates = version + std::max(intervals.backupEvery, intervals.snapshotEvery);
    if (request.safety.checkpointRounds > 0)
        nextStates = std::min(nextStates, std::max(version, lastCheckpointRound) + request.safety.checkpointRounds);
    const QCborMap wanted{{QStringLiteral("version"), version},
                          {QStringLiteral("spread_ms"), static_cast<qint64>(copySpread().count())}};
    for (WorkerSession *worker : membership.membersOf(deployment))
        worker->notify(QStringLiteral("keep"), wanted);
}

/// A part of the time until the next version is wanted: what copies may cost in all that time they then cost few rounds
/// several times over, which is still not to be noticed in any of them.
std::chrono::milliseconds Coordinator::Private::copySpread() const {
    constexpr double part = 0.5, mostSeconds = 20;
    if (trainedRounds == 0)
        return std::chrono::milliseconds(0);
    const double roundSeconds = trainedSeconds / static_cast<double>(trainedRounds);
    const double seconds = part * std::max(intervals.backupEvery, intervals.snapshotEvery) * roundSeconds;
    return std::chrono::milliseconds(static_cast<qint64>(1000 * std::min(seconds, mostSeconds)));
}

/// Small states are written more often: they are all that is left when everybody else is gone. A checkpoint crosses the
/// network like a copy and may cost as much: about 1 % of a small device.
double Coordinator::Private::checkpointPause() const {
    constexpr double bytesPerSecond = 5e5, shortest = 5;
    double bytes = 0;
    for (const StateLayer &layer : stateLayers())
        bytes += static_cast<double>(layer.bytes);
    return std::min(request.safety.checkpointSeconds, std::max(shortest, bytes / bytesPerSecond));
}

void Coordinator::Private::takeCopy(const WorkerSession &holder, const StoredBackup &stored) {
    const auto copy = book.backedUp(holder.id(), stored.firstLayer, stored.lastLayer, stored.version);
    if (copy && log.record(event::Replica{copy->holder, copy->stage, stored.version}))
        statesComplete();
}

void Coordinator::Private::statesComplete() {
    if (!book.takeCompleted())
        return;
    const QCborMap committed{{QStringLiteral("version"), static_cast<qint64>(*book.complete())}};
    for (WorkerSession *worker : membership.workers())
        worker->notify(QStringLiteral("commit"), committed);
    const SafetyOptions &wanted = request.safety;
    const qint64 rounds = static_cast<qint64>(*book.complete()) - lastCheckpointRound;
    const bool due = (wanted.checkpointSeconds > 0 && log.seconds() - lastCheckpoint >= checkpointPause()) ||
                     (wanted.checkpointRounds > 0 && rounds >= wanted.checkpointRounds);
    if ((due || wantsCheckpoint) && !change)
        collectCheckpoint();
}

CheckpointStore Coordinator::Private::checkpoints() const {
    return {
        directory.path(),
        {request.id, request.job.toJson(), request.model, request.job.precision, request.job.optimizer.stateFactor()},
        request.safety.checkpointsKept};
}

/// Of the version that is complete: nobody drops it before another one is asked for, and that waits for this.
void Coordinator::Private::collectCheckpoint() {
    const quint64 version = *book.complete();
    const auto from = sourcesOf(stateLayers(), version, book.holders(), request.dataDevice);
    if (!from || states || writing)
        return;
    wantsCheckpoint = false;
    lastCheckpoint = log.seconds();
    lastCheckpointRound = static_cast<qint64>(version);
    states.reset(new StateCollector(stateLayers(), version, deadlines));
    states->setSpread(copySpread());
    connect(states.get(), &StateCollector::failed, q, [this](const Error &error) {
        states.reset();
        log.warn(error, QStringLiteral("The next checkpoint is tried as usual."));
    });
    connect(states.get(), &StateCollector::finished, q, [this, version] {
        const LayerStates taken = states->takeStates();
        states.reset();
        writeCheckpoint(version, taken, {});
    });
    states->start(membership.workers(), *from);
}

void Coordinator::Private::writeCheckpoint(quint64 version, const LayerStates &taken,
                                           const std::function<void()> &then) {
    whenFolderRests([this, version, taken, then] {
        folderAwaited = then;
        writing.reset(new CheckpointTask);
        connect(writing.get(), &CheckpointTask::failed, q, [this](const Error &error) {
            writing.reset();
            // Training does not depend on it.
            if (log.warn(error))
                folderRests();
        });
        connect(writing.get(), &CheckpointTask::written, q, [this](const CheckpointManifest &manifest) {
            writing.reset();
            diskVersion = std::max(diskVersion, manifest.version);
            if (!log.record(event::Checkpoint{manifest.version, manifest.bytes()}))
                return;
            weightsDropped |= !inputs.weights.empty();
            inputs.weights.clear();  // version 0 is of no use any more
            folderRests();
        });
        writing->write(checkpoints(), version, static_cast<qint64>(version), taken,
                       then ? CheckpointTask::Manner::AtOnce : CheckpointTask::Manner::BesideRounds);
    });
}

/// The newest whole one, or version 0. What is being read already serves whoever asks last.
void Coordinator::Private::readCheckpoint(const std::function<void()> &then) {
    if (reading) {
        readAwaited = then;
        return;
    }
    whenFolderRests([this, then] {
        readAwaited = then;
        reading.reset(new CheckpointTask);
        connect(reading.get(), &CheckpointTask::searched, q, [this](const CheckpointSearch &search) {
            reading.reset();
            if (const auto next = std::exchange(readAwaited, nullptr))
                takeCheckpoint(search, next);
            else
                folderRests();
        });
        reading->readNewest(checkpoints());
    });
}

void Coordinator::Private::takeCheckpoint(const CheckpointSearch &search, const std::function<void()> &then) {
    for (const Error &error : search.skipped) {
        if (!log.warn(error))
            return;
    }
    diskVersion = search.checkpoint ? search.checkpoint->manifest.version : 0;
    statesHere = search.checkpoint ? search.checkpoint->states : LayerStates();
    statesHereVersion = diskVersion;
    then();
}

void Coordinator::Private::whenFolderRests(std::function<void()> then) {
    if (!writing && !reading) {
        then();
        return;
    }
    if (writing)
        writing->hurry();
    folderAwaited = std::move(then);
}

void Coordinator::Private::folderRests() {
    if (const auto next = std::exchange(folderAwaited, nullptr))
        next();
}

/// A run that is stopped can go on later: all that it has made rests on the disk.
void Coordinator::Private::saveBeforeEnd(const std::function<void()> &then) {
    const auto version = static_cast<quint64>(tracker->completed());
    if (version == 0 || version == diskVersion) {
        then();
        return;
    }
    const auto goOn = [this, then](const Error &error) {
        log.warn(error);
        then();
    };
    if (!beginTerm())
        return;
    feed.reset();
    halting.reset(new HaltWorkers(term, deadlines));
    connect(halting.get(), &HaltWorkers::refused, q,
            [this, goOn](const QString &, const Error &error) { goOn(error); });
    connect(halting.get(), &HaltWorkers::finished, q, [this, version, then, goOn] {
        const auto from = sourcesOf(stateLayers(), version, halting->held(), request.dataDevice);
        if (!from) {
            then();
            return;
        }
        states.reset(new StateCollector(stateLayers(), version, deadlines));
        connect(states.get(), &StateCollector::failed, q, goOn);
        connect(states.get(), &StateCollector::finished, q,
                [this, version, then] { writeCheckpoint(version, states->takeStates(), then); });
        states->start(membership.workers(), *from);
    });
    halting->start(membership.workers());
}

}  // namespace hearth
