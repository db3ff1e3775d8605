// A network of the oracle: LibTorch's own functions on whole tensors.
#pragma once

#include <torch/types.h>

#include <vector>

#include "core/model/model.h"
#include "core/model/named_tensor.h"
#include "core/model/training_spec.h"
#include "tests/core/train/reference.h"

namespace hearth {

/// Keeps a reference to the model. Copies share their tensors.
struct PlainModel {
    const Model &model;
    std::vector<std::vector<torch::Tensor>> tensors;  // per layer; tied ones are the same tensor

    /// By core/model's seed.
    static PlainModel initialised(const Model &model, const TrainingSpec &training);
    /// In the model's order, tied ones once.
    std::vector<torch::Tensor> trainable() const;
    /// Logits of whole samples.
    torch::Tensor forward(torch::Tensor x) const;
    /// In the model's order, tied ones once.
    std::vector<NamedTensor> weights(DType dtype) const;
};

torch::ScalarType plainType(DType dtype);
/// What the network takes, {n, c, h, w}.
torch::Tensor plainImages(const SampleBatch &batch, const InputTransform &input, torch::ScalarType type);
/// One class for each sample, in the memory of the batch.
torch::Tensor plainLabels(const SampleBatch &batch);
torch::Tensor crossEntropySum(const torch::Tensor &logits, const torch::Tensor &labels);
/// A copy.
NamedTensor namedCopy(const TensorSpec &spec, DType dtype, const torch::Tensor &tensor);

}  // namespace hearth
