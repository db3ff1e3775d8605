// What a network is trained for, computed with LibTorch. Internal to core/train.
#pragma once

#include "core/model/loss_facts.h"
#include "core/train/torch_api.h"

namespace hearth {

/// One loss; LossFacts of the same name say which labels it takes and what it counts. `output` is the last layer's,
/// with the batch first. Constant; any thread.
class Loss {
  public:
    virtual ~Loss() = default;
    /// Null: there is none of this name.
    static const Loss *byName(const QString &name);

    /// Over all that counts, undivided: a scalar that gradients flow back from.
    virtual at::Tensor sum(const at::Tensor &output, const at::Tensor &labels) const = 0;
    /// How many labels `output` answers rightly.
    virtual qint64 correct(const at::Tensor &output, const at::Tensor &labels) const = 0;
};

}  // namespace hearth
