// The oracle: a plain LibTorch training loop on one device, written without any part of core/train.
#pragma once

#include <vector>

#include "core/model/model.h"
#include "core/model/named_tensor.h"
#include "core/model/training_spec.h"

namespace hearth {

/// uint8 images {n, c, h, w} and their classes.
struct SampleBatch {
    Shape sample;
    std::vector<quint8> images;
    std::vector<qint64> labels;
    int size() const { return static_cast<int>(labels.size()); }
};

/// Noise with a patch whose place depends on the class: something to learn, the same on every machine.
SampleBatch syntheticBatch(int size, int classes, quint64 seed);

struct ReferenceRun {
    std::vector<double> losses;               // per round
    std::vector<NamedTensor> weights;         // at the end, in the model's order
    std::vector<NamedTensor> firstGradients;  // of the first round, trainable tensors in the model's order
    int correct = 0;                          // of `test`, with the weights at the end
    double testLossSum = 0;
};

/// Whole batches, contiguous tensors, torch::optim, weights by core/model's seed.
ReferenceRun trainPlainly(const Model &model, const TrainingSpec &training, const InputTransform &input,
                          const std::vector<SampleBatch> &batches, const SampleBatch &test = {});

/// L2 norm of the difference over the L2 norm of `expected` (or the plain norm where that is 0).
double relativeDifference(const NamedTensor &actual, const NamedTensor &expected);

}  // namespace hearth
