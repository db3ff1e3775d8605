// What wrong times cost: plans that are made on them, by the times that are true.
#pragma once

#include "timings.h"

namespace hearth::bench {

using PredictedTables = std::map<QString, std::map<QString, TimeTable>>;  // by network and device

/// By how much rounds of plans on other times are longer than those of plans on the first measurement, by which both
/// are judged: in all homes of three of the devices. `corrections`: so often the times were put right by rounds under
/// the plan, as a run does it, and planned on again.
std::vector<double> plannedLonger(const Timings &timings, const PredictedTables &others, int corrections);

}  // namespace hearth::bench
