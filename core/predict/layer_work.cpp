#include "core/predict/layer_work.h"

#include <QHash>
#include <algorithm>
#include <cmath>

namespace hearth {
namespace {

/// The made-up processor: orders of magnitude of one core. What is wrong with them, the regression learns.
constexpr std::array<double, workKinds> flopsPerSecond{4e10, 8e9, 3e10, 1e10, 1e10, 1e10};
constexpr double bytesPerSecond = 1e10;
constexpr double launchSeconds = 4e-6;

WorkKind kindOf(const Op &op) {
    static const QHash<QString, WorkKind> kinds{
        {QStringLiteral("convolution"), WorkKind::Convolution},
        {QStringLiteral("transposed-convolution"), WorkKind::Convolution},
        {QStringLiteral("depthwise"), WorkKind::Depthwise},
        {QStringLiteral("linear"), WorkKind::Product},
        {QStringLiteral("matmul"), WorkKind::Product},
        {QStringLiteral("attention"), WorkKind::Product},
        {QStringLiteral("batch-norm"), WorkKind::Normalization},
        {QStringLiteral("layer-norm"), WorkKind::Normalization},
        {QStringLiteral("group-norm"), WorkKind::Normalization},
        {QStringLiteral("rms-norm"), WorkKind::Normalization},
        {QStringLiteral("max-pool"), WorkKind::Moving},
        {QStringLiteral("average-pool"), WorkKind::Moving},
        {QStringLiteral("global-average-pool"), WorkKind::Moving},
        {QStringLiteral("adaptive-average-pool"), WorkKind::Moving},
        {QStringLiteral("upsample"), WorkKind::Moving},
        {QStringLiteral("mean"), WorkKind::Moving},
        {QStringLiteral("sum"), WorkKind::Moving},
        {QStringLiteral("max"), WorkKind::Moving},
        {QStringLiteral("concat"), WorkKind::Moving},
        {QStringLiteral("transpose"), WorkKind::Moving},
        {QStringLiteral("pad"), WorkKind::Moving},
        {QStringLiteral("embedding"), WorkKind::Moving},
    };
    return kinds.value(op.kind, WorkKind::Elementwise);
}

double secondsOf(const LayerWork::Part &part, std::size_t kind, int samples) {
    return std::max(part.flops * samples / flopsPerSecond[kind],
                    (part.bytes * samples + part.weightBytes) / bytesPerSecond) +
           launchSeconds * part.launches;
}

}  // namespace

double LayerWork::seconds(int samples) const {
    double sum = 0;
    for (std::size_t k = 0; k < workKinds; ++k)
        sum += secondsOf(parts[k], k, samples);
    return std::max(sum, launchSeconds / 4);  // a layer that only looks at its input in another way
}

Features LayerWork::features(int samples) const {
    const double all = seconds(samples);
    // Logarithms about what is usual.
    const double batch = std::log(samples / 16.0) / 2;
    double flops = 0, bytes = 0;
    Features result{};
    auto next = result.begin();
    *next++ = 1;
    for (std::size_t k = 0; k < workKinds; ++k) {
        *next++ = secondsOf(parts[k], k, samples) / all;
        flops += parts[k].flops * samples;
        bytes += parts[k].bytes * samples + parts[k].weightBytes;
    }
    *next++ = batch;
    for (std::size_t k = 0; k < workKinds; ++k)
        *next++ = result[1 + k] * batch;
    *next++ = std::clamp(std::log((flops + 1) / (bytes + 1)) / 3, -2.0, 2.0);
    const double size = std::clamp((std::log(all) + 7) / 3, -2.0, 2.0);
    *next++ = size;
    *next++ = size * size;
    return result;
}

LayerWork layerWork(const Layer &layer, DType dtype) {
    LayerWork work;
    std::size_t tensor = 0;
    for (const Op &op : layer.ops) {
        const std::size_t first = tensor;
        tensor += static_cast<std::size_t>(op.tensors);
        if (!op.cost.launched)
            continue;
        LayerWork::Part &part = work.parts[static_cast<std::size_t>(kindOf(op))];
        part.flops += std::max(op.cost.flops, 2 * op.cost.macs);
        auto elements = static_cast<double>(elementCount(op.outputShape));
        for (const Shape &shape : op.inputShapes)
            elements += static_cast<double>(elementCount(shape));
        part.bytes += elements * byteSize(dtype);
        // Of a table only the rows are read that the samples name.
        for (std::size_t i = first; i < tensor && op.kind != QLatin1String("embedding"); ++i)
            part.weightBytes += static_cast<double>(layer.shape.tensors[i].bytes(dtype));
        ++part.launches;
    }
    return work;
}

std::vector<LayerWork> layerWork(const Model &model, DType dtype) {
    std::vector<LayerWork> work;
    work.reserve(model.layers.size());
    for (const Layer &layer : model.layers)
        work.push_back(layerWork(layer, dtype));
    return work;
}

}  // namespace hearth
