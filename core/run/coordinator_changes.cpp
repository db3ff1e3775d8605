// The state machine: from one plan to the next, because something was lost or because another plan is better.
#include <algorithm>

#include "core/plan/replay/survivors.h"
#include "core/run/coordinator_private.h"

namespace hearth {
namespace {

/// Deployments that fail for one cause after the other before the run gives up.
constexpr int mostAttempts = 6;
/// Recoveries in a row without a round in between: what ends the workers is nothing that another plan mends.
constexpr int mostFruitless = 10;
/// Somebody waits for the answer.
constexpr double replanSeconds = 2;

bool uses(const Plan &plan, const QString &device) {
    return std::ranges::any_of(plan.stages, [&](const PlanStage &stage) {
        return std::ranges::any_of(stage.shares, [&](const Share &share) { return share.device == device; });
    });
}

}  // namespace

QSet<QString> Coordinator::Private::absentDevices() const {
    QSet<QString> absent;
    for (const PlanningProblem::Device &device : problem->devices) {
        if (!sessionOf(device.id) || leaving.contains(device.id))
            absent.insert(device.id);
    }
    return absent;
}

PlanningProblem Coordinator::Private::presentProblem() const {
    PlanningProblem present = drift.corrected(*problem);
    const QSet<QString> absent = absentDevices();
    // This device serves the data also where it has no worker; then no plan can save the transfers.
    if (absent.contains(present.dataDevice))
        present.dataDevice.clear();
    for (LinkProfile::Pair &pair : present.links.pairs) {
        if (brokenLinks.contains({pair.from, pair.to}))
            pair.bytesPerSecond = 0;
    }
    return present;
}

void Coordinator::Private::recover(double silentSeconds) {
    const double now = directory.seconds();
    if (!change || !change->disturbed) {
        PlanChange begun;
        begun.reason = QStringLiteral("replay");
        begun.since = now - silentSeconds;
        begun.detectS = silentSeconds;
        begun.roundsBefore = tracker ? tracker->completed() : 0;
        change = std::move(begun);
    }
    change->plan.reset();
    if (++fruitless > mostFruitless) {
        fail(lastLoss);
        return;
    }
    beginChange(RunState::Recovering);
}

/// At a boundary: the plan loses them, and they give their states before they go.
void Coordinator::Private::letLeave() {
    PlanChange begun;
    begun.reason = QStringLiteral("leave");
    begun.disturbed = false;
    begun.since = directory.seconds();
    begun.roundsBefore = tracker->completed();
    change = std::move(begun);
    beginChange(RunState::Switching);
}

void Coordinator::Private::sayGoodbye() {
    for (const QString &device : std::exchange(leaving, {})) {
        if (!sessionOf(device))
            continue;
        drop(device);
        if (!record(event::Left{device}))
            return;
    }
}

void Coordinator::Private::switchTo(Wish wanted) {
    PlanChange begun;
    begun.reason = wanted.reason;
    begun.why = wanted.why;
    begun.disturbed = false;
    begun.since = directory.seconds();
    begun.roundsBefore = tracker->completed();
    begun.plan = std::move(wanted.plan);
    if (wanted.reason == QLatin1String("drift"))
        patience.switched(begun.since, wanted.gain);
    change = std::move(begun);
    beginChange(RunState::Switching);
}

void Coordinator::Private::beginChange(RunState how) {
    dropRound();
    wish.reset();
    enter(how);
    if (isOver() || !beginTerm())
        return;
    if (sessions.empty()) {
        waitForDevices({QStringLiteral("run.nobody"), QStringLiteral("No device is left that can train."),
                        QStringLiteral("All of them were lost."),
                        QStringLiteral("The run goes on as soon as one of them is back.")});
        return;
    }
    halting.reset(new HaltWorkers(term, deadlines));
    connect(halting.get(), &HaltWorkers::refused, q,
            [this](const QString &device, const Error &error) { loseWorker(device, error); });
    connect(halting.get(), &HaltWorkers::finished, q, [this] { takeStates(); });
    halting->start(workers());
}

void Coordinator::Private::takeStates() {
    change->halted = directory.seconds();
    change->held = halting->held();
    halting.reset();
    const StateLayers layers = stateLayers();
    // A round that some have applied and not all have reported is repeated: its report would never be whole.
    HeldByDevice reported = change->held;
    for (auto &theirs : reported)
        std::erase_if(theirs,
                      [&](const HeldState &each) { return static_cast<qint64>(each.version) > change->roundsBefore; });
    if (change->roundsBefore == 0) {
        change->from = {0, true};
        choosePlan();
        return;
    }
    auto found = newestCompleteVersion(layers, reported, std::nullopt, book.holders());
    if (!found)
        found = newestCompleteVersion(layers, change->held, std::nullopt, book.holders());
    if (found) {
        change->from = *found;
        if (request.safety.heavy && change->disturbed)
            gatherStates();
        else
            choosePlan();
        return;
    }
    change->method = QStringLiteral("disk");
    // Where nothing was ever complete there is nothing to regret.
    if (change->disturbed && change->roundsBefore > 0 &&
        !record(event::Warning{found.error().what, found.error().cause,
                               diskVersion > 0
                                   ? QStringLiteral("The run goes on from version %1 on the disk.").arg(diskVersion)
                                   : QStringLiteral("The run begins again with its initial weights.")}))
        return;
    readCheckpoint([this] {
        change->from = {diskVersion, true};
        choosePlan();
    });
}

/// Heavy rescheduling: all layers come to this device, a new plan is made from nothing, and they go out again.
void Coordinator::Private::gatherStates() {
    const quint64 version = change->from.version;
    const auto from = sourcesOf(stateLayers(), version, change->held);
    if (!from) {
        choosePlan();
        return;
    }
    const double begun = directory.seconds();
    states.reset(new StateCollector(stateLayers(), version, deadlines));
    connect(states.get(), &StateCollector::failed, q, [this](const Error &error) { fail(error); });
    connect(states.get(), &StateCollector::finished, q, [this, version, begun] {
        diskStates = states->takeStates();
        diskVersion = version;
        states.reset();
        change->gatherS = directory.seconds() - begun;
        change->halted += change->gatherS;  // what follows is planning
        change->held.clear();
        change->heavy = true;
        choosePlan();
    });
    states->start(workers(), *from);
}

void Coordinator::Private::choosePlan() {
    const QSet<QString> absent = absentDevices();
    const auto complete = [&](const Plan &wanted) {
        return std::ranges::none_of(absent, [&](const QString &device) { return uses(wanted, device); });
    };
    if (change->plan && complete(*change->plan)) {
        adopt(*change->plan);
        return;
    }
    if (complete(plan) && !change->heavy) {
        adopt(plan);
        return;
    }
    QSet<QString> lost;
    for (const QString &device : absent) {
        if (uses(plan, device))
            lost.insert(device);
    }
    // The table knows what is best after one loss; it is of the plan in force and of all other devices.
    if (lost.size() == 1 && absent == answersWithout + lost && !change->heavy) {
        if (const auto answer = answers.answer(*lost.cbegin()); answer && *answer) {
            takeReplay(**answer);
            return;
        }
    }
    ReplayRequest asked;
    asked.lost = absent;
    asked.coordinator = sessionOf(request.dataDevice) ? request.dataDevice : QString();
    asked.planning.secondsLimit = replanSeconds;
    const StateLayers layers = stateLayers();
    for (int layer = 0; layer < static_cast<int>(layers.size()); ++layer) {
        for (const auto &session : sessions)
            asked.replicas[layer] << session->id();  // where each layer really comes from is found out afterwards
    }
    replaying.reset(new ReplayTask);
    connect(replaying.get(), &ReplayTask::finished, q, [this](const Replay &replay) {
        replaying.reset();
        takeReplay(replay);
    });
    connect(replaying.get(), &ReplayTask::failed, q, [this](const Error &error) {
        replaying.reset();
        waitForDevices(error);
    });
    replaying->start(presentProblem(), plan, asked, request.planner, change->heavy);
}

void Coordinator::Private::takeReplay(const Replay &replay) {
    if (change->method != QLatin1String("disk"))
        change->method = replayMethodName(replay.method);
    adopt(replay.plan);
}

void Coordinator::Private::adopt(const Plan &wanted) {
    plan = wanted;
    schedule.clear();
    if (plan.prediction)
        schedule = std::exchange(plan.prediction->schedule, {});
    change->planned = directory.seconds();
    deployChange();
}

/// Those that a deployment without states means: with layers, or copies of layers.
std::vector<WorkerSession *> Coordinator::Private::needed() const {
    std::vector<WorkerSession *> list = members();
    for (const Deployment::Backup &backup : replication.backups) {
        WorkerSession *holder = sessionOf(backup.to);
        if (std::ranges::find(list, holder) == list.end())
            list.push_back(holder);
    }
    return list;
}

LinkRate Coordinator::Private::linkRates() const {
    std::map<std::pair<QString, QString>, double> rates;
    const PlanningProblem present = presentProblem();
    for (const LinkProfile::Pair &pair : present.links.pairs)
        rates[{pair.from, pair.to}] = pair.bytesPerSecond;
    const double otherwise = present.links.fallback ? present.links.fallback->bytesPerSecond : 0;
    return [rates = std::move(rates), otherwise](const QString &from, const QString &to) {
        const auto known = rates.find({from, to});
        return known == rates.end() ? otherwise : known->second;
    };
}

void Coordinator::Private::deployChange() {
    const quint64 version = change->from.version;
    const StateLayers layers = stateLayers();
    Deployment wanted = describe(plan, version);
    // The initial weights are nobody's state: every owner makes or gets them anew.
    const bool fresh = change->from.fromDisk && version == 0;
    if (!fresh) {
        const auto moves = movesFor(layers, version, deploymentStages(plan), change->held, diskVersion, linkRates());
        if (!moves) {
            waitForDevices(moves.error());
            return;
        }
        wanted.statesHeld = true;
        wanted.weightsStreamed = false;
        change->movedBytes = moves->bytes;
        for (Deployment::Move move : moves->moves) {
            move.to = sessionOf(move.to)->address().fingerprint.toHex();
            if (!move.from.isEmpty())
                move.from = sessionOf(move.from)->address().fingerprint.toHex();
            wanted.moves.push_back(std::move(move));
        }
    }
    planCopies();
    for (Deployment::Backup backup : replication.backups) {
        backup.from = sessionOf(backup.from)->address().fingerprint.toHex();
        backup.to = sessionOf(backup.to)->address().fingerprint.toHex();
        wanted.backups.push_back(std::move(backup));
    }
    wanted.snapshotEvery = intervals.snapshotEvery;
    wanted.backupEvery = 0;  // versions are asked for, one at a time
    deployment = std::move(wanted);
    if (auto valid = deployment.validate(); !valid) {
        fail(valid.error());
        return;
    }
    // The first plan was announced when it was made: it could be wanted for itself alone.
    if ((announced != term && !announcePlan()) || !saveState())
        return;
    for (const Error &warning : chooseFabrics(deployment, request.fabric)) {
        if (!record(event::Warning{warning.what, warning.cause, warning.advice}))
            return;
    }
    if (trace)
        trace->begin(deployment, members(), std::move(schedule));
    deploying.reset(new Deploy(deployment, deadlines));
    connect(deploying.get(), &Deploy::failed, q,
            [this](const QString &device, const Error &error) { deployFailed(device, error); });
    connect(deploying.get(), &Deploy::finished, q, [this] {
        change->deployed = directory.seconds();
        change->moveS = deploying->moveSeconds();
        deploying.reset();
        diskStates.clear();
        sayGoodbye();
        train(static_cast<qint64>(change->from.version));
    });
    deploying->start(fresh ? needed() : workers(), fresh ? inputs.weights : std::vector<std::vector<NamedTensor>>(),
                     diskStates);
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
    if (isMemoryError(error) && change->reason != QLatin1String("first") && change->reason != QLatin1String("user")) {
        remember(shortageOf(*sessionOf(device)));
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
    for (const auto &session : sessions) {
        const QString peer = session->id();
        if (peer == device || !error.cause.contains(QLatin1String(session->address().fingerprint.toHex().toLatin1())))
            continue;
        brokenLinks.insert({device, peer});
        brokenLinks.insert({peer, device});
    }
    if (!record(event::Warning{error.what, error.cause,
                               QStringLiteral("Check the network between the two. The run goes on with a plan that "
                                              "does not need this connection.")}))
        return;
    change->heavy = true;
    beginChange(RunState::Recovering);
}

void Coordinator::Private::finishChange() {
    if (!change)
        return;
    const PlanChange done = *std::exchange(change, std::nullopt);
    const double now = directory.seconds();
    if (done.disturbed) {
        event::Recovered told;
        told.term = term;
        told.fromVersion = done.from.version;
        told.detectS = done.detectS;
        told.planS = done.planned - done.halted;
        told.moveS = done.moveS + done.gatherS;
        told.rebuildS = std::max(0.0, done.deployed - done.planned - done.moveS) +
                        std::max(0.0, done.halted - done.gatherS - done.since - done.detectS);
        told.replayS = now - done.deployed;
        told.seconds = now - done.since;
        told.replayedRounds = std::max<qint64>(0, done.roundsBefore - static_cast<qint64>(done.from.version));
        told.movedBytes = done.movedBytes;
        told.method = done.method;
        if (!record(told))
            return;
    }
    rebuildSeconds = std::max(0.0, done.deployed - done.planned - done.moveS);
    lastSwitch = tracker->completed();
    drift.planned(*problem, plan);
    prepareAnswers();
    // What is light is seldom the best.
    if (done.reason == QLatin1String("replay") || done.reason == QLatin1String("leave"))
        considerPlan(QStringLiteral("full"));
}

void Coordinator::Private::waitForDevices(const Error &why) {
    waiting = true;
    record(event::Warning{why.what, why.cause,
                          why.advice.isEmpty() ? QStringLiteral("The run waits until a device is back.") : why.advice});
}

void Coordinator::Private::prepareAnswers() {
    answersWithout = absentDevices();
    PlanningProblem present = problemWithout(presentProblem(), answersWithout);
    ReplayRequest asked;
    for (int layer = 0; layer < plan.layerCount; ++layer) {
        for (const auto &session : sessions)
            asked.replicas[layer] << session->id();
    }
    asked.planning.secondsLimit = replanSeconds;
    answers.update(std::move(present), plan, asked);
}

}  // namespace hearth
