// The state machine: from one plan to the next, because something was lost or because another plan is better. What
// follows once the plan is chosen is in coordinator_deployment.cpp.
#include <algorithm>

#include "core/base/number_text.h"
#include "core/plan/replay/survivors.h"
#include "core/run/coordinator_private.h"
#include "core/run/plan_refusal.h"

namespace hearth {
namespace {

/// Recoveries for the same device without a round in between: what ends its worker is nothing that another plan mends.
constexpr int mostFruitless = 10;
/// Cheaper than a gap in what is known of the run.
constexpr qint64 fewRounds = 10;
/// Somebody waits for the answer.
constexpr double replanSeconds = 2;

bool uses(const Plan &plan, const QString &device) {
    return std::ranges::any_of(plan.stages, [&](const PlanStage &stage) {
        return std::ranges::any_of(stage.shares, [&](const Share &share) { return share.device == device; });
    });
}

}  // namespace

void Coordinator::Private::recover(const QString &culprit, double silentSeconds) {
    const double now = log.seconds();
    if (!change || !change->disturbed) {
        replicas.noteLoss();
        PlanChange begun;
        begun.reason = QStringLiteral("replay");
        begun.since = now - silentSeconds;
        begun.detectS = silentSeconds;
        // A run that is resumed has rounds behind it before its first one.
        begun.roundsBefore = rounds.hasBegun() ? rounds.completed()
                             : change          ? static_cast<qint64>(change->from.version)
                                               : 0;
        change = std::move(begun);
    }
    change->plan.reset();
    if (!culprit.isEmpty() && ++fruitless[culprit] > mostFruitless) {
        fail(lastLoss);
        return;
    }
    beginChange(RunState::Recovering);
}

bool Coordinator::Private::tryAgain(const QString &step, const Error &error, double silentSeconds) {
    constexpr int mostTries = 3;
    if (!canRecover() || ++failedSteps[step] >= mostTries) {
        failedSteps.remove(step);
        return false;
    }
    lastLoss = error;
    if (log.warn(error, sentence("It is tried again.")))
        recover({}, silentSeconds);
    return true;
}

void Coordinator::Private::continueWithout(const Error &error) {
    if (log.warn(error, sentence("The run goes on without it.")))
        recover({}, 0);
}

/// At a boundary: the plan loses them, and they give their states before they go. The copies are given out anew.
void Coordinator::Private::drainDevices() {
    PlanChange begun;
    begun.reason = QStringLiteral("leave");
    begun.disturbed = false;
    begun.since = log.seconds();
    begun.roundsBefore = rounds.completed();
    change = std::move(begun);
    beginChange(RunState::Switching);
}

void Coordinator::Private::releaseDrained() {
    for (const QString &device : QSet<QString>(membership.leaving())) {
        const WorkerSession *session = membership.session(device);
        const QString key = session ? session->address().fingerprint.toHex() : QString();
        const bool keepsCopies =
            std::ranges::any_of(deployment.backups, [&](const auto &copy) { return copy.to == key; });
        // Who asked to go while this plan was deployed goes with the next one.
        if (deployment.placeOf(key).first >= 0 || keepsCopies)
            continue;
        membership.stay(device);
        if (!session)
            continue;
        membership.remove(device, Departure::Released);
        if (!log.record(event::Left{device}))
            return;
    }
}

void Coordinator::Private::takePendingPlan(PendingPlan wanted) {
    if (replanner.isPossible(wanted.plan)) {
        switchTo(std::move(wanted));
        return;
    }
    // A device that it needs went before its turn came.
    if (log.record(planRefused({QStringLiteral("run.plan-outdated"), sentence("The plan cannot be taken any more."),
                                sentence("A device that it needs has gone."),
                                sentence("When it is back, a better plan is looked for again.")})))
        advance();
}

void Coordinator::Private::switchTo(PendingPlan wanted) {
    PlanChange begun;
    begun.reason = wanted.reason;
    begun.why = wanted.why;
    begun.disturbed = false;
    begun.since = log.seconds();
    begun.roundsBefore = rounds.completed();
    replanner.switching(wanted);
    begun.plan = std::move(wanted.plan);
    change = std::move(begun);
    beginChange(RunState::Switching);
}

void Coordinator::Private::beginChange(RunState how) {
    dropRound();
    replanner.changeBegins();
    waiting = false;
    enter(how);
    if (isOver() || !beginTerm())
        return;
    if (membership.workers().empty()) {
        waitForDevices({QStringLiteral("run.nobody"), sentence("No device is left that can train."),
                        sentence("All of them were lost."),
                        sentence("The run goes on as soon as one of them is back.")});
        return;
    }
    halting.reset(new HaltWorkers(term, deadlines));
    connect(halting.get(), &HaltWorkers::refused, q,
            [this](const QString &device, const Error &error) { loseWorker(device, error); });
    connect(halting.get(), &HaltWorkers::finished, q, [this] { takeStates(); });
    halting->start(membership.workers());
}

void Coordinator::Private::takeStates() {
    change->halted = log.seconds();
    change->gatherS = 0;
    change->movedBytes = 0;
    change->held = halting->held();
    halting.reset();
    const StateLayers layers = replicas.layers();
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
    auto found = newestCompleteVersion(layers, reported, std::nullopt, replicas.holders());
    if (!found) {
        found = newestCompleteVersion(layers, change->held, std::nullopt, replicas.holders());
        // Whoever died, the coordinator for one, took along what there was to know of these rounds: a few are done
        // again.
        const qint64 again = change->roundsBefore - static_cast<qint64>(folder.version());
        if (found && again <= fewRounds && !(folder.version() == 0 && weightsDropped)) {
            change->missing = Error{
                QStringLiteral("run.unreported"),
                sentence("Round %1 was done and not written down.").arg(countText(static_cast<qint64>(found->version))),
                sentence("Who had to tell of it was gone before."), QString()};
            goOnFromDisk();
            return;
        }
    }
    if (found) {
        change->from = *found;
        if (request.safety.heavy && change->disturbed)
            gatherStates();
        else
            choosePlan();
        return;
    }
    // Who came back meanwhile may hold what is missing; it was not asked yet.
    if (std::ranges::any_of(membership.workers(),
                            [&](const auto *each) { return !change->held.contains(each->id()); })) {
        beginChange(state);
        return;
    }
    if (!waitForStates(found.error()))
        goOnFromDisk();
}

bool Coordinator::Private::waitForStates(const Error &missing) {
    const bool told = std::exchange(change->missing, missing).has_value();
    if (!change->disturbed || !membership.awaitsStates() || rounds.meanSeconds() <= 0)
        return false;
    // Worth as long a wait as it takes to do the rounds since the disk's version again: however long the silence turns
    // out to be, that is at most twice what it had to cost.
    const auto again = static_cast<double>(change->roundsBefore - static_cast<qint64>(folder.version()));
    const double worth = again * rounds.meanSeconds();
    const double left = change->since + change->detectS + worth - log.seconds();
    if (left <= 0)
        return false;
    if (!told && !log.record(event::Warning{missing.what, missing.cause,
                                            sentence("The run waits up to %1 s for who is silent; then it goes on "
                                                     "from version %2.")
                                                .arg(Sentence::quantity(left, 1))
                                                .arg(folder.version())}))
        return true;
    change->waitsSince = log.seconds();
    statesAwaited.start(std::chrono::milliseconds(static_cast<qint64>(left * 1000) + 1));
    return true;
}

void Coordinator::Private::endWaitForStates() {
    statesAwaited.stop();
    if (!change || !change->waitsSince)
        return;
    change->waitedS += log.seconds() - *std::exchange(change->waitsSince, std::nullopt);
}

void Coordinator::Private::goOnFromDisk() {
    endWaitForStates();
    change->method = QStringLiteral("disk");
    const Error &missing = *change->missing;
    // Where nothing was ever complete there is nothing to regret.
    if (change->disturbed && change->roundsBefore > 0 &&
        !log.record(event::Warning{missing.what, missing.cause,
                                   folder.version() > 0
                                       ? sentence("The run goes on from version %1 on the disk.").arg(folder.version())
                                       : sentence("The run begins again with its initial weights.")}))
        return;
    const double begun = log.seconds();
    change->halted = begun;  // waiting for states was no planning
    readCheckpoint([this, begun] {
        if (folder.version() == 0 && weightsDropped) {
            fail({QStringLiteral("run.no-checkpoint"), sentence("The run cannot go on."),
                  sentence("None of its checkpoints is whole, and the weights that it began with were given."),
                  sentence("Start it anew.")});
            return;
        }
        change->gatherS = log.seconds() - begun;
        change->halted += change->gatherS;
        change->from = {folder.version(), true};
        choosePlan();
    });
}

/// Heavy rescheduling: all layers come to this device, a new plan is made from nothing, and they go out again.
void Coordinator::Private::gatherStates() {
    const quint64 version = change->from.version;
    const auto from = sourcesOf(replicas.layers(), version, change->held, request.dataDevice);
    if (!from) {
        choosePlan();
        return;
    }
    const double begun = log.seconds();
    states.reset(new StateCollector(replicas.layers(), version, deadlines));
    connect(states.get(), &StateCollector::failed, q, [this](const Error &error) {
        states.reset();
        change->missing = error;
        goOnFromDisk();
    });
    connect(states.get(), &StateCollector::finished, q, [this, version, begun] {
        statesHere = states->takeStates();
        statesHereVersion = version;
        states.reset();
        change->gatherS = log.seconds() - begun;
        change->halted += change->gatherS;  // what follows is planning
        change->held.clear();
        change->heavy = true;
        choosePlan();
    });
    states->start(membership.workers(), *from);
}

void Coordinator::Private::choosePlan() {
    if (change->plan && replanner.isPossible(*change->plan)) {
        usePlan(*change->plan);
        return;
    }
    if (replanner.isPossible(plan) && !change->heavy) {
        usePlan(plan);
        return;
    }
    const QSet<QString> absent = replanner.absent();
    QSet<QString> lost = absent;
    lost.removeIf([this](const QString &device) { return !uses(plan, device); });
    if (lost.size() == 1 && !change->heavy) {
        if (const auto answer = replanner.answerTo(*lost.cbegin())) {
            takeReplay(*answer);
            return;
        }
    }
    ReplayRequest asked;
    asked.lost = absent;
    asked.coordinator = membership.session(request.dataDevice) ? request.dataDevice : QString();
    asked.planning.secondsLimit = replanSeconds;
    const StateLayers layers = replicas.layers();
    for (int layer = 0; layer < static_cast<int>(layers.size()); ++layer) {
        for (WorkerSession *session : membership.workers())
            asked.replicas[layer] << session->id();  // where each layer really comes from is found out afterwards
    }
    replaying.reset(new ReplayTask);
    connect(replaying.get(), &ReplayTask::finished, q, [this](const Replay &replay) {
        replaying.reset();
        takeReplay(replay);
    });
    connect(replaying.get(), &ReplayTask::failed, q, [this](const Error &error) {
        replaying.reset();
        // Who goes of its own accord is gone soon; whoever a person wants to do without is still here.
        const QStringList names = membership.keepSentAway();
        if (names.isEmpty()) {
            waitForDevices(error);
            return;
        }
        if (log.record(event::Warning{sentence("The run cannot do without %1.").arg(names.join(QLatin1String(", "))),
                                      Sentence::joined({error.what, error.cause}),
                                      sentence("Add another device first; until then it stays.")}))
            choosePlan();
    });
    replaying->start(replanner.atPresent(), plan, asked, request.planner, change->heavy);
}

void Coordinator::Private::takeReplay(const Replay &replay) {
    if (!replanner.isPossible(replay.plan)) {
        choosePlan();  // a device asked to go meanwhile
        return;
    }
    if (change->method != QLatin1String("disk"))
        change->method = replayMethodName(replay.method);
    usePlan(replay.plan);
}

void Coordinator::Private::usePlan(const Plan &wanted) {
    plan = wanted;
    schedule.clear();
    if (plan.prediction)
        schedule = std::exchange(plan.prediction->schedule, {});
    change->planned = log.seconds();
    deployChange();
}

void Coordinator::Private::waitForDevices(const Error &why) {
    waiting = true;
    log.record(event::Warning{why.what, why.cause,
                              why.advice.isEmpty() ? sentence("The run waits until a device is back.") : why.advice});
    replanner.measureNext();
}

}  // namespace hearth
