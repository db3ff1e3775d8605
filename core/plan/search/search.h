// The search for the best plan: a good one at once, then better ones, then the proof.
#pragma once

#include "core/plan/planner.h"
#include "core/plan/steps.h"

namespace hearth {

struct SearchSettings {
    /// Limits of micro-batches under way are searched too; else they follow 2·(stages to the end) - 1.
    bool freeLimits = true;
    /// Stages may compute their forward pass again in the backward pass where memory binds.
    bool mayRecompute = true;
    /// Shares, limits and schedule of the best plan are improved beyond what the search space holds.
    bool polish = true;
    unsigned seed = 1;
};

struct SearchResult {
    Placement placement;
    double seconds = 0;     // simulated
    double lowerBound = 0;  // no plan of the space is shorter; a polished one, being outside, may be
    /// No plan of the space is shorter: all cuts, ordered groups and resting devices, micro-batch sizes, shares by
    /// Eq. 8, limits by the rules, simulated.
    bool proved = false;
    quint64 steps = 0;

    /// Part of the round by which a plan of the space may still be shorter; 0 where proved.
    double gap() const { return proved || !(seconds > 0) ? 0 : std::max(0.0, 1 - lowerBound / seconds); }
};

enum class NothingFound { NoPlanFits, Stopped };

/// Deterministic for the settings, the step limit and the problem; not under a limit of
/// seconds. Without any limit it ends by itself after a bounded number of steps.
tl::expected<SearchResult, NothingFound> searchPlans(const CostModel &model, const PlannerOptions &options,
                                                     const SearchSettings &settings = {});

}  // namespace hearth
