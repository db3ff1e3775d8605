// What really crosses cuts: activations and gradients of networks while they learn Fashion-MNIST.
#pragma once

#include <QString>
#include <vector>

#include "core/base/error.h"

namespace hearth {

struct RealTensor {
    QString name;  // "resnet18, behind layer 4, step 24"
    bool gradient = false;
    qint64 samples = 0;
    std::vector<qint64> sample;  // in the order of memory: {h, w, c} or {features}
    std::vector<float> values;
};

struct RealSettings {
    QString model;  // a network of pictures
    int batch = 128;
    std::vector<int> steps;  // whose tensors are kept, ascending
};

/// What such a network is after its last step.
struct RealState {
    std::vector<float> weights, momentum;
};

/// Trains with SGD on one thread, cut after a quarter, a half and three quarters of the layers, as stages would be.
/// Errors: no such network, no data set.
Result<std::vector<RealTensor>> realTensors(const RealSettings &settings, RealState *state = nullptr);

}  // namespace hearth
