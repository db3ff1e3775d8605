// What gestures of the Plan page mean as edits of a plan.
#pragma once

#include <optional>

#include "core/plan/edit/edit.h"

namespace hearth {

/// The stage (from 0) of a device; nothing for one at rest.
std::optional<int> stageIn(const Plan &plan, const QString &device);
int samplesIn(const Plan &plan, const QString &device);

/// The device takes that many samples of each micro-batch: the others of its stage give or get the difference, one by
/// one, from who has most or to who has least; those with a locked share stay as they are.
Result<Edited> setSamples(const PlanEditor &editor, const Plan &plan, const QString &device, int samples);

}  // namespace hearth
