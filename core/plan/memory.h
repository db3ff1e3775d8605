// Bytes that a device needs for its part of a plan (algorithms.md §2.1, Eq. 3).
#pragma once

#include "core/plan/problem.h"

namespace hearth {

/// Where in a plan a device sits; `samples` of each micro-batch are its own.
struct StagePlace {
    int firstLayer = 0;
    int lastLayer = 0;
    int samples = 0;
    int inFlight = 1;  // already capped by the number of micro-batches
    bool recompute = false;
};

/// Needs of a stage on any device: weights + gradients + buffers + optimizer state + K·ACT(y) + workspace + receive
/// buffers; a device's runtime comes on top. Built once per problem; reading is O(1) after O(L²) for workspace.
class MemoryModel {
  public:
    explicit MemoryModel(const PlanningProblem &problem);

    /// Without the runtime.
    double stageBytes(const StagePlace &place) const;
    /// With the runtime of that device.
    double deviceBytes(int device, const StagePlace &place) const;
    bool fits(int device, const StagePlace &place) const;
    /// The largest share in 0..limit that fits there (0: not one sample does).
    int largestShare(int device, StagePlace place, int limit) const;

    double trainableBytes(int firstLayer, int lastLayer) const;
    /// Bytes per sample that arrive at a stage: the output of the layer before, or the input.
    double arrivingBytes(int firstLayer) const;
    int minimumSamples(int firstLayer, int lastLayer) const;

  private:
    struct Linear {
        double fixed = 0;      // bytes that no sample changes
        double perSample = 0;  // bytes per sample
    };
    Linear linear(const StagePlace &place) const;
    double workspace(int firstLayer, int lastLayer) const;

    const PlanningProblem &m_problem;
    std::vector<double> m_parameters, m_trainable, m_buffers, m_saved;  // sums of the layers before
    std::vector<double> m_workspace;                                    // [first][last - 1]
    std::vector<int> m_minimum;
};

}  // namespace hearth
