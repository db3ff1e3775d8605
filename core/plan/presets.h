// Devices and homes of the papers as planning problems (algorithms.md §8), without any measurement.
#pragma once

#include <QStringList>
#include <vector>

#include "core/model/model.h"
#include "core/plan/problem.h"

namespace hearth {

/// A kind of device. Its speed is anchored in the epoch times that Asteroid prints for it.
struct DevicePreset {
    QString kind;              // "nano"
    QString name;              // "Jetson Nano"
    qint64 memoryBytes = 0;    // usable (an assumption of ours)
    double relativeSpeed = 1;  // Jetson Nano = 1
};
const std::vector<DevicePreset> &devicePresets();

/// "A" to "D".
QStringList environmentNames();

struct EnvironmentOptions {
    double linkMbitPerSecond = 100;
    int batch = 128;
    double optimizerStateFactor = 1;  // SGD with momentum
};

/// A home of presets and a model as a problem. Times follow t(b) = t1·(c0+b)/(c0+1), backward twice forward, from the
/// layer's FLOPs; saved bytes are the inputs of its ops. One set of assumptions for all models. Error: unknown
/// environment (lists what there is).
Result<PlanningProblem> environmentProblem(const QString &environment, const Model &model,
                                           const EnvironmentOptions &options = {});

/// Bytes of every layer from its description alone, in float32.
std::vector<LayerFacts> analyticFacts(const Model &model);
/// Times of every layer at that many effective FLOP/s.
TimeTable syntheticTimes(const Model &model, double flopsPerSecond, int largestBatch);

}  // namespace hearth
