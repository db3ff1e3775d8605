// `dp`: the whole model on every device, even shares (DP-even).
#include "core/plan/planners/tools.h"
#include "core/plan/planners/uniform_home.h"

namespace hearth {
namespace {

class DataParallelPlanner final : public Planner {
  public:
    QString name() const override { return QStringLiteral("dp"); }
    PlannerSource source() const override { return {sentence("Data parallelism, even shares")}; }

    Result<Plan> plan(const CostModel &model, const PlannerOptions &options) const override {
        const PlanningProblem &problem = model.problem();
        const int layers = model.layerCount();
        const int devices = model.deviceCount();
        BestPlan best(model);
        for (const int microBatch : microBatchChoices(problem)) {
            if (best.any() && options.stopped())
                break;
            if (microBatch / devices < model.memory().minimumSamples(0, layers))
                continue;  // "everywhere" would not be true
            const Group all = evenGroup(0, devices, microBatch);
            best.offer(planOf(problem, name(), microBatch, {stageOf(problem, 0, layers, all, 1)}));
        }
        if (!best.any()) {
            return fail(
                QStringLiteral("plan.no-plan"), sentence("The batch cannot be shared evenly by all devices."),
                sentence("There {1|is|are} %1 {1|device|devices} for micro-batches of at most %2 {2|sample|samples}, "
                         "or two devices cannot reach each other.")
                    .arg(devices)
                    .arg(problem.microBatch.value_or(problem.batch)));
        }
        return best.take();
    }
};

}  // namespace

std::unique_ptr<Planner> makeDataParallelPlanner() {
    return std::make_unique<DataParallelPlanner>();
}

}  // namespace hearth
