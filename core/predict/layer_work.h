// What a layer's description tells of how long it takes: the predictor's features, and seconds where nothing was
// measured. AccEPT-style: the paper's features are not public.
#pragma once

#include <array>
#include <vector>

#include "core/base/dtype.h"
#include "core/model/model.h"

namespace hearth {

/// Ops that devices differ in together.
enum class WorkKind : quint8 { Convolution, Depthwise, Product, Normalization, Elementwise, Moving };
inline constexpr std::size_t workKinds = 6;

/// Constant, share of the time per kind, log of the samples, kind times that, arithmetic intensity, size and its
/// square. All are of the order of 1.
inline constexpr std::size_t featureCount = 5 + 2 * workKinds;
using Features = std::array<double, featureCount>;

/// The work of one layer's forward pass. Plain value, any thread.
struct LayerWork {
    struct Part {
        double flops = 0;        // per sample
        double bytes = 0;        // per sample: what ops take and give
        double weightBytes = 0;  // at any number of samples
        int launches = 0;
    };
    std::array<Part, workKinds> parts{};

    /// Of the roofline of a processor that does not exist; only ratios to it mean something. Forward; backward takes
    /// twice that. Above 0.
    double seconds(int samples) const;
    Features features(int samples) const;
};

LayerWork layerWork(const Layer &layer, DType dtype);
/// By layer.
std::vector<LayerWork> layerWork(const Model &model, DType dtype);

}  // namespace hearth
