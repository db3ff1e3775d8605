// What a worker is started with. Plain value.
#pragma once

#include <QString>
#include <chrono>
#include <memory>

#include "core/train/compute_device.h"
#include "core/train/group_fabric.h"
#include "core/wire/stream_channel.h"

namespace hearth {

struct WorkerOptions {
    QString run;
    int threads = 1;
    qint64 memoryBytes = 0;  // for everything, the libraries included; 0 = no limit
    /// State outlives a coordinator that is started again by its agent (design §2).
    std::chrono::milliseconds orphanTimeout{30000};
    bool trustsFabric = false;                     // this device lets gradients go over a network without encryption
    FabricFactory openFabric = makeFabricBackend;  // tests put in one that fails
    std::shared_ptr<ComputeDevice> device = processor();
    double (*linkRate)(const Channel &channel) = hearth::linkRate;            // tests say how fast links are,
    bool (*hasLostAddress)(const Channel &channel) = hearth::hasLostAddress;  // take addresses away,
    // and let nothing through
    std::chrono::milliseconds (*unconfirmedFor)(const Channel &channel) = hearth::unconfirmedFor;
};

}  // namespace hearth
