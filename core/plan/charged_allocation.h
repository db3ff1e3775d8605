// The exact optimum of what a stage is charged: max forward + max backward over its members (Asteroid, Eq. 8).
#pragma once

#include <span>

#include "core/plan/cost_model.h"

namespace hearth {

struct ChargedRequest {
    int firstLayer = 0;
    int lastLayer = 0;
    bool recompute = false;        // charges the forward pass once more in the backward pass
    std::span<const int> devices;  // in the order of their sample intervals
    std::span<const int> caps;     // most samples of each
    int least = 1;                 // fewest samples of each
    int total = 0;
};

/// Fills `shares` (parallel to the devices) and returns true, or returns false when the caps leave no way. Among equal
/// optima the one with the smallest largest share, which travels fastest; among those the earlier devices take more.
/// Times must not fall as samples grow (CostSource says so).
bool chargedShares(const CostModel &model, const ChargedRequest &request, std::span<int> shares);

}  // namespace hearth
