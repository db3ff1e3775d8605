// The state machine: devices that come back or appear, and plans that are better than the one in force.
#include <QCborArray>
#include <algorithm>

#include "core/home/announcement.h"
#include "core/plan/evaluate.h"
#include "core/plan/replay/layer_moves.h"
#include "core/plan/replay/survivors.h"
#include "core/run/coordinator_private.h"
#include "core/run/plan_refusal.h"

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
            QStringLiteral("%1 is back and cannot take part.").arg(session->device().name),
            QStringLiteral("It computes with %1 now; the run began with %2.").arg(session->hello().library, before),
            QStringLiteral("Install the same version on it, or start the run again.")});
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
    else if (problem->indexOf(device) >= 0)
        considerPlan(QStringLiteral("join"));
    measureNext();
}

void Coordinator::Private::meet(const DeviceInfo &device) {
    if (!request.anyDevice || request.safety.join == JoinPolicy::Ignore || !takesWork(device.state) || !problem ||
        request.evaluateOnly || request.planOnly || request.measureOnly)
        return;
    membership.meet(device);
}

/// Beside the training: what the others can do is known, so only the newcomer computes and only its links are used.
void Coordinator::Private::measureNewcomer(const QString &device) {
    measuring.reset(new ProfileWorkers(request.job, request.model, request.profiles, deadlines));
    measuring->setScope({.layersOf = {}, .linksOf = {device}, .again = {}});
    connect(measuring.get(), &ProfileWorkers::progress, q, [this](const QString &id, int done, int all) {
        log.record(event::Profile{id, done, all});
    });
    connect(measuring.get(), &ProfileWorkers::warning, q, [this](const Error &warning) { log.warn(warning); });
    connect(measuring.get(), &ProfileWorkers::failed, q, [this, device](const Error &error) {
        measuring.reset();
        if (log.warn(error, QStringLiteral("The run goes on without this device.")))
            membership.remove(device, Departure::Released);
    });
    connect(measuring.get(), &ProfileWorkers::finished, q, [this, device] { takeNewcomer(device); });
    measuring->start(membership.workers());
}

void Coordinator::Private::takeNewcomer(const QString &device) {
    const auto measured =
        problemOf(request.job, request.model, *inputs.data, request.dataDevice, membership.workers(), *measuring);
    measuring.reset();
    if (!measured) {
        const Error &error = measured.error();
        if (log.warn(error, QStringLiteral("The run goes on without this device.")))
            membership.remove(device, Departure::Released);
        return;
    }
    const int index = measured->indexOf(device);
    if (index < 0)
        return;
    problem->devices.push_back(measured->devices[static_cast<std::size_t>(index)]);
    problem->times.push_back(measured->times[static_cast<std::size_t>(index)]);
    problem->keptStates = measured->keptStates;
    for (const LinkProfile::Pair &pair : measured->links.pairs) {
        if (pair.from == device || pair.to == device)
            problem->links.pairs.push_back(pair);
    }
    if (std::exchange(waiting, false))
        recover({}, 0);
    else
        considerPlan(QStringLiteral("join"));
    measureNext();
}

void Coordinator::Private::measureNext() {
    measuring.reset();
    // During a change workers are halted and built anew: its end is the time.
    if (!problem || !rounds.hasBegun() || (change && !waiting))
        return;
    const auto workers = membership.workers();
    const auto unknown =
        std::ranges::find_if(workers, [this](const auto *each) { return problem->indexOf(each->id()) < 0; });
    if (unknown != workers.end())
        measureNewcomer((*unknown)->id());
}

void Coordinator::Private::takeUserPlan(const QJsonObject &json) {
    const auto refuse = [this](const Error &error) { log.record(planRefused(error)); };
    if (!rounds.hasBegun() || !problem)
        return;
    auto read = readGivenPlan(json, request.job, request.model, membership.devices());
    if (!read) {
        refuse(read.error());
        return;
    }
    const PlanningProblem present = problemWithout(presentProblem(), membership.absentOf(*problem));
    auto judged = hearth::evaluate(asJudged(present, *read), *read);
    if (!judged) {
        refuse(judged.error());
        return;
    }
    read->prediction = std::move(*judged);
    if (auto fits = checkFits(*read, membership.devices()); !fits) {
        refuse(fits.error());
        return;
    }
    given = *read;
    pendingPlan = PendingPlan{std::move(*read), QStringLiteral("user"), {}, 0, true};
    saveState();  // it stays in force also under the next coordinator
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
        loseWorker(device, {QStringLiteral("run.device-left"), QStringLiteral("%1 leaves.").arg(session->device().name),
                            QStringLiteral("It asked to go before there was a plan."),
                            QStringLiteral("Start the run again without this device.")});
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
    loseWorker(device, {QStringLiteral("run.device-removed"),
                        QStringLiteral("%1 was removed from the home.")
                            .arg(known ? known->name : device.left(Announcement::prefixDigits)),
                        QStringLiteral("It no longer takes part in any run."), QString()});
}

void Coordinator::Private::considerPlan(const QString &reason) {
    if (!rounds.hasBegun() || request.evaluateOnly || total - rounds.completed() < 2)
        return;
    if (change) {
        considerLater(reason);
        return;
    }
    if (given) {
        takeGivenPlanAgain(reason);
        return;
    }
    if (request.safety.keepsPlan)
        return;
    considering.reset(new PlanTask(PlanTask::Manner::Background));
    const CapacityFactors factors = drift.factors();
    connect(considering.get(), &PlanTask::finished, q, [this, reason, factors](const Plan &found) {
        considering.reset();
        drift.acknowledge(factors);
        takeConsidered(found, reason);
    });
    connect(considering.get(), &PlanTask::failed, q, [this, factors](const Error &) {
        // The plan in force is one: nothing is lost by having no better one.
        considering.reset();
        drift.acknowledge(factors);
    });
    considering->start(problemWithout(presentProblem(), membership.absentOf(*problem)), request.planner, std::nullopt,
                       trace != nullptr);
}

/// A person's plan is left only for a loss, and comes back with the devices that it needs.
void Coordinator::Private::takeGivenPlanAgain(const QString &reason) {
    if (!isPossible(*given) || plan.stages == given->stages || pendingPlan)
        return;
    auto judged =
        hearth::evaluate(asJudged(problemWithout(presentProblem(), membership.absentOf(*problem)), *given), *given);
    if (!judged || !judged->fits)
        return;
    Plan again = *given;
    again.prediction = std::move(*judged);
    pendingPlan = PendingPlan{std::move(again), reason, QStringLiteral("All devices of the given plan are here."), 0};
    advance();
}

void Coordinator::Private::considerLater(const QString &reason) {
    if (!lookAgain)
        lookAgain = {reason, 0};
}

void Coordinator::Private::takeConsidered(const Plan &found, const QString &reason) {
    if (!found.prediction || !found.prediction->fits)
        return;
    if (change || pendingPlan || state != RunState::Training || !membership.leaving().isEmpty() || !isPossible(found)) {
        considerLater(reason);
        return;
    }
    if (proposePlan(found, reason) || reason != QLatin1String("drift"))
        return;
    // No other plan pays; samples that go from one member of a group to another cost next to nothing.
    const PlanningProblem present = problemWithout(presentProblem(), membership.absentOf(*problem));
    const CostModel model(present);
    constexpr int mostSamples = 4;
    if (const auto nudged = nudgedShares(model, plan, mostSamples))
        proposePlan(*nudged, reason);
}

/// Devices that the plan in force does without.
bool Coordinator::Private::needsNewcomers(const Plan &found) const {
    QSet<QString> known;
    for (const PlanStage &stage : plan.stages) {
        for (const Share &share : stage.shares)
            known.insert(share.device);
    }
    return std::ranges::any_of(found.stages, [&](const PlanStage &stage) {
        return std::ranges::any_of(stage.shares, [&](const Share &share) { return !known.contains(share.device); });
    });
}

bool Coordinator::Private::proposePlan(const Plan &found, const QString &reason) {
    if ((reason == QLatin1String("drift") || reason == QLatin1String("full")) &&
        patience.disappointed(log.seconds(), found, drift.factors()))
        return false;
    const PlanningProblem present = problemWithout(presentProblem(), membership.absentOf(*problem));
    const CostModel model(present);
    const auto current = hearth::evaluate(model, plan);
    if (!current)
        return false;
    ReplanFacts facts;
    facts.currentSeconds = current->roundSeconds;
    facts.betterSeconds = found.prediction->roundSeconds;
    facts.roundsLeft = total - rounds.completed();
    const auto moves = movesBetween(model, plan, found, {}, {});
    if (!moves)
        return false;
    facts.moveSeconds = moveSeconds(model, *moves);
    facts.rebuildSeconds = rebuildSeconds;
    facts.waitSeconds = current->roundSeconds;
    facts.roundsSinceSwitch = rounds.completed() - lastSwitch;
    const ReplanDecision decision = decideReplan(facts);
    if (!decision.switches) {
        // Too soon after the last change is no reason for ever.
        if (facts.roundsSinceSwitch < ReplanRule().restRounds)
            lookAgain = {reason, lastSwitch + ReplanRule().restRounds};
        return false;
    }
    PendingPlan better{found, reason, decision.reason, decision.gain};
    if (request.safety.join != JoinPolicy::Take && needsNewcomers(found)) {
        if (request.safety.join == JoinPolicy::Ignore)
            return false;
        offered = std::move(better);
        log.record(event::Warning{
            QStringLiteral("A better plan is possible now."), decision.reason,
            QStringLiteral("Take it with \"hearth accept-plan %1\", or go on without.").arg(request.id)});
        return true;
    }
    pendingPlan = std::move(better);
    advance();
    return true;
}

/// One round more is known of how fast everybody is.
void Coordinator::Private::followDrift(const event::Round &round) {
    drift.take(round.devices);
    if (lookAgain && !change && !pendingPlan && round.round >= lookAgain->second)
        considerPlan(std::exchange(lookAgain, std::nullopt)->first);
    patience.roundTook(round.roundS);
    if (!drift.drifted() || considering || pendingPlan || change || !patience.mayLook(log.seconds()))
        return;
    considerPlan(QStringLiteral("drift"));
}

}  // namespace hearth
