// How a plan's parts are called in sentences for people.
#pragma once

#include <QString>

namespace hearth {

struct PlanningProblem;

/// "3.1 GB".
QString bytesText(double bytes);
/// The layer's name, or "layer 5" where it has none.
QString layerText(const PlanningProblem &problem, int layer);

}  // namespace hearth
