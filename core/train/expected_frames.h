// What the frames of a run may be, as its deployment says.
#pragma once

#include <QSet>

#include "core/model/model.h"
#include "core/protocol/deployment.h"

namespace hearth {

/// Members of other stages that hold a tied tensor which this device holds, too: they sum its gradient together.
QSet<QString> tiePartners(const Deployment &deployment, const Model &model, const QString &self);

/// Who may ask this device for frozen tensors, and whom it may ask, beside those of its group: both ends of each pair
/// find each other here.
QSet<QString> frozenPartners(const Deployment &deployment, const QString &self);

/// No tensor that anybody sends to this device for the deployment has more bytes. Any thread.
quint64 largestFrame(const Deployment &deployment, const Model &model, const QString &self);

}  // namespace hearth
