// Improves a plan by small changes: for homes too large to be searched exactly, and for what a person left open.
#pragma once

#include <optional>
#include <random>
#include <unordered_map>

#include "core/plan/search/outline.h"
#include "core/plan/search/placement_judge.h"
#include "core/plan/search/search_clock.h"

namespace hearth {

struct LocalSearchOptions {
    /// Only outlines for which this is true are considered. Empty: all.
    std::function<bool(const Outline &)> allowed;
    bool mayRecompute = true;
    bool freeLimits = true;  // of micro-batches under way, as PlacementJudge has it
    bool mayChangeMicroBatch = true;
};

/// Hill-climbing over outlines. After each structural change the borders are balanced by the closed form, then the plan
/// is simulated. Shares follow Eq. 8, in-flight limits the widest rule that fits, then recomputation. One thread.
class LocalSearch {
  public:
    /// References must outlive it.
    LocalSearch(const CostModel &model, SearchClock &clock, LocalSearchOptions options = {});

    struct Found {
        Placement placement;
        double seconds = 0;
    };
    /// The outline with shares and limits; nothing where it does not fit. Devices without samples are left out.
    std::optional<Placement> build(const Outline &outline);
    /// Until no single change is better, or the clock ends it. Nothing where the start does not fit.
    std::optional<Found> improve(const Outline &start);
    std::optional<Found> improve(const Found &start);
    /// Again and again from randomly changed versions of the best, `kicks` times or until the clock ends it.
    Found improveRepeatedly(Found best, int kicks, std::mt19937 &random);

  private:
    struct KeyHash {
        std::size_t operator()(const std::vector<int> &key) const;
    };
    bool consider(Outline outline, bool structural, Found &best);
    void climb(Found &best);
    void balance(Outline &outline);
    double closedForm(const Outline &outline);
    struct Stage {
        StagePlacement placement;  // empty group: it does not fit
        StepTimes step;            // of one micro-batch
    };
    const Stage &stage(const Outline &outline, int index);
    Outline kicked(const Outline &outline, std::mt19937 &random) const;

    const CostModel &m_model;
    SearchClock &m_clock;
    LocalSearchOptions m_options;
    PlacementJudge m_judge;
    std::vector<int> m_microBatches;
    std::unordered_map<std::vector<int>, Stage, KeyHash> m_stages;
};

}  // namespace hearth
