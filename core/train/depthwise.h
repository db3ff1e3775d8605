// The weight gradient of a depthwise convolution, where the library has no fast one. No LibTorch: plain memory.
#pragma once

#include "core/base/dtype.h"

namespace hearth {

/// A depthwise convolution (one input channel per output channel) over a batch in channels-last order.
struct DepthwiseShape {
    qint64 samples = 0, channels = 0;
    qint64 inputHeight = 0, inputWidth = 0, outputHeight = 0, outputWidth = 0;
    qint64 kernel = 1, stride = 1, padding = 0;
};

/// Adds to weightGradient[c][kernel][kernel], for the channels [firstChannel, lastChannel), the sum over samples and
/// places of outputGradient {n, oh, ow, c} times input {n, ih, iw, c}. Float32 or Float64. Any thread; threads may
/// share the channels among them. oneDNN falls back to its reference loops where the output is narrower than about its
/// vectors: with it, both passes at one place of 960 channels take 40 times as long at batch 128 (tests/bench/kernels).
void addDepthwiseWeightGradient(const DepthwiseShape &shape, qint64 firstChannel, qint64 lastChannel,
                                const void *outputGradient, const void *input, void *weightGradient, DType dtype);

}  // namespace hearth
