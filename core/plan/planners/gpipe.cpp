// `gpipe`: one device for each stage in the given order, stages balanced, all forwards before all backwards.
#include "core/plan/plan_memory.h"
#include "core/plan/planners/chain.h"
#include "core/plan/planners/tools.h"

namespace hearth {
namespace {

/// GPipe takes the number of micro-batches as given: the common simulator chooses. Where a size does not fit, GPipe
/// recomputes the activations of all stages, and so does this planner.
class GpipePlanner final : public Planner {
  public:
    QString name() const override { return QStringLiteral("gpipe"); }
    PlannerSource source() const override { return {QStringLiteral("GPipe"), QStringLiteral("NeurIPS"), 2019}; }

    Result<Plan> plan(const CostModel &model, const PlannerOptions &options) const override {
        UniformHome home(model);
        return bestMicroBatch(model, options, [&](int microBatch, BestPlan &best) {
            auto plan = balancedPlan(model, home, name(), microBatch, options);
            if (!plan)
                return;
            plan->schedule = Schedule::FillDrain;
            for (PlanStage &stage : plan->stages)
                stage.inFlight = plan->microBatches();
            best.offer(*plan);
            if (fitsWholly(model, *plan))
                return;
            for (PlanStage &stage : plan->stages)
                stage.recompute = true;
            best.offer(*std::move(plan));
        });
    }
};

}  // namespace

std::unique_ptr<Planner> makeGpipePlanner() {
    return std::make_unique<GpipePlanner>();
}

}  // namespace hearth
