// Networks as the homes of the papers train them: layers with bytes, work and kernels, counted from the architecture.
#pragma once

#include <QString>
#include <vector>

#include "core/model/model.h"
#include "core/profile/model_profile.h"

namespace hearth {

/// One unit (a stem, a residual or transformer block, a head) in float32. Counts are those of the forward pass of one
/// sample.
struct WorkloadLayer {
    LayerFacts facts;
    double flops = 0;  // 2 per multiply-add, a few per element of everything else
    double work = 0;   // the roofline's FLOPs: of every op the larger of its FLOPs and flopsPerByte × bytes moved
    int kernels = 0;   // ops that are launched, whatever the batch
};

/// Below so many FLOPs for each byte that it moves, an op waits for memory. The devices of the papers have 9 (Jetson
/// Nano: 0.24 TFLOP/s, 25.6 GB/s), 11 (TX2) and 17 (Xavier NX).
inline constexpr double flopsPerByte = 10;

/// Plain value, any thread.
struct Workload {
    QString name;
    QString modelSha256;
    qint64 inputBytes = 0;
    qint64 labelBytes = 8;
    qint64 parameterCount = 0;  // each once, frozen ones too
    std::vector<WorkloadLayer> layers;

    double work() const;
    int kernels() const;
    double flops() const;
};

/// The same network as a workload. Inputs are bytes of pixels.
Workload workloadOf(const Model &model);

/// Of a built-in model or the path of a hearth-model/1 file; errors are loadModel()'s.
Result<Workload> loadWorkload(const QString &nameOrPath);

}  // namespace hearth
