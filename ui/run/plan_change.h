// What differs between two plans of one run.
#pragma once

#include <QString>
#include <QStringList>

#include "core/plan/plan.h"

namespace hearth {

/// The devices that compute layers of `device` after the change and did not before; in the order of layers. Where all
/// of its layers had other owners already (a group), those are named: they took over its samples.
QStringList newOwners(const Plan &before, const Plan &after, const QString &device);

}  // namespace hearth
