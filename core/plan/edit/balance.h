// Layers in proportion to how fast devices are: where cuts begin before anything exact is asked (Asteroid's replay).
#pragma once

#include <vector>

#include "core/plan/cost_model.h"

namespace hearth {

/// How heavy layers are and how fast devices, measured: a layer weighs its seconds in the mean of all devices, forward
/// and backward, which stands for its FLOPs. Immutable, any thread.
class LayerWeights {
  public:
    LayerWeights(const CostModel &model, int samples);

    double weight(int firstLayer, int lastLayer) const {
        return m_before[static_cast<std::size_t>(lastLayer)] - m_before[static_cast<std::size_t>(firstLayer)];
    }
    /// Weight per second: 1 for the mean device.
    double speed(int device) const { return m_speed[static_cast<std::size_t>(device)]; }
    double speed(const std::vector<int> &devices) const;

    /// First layers of stages over [firstLayer, lastLayer), and its end: each cut where the weight before it comes
    /// nearest to the stages' part of the speed; at least one layer per stage, so as many layers as speeds are needed.
    std::vector<int> cuts(int firstLayer, int lastLayer, const std::vector<double> &speeds) const;

  private:
    std::vector<double> m_before;
    std::vector<double> m_speed;
};

}  // namespace hearth
