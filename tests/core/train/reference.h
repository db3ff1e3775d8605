// The oracle: a plain LibTorch training loop on one device, written without any part of core/train.
#pragma once

#include <QByteArray>
#include <set>
#include <vector>

#include "core/base/slot.h"
#include "core/model/model.h"
#include "core/model/named_tensor.h"
#include "core/model/training_spec.h"

namespace hearth {

/// uint8 images {n, c, h, w}, or what a network with several inputs takes, and their classes.
struct SampleBatch {
    struct Part {
        Slot slot;
        QByteArray bytes;
    };

    Shape sample;
    std::vector<quint8> images;
    std::vector<qint64> labels;
    std::vector<Part> parts{};  // in place of images
    Shape label{};              // of one sample
    int size() const { return static_cast<int>(static_cast<qint64>(labels.size()) / elementCount(label)); }
};

/// Noise with a patch whose place depends on the class: something to learn, the same on every machine.
SampleBatch syntheticBatch(int size, int classes, quint64 seed);

struct ReferenceRun {
    std::vector<double> losses;               // per round
    std::vector<double> norms;                // of all gradients of a round together, as they came
    int clipped = 0;                          // rounds in which the gradients were too long
    std::vector<NamedTensor> weights;         // at the end (their average, where one is kept), in the model's order
    std::vector<NamedTensor> firstGradients;  // of the first round, trainable tensors in the model's order
    int correct = 0;                          // of `test`, with the weights at the end
    std::set<qint64> wrong = {};              // the others of them
    double testLossSum = 0;
};

/// Whole batches, contiguous tensors, torch::optim, weights by core/model's seed.
ReferenceRun trainPlainly(const Model &model, const TrainingSpec &training, const InputTransform &input,
                          const std::vector<SampleBatch> &batches, const SampleBatch &test = {});

/// The same loop as members of a group do it who round what they send: each computes its samples of every micro-batch,
/// adds to their gradient, as one vector with every tensor in a multiple of 16 numbers, what rounding took from the
/// ones before, and rounds blocks of 64 to integers of 8 bits. Every 16th round and the last are exact. Momentum of SGD
/// only.
ReferenceRun trainRounded(const Model &model, const TrainingSpec &training, const InputTransform &input,
                          const std::vector<SampleBatch> &batches, const std::vector<int> &shares);

/// From `firstRound` (from 0) on the stages are these, and nobody remembers weights of before.
struct StashedTerm {
    int firstRound = 0;
    int microBatches = 1;
    std::vector<int> firstLayers;  // of the stages
    std::vector<int> delays;       // in updates
};
/// The same loop as stages do it that stash weights: every layer computes an update's gradient with the weights of as
/// many updates ago as its stage has of delay. Networks without tied tensors. `training.asynchronous` says what is an
/// update, and after how many a stage takes the mean of its versions.
ReferenceRun trainStashed(const Model &model, const TrainingSpec &training, const InputTransform &input,
                          const std::vector<SampleBatch> &batches, const std::vector<StashedTerm> &terms);

/// Members that each take an optimizer step by their own samples of every micro-batch and average their weights after
/// the last one of a batch, as TrainingSpec::localSteps says: each has a model and an optimizer of its own. Losses are
/// those on the way.
ReferenceRun trainLocally(const Model &model, const TrainingSpec &training, const InputTransform &input,
                          const std::vector<SampleBatch> &batches, const std::vector<int> &shares);

/// L2 norm of the difference over the L2 norm of `expected` (or the plain norm where that is 0).
double relativeDifference(const NamedTensor &actual, const NamedTensor &expected);
/// Empty where these are as many, and each is at most 1e-10 off; else what is not.
QString differenceOf(const std::vector<NamedTensor> &actual, const std::vector<NamedTensor> &expected);

}  // namespace hearth
