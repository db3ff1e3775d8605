// What a network is trained for, computed with LibTorch. Internal to core/train.
#pragma once

#include <memory>
#include <vector>

#include "core/model/training_spec.h"
#include "core/protocol/evaluation_tally.h"
#include "core/protocol/judged_sample.h"
#include "core/train/torch_api.h"

namespace hearth {

/// What an evaluation finds in some samples. Plain value.
struct Judgement {
    EvaluationTally tally = {};
    std::vector<JudgedSample> samples = {};  // numbered from 0; those of which nothing counts are missing
};

/// One loss; LossFacts of the same name say which labels it takes and what it counts. `output` is the last layer's,
/// with the batch first. Constant; any thread.
class Loss {
  public:
    virtual ~Loss() = default;
    /// Null: there is none of this name.
    static std::unique_ptr<const Loss> make(const TrainingSpec &training);

    /// Over all that counts, undivided: a scalar that gradients flow back from.
    virtual at::Tensor sum(const at::Tensor &output, const at::Tensor &labels) const = 0;
    /// What an evaluation tells of these answers; its loss is that of training, but without smoothed labels.
    virtual Judgement judge(const at::Tensor &output, const at::Tensor &labels) const = 0;
};

}  // namespace hearth
