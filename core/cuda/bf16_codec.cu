#include <cuda_runtime.h>

#include "core/cuda/codec_lanes.cuh"
#include "core/cuda/coding.h"

// core/base/block_codecs.cpp's bfloat16: the upper half of a float32, rounded to the nearest, halves to even.

namespace hearth {
namespace cuda {
namespace {

/// Numbers of bfloat16 are written each by itself: neither samples nor blocks matter. Four neighbours lie in a thread,
/// and that `codecDepth` times, a block's width apart.
constexpr int width = blockThreads * perLane;

template <class T>
__global__ void __launch_bounds__(blockThreads)
    encodeEach(const T *raw, std::uint16_t *encoded, std::int64_t values, bool aligned, std::uint32_t *refused) {
    const std::int64_t tile = static_cast<std::int64_t>(blockIdx.x) * (width * codecDepth);
    const std::int64_t first = tile + static_cast<int>(threadIdx.x) * perLane;
    const bool whole = aligned && tile + width * codecDepth <= values;
    T own[codecDepth][perLane];
    if (whole) {
#pragma unroll
        for (int d = 0; d < codecDepth; ++d)
            readFour(raw + first + d * width, own[d]);
    } else {
        for (int d = 0; d < codecDepth; ++d) {
            for (int i = 0; i < perLane; ++i)
                own[d][i] = first + d * width + i < values ? raw[first + d * width + i] : T(0);
        }
    }
    bool refuses = false;
#pragma unroll
    for (int d = 0; d < codecDepth; ++d) {
        std::uint32_t upper[perLane];
#pragma unroll
        for (int i = 0; i < perLane; ++i) {
            const std::uint32_t bits = __float_as_uint(static_cast<float>(own[d][i]));
            refuses = refuses || (bits & 0x7fffffffU) >= tooLarge;
            upper[i] = (bits + 0x7fffU + (bits >> 16 & 1U)) >> 16;
        }
        const std::int64_t at = first + d * width;
        if (whole) {
            *reinterpret_cast<uint2 *>(encoded + at) = make_uint2(upper[0] | upper[1] << 16, upper[2] | upper[3] << 16);
            continue;
        }
#pragma unroll
        for (int i = 0; i < perLane; ++i) {
            if (at + i < values)
                encoded[at + i] = static_cast<std::uint16_t>(upper[i]);
        }
    }
    if (refuses)
        *refused = 1;
}

template <class T>
__global__ void __launch_bounds__(blockThreads)
    decodeEach(const std::uint16_t *encoded, T *raw, std::int64_t values, bool aligned) {
    const std::int64_t tile = static_cast<std::int64_t>(blockIdx.x) * (width * codecDepth);
    const std::int64_t first = tile + static_cast<int>(threadIdx.x) * perLane;
    if (aligned && tile + width * codecDepth <= values) {
        uint2 upper[codecDepth];
#pragma unroll
        for (int d = 0; d < codecDepth; ++d)
            upper[d] = *reinterpret_cast<const uint2 *>(encoded + first + d * width);
#pragma unroll
        for (int d = 0; d < codecDepth; ++d) {
            const float four[perLane] = {__uint_as_float(upper[d].x << 16), __uint_as_float(upper[d].x & 0xffff0000U),
                                         __uint_as_float(upper[d].y << 16), __uint_as_float(upper[d].y & 0xffff0000U)};
            writeFour(raw + first + d * width, four);
        }
        return;
    }
    for (int d = 0; d < codecDepth; ++d) {
        for (int i = 0; i < perLane; ++i) {
            const std::int64_t at = first + d * width + i;
            if (at < values)
                raw[at] = __uint_as_float(static_cast<std::uint32_t>(encoded[at]) << 16);
        }
    }
}

template <class T>
void encodeAs(const CodingCall &call) {
    const auto *raw = static_cast<const T *>(call.from);
    auto *to = static_cast<std::uint16_t *>(call.to);
    const auto values = static_cast<std::int64_t>(call.samples * call.values);
    encodeEach<<<blocksFor(values, width * codecDepth), blockThreads, 0, call.stream>>>(
        raw, to, values, skewOf(raw) == 0 && skewOf(to) % 8 == 0, call.refused);
}

template <class T>
void decodeAs(const CodingCall &call) {
    const auto *encoded = static_cast<const std::uint16_t *>(call.from);
    auto *raw = static_cast<T *>(call.to);
    const auto values = static_cast<std::int64_t>(call.samples * call.values);
    decodeEach<<<blocksFor(values, width * codecDepth), blockThreads, 0, call.stream>>>(
        encoded, raw, values, skewOf(raw) == 0 && skewOf(encoded) % 8 == 0);
}

}  // namespace

void encodeHalves(Real real, const CodingCall &call) {
    real == Real::Float64 ? encodeAs<double>(call) : encodeAs<float>(call);
}

void decodeHalves(Real real, const CodingCall &call) {
    real == Real::Float64 ? decodeAs<double>(call) : decodeAs<float>(call);
}

}  // namespace cuda
}  // namespace hearth
