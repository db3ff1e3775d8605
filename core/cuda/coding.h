// What encode() and decode() have their kernels do. Internal to core/cuda.
#pragma once

#include "core/cuda/kernels.h"

namespace hearth {
namespace cuda {

/// One call, of any type. Plain value.
struct CodingCall {
    const void *from;
    void *to;
    std::uint64_t samples;
    std::uint64_t values;  // of each sample; none of both is zero
    std::uint32_t *refused;
    Stream stream;
};

// bf16_codec.cu: each number by itself.
void encodeHalves(Real real, const CodingCall &call);
void decodeHalves(Real real, const CodingCall &call);

// block_codecs.cu: blocks of integers with one scale, of 8, 4 or 2 bits.
void encodeBlocks(int bits, Real real, bool stochastic, const CodingCall &call);
void decodeBlocks(int bits, Real real, const CodingCall &call);

}  // namespace cuda
}  // namespace hearth
