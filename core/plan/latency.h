// The closed form of a round's latency, and its bounds (Asteroid, Eq. 4 to 6).
#pragma once

#include <algorithm>
#include <vector>

#include "core/profile/link_profile.h"

namespace hearth {

/// Seconds of one step for one micro-batch. Steps alternate: execution of a stage, transfer over the cut after it.
struct StepTimes {
    double forward = 0;
    double backward = 0;
    /// What one micro-batch takes of the step's resource: forward + backward, or their maximum where both directions of
    /// a transfer run at once.
    double occupied = 0;
    double allReduce = 0;

    static StepTimes execution(double forward, double backward, double allReduce = 0) {
        return {forward, backward, forward + backward, allReduce};
    }
    static StepTimes transfer(double forward, double backward, Duplex duplex) {
        return {forward, backward, duplex == Duplex::Full ? std::max(forward, backward) : forward + backward, 0};
    }
};

/// The state of the closed form for a suffix of steps.
struct SuffixLatency {
    double a = 0;
    double g = 0;

    double latency() const { return a + g; }
    static SuffixLatency last(const StepTimes &step, int microBatches) {
        return {step.forward + step.backward + (microBatches - 1) * step.occupied, step.allReduce};
    }
    SuffixLatency prepended(const StepTimes &step, int microBatches) const {
        const double once = step.forward + step.backward;
        return {std::max(once + (microBatches - 1) * step.occupied, once + a),
                std::max(step.allReduce, g - step.backward)};
    }
};

struct RoundLatency {
    double seconds = 0;
    int dominantStep = 0;
};

/// Closed form over all steps, duplex-aware by way of StepTimes::occupied. `steps` is not empty.
RoundLatency closedFormLatency(const std::vector<StepTimes> &steps, int microBatches);
/// Eq. 4–6 as published: a transfer is always charged forward + backward.
RoundLatency asteroidLatency(const std::vector<StepTimes> &steps, int microBatches);
/// No execution of these steps is faster, whatever its in-flight limits (with the tail term of §4.1).
double strictLowerBound(const std::vector<StepTimes> &steps, int microBatches);

}  // namespace hearth
