// `pp-1f1b`: GPipe's stages under the 1F1B schedule with K_p = P - p.
#include "core/plan/planners/chain.h"
#include "core/plan/planners/tools.h"

namespace hearth {
namespace {

/// Like GPipe it takes the number of micro-batches as given: the common simulator chooses.
class OneForwardOneBackwardPlanner final : public Planner {
  public:
    QString name() const override { return QStringLiteral("pp-1f1b"); }
    PlannerSource source() const override {
        return {sentence("1F1B pipeline"), QStringLiteral("PipeDream-Flush, ICML"), 2021};
    }

    Result<Plan> plan(const CostModel &model, const PlannerOptions &options) const override {
        UniformHome home(model);
        return bestMicroBatch(model, options, [&](int microBatch, BestPlan &best) {
            if (auto plan = balancedPlan(model, home, name(), microBatch, options))
                best.offer(*std::move(plan));
        });
    }
};

}  // namespace

std::unique_ptr<Planner> makeOneForwardOneBackwardPlanner() {
    return std::make_unique<OneForwardOneBackwardPlanner>();
}

}  // namespace hearth
