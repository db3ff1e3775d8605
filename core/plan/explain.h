// What limits a plan, and what would help most, in words.
#pragma once

#include <QStringList>

#include "core/plan/cost_model.h"
#include "core/plan/plan.h"

namespace hearth {

/// English sentences about a plan that was judged (it has a prediction). Gains are for the same plan on changed devices
/// or links; planning anew may gain more.
QStringList explain(const CostModel &model, const Plan &plan);

}  // namespace hearth
