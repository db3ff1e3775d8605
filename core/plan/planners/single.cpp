// `single`: the best device alone, gradients accumulated over micro-batches.
#include "core/plan/planners/tools.h"

namespace hearth {
namespace {

class SinglePlanner final : public Planner {
  public:
    QString name() const override { return QStringLiteral("single"); }
    PlannerSource source() const override { return {sentence("Best single device")}; }

    Result<Plan> plan(const CostModel &model, const PlannerOptions &options) const override {
        const PlanningProblem &problem = model.problem();
        const int layers = model.layerCount();
        BestPlan best(model);
        for (const int microBatch : microBatchChoices(problem)) {
            if (microBatch < model.memory().minimumSamples(0, layers))
                continue;
            for (int device = 0; device < model.deviceCount(); ++device) {
                if (best.any() && options.stopped())
                    return best.take();
                const Group alone{{device, microBatch}};
                best.offer(planOf(problem, name(), microBatch, {stageOf(problem, 0, layers, alone, 1)}));
            }
        }
        if (!best.any())
            return noPlan(model);
        return best.take();
    }
};

}  // namespace

std::unique_ptr<Planner> makeSinglePlanner() {
    return std::make_unique<SinglePlanner>();
}

}  // namespace hearth
