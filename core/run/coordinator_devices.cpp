// The state machine: devices that come back or appear, and plans that are better than the one in force.
#include <algorithm>

#include "core/plan/evaluate.h"
#include "core/plan/replay/layer_moves.h"
#include "core/plan/replay/survivors.h"
#include "core/run/coordinator_private.h"

namespace hearth {
namespace {

/// A better plan is looked for beside the training, on the device that serves the data.
constexpr double consideringSeconds = 5;

}  // namespace

void Coordinator::Private::welcome(std::unique_ptr<WorkerSession> session) {
    if (!session || isEnding())
        return;
    const QString device = session->id();
    const QString before = libraries.value(device, session->hello().library);
    if (session->hello().library != before) {
        // Its times are others, and perhaps its results.
        agent.stopWorker(device);
        record(event::Warning{
            QStringLiteral("%1 is back and cannot take part.").arg(session->device().name),
            QStringLiteral("It computes with %1 now; the run began with %2.").arg(session->hello().library, before),
            QStringLiteral("Install the same version on it, or start the run again.")});
        return;
    }
    watch(*session);
    const auto place = std::ranges::find_if(sessions, [&](const auto &each) { return idLess(device, each->id()); });
    sessions.emplace(place, session.release());
    if (!record(event::Joined{device}))
        return;
    for (auto pair = brokenLinks.begin(); pair != brokenLinks.end();) {
        const bool its = pair->first == device || pair->second == device;
        pair = its ? brokenLinks.erase(pair) : std::next(pair);
    }
    if (std::exchange(waiting, false)) {
        recover(0);
        return;
    }
    if (!change)
        considerPlan(QStringLiteral("join"));
}

/// The device goes when its states have gone to others; at once where it has none.
void Coordinator::Private::leave(const QString &device) {
    returning->forget(device);
    const WorkerSession *session = sessionOf(device);
    if (!session || leaving.contains(device))
        return;
    leaving.insert(device);
    if (state == RunState::Training || state == RunState::Paused) {
        enter(RunState::Training);
        advance();
    }
}

void Coordinator::Private::considerPlan(const QString &reason) {
    if (!tracker || change || request.evaluateOnly || request.keepsPlan || total - tracker->completed() < 2)
        return;
    considering.reset(new PlanTask);
    considering->setSecondsLimit(consideringSeconds);
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
    considering->start(problemWithout(presentProblem(), absentDevices()), request.planner, std::nullopt,
                       trace != nullptr);
}

void Coordinator::Private::takeConsidered(const Plan &found, const QString &reason) {
    if (change || wish || state != RunState::Training || !found.prediction || !found.prediction->fits)
        return;
    if (wishFor(found, reason) || reason != QLatin1String("drift"))
        return;
    // No other plan pays; samples that go from one member of a group to another cost next to nothing.
    const PlanningProblem present = problemWithout(presentProblem(), absentDevices());
    const MeasuredCosts costs(present.times);
    const CostModel model(present, costs);
    constexpr int mostSamples = 4;
    if (const auto nudged = nudgedShares(model, plan, mostSamples))
        wishFor(*nudged, reason);
}

bool Coordinator::Private::wishFor(const Plan &found, const QString &reason) {
    const PlanningProblem present = problemWithout(presentProblem(), absentDevices());
    const MeasuredCosts costs(present.times);
    const CostModel model(present, costs);
    const auto current = hearth::evaluate(model, plan);
    if (!current)
        return false;
    ReplanFacts facts;
    facts.currentSeconds = current->roundSeconds;
    facts.betterSeconds = found.prediction->roundSeconds;
    facts.roundsLeft = total - tracker->completed();
    const auto moves = movesBetween(model, plan, found, {}, {});
    if (!moves)
        return false;
    facts.moveSeconds = moveSeconds(model, *moves);
    facts.rebuildSeconds = rebuildSeconds;
    facts.waitSeconds = current->roundSeconds;
    facts.roundsSinceSwitch = tracker->completed() - lastSwitch;
    const ReplanDecision decision = decideReplan(facts);
    if (!decision.switches)
        return false;
    wish = Wish{found, reason, decision.reason, decision.gain};
    advance();
    return true;
}

/// One round more is known of how fast everybody is.
void Coordinator::Private::followDrift(const event::Round &round) {
    drift.take(round.devices);
    patience.roundTook(round.roundS);
    if (!drift.drifted() || considering || wish || change || !patience.mayLook(directory.seconds()))
        return;
    considerPlan(QStringLiteral("drift"));
}

}  // namespace hearth
