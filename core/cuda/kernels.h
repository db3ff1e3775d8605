// Kernels for NVIDIA's cards. What each computes is what a function of the processor computes, bit for bit: the
// optimizer's step and dropout of core/train/flat_math.h, the codecs of core/base/codec.h. No header of CUDA, Qt or
// LibTorch.
//
// All are asynchronous: they queue work on `stream` of the calling thread's current device and return. All pointers are
// of that device's memory, belong to the caller and hold what they say until the work is done; buffers of one call do
// not overlap. Pointers need the alignment of their elements alone; it is fastest where all of a call are as far from a
// multiple of 16 bytes. Any thread. Errors are told by lastError().
#pragma once

#include <cstddef>
#include <cstdint>

#include "core/cuda/flat_rules.h"

struct CUstream_st;

namespace hearth {
namespace cuda {

using Stream = CUstream_st *;  // CUDA's own type; null is its default stream

enum class Real : std::uint8_t { Float32 = 1, Float64 = 2 };  // as DType

/// What CUDA says is wrong with what this thread has called so far, in English; then it is forgotten. Null: nothing.
/// That work failed later, while it ran, is told once whoever waits for the stream has seen it.
const char *lastError();

/// Elements [first, end) of a flat buffer.
struct Range {
    std::int64_t first, end;
};

/// One optimizer step over flat buffers of `elements`, with the moving average of weights where `factors` have one: a
/// single pass. `state` holds copies of `elements` each, one behind the other, as FlatOptimizer::step() wants them:
/// what the rule keeps (Sgd none, Momentum and Nesterov one, Adam two), then the average. `undecayed`: what weight
/// decay leaves out, ascending, none over another, `ranges` of them; null where there are none.
void step(const StepFactors &factors, void *parameters, const void *gradients, void *state, std::int64_t elements,
          Real real, const Range *undecayed, int ranges, Stream stream);

/// target[i] += addend[i].
void addInto(void *target, const void *addend, std::int64_t elements, Real real, Stream stream);
/// error[i] = value[i] - rounded[i], then value[i] = rounded[i].
void takeRounded(void *value, void *error, const void *rounded, std::int64_t elements, Real real, Stream stream);
/// target[i] = kept[i] ? source[i] * factor : 0.
void multiplyKept(void *target, const void *source, const std::uint8_t *kept, double factor, std::int64_t elements,
                  Real real, Stream stream);
/// Elements [first, last) of a mask, at kept + first: 0 with that probability, else 1, by the salt's own stream.
void drawKept(std::uint8_t *kept, std::int64_t first, std::int64_t last, double probability, std::uint64_t salt,
              Stream stream);

/// Codec::number of each.
enum class Coding : std::uint8_t { Bf16 = 1, Bfp8 = 2, Bfp4 = 4, Bfp2 = 255 };

/// Writes `samples` of `bytesPerSample` of `real` each by itself, one behind the other, as encoded() does:
/// Codec::encodedBytes() for each. `stochastic`: Rounding::Stochastic. *refused becomes 1 where a value cannot be
/// written, and what `encoded` holds then is nothing; else it stays as it is. A sample has fewer than 2^31 values, and
/// all have fewer than 2^31 blocks of 64.
void encode(Coding coding, Real real, const void *raw, void *encoded, std::uint64_t samples,
            std::uint64_t bytesPerSample, bool stochastic, std::uint32_t *refused, Stream stream);
/// The way back; `bytesPerSample` are those of `raw`.
void decode(Coding coding, Real real, const void *encoded, void *raw, std::uint64_t samples,
            std::uint64_t bytesPerSample, Stream stream);

}  // namespace cuda
}  // namespace hearth
