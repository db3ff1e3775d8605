#include "core/plan/explain/local_steps_gain.h"

#include <cmath>

#include "core/profile/profile_limits.h"

namespace hearth {
namespace {

constexpr double littleGain = 1.1, enoughGain = 1.3;
/// Averaging less often costs accuracy: it must bring more than this part.
constexpr double mostOfIt = 0.9;
constexpr int periods[] = {8, 32, 128};

/// Seconds of a batch.
std::optional<double> secondsWith(const CostModel &model, int every, const PlannerOptions &options) {
    const auto problem = withLocalSteps(model.problem(), every);
    if (!problem)
        return std::nullopt;
    const auto plan = makePlan(defaultPlanner(), *problem, model.costs(), options);
    if (!plan || !plan->prediction->fits || plan->deviceCount() < 2)
        return std::nullopt;
    return plan->prediction->roundSeconds / every;
}

}  // namespace

Result<PlanningProblem> withLocalSteps(PlanningProblem problem, int every) {
    int copies = 1 + static_cast<int>(std::ceil(problem.optimizerStateFactor));
    if (problem.localSteps.any()) {
        copies = problem.localSteps.copies;
        problem.batch /= problem.localSteps.every;
    }
    if (qint64{problem.batch} * every > ProfileLimits::batch) {
        return fail(QStringLiteral("problem.local-steps"), sentence("A round of so many steps is too long."),
                    sentence("%1 batches of %2 are more than the %3 samples that a round may have.")
                        .arg(every)
                        .arg(problem.batch)
                        .arg(ProfileLimits::batch),
                    sentence("Average the weights more often."));
    }
    problem.asynchronous.reset();
    problem.microBatch = problem.batch;
    problem.batch *= every;
    problem.localSteps = {every, copies};
    problem.levels.clear();
    problem.levelLimits.clear();
    return problem;
}

std::optional<LocalStepsGain> localStepsGain(const CostModel &model, const Plan &plan, const PlannerOptions &options) {
    if (!plan.prediction || !plan.prediction->fits || !plan.pipelines.empty() || model.problem().localSteps.any() ||
        model.problem().asynchronous || model.deviceCount() < 2)
        return std::nullopt;
    const auto alone = makePlan(QStringLiteral("single"), model.problem(), model.costs(), options);
    if (!alone || !alone->prediction->fits)
        return std::nullopt;
    const double together = plan.prediction->roundSeconds, fastest = alone->prediction->roundSeconds;
    if (!(together > 0) || fastest >= littleGain * together)
        return std::nullopt;
    std::optional<LocalStepsGain> best;
    for (const int every : periods) {
        const auto seconds = secondsWith(model, every, options);
        if (!seconds || fastest < enoughGain * *seconds)
            continue;
        const double factor = together / *seconds;
        if (!best || best->factor < mostOfIt * factor)
            best = LocalStepsGain{every, factor};
    }
    return best;
}

}  // namespace hearth
