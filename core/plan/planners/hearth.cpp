// `hearth`: the exact search where it can be afforded, the best that local search finds elsewhere.
#include "core/plan/planners/tools.h"
#include "core/plan/search/search.h"

namespace hearth {
namespace {

class HearthPlanner final : public Planner {
  public:
    QString name() const override { return QStringLiteral("hearth"); }
    QString source() const override {
        return QStringLiteral("Hearth: Asteroid's plan space, searched exactly by strict bounds and simulation");
    }

    Result<Plan> plan(const CostModel &model, const PlannerOptions &options) const override {
        const auto found = searchPlans(model, options);
        if (!found)
            return noPlan(model, found.error() == NothingFound::Stopped);
        Plan plan = planOf(model.problem(), name(), found->placement);
        Prediction claim;
        claim.provedOptimal = found->proved;
        claim.gap = found->gap();
        plan.prediction = claim;
        return plan;
    }
};

}  // namespace

std::unique_ptr<Planner> makeHearthPlanner() {
    return std::make_unique<HearthPlanner>();
}

}  // namespace hearth
