#include "core/plan/explain/codec_gain.h"

#include <algorithm>

#include "core/base/codec_choice.h"
#include "core/plan/cut_levels.h"
#include "core/plan/evaluate.h"
#include "core/plan/planner.h"
#include "core/plan/search/work_bound.h"

namespace hearth {

std::optional<double> codecGain(const CostModel &model, const Plan &plan, const WhatIfOptions &options) {
    PlanningProblem problem = model.problem();
    problem.levels = levelsOf(CodecChoice::Auto);
    if (!plan.prediction || !plan.prediction->fits || problem.levels.empty() || !model.problem().levels.empty() ||
        isLossy(plan) || problem.devices.size() < 2)
        return std::nullopt;
    const double round = plan.prediction->roundSeconds, enough = round * (1 - leastGain);
    double least = round;
    for (const int microBatch : microBatchChoices(problem))
        least = std::min(least, leastRoundSeconds(model, microBatch));
    if (least > enough)  // computing alone
        return std::nullopt;
    double best = round;
    const CostModel changed(problem, model.costs());
    Plan same = plan;
    chooseLevels(changed, same);
    if (const auto judged = evaluate(changed, same))
        best = std::min(best, judged->roundSeconds);
    if (options.steps > 0) {
        PlannerOptions limits;
        limits.stepLimit = options.steps;
        limits.cancelled = options.cancelled;
        const QString planner = options.planner.isEmpty() ? defaultPlanner() : options.planner;
        if (const auto anew = makePlan(planner, problem, model.costs(), limits); anew && anew->prediction->fits)
            best = std::min(best, anew->prediction->roundSeconds);
    }
    return best > 0 && best <= enough ? std::optional(round / best) : std::nullopt;
}

}  // namespace hearth
