#include "core/train/stage_place.h"

#include "core/plan/schedule.h"

namespace hearth {

StagePlace stagePlaceOf(const Deployment &deployment, const QString &self) {
    const auto [index, member] = deployment.placeOf(self);
    const Deployment::Stage &own = deployment.stages[static_cast<std::size_t>(index)];
    const auto schedule = Schedule::byName(deployment.schedule);
    std::vector<int> limits;
    for (const Deployment::Stage &stage : deployment.stages) {
        // That a schedule is unknown is said when the stage is built.
        limits.push_back(schedule ? schedule->mostInFlight(stage.inFlight, deployment.microBatches) : stage.inFlight);
    }
    StagePlace place{own.firstLayer, own.lastLayer, own.members[static_cast<std::size_t>(member)].samples,
                     limits[static_cast<std::size_t>(index)], own.recompute};
    if (const auto &asynchronous = deployment.training.asynchronous)
        place.delay = asynchronous->delays(limits, deployment.microBatches)[static_cast<std::size_t>(index)];
    return place;
}

}  // namespace hearth
