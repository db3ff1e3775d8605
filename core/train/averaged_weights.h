// The moving average of weights in their place. Internal to core/train.
#pragma once

#include <QtGlobal>

#include "core/train/torch_api.h"

namespace hearth {

/// While it lives the weights are their moving average. On the compute thread.
class AveragedWeights {
  public:
    /// Nothing is averaged.
    AveragedWeights() = default;
    /// Flat, and of one size.
    AveragedWeights(at::Tensor weights, at::Tensor average);
    ~AveragedWeights() { swap(); }
    Q_DISABLE_COPY_MOVE(AveragedWeights)

  private:
    void swap();

    at::Tensor m_weights, m_average;  // undefined: nothing to do
};

}  // namespace hearth
