// How fast codecs write and read what lies in memory and in no cache, on one thread, against a plain copy. codec_speeds
// takes the widest vectors of this processor, codec_speeds_avx2 and codec_speeds_portable those that they are built
// for. Usage: codec_speeds [MEGABYTES]
#include <algorithm>
#include <chrono>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <functional>
#include <random>
#include <span>
#include <vector>

#include "core/base/block_codecs.h"

using namespace hearth;

namespace {

/// The shortest of seven; bytes of float32 a second.
double bytesPerSecond(std::size_t bytes, const std::function<void()> &work) {
    double least = 0;
    for (int i = 0; i < 7; ++i) {
        const auto start = std::chrono::steady_clock::now();
        work();
        const double seconds = std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count();
        least = i == 0 ? seconds : std::min(least, seconds);
    }
    return static_cast<double>(bytes) / least;
}

/// Half of them zero, as behind a rectifier.
std::vector<float> activations(std::size_t count) {
    std::vector<float> some(std::size_t(1) << 20);
    std::mt19937 random(1);
    std::normal_distribution<float> normal;
    for (float &value : some)
        value = std::max(normal(random), 0.F);
    std::vector<float> values(count);
    for (std::size_t i = 0; i < count; ++i)
        values[i] = some[i % some.size()];
    return values;
}

}  // namespace

int main(int argc, char *argv[]) {
#ifdef __AVX2__
    if (!__builtin_cpu_supports("avx2"))
        return std::fprintf(stderr, "This processor has no AVX2. Run codec_speeds or codec_speeds_portable.\n"), 2;
#endif
    const int megabytes = argc > 1 ? std::atoi(argv[1]) : 400;
    if (argc > 2 || megabytes < 1)
        return std::fprintf(stderr, "Usage: codec_speeds [MEGABYTES]\n"), 2;
    const std::vector<float> values = activations(static_cast<std::size_t>(megabytes) * 1'000'000 / sizeof(float));
    const auto raw = std::as_bytes(std::span(values));
    std::vector<std::byte> back(raw.size());
    const double copy = bytesPerSecond(raw.size(), [&] { std::memcpy(back.data(), raw.data(), raw.size()); });
    std::printf("a copy: %.1f GB/s\n", copy / 1e9);
    for (const Codec *codec : {&bf16Codec, &bfp8Codec, &bfp4Codec}) {
        std::vector<std::byte> written(codec->encodedBytes(DType::Float32, raw.size()));
        for (const Rounding rounding : {Rounding::Nearest, Rounding::Stochastic}) {
            if (rounding == Rounding::Stochastic && codec != &bfp4Codec)
                continue;
            const double encode = bytesPerSecond(raw.size(), [&] {
                if (!codec->encode(DType::Float32, raw, written, rounding))
                    std::abort();
            });
            const double decode = bytesPerSecond(raw.size(), [&] { codec->decode(DType::Float32, written, back); });
            std::printf("%-4s %-12s written at %5.1f GB/s of float32 (%.2f of a copy), read at %5.1f (%.2f)\n",
                        codec->name, rounding == Rounding::Stochastic ? "stochastic" : "to nearest", encode / 1e9,
                        encode / copy, decode / 1e9, decode / copy);
        }
    }
    return 0;
}
