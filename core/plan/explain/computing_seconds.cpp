#include "core/plan/explain/computing_seconds.h"

#include "core/plan/steps.h"

namespace hearth {

std::map<int, double> computingSeconds(const CostModel &model, const Plan &plan) {
    std::map<int, double> seconds;
    for (const Plan &pipeline : plan.sideBySide()) {
        const Placement placement = placementOf(model.problem(), pipeline);
        for (std::size_t s = 0; s < placement.stages.size(); ++s) {
            const Group &group = placement.stages[s].group;
            const std::vector<LayerSeconds> once = memberSecondsOf(model, placement, s);
            for (std::size_t i = 0; i < group.size(); ++i)
                seconds[group[i].device] += pipeline.microBatches() * (once[i].forward + once[i].backward);
        }
    }
    return seconds;
}

}  // namespace hearth
