// How threads read and write flat memory: 16 bytes at once where they can.
#pragma once

#include <cstdint>
#include <cstring>

namespace hearth {
namespace cuda {

constexpr int blockThreads = 256;
constexpr int wideBytes = 16;

/// `lanes` neighbours of a flat array; those outside of its [0, end) are zero. `whole`: none is, and where there are
/// several they lie on a multiple of 16 bytes.
template <class T, int lanes>
__device__ __forceinline__ void readLanes(const T *at, std::int64_t first, std::int64_t end, bool whole,
                                          T (&values)[lanes]) {
    if (lanes > 1 && whole) {
        const uint4 wide = *reinterpret_cast<const uint4 *>(at + first);
        memcpy(values, &wide, sizeof wide);
        return;
    }
#pragma unroll
    for (int lane = 0; lane < lanes; ++lane)
        values[lane] = whole || (first + lane >= 0 && first + lane < end) ? at[first + lane] : T(0);
}

template <class T, int lanes>
__device__ __forceinline__ void writeLanes(T *at, std::int64_t first, std::int64_t end, bool whole,
                                           const T (&values)[lanes]) {
    if (lanes > 1 && whole) {
        uint4 wide;
        memcpy(&wide, values, sizeof wide);
        *reinterpret_cast<uint4 *>(at + first) = wide;
        return;
    }
#pragma unroll
    for (int lane = 0; lane < lanes; ++lane) {
        if (whole || (first + lane >= 0 && first + lane < end))
            at[first + lane] = values[lane];
    }
}

/// Bytes beyond the last multiple of 16.
inline int skewOf(const void *pointer) {
    return static_cast<int>(reinterpret_cast<std::uintptr_t>(pointer) % wideBytes);
}

inline unsigned blocksFor(std::int64_t items, std::int64_t perBlock) {
    return static_cast<unsigned>((items + perBlock - 1) / perBlock);
}

}  // namespace cuda
}  // namespace hearth
