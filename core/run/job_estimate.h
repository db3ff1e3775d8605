// What a job would take on one device, as far as that was measured.
#pragma once

#include <optional>
#include <vector>

#include "core/home/device_info.h"
#include "core/model/model.h"
#include "core/predict/knowledge.h"
#include "core/profile/profile_store.h"
#include "core/run/job.h"

namespace hearth {

struct JobEstimate {
    double roundS = 0;                  // one mini-batch, the whole model on this device
    std::optional<qint64> memoryBytes;  // tensors at their peak, and what the worker takes to start; measured
    double relativeError = 0;           // how far off roundS may well be, where times were predicted
};

/// What runs of this home have left behind ("profiles" of its state folder).
struct StoredTimes {
    std::vector<StoredProfile> profiles;
    Knowledge knowledge;
};
/// What cannot be read is passed over. Blocks while it reads; any thread.
StoredTimes storedTimes(const QString &stateDir, Precision precision);

/// What a worker of this device took to start in the last run; nothing where it took part in none. Blocks while it
/// reads; any thread.
std::optional<qint64> storedRuntimeBytes(const QString &stateDir, const QString &device);

/// Beyond it a prediction is a guess.
inline constexpr double mostEstimateError = 0.5;

/// As the device measured last, with the threads that it has now. Where it has not measured this very model so in this
/// precision, its times are predicted from what the home has measured; nothing where that may be further off than
/// mostEstimateError. Any thread.
std::optional<JobEstimate> estimateAlone(const Job &job, const Model &model, const DeviceInfo &device,
                                         qint64 runtimeBytes, const StoredTimes &stored);

/// What a worker takes before its first tensor, on a device that has told none yet: most of it is LibTorch itself.
constexpr qint64 usualRuntimeBytes = 180'000'000;

/// Weights, their gradients and the optimizer's state, and a worker to hold them: what training takes before the first
/// sample, on one device.
qint64 leastBytes(const Model &model, const Job &job, qint64 runtimeBytes);

}  // namespace hearth
