// What the frames of a run may be, as its deployment says.
#pragma once

#include "core/model/model.h"
#include "core/protocol/deployment.h"

namespace hearth {

/// No tensor that anybody sends to this device for the deployment has more bytes. Any thread.
quint64 largestFrame(const Deployment &deployment, const Model &model, const QString &self);

}  // namespace hearth
