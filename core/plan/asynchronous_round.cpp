#include "core/plan/asynchronous_round.h"

#include <algorithm>
#include <cmath>

#include "core/plan/evaluate.h"
#include "core/plan/in_flight.h"
#include "core/plan/planner.h"

namespace hearth {
namespace {

/// Rounds played in one go: the first ones fill the pipeline, and stages find their rhythm.
constexpr int filling = 2, played = 5;

/// With the sums among what the stages compute.
std::vector<SimulatedStep> withSums(const PlanSteps &steps, int microBatches, const Asynchrony &how) {
    std::vector<SimulatedStep> all = steps.simulated;
    for (SimulatedStep &step : all) {
        step.weights += step.allReduce * how.updatesPerRound(microBatches) / microBatches;
        step.allReduce = 0;
    }
    return all;
}

}  // namespace

std::vector<int> delaysOf(const Plan &plan, const Asynchrony &how) {
    std::vector<int> limits;
    for (const PlanStage &stage : plan.stages)
        limits.push_back(plan.schedule.mostInFlight(stage.inFlight, plan.microBatches()));
    return how.delays(limits, plan.microBatches());
}

double asynchronousBound(const PlanSteps &steps, int microBatches, const Asynchrony &how) {
    const std::vector<SimulatedStep> all = withSums(steps, microBatches, how);
    double longest = 0;
    for (std::size_t s = 0; s < all.size(); ++s) {
        const SimulatedStep &step = all[s];
        const bool bothAtOnce = s % 2 == 1 && step.channel < 0;
        longest = std::max(
            longest, bothAtOnce ? std::max(step.forward, step.backward) : step.forward + step.backward + step.weights);
    }
    return longest * microBatches;
}

double asynchronousSeconds(Simulator &simulator, const PlanSteps &steps, int microBatches, const Asynchrony &how) {
    const std::vector<SimulatedStep> all = withSums(steps, microBatches, how);
    const auto secondsOf = [&](int rounds) {
        return simulator.run(all, rounds * microBatches, Schedule::OneForwardOneBackward);
    };
    const double first = secondsOf(filling);
    if (!std::isfinite(first))
        return first;
    return std::max(steps.leastSeconds(), (secondsOf(played) - first) / (played - filling));
}

Plan bestAsynchronous(const CostModel &model, const Plan &plan) {
    std::vector<Plan> found{plan};
    for (const char *name : {"pipedream", "ftpipehd", "pp-1f1b"}) {
        const auto planner = findPlanner(QLatin1String(name));
        auto other = planner ? (*planner)->plan(model, {}) : tl::unexpected(planner.error());
        if (other && other->pipelines.empty())
            found.push_back(std::move(*other));
    }
    Plan best = plan;
    std::optional<Prediction> shortest;
    const auto consider = [&](const Plan &one) {
        auto prediction = evaluate(model, one);
        if (!prediction)
            return;
        const auto rank = [](const Prediction &each) { return std::pair(!each.fits, each.roundSeconds); };
        if (shortest && !(rank(*prediction) < rank(*shortest)))
            return;
        best = one;
        shortest = std::move(*prediction);
    };
    for (Plan &one : found) {
        one.planner = plan.planner;
        one.schedule = Schedule::OneForwardOneBackward;
        one.prediction.reset();
        consider(one);
        const int count = static_cast<int>(one.stages.size());
        for (const auto rule :
             {InFlightRule::StagesToEnd, InFlightRule::Early, InFlightRule::Deep, InFlightRule::All}) {
            Plan other = one;
            for (int s = 0; s < count; ++s)
                other.stages[static_cast<std::size_t>(s)].inFlight = inFlightLimit(rule, count - s, one.microBatches());
            consider(other);
        }
    }
    return best;
}

}  // namespace hearth
