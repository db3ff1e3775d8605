// Complete plans in the order of their strict bounds, simulated until no plan left can be better.
#pragma once

#include <functional>

#include "core/plan/search/placement_judge.h"
#include "core/plan/search/suffix_table.h"

namespace hearth {

struct BestFirstResult {
    /// Every plan of the space is at least that long; infinite when the space holds none below the limit.
    double lowerBound = std::numeric_limits<double>::infinity();
    bool exhausted = false;  // no plan of the space is shorter than the best one found or the limit
};

/// A* over the front of the pipeline: each node is a prefix of stages, its estimate the prefix over the table's bounds
/// of all that may follow. `offer` takes a placement with its bound, judges it and returns the limit from then on.
BestFirstResult enumerateBestFirst(StageOptions &options, const SuffixTable &table, double limitSeconds,
                                   SearchClock &clock, const std::function<double(Placement)> &offer);

}  // namespace hearth
