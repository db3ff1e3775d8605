// Measures what each layer of a model costs on this device.
#pragma once

#include <functional>
#include <vector>

#include "core/model/model.h"
#include "core/model/training_spec.h"
#include "core/profile/codec_rates.h"
#include "core/profile/model_profile.h"
#include "core/profile/unit_seconds.h"
#include "core/train/compute_device.h"

namespace hearth {

struct ProfileRequest {
    Model model;
    Precision precision = Precision::Float32;
    QString loss = TrainingSpec().loss;  // one of LossFacts::names()
    std::vector<int> batches;            // ascending, from 1
    bool triesPacking = true;            // what crosses cuts, to tell LayerFacts::packed
    int threads = 1;
    bool isAlone = true;  // no layers are held besides: then all else that is taken is the runtime's
    int warmUps = 3;
    int repeats = 10;  // passes after the warm-up, at least
    /// What takes longer at one batch size is warmed up once and repeated less often, but three times at least.
    double secondsPerBatch = 1.5;
};

/// `done` of `total` points; false gives up ("worker.cancelled").
using ProfileProgress = std::function<bool(int done, int total)>;

/// Runs the layers as training does, forward through all and backward through all, the gradients of a layer's weights
/// after that of its input, with a cut before each (alone and repeated, a layer would find its weights in caches where
/// no round leaves them): inputs detached and requiring a gradient (but for the first layer, which never sends one
/// back), bytes held from one pass to the other as the device counts them; the last layer includes the loss. Layers
/// that are alike are measured once where no cache holds what they touch. From a pass on that takes longer than
/// secondsPerBatch, larger batches are not measured: they cost in proportion. Layers that do not fit into memory
/// together are measured in parts; batch sizes that one layer alone does not fit are left out from the end, but the
/// smallest must fit. On the compute thread. Errors: "worker.out-of-memory", "worker.failed", "worker.cancelled".
Result<ModelProfile> profileLayers(const ProfileRequest &request, const ProfileProgress &progress,
                                   ComputeDevice &device = *processor());

/// Adds what a device that is not the host takes besides: for each byte on its way from its memory to the host's and
/// back (that of no codec), and where it writes codecs itself, for that. Some milliseconds; on the compute thread.
void measureWays(ComputeDevice &device, CodecRates &rates);

/// One layer at a number of samples, by its index.
struct ProbedUnit {
    int layer = 0;
    int samples = 0;
};

/// The units alone, one after the other: warm, but with what the rest of the network touches in between gone through
/// the caches, so that a layer finds no more there than it does in a round. Neither batches nor repeats of the request
/// count. Of units that do not fit into memory, and of those that follow, there is no answer. On the compute thread.
/// Errors: "worker.failed", "worker.cancelled".
Result<std::vector<UnitSeconds>> profileUnits(const ProfileRequest &request, const std::vector<ProbedUnit> &units,
                                              const ProfileProgress &progress, ComputeDevice &device = *processor());

}  // namespace hearth
