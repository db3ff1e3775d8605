// The integers of a block of 64 numbers, which belongs to 16 threads of a warp, four neighbours to each; the arithmetic
// of core/base/block_codecs.cpp.
#pragma once

#include "core/cuda/codec_lanes.cuh"

namespace hearth {
namespace cuda {

constexpr int perBlock = 64;
constexpr int blockLanes = 16;  // threads
static_assert(perBlock == blockLanes * perLane, "");
constexpr int scaleBytes = 2;
constexpr unsigned everyLane = 0xffffffffU;

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

/// Among lanes `least` to twice `most` apart, which are powers of two.
template <int least, int most, class T>
__device__ __forceinline__ T largestOfLanes(T own) {
#pragma unroll
    for (int apart = most; apart >= least; apart /= 2)
        own = max(own, __shfl_xor_sync(everyLane, own, apart));
    return own;
}

__device__ __forceinline__ std::uint32_t largestOfBlock(std::uint32_t own) {
    return largestOfLanes<1, blockLanes / 2>(own);
}

/// What is written before the integers, and the reciprocal of the lane's scale.
struct WrittenScale {
    std::uint32_t bytes;
    float inverse;
};

/// With 4 bits each fourth lane belongs to the same quarter of a block.
constexpr int quarterLanes = 4;
constexpr float smallerScale = 0.6875F;
constexpr std::uint32_t quarterFlags = 0xf;

template <int bits>
__device__ __forceinline__ WrittenScale scaleOf(const float (&values)[perLane], std::uint32_t largest) {
    const float most = __uint_as_float(largest);
    if (bits != 4) {
        std::uint32_t scale = 0;
        if (most >= emptyBlock)
            scale = (__float_as_uint(most / static_cast<float>(levelsOf(bits))) + 0xffffU) >> 16;
        return {scale, scale ? 1.F / __uint_as_float(scale << 16) : 0.F};
    }
    constexpr std::uint32_t sign = 0x80000000U;
    std::int32_t above = 0, below = 0;  // the bits of the largest on either side of zero
#pragma unroll
    for (int i = 0; i < perLane; ++i) {
        above = max(above, __float_as_int(values[i]));
        below = max(below, static_cast<std::int32_t>(__float_as_uint(values[i]) ^ sign));
    }
    above = largestOfLanes<quarterLanes, blockLanes / 2>(above);
    below = largestOfLanes<quarterLanes, blockLanes / 2>(below);
    const bool isPositive = largestOfLanes<1, quarterLanes / 2>(above) == static_cast<std::int32_t>(largest);
    const float needed = max(__int_as_float(above) * (isPositive ? 1.F / 8.F : 1.F / 7.F),
                             __int_as_float(below) * (isPositive ? 1.F / 7.F : 1.F / 8.F));
    const std::uint32_t size = (__float_as_uint(largestOfLanes<1, quarterLanes / 2>(needed)) + 0xfffffU) & ~0xfffffU;
    const std::uint32_t scale = size | (isPositive ? sign : 0U);
    const bool isSmall = needed <= __uint_as_float(size) * smallerScale;
    const std::uint32_t warp = __ballot_sync(everyLane, isSmall) >> (threadIdx.x & blockLanes);
    if (most < emptyBlock)
        return {0, 0.F};
    const float whole = __uint_as_float(scale);
    return {scale >> 16 | (warp & quarterFlags), 1.F / (isSmall ? whole * smallerScale : whole)};
}

/// Of the lane's values, from what was written before the integers.
template <int bits>
__device__ __forceinline__ float scaleFrom(std::uint32_t bytes, int lane) {
    if (bits != 4)
        return __uint_as_float(bytes << 16);
    const float whole = __uint_as_float((bytes & ~quarterFlags) << 16);
    return bytes >> (lane % quarterLanes) & 1U ? whole * smallerScale : whole;
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
    // Of a random number, values half a block apart take the lower half and the upper one.
    constexpr int pairLanes = blockLanes / 2;
#pragma unroll
    for (int i = 0; i < perLane; ++i) {
        const std::uint32_t random =
            randomOf(seed + static_cast<std::uint32_t>(lane % pairLanes * perLane + i) * 0x9e3779b9U);
        const std::uint32_t own = lane < pairLanes ? random & 0xffffU : random >> 16;
        integers[i] = static_cast<std::uint32_t>(
            (static_cast<std::int32_t>(values[i] * inverse * 65536.F) + static_cast<std::int32_t>(own)) >> 16);
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

}  // namespace cuda
}  // namespace hearth
