// A quick look at many pipelines: grown from the last stage to the first, only the most promising kept.
#pragma once

#include "core/plan/search/bounds.h"
#include "core/plan/search/search_clock.h"
#include "core/plan/search/stage_options.h"
#include "core/plan/steps.h"

namespace hearth {

struct BeamSettings {
    int width = 40;        // partial pipelines kept per position
    int largestGroup = 2;  // devices; besides, all sizes of groups of equal devices
    int results = 40;
    bool mayRecompute = true;
};

/// Plans of the most promising bounds, best first, none of which is sure to be good. Small groups only; homes of up to
/// 64 devices (nothing beyond). `cuts` as for StageOptions.
std::vector<Placement> beamSearch(const CostModel &model, const std::vector<int> &cuts, int microBatch,
                                  const BeamSettings &settings, double limitSeconds, OptionMemory *memory,
                                  SearchClock &clock);

}  // namespace hearth
