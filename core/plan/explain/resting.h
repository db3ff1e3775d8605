// What it would cost to give work to a device that a plan does without.
#pragma once

#include <QMap>
#include <QString>

#include "core/plan/cost_model.h"
#include "core/plan/plan.h"

namespace hearth {

/// By id of each device at rest: by which part a round would take longer if it got work, in the quickest of the plans
/// that put it into one stage, or into a new one, and change nothing else. Devices for which no such plan fits are left
/// out. The plan is valid for the model's problem. Some milliseconds for a home: at most 16 devices are tried.
QMap<QString, double> costOfWork(const CostModel &model, const Plan &plan);

}  // namespace hearth
