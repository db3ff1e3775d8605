// Whether compressing what crosses cuts would pay.
#pragma once

#include <optional>

#include "core/plan/explain/what_if.h"

namespace hearth {

/// By what factor a round would be shorter with the levels of CodecChoice::Auto, on the same cuts or on those of a new
/// plan by the planner that made this one (no steps: on the same cuts alone, as for a person's plan). Nothing where
/// that is less than leastGain of it (cut_levels.h), or the plan has codecs already. The plan is valid for the model's
/// problem and has a prediction; a new one is only searched where transfers can be worth it. Deterministic.
std::optional<double> codecGain(const CostModel &model, const Plan &plan, const WhatIfOptions &options = {});

}  // namespace hearth
