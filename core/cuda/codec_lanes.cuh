// How the codecs read and write values: a thread has four neighbours.
#pragma once

#include <cstdint>
#include <cstring>

#include "core/cuda/lanes.cuh"

namespace hearth {
namespace cuda {

constexpr int perLane = 4;
constexpr int codecDepth = 4;                   // groups of four that a thread has
constexpr std::uint32_t tooLarge = 0x7f000000;  // 2^127 and what is above, infinities, NaNs: without its sign

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

}  // namespace cuda
}  // namespace hearth
