// The optimizers of the oracle: LibTorch's own, and Adafactor.
#pragma once

#include <torch/optim/optimizer.h>

#include <memory>
#include <vector>

#include "core/model/training_spec.h"

namespace hearth {

/// Two groups where decay leaves out biases and norms.
std::unique_ptr<torch::optim::Optimizer> plainOptimizer(const OptimizerSpec &spec,
                                                        const std::vector<torch::Tensor> &trainable);
/// The norm of all gradients together, as they came. Longer ones become as long as `limit`, with 0 none do.
double clipGradients(const std::vector<torch::Tensor> &trainable, double limit);
/// Of all its groups.
void setRate(torch::optim::Optimizer &optimizer, double rate);

}  // namespace hearth
