// Plans in which every device has several stages.
#pragma once

#include <optional>

#include "core/plan/planner.h"

namespace hearth {

/// What an interleaved plan must gain over the one that it takes the place of: its rounds are shorter by this part. It
/// sends several times as much, and what that costs processors is not predicted; it cannot be changed by hand; and a
/// device that is lost takes several stages with it.
inline constexpr double interleavingGain = 0.1;

/// The best interleaved plan that is found for the devices of a plan of stages: two or three stages for each, cut so
/// that all stages take alike, then border by border while rounds that are played (RoundPlayer) get shorter. A
/// micro-batch, which is as large as the plan's at least, passes each device several times, which fills and drains the
/// pipeline sooner and sends more: it pays where micro-batches are few and links fast. Nothing where the plan has no
/// two devices, the network has too few layers, no such plan fits, cuts may be compressed or the job trains
/// asynchronously or by local steps. Deterministic but for `options` that end it.
std::optional<Plan> interleavedPlan(const CostModel &model, const Plan &plan, const PlannerOptions &options);

/// The plan, or an interleaved one in its place.
Plan withInterleaving(const CostModel &model, Plan plan, const PlannerOptions &options);

}  // namespace hearth
