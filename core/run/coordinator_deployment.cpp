// The state machine: a chosen plan becomes the one in force. States move, stages are built, the first round is done.
#include <algorithm>

#include "core/plan/replay/survivors.h"
#include "core/run/coordinator_private.h"

namespace hearth {
namespace {

/// Deployments that fail for one cause after the other before the run gives up.
constexpr int mostAttempts = 6;
}  // namespace

/// Those that a deployment without states means: with layers, or copies of layers.
std::vector<WorkerSession *> Coordinator::Private::needed() const {
    std::vector<WorkerSession *> list = membership.membersOf(deployment);
    for (const Deployment::Backup &backup : replicas.replication().backups) {
        WorkerSession *holder = membership.session(backup.to);
        if (std::ranges::find(list, holder) == list.end())
            list.push_back(holder);
    }
    return list;
}

void Coordinator::Private::deployChange() {
    const quint64 version = change->from.version;
    const StateLayers layers = replicas.layers();
    Deployment wanted = describe(plan, version);
    // The initial weights are nobody's state: every owner makes or gets them anew.
    const bool fresh = change->from.fromDisk && version == 0;
    if (!fresh) {
        const auto moves =
            movesFor(layers, version, deploymentStages(plan), change->held,
                     statesHere.empty() ? std::nullopt : std::optional(statesHereVersion), replanner.linkRates());
        if (!moves) {
            // Two that do not reach each other are both reached from here.
            if (statesHere.empty() && moves.error().code == QLatin1String("recovery.unreachable")) {
                change->plan = plan;
                gatherStates();
            } else {
                waitForDevices(moves.error());
            }
            return;
        }
        wanted.statesHeld = true;
        wanted.weightsStreamed = false;
        change->movedBytes = moves->bytes;
        for (Deployment::Move move : moves->moves) {
            move.to = membership.session(move.to)->address().fingerprint.toHex();
            if (!move.from.isEmpty())
                move.from = membership.session(move.from)->address().fingerprint.toHex();
            wanted.moves.push_back(std::move(move));
        }
    }
    copiesLost = false;
    replicas.planCopies(replanner.ofPresent(), plan);
    for (Deployment::Backup backup : replicas.replication().backups) {
        backup.from = membership.session(backup.from)->address().fingerprint.toHex();
        backup.to = membership.session(backup.to)->address().fingerprint.toHex();
        wanted.backups.push_back(std::move(backup));
    }
    wanted.snapshotEvery = replicas.snapshotEvery();
    wanted.backupEvery = 0;  // versions are asked for, one at a time
    deployment = std::move(wanted);
    if (auto valid = deployment.validate(); !valid) {
        fail(valid.error());
        return;
    }
    // The first plan was announced when it was made: it could be wanted for itself alone.
    if ((announced != term && !announcePlan()) || !saveState())
        return;
    const auto here = static_cast<qsizetype>(membership.workers().size()) - replanner.absent().size();
    if (!replicas.tellCopies(here > 1))
        return;
    for (const Error &warning : chooseFabrics(deployment, request.fabric)) {
        if (!log.warn(warning))
            return;
    }
    if (trace)
        trace->begin(deployment, membership.membersOf(deployment), std::move(schedule));
    deploying.reset(new Deploy(deployment, deadlines));
    connect(deploying.get(), &Deploy::failed, q,
            [this](const QString &device, const Error &error) { deployFailed(device, error); });
    connect(deploying.get(), &Deploy::finished, q, [this] {
        change->deployed = log.seconds();
        change->moveS = std::clamp(deploying->moveSeconds(), 0.0, change->deployed - change->planned);
        deploying.reset();
        statesHere.clear();
        releaseDrained();
        train(static_cast<qint64>(change->from.version));
    });
    deploying->start(fresh ? needed() : membership.workers(),
                     fresh ? inputs.weights : std::vector<std::vector<NamedTensor>>(), statesHere, inputs.frozen);
}

void Coordinator::Private::deployFailed(const QString &device, const Error &error) {
    deploying.reset();
    if (!change) {
        fail(error);
        return;
    }
    if (++change->attempts >= mostAttempts) {
        fail(error);
        return;
    }
    // A pending plan that cannot be deployed is dropped.
    if (change->plan)
        change->reason = QStringLiteral("replay");
    if (isMemoryError(error) && (rounds.hasBegun() || change->disturbed)) {
        replanner.remember(shortageOf(*membership.session(device)));
        change->heavy = true;
        change->plan.reset();
        beginChange(RunState::Recovering);
        return;
    }
    if (isMemoryError(error)) {
        fail(error);
        return;
    }
    if (error.code != QLatin1String("worker.peer-unreachable")) {
        loseWorker(device, error);
        return;
    }
    // The error names the peers by their keys.
    for (WorkerSession *session : membership.workers()) {
        const QString peer = session->id();
        if (peer == device || !error.cause.contains(QLatin1String(session->address().fingerprint.toHex().toLatin1())))
            continue;
        membership.brokenLinks().add(device, peer);
    }
    if (!log.record(event::Warning{error.what, error.cause,
                                   sentence("Check the network between the two. The run goes on with a plan that "
                                            "does not need this connection.")}))
        return;
    change->heavy = true;
    change->plan.reset();
    beginChange(RunState::Recovering);
}

void Coordinator::Private::finishChange() {
    if (!change)
        return;
    const PlanChange done = *std::exchange(change, std::nullopt);
    replicas.settled();
    const double now = log.seconds();
    if (done.disturbed) {
        event::Recovered told;
        told.term = term;
        told.fromVersion = done.from.version;
        told.detectS = done.detectS + done.waitedS;
        told.planS = done.planned - done.halted;
        told.moveS = done.moveS + done.gatherS;
        told.rebuildS = std::max(0.0, done.deployed - done.planned - done.moveS) +
                        std::max(0.0, done.halted - done.gatherS - done.since - done.detectS - done.waitedS);
        told.replayS = now - done.deployed;
        told.seconds = now - done.since;
        told.replayedRounds = std::max<qint64>(0, done.roundsBefore - static_cast<qint64>(done.from.version));
        told.movedBytes = done.movedBytes;
        told.method = done.method;
        if (!log.record(told))
            return;
    }
    tidy.soon();
    replanner.changeEnded(done.reason, std::max(0.0, done.deployed - done.planned - done.moveS));
    for (const QString &device : std::exchange(missedStart, {}))
        membership.expect(device);
    replanner.measureNext();
    // What is light is seldom the best.
    if (done.reason == QLatin1String("replay") || done.reason == QLatin1String("leave"))
        replanner.consider(QStringLiteral("full"));
}

}  // namespace hearth
