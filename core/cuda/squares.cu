#include <cuda_runtime.h>

#include "core/cuda/kernels.h"
#include "core/cuda/lanes.cuh"

namespace hearth {
namespace cuda {
namespace {

/// The same tree whatever the numbers of threads that run at once: the halves of a block, and of these the halves.
__device__ double sumOfBlock(double own) {
    __shared__ double sums[blockThreads];
    sums[threadIdx.x] = own;
    for (int half = blockThreads / 2; half > 0; half /= 2) {
        __syncthreads();
        if (threadIdx.x < half)
            sums[threadIdx.x] += sums[threadIdx.x + half];
    }
    return sums[0];
}

/// Each thread has four neighbours of every stride, whether or not they lie on a multiple of 16 bytes: what is summed
/// with what does not depend on where the values are.
template <class T, bool aligned>
__global__ void __launch_bounds__(blockThreads) squaresOfParts(const T *values, std::int64_t elements, double *parts) {
    constexpr int neighbours = 4, depth = 4;
    constexpr int lanes = aligned ? wideBytes / static_cast<int>(sizeof(T)) : 1;
    constexpr std::int64_t stride = std::int64_t(squareParts) * blockThreads * neighbours;
    double sum[neighbours] = {};
    T four[depth][neighbours / lanes][lanes];
    const auto read = [&](std::int64_t first, bool whole) {
#pragma unroll
        for (int d = 0; d < depth; ++d) {
#pragma unroll
            for (int part = 0; part < neighbours / lanes; ++part)
                readLanes(values, first + d * stride + part * lanes, elements, whole, four[d][part]);
        }
    };
    for (std::int64_t first = (std::int64_t(blockIdx.x) * blockThreads + threadIdx.x) * neighbours; first < elements;
         first += depth * stride) {
        if (first + (depth - 1) * stride + neighbours <= elements)
            read(first, true);
        else
            read(first, false);
#pragma unroll
        for (int d = 0; d < depth; ++d) {
#pragma unroll
            for (int i = 0; i < neighbours; ++i) {
                const double value = four[d][i / lanes][i % lanes];
                sum[i] = fma(value, value, sum[i]);
            }
        }
    }
    const double whole = sumOfBlock((sum[0] + sum[1]) + (sum[2] + sum[3]));
    if (threadIdx.x == 0)
        parts[blockIdx.x] = whole;
}

__global__ void __launch_bounds__(blockThreads) sumOfParts(const double *parts, double *sum) {
    double own = 0;
    for (int part = threadIdx.x; part < squareParts; part += blockThreads)
        own += parts[part];
    own = sumOfBlock(own);
    if (threadIdx.x == 0)
        *sum = own;
}

template <class T>
void sumAs(const void *values, std::int64_t elements, double *sum, double *parts, Stream stream) {
    if (skewOf(values) == 0)
        squaresOfParts<T, true>
            <<<squareParts, blockThreads, 0, stream>>>(static_cast<const T *>(values), elements, parts);
    else
        squaresOfParts<T, false>
            <<<squareParts, blockThreads, 0, stream>>>(static_cast<const T *>(values), elements, parts);
    sumOfParts<<<1, blockThreads, 0, stream>>>(parts, sum);
}

}  // namespace

void sumSquares(const void *values, std::int64_t elements, Real real, double *sum, double *parts, Stream stream) {
    if (real == Real::Float64)
        sumAs<double>(values, elements, sum, parts, stream);
    else
        sumAs<float>(values, elements, sum, parts, stream);
}

}  // namespace cuda
}  // namespace hearth
