// Strict bounds of a round's latency, built step by step from either end of the pipeline.
#pragma once

#include <algorithm>
#include <limits>

#include "core/plan/latency.h"

namespace hearth {

/// What the cards of a stage carry of its cuts in a round, with what passes at that stage before the first byte and
/// after the last. Seconds.
struct CardLoad {
    double sending = 0;
    double receiving = 0;
    double both = 0;  // one way at a time
};

/// Lower bounds for a suffix of the pipeline, whatever its in-flight limits, also where gradients of weights are put
/// off (strictLowerBound()). Seconds. No execution ends earlier.
struct SuffixBound {
    static constexpr double nothing = -std::numeric_limits<double>::infinity();

    double drained = nothing;  // from the first forward of its first step to the last gradient that leaves it
    double latency = nothing;  // the same to the end of everything
    double roundTrip = 0;      // of one micro-batch
    double air = 0;            // what all transfers take of the shared medium

    SuffixBound afterExecution(const StepTimes &step, int microBatches) const {
        SuffixBound result = through(step, microBatches);
        result.latency = std::max({step.forward + latency, result.drained + step.closing(), step.whole(microBatches)});
        return result;
    }
    SuffixBound afterTransfer(const StepTimes &step, int microBatches, bool onAir) const {
        SuffixBound result = through(step, microBatches);
        result.latency = step.forward + latency;
        if (onAir)
            result.air += microBatches * (step.forward + step.backward);
        return result;
    }
    /// The same where the cards of the stage behind the cut carry all this: the pipeline fills up to there first, and
    /// drains from there last.
    SuffixBound afterTransfer(const StepTimes &step, int microBatches, bool onAir, const CardLoad &behind) const {
        SuffixBound result = afterTransfer(step, microBatches, onAir);
        const double filled = std::max({behind.sending + step.forward, behind.receiving + step.backward, behind.both});
        result.drained = std::max(result.drained, filled);
        return result;
    }
    double seconds() const { return std::max(latency, air); }

  private:
    SuffixBound through(const StepTimes &step, int microBatches) const {
        const double once = step.forward + step.backward;
        const int others = microBatches - 1;
        SuffixBound result;
        result.roundTrip = roundTrip + once;
        result.drained = std::max(
            {once + others * step.beforeWeights(), once + drained, result.roundTrip + others * step.longerWay()});
        result.air = air;
        return result;
    }
};

/// What a prefix of the pipeline makes of the bound of any suffix: the largest of the suffix's parts, each with a
/// constant added. Appending a step costs O(1), and so does the bound of the whole pipeline.
struct PrefixBound {
    double constant = SuffixBound::nothing;
    double drained = SuffixBound::nothing;
    double roundTrip = SuffixBound::nothing;
    double latency = 0;
    double air = 0;

    PrefixBound withExecution(const StepTimes &step, int microBatches) const {
        PrefixBound seen = *this;  // by the execution's own drained and latency
        seen.drained = std::max(drained, latency + step.closing());
        seen.constant = std::max(constant, latency + step.whole(microBatches));
        return seen.through(step, microBatches);
    }
    PrefixBound withTransfer(const StepTimes &step, int microBatches, bool onAir) const {
        PrefixBound result = through(step, microBatches);
        if (onAir)
            result.air += microBatches * (step.forward + step.backward);
        return result;
    }
    double over(const SuffixBound &suffix) const {
        return std::max({constant, drained + suffix.drained, roundTrip + suffix.roundTrip, latency + suffix.latency,
                         air + suffix.air});
    }
    /// Over the empty suffix: the pipeline ends here.
    double closed() const { return std::max({constant, roundTrip, air}); }

  private:
    PrefixBound through(const StepTimes &step, int microBatches) const {
        const double once = step.forward + step.backward;
        const int others = microBatches - 1;
        PrefixBound result;
        result.constant = std::max(constant, drained + once + others * step.beforeWeights());
        result.drained = drained + once;
        result.roundTrip = std::max(roundTrip + once, drained + once + others * step.longerWay());
        result.latency = latency + step.forward;
        result.air = air;
        return result;
    }
};

}  // namespace hearth
