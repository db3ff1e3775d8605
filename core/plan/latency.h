// The closed form of a round's latency, and its bounds (Asteroid, Eq. 4 to 6).
#pragma once

#include <algorithm>
#include <vector>

#include "core/profile/cost_source.h"
#include "core/profile/link_profile.h"

namespace hearth {

/// What a group is charged whose members each take their own time.
class SlowestMember {
  public:
    void add(const LayerSeconds &member) {
        m_forward = std::max(m_forward, member.forward);
        m_backward = std::max(m_backward, member.backward);
        m_gradient = std::max(m_gradient, member.backward - member.weights);
    }
    LayerSeconds seconds() const { return {m_forward, m_backward, m_backward - m_gradient}; }

  private:
    double m_forward = 0;
    double m_backward = 0;
    double m_gradient = 0;  // from the start of the backward pass until all have the gradient of the input
};

/// Seconds of one step for one micro-batch. Steps alternate: execution of a stage, transfer over the cut after it.
struct StepTimes {
    double forward = 0;
    double backward = 0;  // until the gradient leaves
    /// What one micro-batch takes of the step's resource: both passes whole, or the longer one where both directions of
    /// a transfer run at once.
    double occupied = 0;
    double allReduce = 0;
    double weights = 0;  // of executions: the backward pass after that

    static StepTimes execution(const LayerSeconds &once, double allReduce = 0) {
        return {once.forward, once.backward - once.weights, once.forward + once.backward, allReduce, once.weights};
    }
    static StepTimes execution(double forward, double backward, double allReduce = 0) {
        return execution(LayerSeconds{forward, backward, 0}, allReduce);
    }
    /// Of one micro-batch: what no other one can use in the direction that takes longer, gradients of weights put off.
    double longerWay() const { return std::max(forward, backward); }
    /// What one micro-batch takes until its gradient has left.
    double beforeWeights() const { return occupied - weights; }
    /// Of an execution: the stage's whole round.
    double whole(int microBatches) const { return microBatches * occupied + allReduce; }
    /// From the moment when the last gradient has left to the end of the stage's round.
    double closing() const { return weights + allReduce; }
    static StepTimes transfer(double forward, double backward, Duplex duplex) {
        return {forward, backward, duplex == Duplex::Full ? std::max(forward, backward) : forward + backward, 0, 0};
    }
};

/// The state of the closed form for a suffix of steps.
struct SuffixLatency {
    double a = 0;
    double g = 0;

    double latency() const { return a + g; }
    static SuffixLatency last(const StepTimes &step, int microBatches) {
        return {step.forward + step.backward + (microBatches - 1) * step.occupied, step.closing()};
    }
    SuffixLatency prepended(const StepTimes &step, int microBatches) const {
        const double once = step.forward + step.backward;
        return {std::max(once + (microBatches - 1) * step.occupied, once + a),
                std::max(step.closing(), g - step.backward)};
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
/// No execution of these steps is faster, whatever its in-flight limits, also where gradients of weights are put off,
/// so that the last gradient may leave before them.
double strictLowerBound(const std::vector<StepTimes> &steps, int microBatches);

}  // namespace hearth
