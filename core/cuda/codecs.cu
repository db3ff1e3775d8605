#include "core/cuda/coding.h"

// The formats are those of core/base/block_codecs.cpp, with its arithmetic.

namespace hearth {
namespace cuda {
namespace {

CodingCall callOf(Real real, const void *from, void *to, std::uint64_t samples, std::uint64_t bytesPerSample,
                  std::uint32_t *refused, Stream stream) {
    const std::uint64_t values = bytesPerSample / (real == Real::Float64 ? sizeof(double) : sizeof(float));
    return {from, to, samples, values, refused, stream};
}

int bitsOf(Coding coding) {
    return coding == Coding::Bfp8 ? 8 : coding == Coding::Bfp4 ? 4 : 2;
}

}  // namespace

void encode(Coding coding, Real real, const void *raw, void *encoded, std::uint64_t samples,
            std::uint64_t bytesPerSample, bool stochastic, std::uint32_t *refused, Stream stream) {
    const CodingCall call = callOf(real, raw, encoded, samples, bytesPerSample, refused, stream);
    if (call.samples * call.values == 0)
        return;
    if (coding == Coding::Bf16)
        encodeHalves(real, call);
    else
        encodeBlocks(bitsOf(coding), real, stochastic, call);
}

void decode(Coding coding, Real real, const void *encoded, void *raw, std::uint64_t samples,
            std::uint64_t bytesPerSample, Stream stream) {
    const CodingCall call = callOf(real, encoded, raw, samples, bytesPerSample, nullptr, stream);
    if (call.samples * call.values == 0)
        return;
    if (coding == Coding::Bf16)
        decodeHalves(real, call);
    else
        decodeBlocks(bitsOf(coding), real, call);
}

}  // namespace cuda
}  // namespace hearth
