// What a deployment makes of one device, in the planner's words. Internal to core/train.
#pragma once

#include "core/plan/memory.h"
#include "core/protocol/deployment.h"

namespace hearth {

/// `self` is a member of the stage. Pure function, any thread.
StagePlace stagePlaceOf(const Deployment &deployment, const QString &self, int stage);

}  // namespace hearth
