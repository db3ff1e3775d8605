#include "core/plan/planner.h"

#include <QElapsedTimer>

#include "core/base/json_reader.h"
#include "core/plan/asynchronous_round.h"
#include "core/plan/cut_levels.h"
#include "core/plan/evaluate.h"
#include "core/plan/planners/interleaved.h"
#include "core/plan/planners/local_steps.h"
#include "core/plan/roomy_plan.h"

namespace hearth {
namespace {

double secondsSince(const QElapsedTimer &timer) {
    return static_cast<double>(timer.nsecsElapsed()) * 1e-9;
}

}  // namespace

const std::vector<std::unique_ptr<Planner>> &planners() {
    static const std::vector<std::unique_ptr<Planner>> all = [] {
        std::vector<std::unique_ptr<Planner>> list;
        list.push_back(makeHearthPlanner());
        list.push_back(makeAsteroidPlanner());
        list.push_back(makeSinglePlanner());
        list.push_back(makeDataParallelPlanner());
        list.push_back(makeEddlPlanner());
        list.push_back(makeGpipePlanner());
        list.push_back(makeOneForwardOneBackwardPlanner());
        list.push_back(makePipedreamPlanner());
        list.push_back(makeDapplePlanner());
        list.push_back(makeHetpipePlanner());
        list.push_back(makeAlpaPlanner());
        list.push_back(makeFtpipehdPlanner());
        return list;
    }();
    return all;
}

QStringList plannerNames() {
    QStringList names;
    for (const auto &planner : planners())
        names << planner->name();
    return names;
}

QString defaultPlanner() {
    return planners().front()->name();
}

Result<const Planner *> findPlanner(const QString &name) {
    for (const auto &planner : planners()) {
        if (planner->name() == name)
            return planner.get();
    }
    return fail(QStringLiteral("planner.unknown"), sentence("There is no planner \"%1\".").arg(name.left(60)),
                QString(), didYouMean(name, plannerNames()));
}

Result<Plan> searchOnce(const QString &planner, const PlanningProblem &problem, const CostSource &costs,
                        const PlannerOptions &options) {
    const auto found = findPlanner(planner);
    if (!found)
        return tl::unexpected(found.error());
    if (problem.localSteps.any() && !localStepsPlanners().contains(planner)) {
        return fail(QStringLiteral("planner.local-steps"),
                    sentence("The planner \"%1\" cuts the network.").arg(planner),
                    sentence("With local steps every device holds all of it."),
                    sentence("Choose %1.").arg(localStepsPlanners().join(QStringLiteral(", "))));
    }
    QElapsedTimer timer;
    timer.start();
    PlannerOptions limited = options;
    if (options.secondsLimit)
        limited.cancelled = [&] { return secondsSince(timer) >= *options.secondsLimit || options.stopped(); };
    const CostModel model(problem, costs);
    auto plan = (*found)->plan(model, limited);
    if (options.isAbandoned())
        return fail(QStringLiteral("plan.stopped"), sentence("The search was stopped before it found a plan."));
    if (!plan)
        return plan;
    if (!isLossy(*plan))  // other planners know nothing of levels
        chooseLevels(model, *plan);
    if (problem.asynchronous && planner == defaultPlanner() && plan->pipelines.empty())
        *plan = bestAsynchronous(model, *plan, limited);
    else if (planner == defaultPlanner())
        *plan = withInterleaving(model, std::move(*plan), limited);
    return plan;
}

Result<Plan> makePlan(const QString &planner, const PlanningProblem &problem, const CostSource &costs,
                      const PlannerOptions &options) {
    QElapsedTimer timer;
    timer.start();
    auto plan = planWithRoom(problem, options, [&](const PlanningProblem &searched) {
        return searchOnce(planner, searched, costs, options);
    });
    if (!plan)
        return plan;
    const double seconds = secondsSince(timer);
    auto prediction = evaluate(CostModel(problem, costs), *plan, {.playTasks = playableTasks});
    if (!prediction)
        return tl::unexpected(prediction.error());
    if (plan->prediction) {  // what the planner knows of its answer
        prediction->provedOptimal = plan->prediction->provedOptimal;
        prediction->gap = plan->prediction->gap;
    }
    plan->prediction = std::move(*prediction);
    plan->prediction->planningSeconds = seconds;
    return plan;
}

Result<Plan> makePlan(const QString &planner, const PlanningProblem &problem, const PlannerOptions &options) {
    return makePlan(planner, problem, *problem.costs(), options);
}

}  // namespace hearth
