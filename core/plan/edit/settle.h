// What follows from changed layers or devices of a stage: its in-flight limit and its shares (Eq. 3 and 8).
#pragma once

#include <optional>
#include <vector>

#include "core/plan/in_flight.h"
#include "core/plan/steps.h"

namespace hearth {

/// The rule that most stages obey, or would if memory let them hold one more; Early among equals.
InFlightRule limitRuleOf(const CostModel &model, const Placement &placement);
/// What stage `stage` of `stages` should hold, memory aside, if it was stage `origin` of `before` (-1: it is new): the
/// rule's number where it obeyed the rule or memory kept it below, else its own, which a person chose.
int inFlightAfter(const CostModel &model, const Placement &before, InFlightRule rule, int origin, int stage, int stages,
                  int microBatches);

struct StageRequest {
    StagePlacement stage;      // samples count where pinned; inFlight is the most that it should hold
    std::vector<char> pinned;  // parallel to the group: samples are given; empty: nobody's are
    int microBatch = 1;
    int microBatches = 1;
    Schedule schedule = Schedule::OneForwardOneBackward;
    bool everyone = true;  // false: a device that only slows the stage may end with no samples and leave it
};

/// Why a stage cannot be as asked.
struct StageLack {
    enum class Kind { Memory, TooFewSamples, PinnedShares };
    Kind kind = Kind::Memory;
    int device = -1;       // Memory: who lacks it; TooFewSamples: whose pinned share is too small, if that is why
    double needed = 0;     // bytes, with one micro-batch in flight
    double available = 0;  // bytes
    int minimum = 1;       // TooFewSamples: what each device needs
};

/// Shares by the exact rule for all that are not pinned; the in-flight limit lowered as far as memory asks, and no
/// further than 1. Fill-drain holds all micro-batches whatever the limit, so there nothing can be lowered.
tl::expected<StagePlacement, StageLack> settleStage(const CostModel &model, const StageRequest &request);

/// Whether all members of a stage fit.
bool stageFits(const CostModel &model, const StagePlacement &stage, int held);

}  // namespace hearth
