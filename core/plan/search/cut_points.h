// Fewer places to cut, where all of them would take too long.
#pragma once

#include <vector>

#include "core/plan/cost_model.h"

namespace hearth {

/// Layers at which stages may begin, from 0 to L: all of them, or about `parts` parts of equal work, each moved to the
/// cheapest cut nearby.
std::vector<int> cutPoints(const CostModel &model, int parts);

}  // namespace hearth
