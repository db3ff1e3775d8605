// Devices and homes of the papers as planning problems, without any measurement.
//
// One set of assumptions makes all of them:
//  - Seconds of a layer's forward pass on b samples: (kernels · launch + b · work / rate) / speed; backward takes twice
//    that. `work` counts FLOPs and waiting for memory (workloads.h). `speed` is the kind's, Jetson Nano = 1, and the
//    same for all networks. `launch` is 0.1 ms: worth 0.2 (ResNet50) to 4 samples (EfficientNet-B1).
//  - `rate` follows, network by network, from the one epoch that Asteroid prints for it, taken to be measured with
//    micro-batches of 32: MobileNetV2 22 min and EfficientNet-B1 26.7 min on a Nano (50 000 images of CIFAR-10),
//    ResNet50 1.14 h on a TX2 (38 400 images of Mini-ImageNet). A network without a printed epoch (BERT-small) reaches
//    as many FLOP/s as those three in the geometric mean.
//  - The papers' mini-batches are not public. Ours are the smallest powers of two not below what Asteroid's speed-ups
//    over data parallelism in A and B at 100 Mbit/s imply (their AllReduce takes the rest of the round); other networks
//    take 128.
//  - A pair of devices sends in one direction at a time at the given rate, as Asteroid's Eq. 4–6 count it; latency
//    0.3 ms. A full-duplex switch is an option.
//  - Memory is what a kind's operating system leaves; a worker takes 150 MB of it. float32; SGD with momentum.
#pragma once

#include <QStringList>
#include <vector>

#include "core/plan/homes/pipedream_profile.h"
#include "core/plan/homes/workloads.h"
#include "core/plan/problem.h"

namespace hearth {

/// A kind of device.
struct DevicePreset {
    QString kind;              // "nano"
    QString name;              // "Jetson Nano"
    qint64 memoryBytes = 0;    // usable
    double relativeSpeed = 1;  // Jetson Nano = 1
};
const std::vector<DevicePreset> &devicePresets();

/// A network that the papers train, with what they print about it.
struct WorkloadPreset {
    QString name;             // of the workload
    QString device;           // kind that the epoch was measured on; empty: none printed
    double epochSeconds = 0;  // of one epoch there
    int epochSamples = 0;
    int batch = 0;  // mini-batch
};
/// In the order of Asteroid's Table 4.
const std::vector<WorkloadPreset> &workloadPresets();

/// "A" to "D".
QStringList environmentNames();

struct EnvironmentOptions {
    double linkMbitPerSecond = 100;
    int batch = 0;                    // 0: the workload's own
    double optimizerStateFactor = 1;  // SGD with momentum
    Duplex duplex = Duplex::Half;
};

/// A home of presets and a network as a problem. Errors: unknown environment (lists what there is); a rate or batch
/// outside what a problem may say.
Result<PlanningProblem> environmentProblem(const QString &environment, const Workload &workload,
                                           const EnvironmentOptions &options = {});
Result<PlanningProblem> environmentProblem(const QString &environment, const Model &model,
                                           const EnvironmentOptions &options = {});

/// A home of presets and a network that PipeDream's profiler measured, with batches of that size on a device of that
/// kind (devicePresets()). More errors: an unknown kind; those of problemFromProfile().
struct ProfiledOn {
    QString kind = QStringLiteral("a100");
    int batch = 0;
};
Result<PlanningProblem> environmentProblem(const QString &environment, const PipedreamProfile &profile,
                                           const ProfiledOn &measured, const EnvironmentOptions &options = {});

/// Work per second that a Jetson Nano reaches on that network.
double nanoRate(const Workload &workload);
/// Seconds of every layer on a device of that relative speed.
TimeTable syntheticTimes(const Workload &workload, double relativeSpeed, int largestBatch);

}  // namespace hearth
