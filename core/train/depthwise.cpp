#include "core/train/depthwise.h"

#include <algorithm>
#include <array>
#include <vector>

// The widest registers that the processor has, chosen when the program starts. Sanitizers cannot run that early.
#if defined(__x86_64__) && defined(__GNUC__) && !defined(__clang__) && !defined(__SANITIZE_THREAD__) && \
    !defined(__SANITIZE_ADDRESS__)
#define HEARTH_WIDEST_VECTORS __attribute__((target_clones("avx512f", "avx2,fma", "default")))
#else
#define HEARTH_WIDEST_VECTORS
#endif

namespace hearth {
namespace {

/// Channels whose sums of all taps stay in the nearest cache: 9 × 128 floats are 4.5 KiB.
constexpr qint64 blockChannels = 128;

template <class T>
struct Block {
    const T *outputGradient;
    const T *input;
    qint64 first, count;
};

template <class T>
inline void multiplyAdd(T *__restrict sum, const T *__restrict a, const T *__restrict b, qint64 count) {
    for (qint64 c = 0; c < count; ++c)
        sum[c] += a[c] * b[c];
}

/// Sums of one block of channels: sums[tap][channel].
template <class T>
inline void sumBlock(const DepthwiseShape &shape, const Block<T> &block, T *sums) {
    const qint64 width = shape.channels;
    for (qint64 n = 0; n < shape.samples; ++n) {
        for (qint64 oh = 0; oh < shape.outputHeight; ++oh) {
            for (qint64 kh = 0; kh < shape.kernel; ++kh) {
                const qint64 ih = oh * shape.stride - shape.padding + kh;
                if (ih < 0 || ih >= shape.inputHeight)
                    continue;
                const T *gradients = block.outputGradient + (n * shape.outputHeight + oh) * shape.outputWidth * width;
                const T *inputs = block.input + (n * shape.inputHeight + ih) * shape.inputWidth * width;
                for (qint64 ow = 0; ow < shape.outputWidth; ++ow) {
                    const qint64 left = ow * shape.stride - shape.padding;
                    const qint64 begin = std::max<qint64>(0, -left);
                    const qint64 end = std::min(shape.kernel, shape.inputWidth - left);
                    for (qint64 kw = begin; kw < end; ++kw)
                        multiplyAdd(sums + (kh * shape.kernel + kw) * blockChannels,
                                    gradients + ow * width + block.first, inputs + (left + kw) * width + block.first,
                                    block.count);
                }
            }
        }
    }
}

HEARTH_WIDEST_VECTORS void sumSingles(const DepthwiseShape &shape, const Block<float> &block, float *sums) {
    sumBlock(shape, block, sums);
}

HEARTH_WIDEST_VECTORS void sumDoubles(const DepthwiseShape &shape, const Block<double> &block, double *sums) {
    sumBlock(shape, block, sums);
}

template <class T, class Sum>
void addAs(const DepthwiseShape &shape, qint64 firstChannel, qint64 lastChannel, const void *outputGradient,
           const void *input, void *weightGradient, Sum sum) {
    const qint64 taps = shape.kernel * shape.kernel;
    std::vector<T> sums(static_cast<std::size_t>(taps * blockChannels));
    auto *target = static_cast<T *>(weightGradient);
    for (qint64 first = firstChannel; first < lastChannel; first += blockChannels) {
        const qint64 count = std::min(blockChannels, lastChannel - first);
        std::fill(sums.begin(), sums.end(), T(0));
        sum(shape, Block<T>{static_cast<const T *>(outputGradient), static_cast<const T *>(input), first, count},
            sums.data());
        for (qint64 c = 0; c < count; ++c) {
            for (qint64 tap = 0; tap < taps; ++tap)
                target[(first + c) * taps + tap] += sums[static_cast<std::size_t>(tap * blockChannels + c)];
        }
    }
}

}  // namespace

void addDepthwiseWeightGradient(const DepthwiseShape &shape, qint64 firstChannel, qint64 lastChannel,
                                const void *outputGradient, const void *input, void *weightGradient, DType dtype) {
    if (dtype == DType::Float64)
        addAs<double>(shape, firstChannel, lastChannel, outputGradient, input, weightGradient, sumDoubles);
    else
        addAs<float>(shape, firstChannel, lastChannel, outputGradient, input, weightGradient, sumSingles);
}

}  // namespace hearth
