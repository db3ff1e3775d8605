#include "core/plan/asynchronous_round.h"

#include <algorithm>
#include <cmath>
#include <tuple>
#include <utility>

#include "core/base/at.h"
#include "core/plan/cut_levels.h"
#include "core/plan/evaluate.h"
#include "core/plan/in_flight.h"
#include "core/plan/plan_memory.h"

namespace hearth {
namespace {

/// Rounds roundsPlayed in one go: the first ones fill the pipeline, and stages find their rhythm.
constexpr int roundsToFill = 2, roundsPlayed = 5;

/// With the sums among what the stages compute.
std::vector<SimulatedStep> withSums(const PlanSteps &steps, int microBatches, const Asynchrony &how) {
    std::vector<SimulatedStep> all = steps.simulated;
    for (SimulatedStep &step : all) {
        step.weights += step.allReduce * how.updatesPerRound(microBatches) / microBatches;
        step.allReduce = 0;
    }
    return all;
}

/// Plans that fit with room for all that is kept come first, then those that a run would take, then shorter rounds.
std::tuple<bool, bool, double> rank(const CostModel &model, const Plan &plan) {
    return {!fitsWholly(model, plan), !plan.prediction->fits, plan.prediction->roundSeconds};
}

}  // namespace

std::vector<int> delaysOf(const Plan &plan, const Asynchrony &how) {
    std::vector<int> limits;
    for (const PlanStage &stage : plan.stages)
        limits.push_back(plan.schedule.mostInFlight(stage.inFlight, plan.microBatches()));
    return how.delays(limits, plan.microBatches());
}

int updatesPerRound(const PlanningProblem &problem, const Plan &plan) {
    return problem.asynchronous && plan.pipelines.empty() ? problem.asynchronous->updatesPerRound(plan.microBatches())
                                                          : 1;
}

RoundLatency asynchronousBound(const PlanSteps &steps, int microBatches, const Asynchrony &how) {
    const std::vector<SimulatedStep> all = withSums(steps, microBatches, how);
    RoundLatency longest;
    for (std::size_t s = 0; s < all.size(); ++s) {
        const SimulatedStep &step = all[s];
        const bool bothAtOnce = s % 2 == 1 && step.channel < 0;
        const double once =
            bothAtOnce ? std::max(step.forward, step.backward) : step.forward + step.backward + step.weights;
        if (once * microBatches > longest.seconds)
            longest = {once * microBatches, static_cast<int>(s)};
    }
    return longest;
}

double asynchronousSeconds(Simulator &simulator, const PlanSteps &steps, int microBatches, const Asynchrony &how) {
    const std::vector<SimulatedStep> all = withSums(steps, microBatches, how);
    const auto secondsOf = [&](int rounds) {
        return simulator.run(all, rounds * microBatches, Schedule::OneForwardOneBackward);
    };
    const double first = secondsOf(roundsToFill);
    if (!std::isfinite(first))
        return first;
    return std::max(steps.leastSteadySeconds(), (secondsOf(roundsPlayed) - first) / (roundsPlayed - roundsToFill));
}

std::optional<Plan> withAsynchronousLimits(const CostModel &model, Plan plan) {
    plan.schedule = Schedule::OneForwardOneBackward;
    std::optional<Plan> best;
    const auto consider = [&](Plan one) {
        auto prediction = evaluate(model, one);
        if (!prediction)
            return;
        one.prediction = std::move(*prediction);
        if (!best || rank(model, one) < rank(model, *best))
            best = std::move(one);
    };
    consider(plan);
    const int count = static_cast<int>(plan.stages.size());
    for (const auto rule : {InFlightRule::StagesToEnd, InFlightRule::Early, InFlightRule::Deep, InFlightRule::All}) {
        for (int s = 0; s < count; ++s)
            plan.stages[at(s)].inFlight = inFlightLimit(rule, count - s, plan.microBatches());
        consider(plan);
    }
    // Fewer of them take less memory, and let stages keep fewer versions of their weights.
    for (int most = std::min(count, plan.microBatches()) - 1; most > 0 && best && !fitsWholly(model, *best); --most) {
        for (int s = 0; s < count; ++s)
            plan.stages[at(s)].inFlight = std::min(count - s, most);
        consider(plan);
    }
    return best;
}

Plan bestAsynchronous(const CostModel &model, const Plan &plan, const PlannerOptions &options) {
    std::optional<Plan> best = withAsynchronousLimits(model, plan);
    for (const char *name : {"pipedream", "ftpipehd", "pp-1f1b"}) {
        const auto planner = findPlanner(QLatin1String(name));
        auto other = planner ? (*planner)->plan(model, options) : tl::unexpected(planner.error());
        if (!other || !other->pipelines.empty())
            continue;
        other->planner = plan.planner;
        chooseLevels(model, *other);
        const auto limited = withAsynchronousLimits(model, std::move(*other));
        if (limited && (!best || rank(model, *limited) < rank(model, *best)))
            best = limited;
    }
    return best.value_or(plan);
}

}  // namespace hearth
