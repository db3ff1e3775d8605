// How a plan's parts are called in sentences for people.
#pragma once

#include "core/base/number_text.h"

namespace hearth {

struct PlanningProblem;

/// The layer's name, or "layer 5" where it has none.
Sentence layerText(const PlanningProblem &problem, int layer);

}  // namespace hearth
