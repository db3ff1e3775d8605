// Random numbers that are a pure function of (seed, place): the same bits on every processor, compiler and library.
#pragma once

#include <cstdint>

namespace hearth {

/// Our own counter-based generator. `mix` is a bijection of 64-bit words: three rounds of "xor with its own upper bits,
/// multiply by an odd constant", then a last xor. The constants are the fractional bits of square roots of small
/// primes, so nobody picked them. A Generator is one stream: the words mix(key + counter * step) for counter = 0, 1,
/// 2…, where `step` is odd, so a stream repeats only after 2^64 words; any word is reached directly by its counter.
/// Streams are derived from a seed by hashing labels into the key one after the other. Only unsigned integer
/// arithmetic: no rounding, no state, any thread. Not for secrets.
class Generator {
  public:
    constexpr explicit Generator(std::uint64_t seed) : m_key(mix(seed + seedOffset)) {}

    /// The stream of a part of this one: child(a).child(b) differs from child(b).child(a).
    constexpr Generator child(std::uint64_t label) const { return fromKey(mix(m_key ^ mix(label + labelOffset))); }

    constexpr std::uint64_t word(std::uint64_t counter) const { return mix(m_key + counter * step); }

    /// Uniform in (-1, 1), symmetric around 0 and never 0 or ±1: one of 2^24 odd multiples of 2^-24, exact as float32.
    constexpr double symmetric(std::uint64_t counter) const {
        const auto k = static_cast<std::int64_t>(word(counter) >> 40);
        return static_cast<double>(2 * k + 1 - (std::int64_t{1} << 24)) / static_cast<double>(std::int64_t{1} << 24);
    }

    /// Uniform in [0, limit), by the upper half of a 128-bit product; the bias is below limit / 2^64.
    constexpr std::uint64_t below(std::uint64_t limit, std::uint64_t counter) const {
        __extension__ using Wide = unsigned __int128;
        return static_cast<std::uint64_t>((static_cast<Wide>(word(counter)) * limit) >> 64);
    }

    static constexpr std::uint64_t mix(std::uint64_t z) {
        z = (z ^ (z >> 32)) * 0xbb67ae8584caa73bULL;  // sqrt(3)
        z = (z ^ (z >> 29)) * 0x3c6ef372fe94f82bULL;  // sqrt(5)
        z = (z ^ (z >> 31)) * 0xa54ff53a5f1d36f1ULL;  // sqrt(7)
        return z ^ (z >> 32);
    }

  private:
    static constexpr std::uint64_t step = 0x6a09e667f3bcc909ULL;         // sqrt(2), made odd
    static constexpr std::uint64_t seedOffset = 0x510e527fade682d1ULL;   // sqrt(11)
    static constexpr std::uint64_t labelOffset = 0x9b05688c2b3e6c1fULL;  // sqrt(13)

    static constexpr Generator fromKey(std::uint64_t key) {
        Generator generator(0);
        generator.m_key = key;
        return generator;
    }

    std::uint64_t m_key;
};

}  // namespace hearth
