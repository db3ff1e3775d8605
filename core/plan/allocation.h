// Algorithm 1: how the samples of a micro-batch are shared inside a group (Asteroid, Eq. 8 and 9).
#pragma once

#include <optional>
#include <span>

#include "core/plan/cost_model.h"

namespace hearth {

enum class AllocationRule {
    Paper,   // memory-aware balancing, then straggler offloading: minimises max(forward + backward)
    Charged  // exact optimum of what a stage is charged (Eq. 8): max forward + max backward
};

struct AllocationRequest {
    int firstLayer = 0;
    int lastLayer = 0;
    std::span<const int> devices;  // indexes of the problem, each once
    int microBatch = 0;
    int inFlight = 1;  // capped by the number of micro-batches
    AllocationRule rule = AllocationRule::Paper;
    bool recompute = false;
};

/// Nothing when the group's memory cannot hold the micro-batch. Devices left with no sample are not in the result.
std::optional<Group> allocate(const CostModel &model, const AllocationRequest &request);
/// Phase 1 without any limit of memory: shares by measured speed. Nothing when no device's share is large enough for
/// the layers.
std::optional<Group> shareBySpeed(const CostModel &model, const AllocationRequest &request);

}  // namespace hearth
