#include <cuda_runtime.h>

#include "core/cuda/block_integers.cuh"
#include "core/cuda/coding.h"

// What is written lies in blocks of 66, 34 or 18 bytes, on any byte where a sample ends in part of one: it goes through
// shared memory, and from and to there 16 bytes at once.

namespace hearth {
namespace cuda {
namespace {

constexpr int tileBlocks = blockThreads / blockLanes * codecDepth;

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

/// What the threads of one launch's block write or read together.
struct Tile {
    std::uint32_t ownBlock;  // the first of this thread's
    std::int64_t start;      // of its bytes, among all
    int length, skew;        // of these: how many, and how far from a multiple of 16 bytes
};

template <int bits>
__device__ __forceinline__ Tile tileOf(const Samples &samples, const std::uint8_t *encoded) {
    const std::uint32_t firstBlock = blockIdx.x * tileBlocks;
    const std::int64_t start = placeOf<bits>(samples, firstBlock).written;
    const std::int64_t end = placeOf<bits>(samples, firstBlock + tileBlocks).written;
    return {firstBlock + threadIdx.x / blockLanes, start, static_cast<int>(end - start), skewOnCard(encoded + start)};
}

template <class T, int bits, bool stochastic>
__global__ void __launch_bounds__(blockThreads)
    encodeTile(const T *raw, std::uint8_t *encoded, Samples samples, std::uint32_t *refused) {
    __shared__ __align__(wideBytes) std::uint8_t staged[tileBlocks * bytesOfBlock(bits) + wideBytes];
    const int lane = static_cast<int>(threadIdx.x) % blockLanes;
    const auto tile = tileOf<bits>(samples, encoded);

    Place places[codecDepth];
    T own[codecDepth][perLane];
#pragma unroll
    for (int d = 0; d < codecDepth; ++d)
        places[d] = placeOf<bits>(samples, tile.ownBlock + d * (blockThreads / blockLanes));
#pragma unroll
    for (int d = 0; d < codecDepth; ++d)
        readOwn(raw, places[d], lane, samples.aligned, own[d]);
#pragma unroll
    for (int d = 0; d < codecDepth; ++d) {
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
        const auto scale = scaleOf<bits>(values, largest);
        std::uint32_t integers[perLane];
        if (stochastic)
            roundStochastically(values, lane, scale.inverse, integers);
        else
            roundNearest(values, scale.inverse, integers);
        const std::uint32_t bytes = packed<bits>(integers, lane);

        std::uint8_t *to = staged + tile.skew + static_cast<int>(places[d].written - tile.start);
        const int written = min(places[d].count, bytesOfIntegers(bits));
        const int at = lane * perLane;
        if (lane == 0 && written > 0) {
            to[0] = static_cast<std::uint8_t>(scale.bytes);
            to[1] = static_cast<std::uint8_t>(scale.bytes >> 8);
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
    copyBytes(encoded + tile.start, staged + tile.skew, tile.skew, tile.length);
}

template <class T, int bits>
__global__ void __launch_bounds__(blockThreads) decodeTile(const std::uint8_t *encoded, T *raw, Samples samples) {
    __shared__ __align__(wideBytes) std::uint8_t staged[tileBlocks * bytesOfBlock(bits) + wideBytes];
    const int lane = static_cast<int>(threadIdx.x) % blockLanes;
    const auto tile = tileOf<bits>(samples, encoded);
    copyBytes(staged + tile.skew, encoded + tile.start, tile.skew, tile.length);
    __syncthreads();
#pragma unroll
    for (int d = 0; d < codecDepth; ++d) {
        const Place place = placeOf<bits>(samples, tile.ownBlock + d * (blockThreads / blockLanes));
        const std::uint8_t *from = staged + tile.skew + static_cast<int>(place.written - tile.start);
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
        unpack<bits>(bytes, lane, scaleFrom<bits>(scale, lane), values);
        writeOwn(raw, place, lane, samples.aligned, values);
    }
}

template <class T, int bits>
Samples samplesOf(const CodingCall &call, const void *raw) {
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

template <class T, int bits>
void encodeAs(bool stochastic, const CodingCall &call) {
    const auto *raw = static_cast<const T *>(call.from);
    const Samples samples = samplesOf<T, bits>(call, raw);
    // To eight bits the nearest is what is written either way.
    const auto kernel = stochastic ? encodeTile<T, bits, (bits < 8)> : encodeTile<T, bits, false>;
    kernel<<<blocksFor(samples.allBlocks, tileBlocks), blockThreads, 0, call.stream>>>(
        raw, static_cast<std::uint8_t *>(call.to), samples, call.refused);
}

template <class T, int bits>
void decodeAs(const CodingCall &call) {
    auto *raw = static_cast<T *>(call.to);
    const Samples samples = samplesOf<T, bits>(call, raw);
    decodeTile<T, bits><<<blocksFor(samples.allBlocks, tileBlocks), blockThreads, 0, call.stream>>>(
        static_cast<const std::uint8_t *>(call.from), raw, samples);
}

template <int bits>
void encodeOf(Real real, bool stochastic, const CodingCall &call) {
    real == Real::Float64 ? encodeAs<double, bits>(stochastic, call) : encodeAs<float, bits>(stochastic, call);
}

template <int bits>
void decodeOf(Real real, const CodingCall &call) {
    real == Real::Float64 ? decodeAs<double, bits>(call) : decodeAs<float, bits>(call);
}

}  // namespace

void encodeBlocks(int bits, Real real, bool stochastic, const CodingCall &call) {
    if (bits == 8)
        encodeOf<8>(real, stochastic, call);
    else if (bits == 4)
        encodeOf<4>(real, stochastic, call);
    else
        encodeOf<2>(real, stochastic, call);
}

void decodeBlocks(int bits, Real real, const CodingCall &call) {
    if (bits == 8)
        decodeOf<8>(real, call);
    else if (bits == 4)
        decodeOf<4>(real, call);
    else
        decodeOf<2>(real, call);
}

}  // namespace cuda
}  // namespace hearth
