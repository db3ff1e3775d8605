#include "core/base/block_codecs.h"

#include <algorithm>
#include <bit>
#include <cstring>
#include <span>

#include "core/base/block_scales.h"

// One source for every instruction set. Integers, and floats that no compiler may contract (-ffp-contract=off): the
// bytes are the same on every processor. Sanitizers do not get along with dispatched functions.
#ifndef HEARTH_WIDEST_VECTORS  // a benchmark sets it
#if defined(__x86_64__) && defined(__GNUC__) && !defined(__clang__) && !defined(__SANITIZE_THREAD__) && \
    !defined(__SANITIZE_ADDRESS__)
#define HEARTH_WIDEST_VECTORS __attribute__((target_clones("avx512f", "avx2", "default")))
#else
#define HEARTH_WIDEST_VECTORS
#endif
#endif

namespace hearth {
namespace {

using namespace block_scales;

constexpr std::size_t scaleBytes = 2;
constexpr std::size_t cacheLine = 64, fetchAhead = 4096;  // bytes: a page, beyond which processors do not look ahead
constexpr float roundsToInteger = 12582912.F;             // 1.5 * 2^23: the sum's lowest bit is worth one

bool isReal(DType type) {
    return type == DType::Float32 || type == DType::Float64;
}

std::size_t valuesIn(DType type, std::size_t rawBytes) {
    return rawBytes / static_cast<std::size_t>(byteSize(type));
}

/// `count` numbers as Float32, zeros after them.
HEARTH_INLINE void load(DType type, const std::byte *raw, std::size_t count, std::byte *block) {
    if (count < blockValues)
        std::memset(block, 0, blockValues * sizeof(float));
    if (type == DType::Float32) {
        std::memcpy(block, raw, count * sizeof(float));
        return;
    }
    for (std::size_t i = 0; i < count; ++i)
        setNumber(block, i, static_cast<float>(numberAt<double>(raw, i)));
}

HEARTH_INLINE void store(DType type, const std::byte *block, std::size_t count, std::byte *raw) {
    if (type == DType::Float32) {
        std::memcpy(raw, block, count * sizeof(float));
        return;
    }
    for (std::size_t i = 0; i < count; ++i)
        setNumber<double>(raw, i, numberAt<float>(block, i));
}

/// The four rows of a block by the same factors.
HEARTH_INLINE void multiply(const std::byte *block, const float *factors, float *products) {
    for (std::size_t row = 0; row < blockValues; row += rowValues) {
        for (std::size_t i = 0; i < rowValues; ++i)
            products[row + i] = numberAt<float>(block, row + i) * factors[i];
    }
}

HEARTH_INLINE void nearest(const std::byte *block, const float *inverses, std::int32_t *integers) {
    float scaled[blockValues];
    multiply(block, inverses, scaled);
    for (std::size_t i = 0; i < blockValues; ++i)
        integers[i] =
            std::bit_cast<std::int32_t>(scaled[i] + roundsToInteger) - std::bit_cast<std::int32_t>(roundsToInteger);
}

/// Up or down, so that the mean is right: floor(value + u) with 16 random bits u, in integers.
HEARTH_INLINE void stochastic(const std::byte *block, const float *inverses, std::int32_t *integers) {
    float scaled[blockValues];
    multiply(block, inverses, scaled);
    std::uint32_t seed = 0;
    for (std::size_t i = 0; i < blockValues; ++i)
        seed += numberAt<std::uint32_t>(block, i) * (2 * static_cast<std::uint32_t>(i) + 0x9e3779b9U);
    constexpr std::size_t pairs = blockValues / 2;
    for (std::size_t i = 0; i < pairs; ++i) {
        // The integer hash lowbias32 (C. Wellons): its lower half for one value, its upper half for another.
        std::uint32_t random = seed + static_cast<std::uint32_t>(i) * 0x9e3779b9U;
        random ^= random >> 16;
        random *= 0x7feb352dU;
        random ^= random >> 15;
        random *= 0x846ca68bU;
        random ^= random >> 16;
        integers[i] =
            (static_cast<std::int32_t>(scaled[i] * 65536.F) + static_cast<std::int32_t>(random & 0xffffU)) >> 16;
        integers[i + pairs] =
            (static_cast<std::int32_t>(scaled[i + pairs] * 65536.F) + static_cast<std::int32_t>(random >> 16)) >> 16;
    }
}

/// How the integers of a block are packed behind its scale.
struct Eight {
    using Scales = OneScale<127>;
    static constexpr bool isStochastic = false;
    static constexpr std::size_t perBlock = blockValues;
    static HEARTH_INLINE void pack(const std::int32_t *integers, std::byte *bytes) {
        for (std::size_t i = 0; i < blockValues; ++i)
            bytes[i] = static_cast<std::byte>(integers[i]);
    }
    static HEARTH_INLINE void unpack(const std::byte *bytes, float *integers) {
        for (std::size_t i = 0; i < blockValues; ++i)
            integers[i] = static_cast<float>(numberAt<std::int8_t>(bytes, i));
    }
};

struct Four {
    using Scales = QuarterScales;
    static constexpr bool isStochastic = true;
    static constexpr std::size_t perBlock = blockValues / 2;
    static HEARTH_INLINE void pack(const std::int32_t *integers, std::byte *bytes) {
        for (std::size_t i = 0; i < perBlock; ++i)
            bytes[i] = static_cast<std::byte>((integers[i] + 8) | ((integers[i + perBlock] + 8) << 4));
    }
    static HEARTH_INLINE void unpack(const std::byte *bytes, float *integers) {
        for (std::size_t i = 0; i < perBlock; ++i) {
            integers[i] = static_cast<float>((numberAt<std::uint8_t>(bytes, i) & 15) - 8);
            integers[i + perBlock] = static_cast<float>((numberAt<std::uint8_t>(bytes, i) >> 4) - 8);
        }
    }
};

struct Two {
    using Scales = OneScale<1>;
    static constexpr bool isStochastic = true;
    static constexpr std::size_t perBlock = blockValues / 4;
    static HEARTH_INLINE void pack(const std::int32_t *integers, std::byte *bytes) {
        for (std::size_t i = 0; i < perBlock; ++i) {
            std::int32_t byte = 0;
            for (std::size_t quarter = 0; quarter < 4; ++quarter)
                byte |= (integers[i + quarter * perBlock] + 2) << (2 * quarter);
            bytes[i] = static_cast<std::byte>(byte);
        }
    }
    static HEARTH_INLINE void unpack(const std::byte *bytes, float *integers) {
        for (std::size_t i = 0; i < blockValues; ++i)
            integers[i] =
                static_cast<float>(((numberAt<std::uint8_t>(bytes, i % perBlock) >> (2 * (i / perBlock))) & 3) - 2);
    }
};

/// Values by the scales of their block.
template <class Packing>
struct Scaled {
    static constexpr std::size_t written(std::size_t values) {
        return scaleBytes + std::min(values, Packing::perBlock);
    }

    static HEARTH_INLINE bool encode(const std::byte *block, Rounding rounding, std::byte *__restrict encoded) {
        float inverses[rowValues];
        std::int32_t integers[blockValues];
        std::uint16_t scale = 0;
        if (!Packing::Scales::write(block, scale, inverses))
            return false;
        if (Packing::isStochastic && rounding == Rounding::Stochastic)
            stochastic(block, inverses, integers);
        else
            nearest(block, inverses, integers);
        setNumber(encoded, 0, scale);
        Packing::pack(integers, encoded + scaleBytes);
        return true;
    }

    static HEARTH_INLINE void decode(const std::byte *encoded, std::byte *__restrict block) {
        float integers[blockValues], scales[rowValues];
        Packing::Scales::read(numberAt<std::uint16_t>(encoded, 0), scales);
        Packing::unpack(encoded + scaleBytes, integers);
        for (std::size_t row = 0; row < blockValues; row += rowValues) {
            for (std::size_t i = 0; i < rowValues; ++i)
                setNumber(block, row + i, integers[row + i] * scales[i]);
        }
    }
};

/// The upper halves of values, to the nearest.
struct Halves {
    static constexpr std::size_t written(std::size_t values) { return values * sizeof(std::uint16_t); }

    static HEARTH_INLINE bool encode(const std::byte *block, Rounding, std::byte *__restrict encoded) {
        // Before rounding, which carries a NaN of many ones into the sign.
        if (largestOf(block) >= tooLarge)
            return false;
        for (std::size_t i = 0; i < blockValues; ++i) {
            const auto bits = numberAt<std::uint32_t>(block, i);
            setNumber(encoded, i, static_cast<std::uint16_t>((bits + 0x7fffU + ((bits >> 16) & 1U)) >> 16));
        }
        return true;
    }

    static HEARTH_INLINE void decode(const std::byte *encoded, std::byte *__restrict block) {
        for (std::size_t i = 0; i < blockValues; ++i)
            setNumber(block, i, widened(numberAt<std::uint16_t>(encoded, i)));
    }
};

// Whole blocks of Float32 are read and written in place, others through a block of their own.

template <class Blocks>
HEARTH_INLINE bool encodeAll(DType type, std::span<const std::byte> raw, std::span<std::byte> encoded,
                             Rounding rounding) {
    std::byte block[blockValues * sizeof(float)], part[Blocks::written(blockValues)];
    const auto width = static_cast<std::size_t>(byteSize(type));
    const std::size_t values = valuesIn(type, raw.size());
    for (std::size_t first = 0; first < values; first += blockValues) {
        const std::byte *from = raw.data() + first * width;
        std::byte *to = encoded.data() + first / blockValues * Blocks::written(blockValues);
        const std::size_t left = values - first, count = std::min(blockValues, left);
        if (left * width >= fetchAhead + blockValues * width) {
            for (std::size_t at = 0; at < blockValues * width; at += cacheLine)
                __builtin_prefetch(from + fetchAhead + at);
        }
        const bool isWhole = count == blockValues, isInPlace = isWhole && type == DType::Float32;
        if (!isInPlace)
            load(type, from, count, block);
        if (!Blocks::encode(isInPlace ? from : block, rounding, isWhole ? to : part))
            return false;
        if (!isWhole)
            std::memcpy(to, part, Blocks::written(count));
    }
    return true;
}

template <class Blocks>
HEARTH_INLINE void decodeAll(DType type, std::span<const std::byte> encoded, std::span<std::byte> raw) {
    std::byte block[blockValues * sizeof(float)], part[Blocks::written(blockValues)] = {};
    const auto width = static_cast<std::size_t>(byteSize(type));
    const std::size_t values = valuesIn(type, raw.size());
    for (std::size_t first = 0; first < values; first += blockValues) {
        const std::byte *from = encoded.data() + first / blockValues * Blocks::written(blockValues);
        std::byte *to = raw.data() + first * width;
        const std::size_t count = std::min(blockValues, values - first);
        const bool isWhole = count == blockValues, isInPlace = isWhole && type == DType::Float32;
        if (!isWhole)
            std::memcpy(part, from, Blocks::written(count));
        Blocks::decode(isWhole ? from : part, isInPlace ? to : block);
        if (!isInPlace)
            store(type, block, count, to);
    }
}

// One function for each codec and direction, which the compiler clones for each instruction set; not for bfp2, which
// only tests use.

HEARTH_WIDEST_VECTORS bool encodeBf16(DType type, std::span<const std::byte> raw, std::span<std::byte> encoded,
                                      Rounding rounding) {
    return encodeAll<Halves>(type, raw, encoded, rounding);
}

HEARTH_WIDEST_VECTORS void decodeBf16(DType type, std::span<const std::byte> encoded, std::span<std::byte> raw) {
    decodeAll<Halves>(type, encoded, raw);
}

HEARTH_WIDEST_VECTORS bool encodeBfp8(DType type, std::span<const std::byte> raw, std::span<std::byte> encoded,
                                      Rounding rounding) {
    return encodeAll<Scaled<Eight>>(type, raw, encoded, rounding);
}

HEARTH_WIDEST_VECTORS void decodeBfp8(DType type, std::span<const std::byte> encoded, std::span<std::byte> raw) {
    decodeAll<Scaled<Eight>>(type, encoded, raw);
}

HEARTH_WIDEST_VECTORS bool encodeBfp4(DType type, std::span<const std::byte> raw, std::span<std::byte> encoded,
                                      Rounding rounding) {
    return encodeAll<Scaled<Four>>(type, raw, encoded, rounding);
}

HEARTH_WIDEST_VECTORS void decodeBfp4(DType type, std::span<const std::byte> encoded, std::span<std::byte> raw) {
    decodeAll<Scaled<Four>>(type, encoded, raw);
}

bool encodeBfp2(DType type, std::span<const std::byte> raw, std::span<std::byte> encoded, Rounding rounding) {
    return encodeAll<Scaled<Two>>(type, raw, encoded, rounding);
}

void decodeBfp2(DType type, std::span<const std::byte> encoded, std::span<std::byte> raw) {
    decodeAll<Scaled<Two>>(type, encoded, raw);
}

/// Other types are never encoded.
template <class Blocks>
quint64 bytesOf(DType type, quint64 rawBytes) {
    if (!isReal(type))
        return rawBytes;
    const std::size_t values = valuesIn(type, rawBytes), tail = values % blockValues;
    return values / blockValues * Blocks::written(blockValues) + (tail ? Blocks::written(tail) : 0);
}

/// The most that tensors may lose which bear a codec, by rounding.
struct MostErrors {
    double nearest, stochastic;
};
constexpr MostErrors fourBitErrors{0.20, 0.25};

template <class Packing>
consteval Codec blockCodec(const char *name, std::uint8_t number, CodecSeconds usual, decltype(Codec::encode) encode,
                           decltype(Codec::decode) decode, MostErrors most) {
    return {.name = name,
            .number = number,
            .usual = usual,
            .encodedBytes = bytesOf<Scaled<Packing>>,
            .encode = encode,
            .decode = decode,
            .mostError = most.nearest,
            .mostStochasticError = most.stochastic};
}

}  // namespace

constinit const Codec bf16Codec{.name = "bf16",
                                .number = 1,
                                .usual = {2e-10, 2e-10},
                                .encodedBytes = bytesOf<Halves>,
                                .encode = encodeBf16,
                                .decode = decodeBf16};
constinit const Codec bfp8Codec = blockCodec<Eight>("bfp8", 2, {3e-10, 2e-10}, encodeBfp8, decodeBfp8, {0.015, 0.015});
constinit const Codec bfp4Codec = blockCodec<Four>("bfp4", 4, {4e-10, 2e-10}, encodeBfp4, decodeBfp4, fourBitErrors);
constinit const Codec bfp2Codec = blockCodec<Two>("bfp2", 255, {4e-10, 2e-10}, encodeBfp2, decodeBfp2, fourBitErrors);

}  // namespace hearth
