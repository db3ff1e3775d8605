// The least that any way of sharing layers among devices takes.
#pragma once

#include <vector>

#include "core/plan/cost_model.h"

namespace hearth {

/// Every layer counts at the least time per sample of each device, whatever its share. A stage of group G with layers X
/// is charged E ≥ B·W_X / Σ speed over G, where W counts each layer by the device that does it best in proportion to
/// its speed (a feasible dual of the linear program that shares layers freely). The same holds for the slowest of
/// several stages and for their sum. Immutable, any thread.
class WorkBound {
  public:
    WorkBound(const CostModel &model, int microBatch);

    struct Seconds {
        double once = 0;     // forward and backward of one micro-batch
        double forward = 0;  // forward alone
        double path = 0;     // forward, and backward until gradients leave
    };
    /// By position: bounds for the layers before each of `cuts`, shared among the devices. Infinite without devices,
    /// but for position 0.
    std::vector<Seconds> before(const std::vector<int> &cuts, const std::vector<int> &devices) const;
    /// No round of any plan of that model with such micro-batches is shorter.
    double leastRoundSeconds(const CostModel &model) const;

  private:
    int m_microBatch;
    std::vector<double> m_speed;               // by device
    std::vector<std::vector<Seconds>> m_work;  // [device][layer]: seconds per sample times speed
};

/// The same, for those who ask once.
double leastRoundSeconds(const CostModel &model, int microBatch);

}  // namespace hearth
