// Problems and plans from outside: read, and what reads is judged.
#include <QJsonDocument>

#include "core/plan/evaluate.h"
#include "core/plan/plan.h"
#include "core/plan/planner.h"
#include "fuzz_json.h"

namespace {

using namespace hearth;

/// Every planner answers a small problem with a valid plan or says why not.
void planSmall(const PlanningProblem &problem) {
    PlannerOptions options;
    options.stepLimit = 200;
    for (const QString &name : plannerNames()) {
        const auto plan = makePlan(name, problem, options);
        if (!plan && plan.error().what.isEmpty())
            qFatal("An error says nothing.");
        if (!plan && plan.error().code == QLatin1String("plan.invalid"))
            qFatal("A planner made a plan that cannot be.");
        if (plan && (!plan->validateFor(problem) || !Plan::fromJson(plan->toJson(), QStringLiteral("again"))))
            qFatal("A planner's plan is not valid.");
    }
}

/// Two devices side by side, each with the whole model.
void judgePipelines(const PlanningProblem &problem, const Plan &stages) {
    if (problem.devices.size() < 2 || stages.microBatches() < 2)
        return;
    Plan plan = stages;
    plan.stages.clear();
    for (int i = 0; i < 2; ++i) {
        const int samples = i == 0 ? plan.microBatch : plan.batch - plan.microBatch;
        plan.pipelines.push_back(
            {samples, {{0, plan.layerCount, {{problem.devices[static_cast<std::size_t>(i)].id, plan.microBatch}}, 1}}});
    }
    if (const auto judged = evaluate(problem, plan, {true}))
        plan.prediction = *judged;
    if (!Plan::fromJson(plan.toJson(), QStringLiteral("again")))
        qFatal("A plan of pipelines did not survive its own form.");
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t *data, std::size_t size) {
    using namespace hearth;
    const auto object = jsonOf(data, size);
    if (!object)
        return 0;
    const auto problem = PlanningProblem::fromJson(*object, QStringLiteral("input"));
    if (problem && problem->batch <= 1024 && problem->layers.size() <= 64) {
        const auto again = PlanningProblem::fromJson(problem->toJson(), QStringLiteral("again"));
        if (!again)
            qFatal("A problem did not survive its own form.");
        Plan plan;
        plan.layerCount = static_cast<int>(problem->layers.size());
        plan.batch = problem->batch;
        plan.microBatch = problem->microBatch.value_or(problem->batch);
        const int middle = plan.layerCount / 2;
        if (problem->devices.size() > 1 && middle > 0) {
            plan.stages = {{0, middle, {{problem->devices[0].id, plan.microBatch}}, 3},
                           {middle, plan.layerCount, {{problem->devices[1].id, plan.microBatch}}, 1}};
        } else {
            plan.stages = {{0, plan.layerCount, {{problem->devices[0].id, plan.microBatch}}, 1}};
        }
        if (const auto judged = evaluate(*problem, plan, {true}))
            plan.prediction = *judged;
        plan.toJson();
        judgePipelines(*problem, plan);
        if (problem->layers.size() <= 6 && problem->devices.size() <= 4 && problem->batch <= 32)
            planSmall(*problem);
    }
    if (const auto plan = Plan::fromJson(*object, QStringLiteral("input"))) {
        if (!Plan::fromJson(plan->toJson(), QStringLiteral("again")))
            qFatal("A plan did not survive its own form.");
    }
    return 0;
}
