// Measures what each layer of a model costs on this device.
#pragma once

#include <functional>
#include <vector>

#include "core/model/model.h"
#include "core/model/training_spec.h"
#include "core/profile/model_profile.h"

namespace hearth {

struct ProfileRequest {
    Model model;
    Precision precision = Precision::Float32;
    std::vector<int> batches;  // ascending, from 1
    int threads = 1;
    int warmUps = 3;
    int repeats = 10;  // runs after the warm-up, at least
    /// Per layer and batch size: what takes longer is repeated less often, but three times at least.
    double secondsPerPoint = 0.25;
};

/// `done` of `total` points; false gives up ("worker.cancelled").
using ProfileProgress = std::function<bool(int done, int total)>;

/// Runs every layer alone (algorithms.md §1.2): input detached and requiring a gradient (but for the first layer, which
/// never sends one back), medians of forward and backward over blocks of runs long enough to see whoever shares the
/// processors, bytes held from one to the other as the allocator counts them; the last layer includes the loss. Batch
/// sizes that do not fit into memory are left out from the end; the smallest must fit. On the compute thread. Errors:
/// "worker.out-of-memory", "worker.failed", "worker.cancelled".
Result<ModelProfile> profileLayers(const ProfileRequest &request, const ProfileProgress &progress);

}  // namespace hearth
