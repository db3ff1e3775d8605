// What lies beyond the space of the search: single samples, single limits, another schedule.
#pragma once

#include "core/plan/search/placement_judge.h"
#include "core/plan/search/search_clock.h"

namespace hearth {

/// Hill-climbs shares (one sample from one member to another), in-flight limits one by one within the memory, and tries
/// fill-drain. Where gradients of weights are put off, no more micro-batches stay in flight than the round has use for.
/// `seconds` is the simulated round of the placement; returns that of the improved one. What does not fit
/// memory stays out.
double polish(const CostModel &model, SearchClock &clock, Placement &placement, double seconds);

}  // namespace hearth
