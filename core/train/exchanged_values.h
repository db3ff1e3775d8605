// Other values in a tensor's place, for a while. Internal to core/train.
#pragma once

#include <QtGlobal>

#include "core/train/torch_api.h"

namespace hearth {

/// While it lives two tensors have each other's values: weights their moving average, statistics those that a round
/// began with. So whatever reads a module reads these, and nothing is copied twice. On the compute thread.
class ExchangedValues {
  public:
    /// Nothing is exchanged.
    ExchangedValues() = default;
    /// Flat, and of one size.
    ExchangedValues(at::Tensor values, at::Tensor others);
    ~ExchangedValues() { swap(); }
    Q_DISABLE_COPY_MOVE(ExchangedValues)

  private:
    void swap();

    at::Tensor m_values, m_others;  // undefined: nothing to do
};

}  // namespace hearth
