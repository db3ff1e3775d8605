// Networks as the homes of the papers train them: layers with bytes, work and kernels, counted from the architecture.
#pragma once

#include <QString>
#include <QStringList>
#include <vector>

#include "core/model/model.h"
#include "core/profile/model_profile.h"

namespace hearth {

/// One unit (a stem, a residual or transformer block, a head) in float32. Counts are those of the forward pass of one
/// sample.
struct WorkloadLayer {
    LayerFacts facts;
    qint64 macs = 0;   // multiply-adds
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
    QString modelSha256;  // empty: counted by code here, not a model that Hearth trains
    qint64 inputBytes = 0;
    qint64 labelBytes = 8;
    std::vector<WorkloadLayer> layers;

    qint64 parameterCount() const;
    qint64 macs() const;
    double work() const;
    int kernels() const;
    double flops() const;
};

/// The same network as a workload. Inputs are bytes of pixels.
Workload workloadOf(const Model &model);

/// What EfficientNet-B1 is trained on.
struct ImageTask {
    int side = 32;
    int classes = 10;
    bool firstStridesOfOne = true;  // of stem and third block, as in mobilenetv2-cifar; else the paper's 2
};
/// EfficientNet-B1 (Tan and Le, 2019). Squeeze and excitation and SiLU are not in the model format, so Hearth plans it
/// and does not train it.
Workload efficientNetB1(const ImageTask &task = {});
/// BERT-small (Turc et al., 2019): 4 blocks of hidden size 512, 8 heads, feed-forward 2048, 30 522 word pieces, 512
/// positions, a pooled classifier of two. A sample is 32 tokens: the 32×512 that Asteroid prints beside the images'
/// 3×32×32. Its tokens are not in the model format either. No cut carries the attention mask: nothing is padded.
Workload bertSmall();

/// Networks that only environments know, sorted.
QStringList analyticWorkloads();
/// One of them, a built-in model, or the path of a hearth-model/1 file. Errors name all that there is.
Result<Workload> loadWorkload(const QString &nameOrPath);

}  // namespace hearth
