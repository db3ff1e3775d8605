#include "core/plan/roomy_plan.h"

#include "core/plan/plan_memory.h"

namespace hearth {
namespace {

bool isWhole(const PlanningProblem &problem, const Result<Plan> &plan) {
    return plan && fitsWholly(CostModel(problem), *plan);
}

/// As if the copies that devices keep under that plan were there already.
PlanningProblem withoutCopies(PlanningProblem problem, const Plan &plan) {
    Prediction all, own;
    judgeMemory(CostModel(problem), plan, &all);
    problem.keptCopies = 0;
    judgeMemory(CostModel(problem), plan, &own);
    for (PlanningProblem::Device &device : problem.devices)
        device.memoryBytes -= all.memoryBytes.value(device.id) - own.memoryBytes.value(device.id);
    return problem;
}

}  // namespace

Result<Plan> planWithRoom(const PlanningProblem &problem, const PlannerOptions &options,
                          const std::function<Result<Plan>(const PlanningProblem &problem)> &search) {
    Result<Plan> plan = search(problem);
    const bool isAllThereIs = problem.keptCopies == 0 && problem.keptStates == 0;
    if (isAllThereIs || isWhole(problem, plan))
        return plan;
    if (plan && plan->pipelines.empty() && problem.keptCopies > 0 && !options.stopped()) {
        Result<Plan> other = search(withoutCopies(problem, *plan));
        if (isWhole(problem, other)) {
            other->prediction.reset();
            return other;
        }
        if (other && other->isSame(*plan))
            return plan;  // of a planner that does not ask what fits
    }
    PlanningProblem less = problem;
    while (!isWhole(less, plan) && !options.stopped() && less.keepLess())
        plan = search(less);
    return plan;
}

}  // namespace hearth
