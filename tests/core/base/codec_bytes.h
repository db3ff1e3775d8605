// What the codecs make of numbers of every kind, as one number that every processor and compiler has to find.
#pragma once

#include <bit>
#include <cstdint>
#include <cstring>
#include <vector>

#include "core/base/block_codecs.h"

namespace hearth::codec_bytes {

constexpr std::uint64_t expected = 0x963306041db71a62;

/// FNV-1a, 64 bits.
class Hash {
  public:
    void add(std::span<const std::byte> bytes) {
        for (const std::byte byte : bytes)
            m_value = (m_value ^ static_cast<std::uint8_t>(byte)) * 0x100000001b3U;
    }
    void add(std::uint8_t value) { add(std::as_bytes(std::span(&value, 1))); }
    std::uint64_t value() const { return m_value; }

  private:
    std::uint64_t m_value = 0xcbf29ce484222325U;
};

/// Of a fixed sequence of integers; the exponents lie within `spread` of `least`.
inline std::vector<float> numbers(std::size_t count, std::uint32_t least, std::uint32_t spread, std::uint32_t seed) {
    std::vector<float> values(count);
    for (float &value : values) {
        seed = seed * 1664525U + 1013904223U;
        const std::uint32_t mantissa = seed & 0x807fffffU;
        seed = seed * 1664525U + 1013904223U;
        value = std::bit_cast<float>(mantissa | (least + (seed >> 8) % spread) << 23);
    }
    return values;
}

/// What is written, or that nothing can be, and what is read back.
template <class Number>
void add(Hash &hash, const std::vector<Number> &values) {
    const DType type = sizeof(Number) == sizeof(float) ? DType::Float32 : DType::Float64;
    const auto raw = std::as_bytes(std::span(values));
    for (const Codec *codec : {&bf16Codec, &bfp8Codec, &bfp4Codec, &bfp2Codec}) {
        for (const Rounding rounding : {Rounding::Nearest, Rounding::Stochastic}) {
            std::vector<std::byte> written(codec->encodedBytes(type, raw.size())), back(raw.size());
            const bool isWritten = codec->encode(type, raw, written, rounding);
            hash.add(isWritten);
            if (!isWritten)
                continue;
            codec->decode(type, written, back);
            hash.add(written);
            hash.add(back);
        }
    }
}

inline std::uint64_t found() {
    Hash hash;
    add(hash, numbers(3217, 97, 40, 1));   // as activations
    add(hash, numbers(1280, 0, 3, 2));     // denormal and next to it
    add(hash, numbers(1280, 0, 40, 3));    // around what makes a block empty
    add(hash, numbers(1280, 230, 24, 4));  // up to what cannot be written
    add(hash, numbers(3200, 1, 253, 5));   // all together
    for (std::size_t count = 0; count <= 130; ++count)
        add(hash, numbers(count, 120, 8, static_cast<std::uint32_t>(count)));
    add(hash, std::vector<float>(200, 0.F));
    add(hash, std::vector<float>(70, -0.F));
    for (const std::uint32_t bits : {0x7f800000U, 0xff800000U, 0x7fc00000U, 0xffc00001U, 0x7fffffffU, 0xffffffffU,
                                     0x7f000000U, 0x7effffffU, 0x00000001U, 0x80000001U, 0x007fffffU}) {
        std::vector<float> values = numbers(150, 120, 8, bits);
        values[100] = std::bit_cast<float>(bits);
        add(hash, values);
    }
    const std::vector<float> narrow = numbers(64 * 10 + 5, 97, 40, 6);
    std::vector<double> wide(narrow.begin(), narrow.end());
    for (std::size_t i = 0; i < wide.size(); ++i)
        wide[i] *= 1 + 1e-9 * static_cast<double>(i);
    add(hash, wide);
    return hash.value();
}

}  // namespace hearth::codec_bytes
