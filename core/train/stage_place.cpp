#include "core/train/stage_place.h"

#include "core/plan/schedule.h"

namespace hearth {

StagePlace stagePlaceOf(const Deployment &deployment, const QString &self, int stage) {
    const auto index = static_cast<std::size_t>(stage);
    const Deployment::Stage &own = deployment.stages[index];
    const auto schedule = Schedule::byName(deployment.schedule);
    std::vector<int> limits;
    for (const Deployment::Stage &each : deployment.stages) {
        // That a schedule is unknown is said when the stage is built.
        limits.push_back(schedule ? schedule->mostInFlight(each.inFlight, deployment.microBatches) : each.inFlight);
    }
    const auto member = static_cast<std::size_t>(deployment.memberOf(stage, self));
    StagePlace place{own.firstLayer, own.lastLayer, own.members[member].samples, limits[index], own.recompute};
    if (const auto &asynchronous = deployment.training.asynchronous)
        place.delay = asynchronous->delays(limits, deployment.microBatches)[index];
    return place;
}

}  // namespace hearth
