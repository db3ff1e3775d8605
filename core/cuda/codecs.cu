#include <cuda_runtime.h>

#include "core/cuda/kernels.h"
#include "core/cuda/lanes.cuh"

// The formats are those of core/base/block_codecs.cpp, with its arithmetic. A block of 64 numbers belongs to 16 threads
// of a warp, four neighbours to each. What is written lies in blocks of 66, 34 or 18 bytes, on any byte where a sample
// ends in part of one: it goes through shared memory, and from and to there 16 bytes at once.

namespace hearth {
namespace cuda {
namespace {

constexpr int perBlock = 64;
constexpr int blockLanes = 16;  // threads
constexpr int perLane = perBlock / blockLanes;
constexpr int scaleBytes = 2;
constexpr int depth = 4;  // blocks of each 16 threads
constexpr int tileBlocks = blockThreads / blockLanes * depth;
constexpr unsigned everyLane = 0xffffffffU;

constexpr std::uint32_t tooLarge = 0x7f000000;
constexpr float emptyBlock = 1e-30F;
constexpr float roundsToInteger = 12582912.F;  // 1.5 * 2^23: its lowest byte is zero

constexpr int bytesOfIntegers(int bits) {
    return perBlock * bits / 8;
}

constexpr int bytesOfBlock(int bits) {
    return scaleBytes + bytesOfIntegers(bits);
}

/// The largest of the integers.
constexpr int levelsOf(int bits) {
    return (1 << (bits - 1)) - 1;
}

/// How samples lie behind one another, raw and written. Blocks are numbered through all of them.
struct Samples {
    std::uint32_t values;   // of each sample
    std::uint32_t blocks;   // of each sample
    std::uint32_t written;  // bytes of each sample
    std::uint32_t allBlocks;
    bool aligned;  // all whole blocks of the raw values lie on multiples of 16 bytes
};

struct Place {
    std::int64_t value;    // the block's first, among all
    std::int64_t written;  // its first byte
    int count;             // of its values; 0 behind the last block
};

template <int bits>
__device__ __forceinline__ Place placeOf(const Samples &samples, std::uint32_t block) {
    if (block >= samples.allBlocks)
        return {static_cast<std::int64_t>(samples.allBlocks / samples.blocks) * samples.values,
                static_cast<std::int64_t>(samples.allBlocks / samples.blocks) * samples.written, 0};
    const std::uint32_t sample = block / samples.blocks, own = block - sample * samples.blocks;
    const std::uint32_t left = samples.values - own * perBlock;
    return {static_cast<std::int64_t>(sample) * samples.values + own * perBlock,
            static_cast<std::int64_t>(sample) * samples.written + own * bytesOfBlock(bits),
            static_cast<int>(left < perBlock ? left : perBlock)};
}

__device__ __forceinline__ void readFour(const float *at, float (&values)[perLane]) {
    const float4 wide = *reinterpret_cast<const float4 *>(at);
    memcpy(values, &wide, sizeof wide);
}

__device__ __forceinline__ void readFour(const double *at, double (&values)[perLane]) {
    const double2 one = reinterpret_cast<const double2 *>(at)[0], other = reinterpret_cast<const double2 *>(at)[1];
    memcpy(values, &one, sizeof one);
    memcpy(values + 2, &other, sizeof other);
}

__device__ __forceinline__ void writeFour(float *at, const float (&values)[perLane]) {
    *reinterpret_cast<float4 *>(at) = make_float4(values[0], values[1], values[2], values[3]);
}

__device__ __forceinline__ void writeFour(double *at, const float (&values)[perLane]) {
    reinterpret_cast<double2 *>(at)[0] = make_double2(values[0], values[1]);
    reinterpret_cast<double2 *>(at)[1] = make_double2(values[2], values[3]);
}

/// The lane's values of a block with `count`, zeros behind them.
template <class T>
__device__ __forceinline__ void readOwn(const T *raw, const Place &place, int lane, bool aligned,
                                        T (&values)[perLane]) {
    const T *at = raw + place.value + lane * perLane;
    if (aligned && place.count == perBlock) {
        readFour(at, values);
        return;
    }
#pragma unroll
    for (int i = 0; i < perLane; ++i)
        values[i] = lane * perLane + i < place.count ? at[i] : T(0);
}

template <class T>
__device__ __forceinline__ void writeOwn(T *raw, const Place &place, int lane, bool aligned,
                                         const float (&values)[perLane]) {
    T *at = raw + place.value + lane * perLane;
    if (aligned && place.count == perBlock) {
        writeFour(at, values);
        return;
    }
#pragma unroll
    for (int i = 0; i < perLane; ++i) {
        if (lane * perLane + i < place.count)
            at[i] = static_cast<T>(values[i]);
    }
}

__device__ __forceinline__ std::uint32_t largestOfBlock(std::uint32_t own) {
#pragma unroll
    for (int apart = blockLanes / 2; apart > 0; apart /= 2)
        own = max(own, __shfl_xor_sync(everyLane, own, apart));
    return own;
}

__device__ __forceinline__ std::uint32_t sumOfBlock(std::uint32_t own) {
#pragma unroll
    for (int apart = blockLanes / 2; apart > 0; apart /= 2)
        own += __shfl_xor_sync(everyLane, own, apart);
    return own;
}

__device__ __forceinline__ std::uint32_t randomOf(std::uint32_t seed) {
    seed ^= seed >> 16;
    seed *= 0x7feb352dU;
    seed ^= seed >> 15;
    seed *= 0x846ca68bU;
    seed ^= seed >> 16;
    return seed;
}

/// The lane's four integers, each in the lowest byte of its word.
__device__ __forceinline__ void roundNearest(const float (&values)[perLane], float inverse,
                                             std::uint32_t (&integers)[perLane]) {
#pragma unroll
    for (int i = 0; i < perLane; ++i)
        integers[i] = __float_as_uint(values[i] * inverse + roundsToInteger);
}

__device__ __forceinline__ void roundStochastically(const float (&values)[perLane], int lane, float inverse,
                                                    std::uint32_t (&integers)[perLane]) {
    std::uint32_t seed = 0;
#pragma unroll
    for (int i = 0; i < perLane; ++i)
        seed += __float_as_uint(values[i]) * (2 * static_cast<std::uint32_t>(lane * perLane + i) + 0x9e3779b9U);
    seed = sumOfBlock(seed);
#pragma unroll
    for (int i = 0; i < perLane; ++i) {
        const std::uint32_t random = randomOf(seed + static_cast<std::uint32_t>(lane * perLane + i) * 0x9e3779b9U);
        integers[i] = static_cast<std::uint32_t>(
            (static_cast<std::int32_t>(values[i] * inverse * 65536.F) + static_cast<std::int32_t>(random & 0xffffU)) >>
            16);
    }
}

/// The four bytes that the lane and those which share them make of their integers. With 4 and 2 bits the integers are
/// written with half of their range added, which in two's complement turns their highest bit around.
template <int bits>
__device__ __forceinline__ std::uint32_t packed(const std::uint32_t (&integers)[perLane], int lane) {
    std::uint32_t bytes = __byte_perm(__byte_perm(integers[0], integers[1], 0x0040),
                                      __byte_perm(integers[2], integers[3], 0x0040), 0x5410);
    if (bits == 8)
        return bytes;
    constexpr std::uint32_t field = (1U << bits) - 1;
    constexpr int sharing = bytesOfIntegers(bits) / perLane;  // lanes that have the bytes of a block
    bytes = ((bytes & field * 0x01010101U) ^ (1U << (bits - 1)) * 0x01010101U) << (lane / sharing * bits);
#pragma unroll
    for (int apart = sharing; apart < blockLanes; apart *= 2)
        bytes |= __shfl_xor_sync(everyLane, bytes, apart);
    return bytes;
}

/// The lane's values of a block: each integer becomes the lower bits of a float that is exact.
template <int bits>
__device__ __forceinline__ void unpack(std::uint32_t bytes, int lane, float scale, float (&values)[perLane]) {
    constexpr std::uint32_t field = (1U << bits) - 1;
    constexpr int sharing = bytesOfIntegers(bits) / perLane;
    constexpr float added = static_cast<float>(1 << (bits - 1));
    bytes = bytes >> (lane / sharing * bits) & field * 0x01010101U;
    if (bits == 8)
        bytes ^= 0x80808080U;
    constexpr std::uint32_t ones = 0x4b000000U;  // 2^23: the lowest bit is worth one
#pragma unroll
    for (int i = 0; i < perLane; ++i)
        values[i] = (__uint_as_float(__byte_perm(bytes, ones, 0x7650 + i)) - (8388608.F + added)) * scale;
}

/// `length` bytes of shared memory and of a card's, as far from a multiple of 16 bytes as each other.
__device__ __forceinline__ void copyBytes(std::uint8_t *to, const std::uint8_t *from, int skew, int length) {
    for (int at = static_cast<int>(threadIdx.x) * wideBytes; at < skew + length; at += blockThreads * wideBytes) {
        if (at >= skew && at + wideBytes <= skew + length) {
            *reinterpret_cast<uint4 *>(to + at - skew) = *reinterpret_cast<const uint4 *>(from + at - skew);
            continue;
        }
        for (int byte = max(at, skew); byte < min(at + wideBytes, skew + length); ++byte)
            to[byte - skew] = from[byte - skew];
    }
}

__device__ __forceinline__ int skewOnCard(const void *pointer) {
    return static_cast<int>(reinterpret_cast<std::uintptr_t>(pointer) % wideBytes);
}

template <class T, int bits, bool stochastic>
__global__ void __launch_bounds__(blockThreads)
    encodeBlocks(const T *raw, std::uint8_t *encoded, Samples samples, std::uint32_t *refused) {
    __shared__ __align__(wideBytes) std::uint8_t staged[tileBlocks * bytesOfBlock(bits) + wideBytes];
    const int lane = static_cast<int>(threadIdx.x) % blockLanes;
    const std::uint32_t firstBlock = blockIdx.x * tileBlocks, ownBlock = firstBlock + threadIdx.x / blockLanes;
    const std::int64_t start = placeOf<bits>(samples, firstBlock).written;
    const int length = static_cast<int>(placeOf<bits>(samples, firstBlock + tileBlocks).written - start);
    const int skew = skewOnCard(encoded + start);

    Place places[depth];
    T own[depth][perLane];
#pragma unroll
    for (int d = 0; d < depth; ++d)
        places[d] = placeOf<bits>(samples, ownBlock + d * (blockThreads / blockLanes));
#pragma unroll
    for (int d = 0; d < depth; ++d)
        readOwn(raw, places[d], lane, samples.aligned, own[d]);
#pragma unroll
    for (int d = 0; d < depth; ++d) {
        float values[perLane];
        std::uint32_t largest = 0;
#pragma unroll
        for (int i = 0; i < perLane; ++i) {
            values[i] = static_cast<float>(own[d][i]);
            largest = max(largest, __float_as_uint(values[i]) & 0x7fffffffU);
        }
        largest = largestOfBlock(largest);
        if (largest >= tooLarge)
            *refused = 1;
        const float most = __uint_as_float(largest);
        std::uint32_t scale = 0;
        if (most >= emptyBlock)
            scale = (__float_as_uint(most / static_cast<float>(levelsOf(bits))) + 0xffffU) >> 16;
        const float inverse = scale ? 1.F / __uint_as_float(scale << 16) : 0.F;
        std::uint32_t integers[perLane];
        if (stochastic)
            roundStochastically(values, lane, inverse, integers);
        else
            roundNearest(values, inverse, integers);
        const std::uint32_t bytes = packed<bits>(integers, lane);

        std::uint8_t *to = staged + skew + static_cast<int>(places[d].written - start);
        const int written = min(places[d].count, bytesOfIntegers(bits));
        const int at = lane * perLane;
        if (lane == 0 && written > 0) {
            to[0] = static_cast<std::uint8_t>(scale);
            to[1] = static_cast<std::uint8_t>(scale >> 8);
        }
        if (at + perLane <= written && reinterpret_cast<std::uintptr_t>(to) % 2 == 0) {
            auto *halves = reinterpret_cast<std::uint16_t *>(to + scaleBytes + at);
            halves[0] = static_cast<std::uint16_t>(bytes);
            halves[1] = static_cast<std::uint16_t>(bytes >> 16);
        } else {
            for (int i = 0; i < perLane && at + i < written; ++i)
                to[scaleBytes + at + i] = static_cast<std::uint8_t>(bytes >> (8 * i));
        }
    }
    __syncthreads();
    copyBytes(encoded + start, staged + skew, skew, length);
}

template <class T, int bits>
__global__ void __launch_bounds__(blockThreads) decodeBlocks(const std::uint8_t *encoded, T *raw, Samples samples) {
    __shared__ __align__(wideBytes) std::uint8_t staged[tileBlocks * bytesOfBlock(bits) + wideBytes];
    const int lane = static_cast<int>(threadIdx.x) % blockLanes;
    const std::uint32_t firstBlock = blockIdx.x * tileBlocks, ownBlock = firstBlock + threadIdx.x / blockLanes;
    const std::int64_t start = placeOf<bits>(samples, firstBlock).written;
    const int length = static_cast<int>(placeOf<bits>(samples, firstBlock + tileBlocks).written - start);
    const int skew = skewOnCard(encoded + start);
    copyBytes(staged + skew, encoded + start, skew, length);
    __syncthreads();
#pragma unroll
    for (int d = 0; d < depth; ++d) {
        const Place place = placeOf<bits>(samples, ownBlock + d * (blockThreads / blockLanes));
        const std::uint8_t *from = staged + skew + static_cast<int>(place.written - start);
        const int written = min(place.count, bytesOfIntegers(bits));
        const int at = lane * perLane % bytesOfIntegers(bits);
        std::uint32_t scale = 0, bytes = 0;
        if (written > 0)
            scale = from[0] | static_cast<std::uint32_t>(from[1]) << 8;
        if (at + perLane <= written && reinterpret_cast<std::uintptr_t>(from) % 2 == 0) {
            const auto *halves = reinterpret_cast<const std::uint16_t *>(from + scaleBytes + at);
            bytes = halves[0] | static_cast<std::uint32_t>(halves[1]) << 16;
        } else {
            for (int i = 0; i < perLane && at + i < written; ++i)
                bytes |= static_cast<std::uint32_t>(from[scaleBytes + at + i]) << (8 * i);
        }
        float values[perLane];
        unpack<bits>(bytes, lane, __uint_as_float(scale << 16), values);
        writeOwn(raw, place, lane, samples.aligned, values);
    }
}

/// Numbers of bfloat16 are written each by itself: neither samples nor blocks matter. Four neighbours lie in a thread,
/// and that `depth` times, a block's width apart.
constexpr int halvesWidth = blockThreads * perLane;

template <class T>
__global__ void __launch_bounds__(blockThreads)
    encodeHalves(const T *raw, std::uint16_t *encoded, std::int64_t values, bool aligned, std::uint32_t *refused) {
    const std::int64_t tile = static_cast<std::int64_t>(blockIdx.x) * (halvesWidth * depth);
    const std::int64_t first = tile + static_cast<int>(threadIdx.x) * perLane;
    const bool whole = aligned && tile + halvesWidth * depth <= values;
    T own[depth][perLane];
    if (whole) {
#pragma unroll
        for (int d = 0; d < depth; ++d)
            readFour(raw + first + d * halvesWidth, own[d]);
    } else {
        for (int d = 0; d < depth; ++d) {
            for (int i = 0; i < perLane; ++i)
                own[d][i] = first + d * halvesWidth + i < values ? raw[first + d * halvesWidth + i] : T(0);
        }
    }
    bool refuses = false;
#pragma unroll
    for (int d = 0; d < depth; ++d) {
        std::uint32_t upper[perLane];
#pragma unroll
        for (int i = 0; i < perLane; ++i) {
            const std::uint32_t bits = __float_as_uint(static_cast<float>(own[d][i]));
            refuses = refuses || (bits & 0x7fffffffU) >= tooLarge;
            upper[i] = (bits + 0x7fffU + (bits >> 16 & 1U)) >> 16;
        }
        const std::int64_t at = first + d * halvesWidth;
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
    decodeHalves(const std::uint16_t *encoded, T *raw, std::int64_t values, bool aligned) {
    const std::int64_t tile = static_cast<std::int64_t>(blockIdx.x) * (halvesWidth * depth);
    const std::int64_t first = tile + static_cast<int>(threadIdx.x) * perLane;
    if (aligned && tile + halvesWidth * depth <= values) {
        uint2 upper[depth];
#pragma unroll
        for (int d = 0; d < depth; ++d)
            upper[d] = *reinterpret_cast<const uint2 *>(encoded + first + d * halvesWidth);
#pragma unroll
        for (int d = 0; d < depth; ++d) {
            const float four[perLane] = {__uint_as_float(upper[d].x << 16), __uint_as_float(upper[d].x & 0xffff0000U),
                                         __uint_as_float(upper[d].y << 16), __uint_as_float(upper[d].y & 0xffff0000U)};
            writeFour(raw + first + d * halvesWidth, four);
        }
        return;
    }
    for (int d = 0; d < depth; ++d) {
        for (int i = 0; i < perLane; ++i) {
            const std::int64_t at = first + d * halvesWidth + i;
            if (at < values)
                raw[at] = __uint_as_float(static_cast<std::uint32_t>(encoded[at]) << 16);
        }
    }
}

/// One call, of any type.
struct Call {
    const void *from;
    void *to;
    std::uint64_t samples;
    std::uint64_t values;  // of each sample
    std::uint32_t *refused;
    Stream stream;
};

template <class T, int bits>
Samples samplesOf(const Call &call, const void *raw) {
    const std::uint64_t whole = call.values / perBlock, tail = call.values % perBlock;
    Samples samples;
    samples.values = static_cast<std::uint32_t>(call.values);
    samples.blocks = static_cast<std::uint32_t>(whole + (tail ? 1 : 0));
    samples.written = static_cast<std::uint32_t>(whole * bytesOfBlock(bits));
    if (tail)
        samples.written += static_cast<std::uint32_t>(
            scaleBytes + (tail < bytesOfIntegers(bits) ? tail : static_cast<std::uint64_t>(bytesOfIntegers(bits))));
    samples.allBlocks = static_cast<std::uint32_t>(call.samples * samples.blocks);
    samples.aligned = skewOf(raw) == 0 && (call.samples == 1 || call.values * sizeof(T) % wideBytes == 0);
    return samples;
}

template <class T>
void encodeAs(Coding coding, bool stochastic, const Call &call) {
    const auto *raw = static_cast<const T *>(call.from);
    auto *to = static_cast<std::uint8_t *>(call.to);
    const auto run = [&](auto kernel, const Samples &samples) {
        kernel<<<blocksFor(samples.allBlocks, tileBlocks), blockThreads, 0, call.stream>>>(raw, to, samples,
                                                                                           call.refused);
    };
    switch (coding) {
        case Coding::Bf16: {
            const auto values = static_cast<std::int64_t>(call.samples * call.values);
            encodeHalves<T><<<blocksFor(values, halvesWidth * depth), blockThreads, 0, call.stream>>>(
                raw, reinterpret_cast<std::uint16_t *>(to), values, skewOf(raw) == 0 && skewOf(to) % 8 == 0,
                call.refused);
            return;
        }
        case Coding::Bfp8:
            return run(encodeBlocks<T, 8, false>, samplesOf<T, 8>(call, raw));
        case Coding::Bfp4:
            return run(stochastic ? encodeBlocks<T, 4, true> : encodeBlocks<T, 4, false>, samplesOf<T, 4>(call, raw));
        case Coding::Bfp2:
            return run(stochastic ? encodeBlocks<T, 2, true> : encodeBlocks<T, 2, false>, samplesOf<T, 2>(call, raw));
    }
}

template <class T>
void decodeAs(Coding coding, const Call &call) {
    const auto *encoded = static_cast<const std::uint8_t *>(call.from);
    auto *raw = static_cast<T *>(call.to);
    const auto run = [&](auto kernel, const Samples &samples) {
        kernel<<<blocksFor(samples.allBlocks, tileBlocks), blockThreads, 0, call.stream>>>(encoded, raw, samples);
    };
    switch (coding) {
        case Coding::Bf16: {
            const auto values = static_cast<std::int64_t>(call.samples * call.values);
            decodeHalves<T><<<blocksFor(values, halvesWidth * depth), blockThreads, 0, call.stream>>>(
                reinterpret_cast<const std::uint16_t *>(encoded), raw, values,
                skewOf(raw) == 0 && skewOf(encoded) % 8 == 0);
            return;
        }
        case Coding::Bfp8:
            return run(decodeBlocks<T, 8>, samplesOf<T, 8>(call, raw));
        case Coding::Bfp4:
            return run(decodeBlocks<T, 4>, samplesOf<T, 4>(call, raw));
        case Coding::Bfp2:
            return run(decodeBlocks<T, 2>, samplesOf<T, 2>(call, raw));
    }
}

}  // namespace

void encode(Coding coding, Real real, const void *raw, void *encoded, std::uint64_t samples,
            std::uint64_t bytesPerSample, bool stochastic, std::uint32_t *refused, Stream stream) {
    const std::uint64_t values = bytesPerSample / (real == Real::Float64 ? sizeof(double) : sizeof(float));
    if (samples * values == 0)
        return;
    const Call call{raw, encoded, samples, values, refused, stream};
    if (real == Real::Float64)
        encodeAs<double>(coding, stochastic, call);
    else
        encodeAs<float>(coding, stochastic, call);
}

void decode(Coding coding, Real real, const void *encoded, void *raw, std::uint64_t samples,
            std::uint64_t bytesPerSample, Stream stream) {
    const std::uint64_t values = bytesPerSample / (real == Real::Float64 ? sizeof(double) : sizeof(float));
    if (samples * values == 0)
        return;
    const Call call{encoded, raw, samples, values, nullptr, stream};
    if (real == Real::Float64)
        decodeAs<double>(coding, call);
    else
        decodeAs<float>(coding, call);
}

}  // namespace cuda
}  // namespace hearth
