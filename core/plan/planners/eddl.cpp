// `eddl`: the whole model on every device, shares by measured speed, whatever their memory.
#include "core/plan/allocation.h"
#include "core/plan/planners/chain.h"
#include "core/plan/planners/tools.h"

namespace hearth {
namespace {

/// EDDL trains batch by batch without cutting it up, so it has no say in the micro-batch: the common simulator chooses,
/// among the sizes that leave no device without samples that has some of the whole batch.
class EddlPlanner final : public Planner {
  public:
    QString name() const override { return QStringLiteral("eddl"); }
    PlannerSource source() const override { return {QStringLiteral("EDDL"), QStringLiteral("SEC"), 2021}; }

    Result<Plan> plan(const CostModel &model, const PlannerOptions &options) const override {
        const PlanningProblem &problem = model.problem();
        const std::vector<int> devices = devicesInOrder(model);
        const int layers = model.layerCount();
        std::size_t members = 0;  // of the largest size, which comes first
        return bestMicroBatch(model, options, [&](int microBatch, BestPlan &best) {
            AllocationRequest request;
            request.lastLayer = layers;
            request.devices = devices;
            request.microBatch = microBatch;
            const auto group = shareBySpeed(model, request);
            if (!group || group->size() < members)
                return;
            members = group->size();
            best.offer(planOf(problem, name(), microBatch, {stageOf(problem, 0, layers, *group, 1)}));
        });
    }
};

}  // namespace

std::unique_ptr<Planner> makeEddlPlanner() {
    return std::make_unique<EddlPlanner>();
}

}  // namespace hearth
