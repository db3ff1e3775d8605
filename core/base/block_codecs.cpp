#include "core/base/block_codecs.h"

#include <algorithm>
#include <bit>
#include <cstring>
#include <limits>

// One source for every instruction set. Integers, and floats that no compiler may contract (-ffp-contract=off): the
// bytes are the same on every processor. Sanitizers do not get along with dispatched functions.
#if defined(__x86_64__) && defined(__GNUC__) && !defined(__clang__) && !defined(__SANITIZE_THREAD__) && \
    !defined(__SANITIZE_ADDRESS__)
#define HEARTH_WIDEST_VECTORS __attribute__((target_clones("avx512f", "avx2", "default")))
#else
#define HEARTH_WIDEST_VECTORS
#endif
#define HEARTH_INLINE inline __attribute__((always_inline))

namespace hearth {
namespace {

constexpr std::size_t blockValues = 64;
constexpr std::size_t rowValues = 16;
constexpr std::size_t scaleBytes = 2;
constexpr std::uint32_t signBit = 0x80000000;
constexpr std::uint32_t tooLarge = 0x7f000000;  // 2^127: times a scale that was rounded up it could be infinite
constexpr float emptyBlock = 1e-30F;            // smaller ones would make 1 / scale infinite
constexpr float roundsToInteger = 12582912.F;   // 1.5 * 2^23: the sum's lowest bit is worth one

bool isReal(DType type) {
    return type == DType::Float32 || type == DType::Float64;
}

std::size_t valuesIn(DType type, std::size_t rawBytes) {
    return rawBytes / static_cast<std::size_t>(byteSize(type));
}

/// `count` numbers from number `first` on as Float32, zeros after them.
HEARTH_INLINE void load(DType type, const std::byte *raw, std::size_t first, std::size_t count, float *block) {
    if (count < blockValues)
        std::fill_n(block, blockValues, 0.F);
    if (type == DType::Float32) {
        std::memcpy(block, raw + first * sizeof(float), count * sizeof(float));
        return;
    }
    for (std::size_t i = 0; i < count; ++i) {
        double value = 0;
        std::memcpy(&value, raw + (first + i) * sizeof(double), sizeof(double));
        block[i] = static_cast<float>(value);
    }
}

HEARTH_INLINE void store(DType type, std::byte *raw, std::size_t first, std::size_t count, const float *block) {
    if (type == DType::Float32) {
        std::memcpy(raw + first * sizeof(float), block, count * sizeof(float));
        return;
    }
    for (std::size_t i = 0; i < count; ++i) {
        const double value = block[i];
        std::memcpy(raw + (first + i) * sizeof(double), &value, sizeof(double));
    }
}

HEARTH_INLINE void bitsOf(const float *block, std::uint32_t *bits) {
    std::memcpy(bits, block, blockValues * sizeof(float));
}

/// The bits of the largest absolute value; from `tooLarge` on the block cannot be written, as with an infinity or a
/// NaN.
HEARTH_INLINE std::uint32_t largestOf(const std::uint32_t *bits) {
    std::uint32_t largest = 0;
    for (std::size_t i = 0; i < blockValues; ++i)
        largest = std::max(largest, bits[i] & 0x7fffffffU);
    return largest;
}

/// The upper half of the scale with which the largest value becomes at most `levels`; 0: all are zero.
HEARTH_INLINE std::uint16_t scaleOf(std::uint32_t largest, float levels) {
    const auto value = std::bit_cast<float>(largest);
    if (value < emptyBlock)
        return 0;
    return static_cast<std::uint16_t>((std::bit_cast<std::uint32_t>(value / levels) + 0xffffU) >> 16);
}

HEARTH_INLINE float widened(std::uint16_t upper) {
    return std::bit_cast<float>(static_cast<std::uint32_t>(upper) << 16);
}

/// The four rows of a block by the same factors.
HEARTH_INLINE void multiply(const float *block, const float *factors, float *products) {
    for (std::size_t row = 0; row < blockValues; row += rowValues) {
        for (std::size_t i = 0; i < rowValues; ++i)
            products[row + i] = block[row + i] * factors[i];
    }
}

HEARTH_INLINE void nearest(const float *block, const float *inverses, std::int32_t *integers) {
    float scaled[blockValues];
    multiply(block, inverses, scaled);
    for (std::size_t i = 0; i < blockValues; ++i)
        integers[i] =
            std::bit_cast<std::int32_t>(scaled[i] + roundsToInteger) - std::bit_cast<std::int32_t>(roundsToInteger);
}

/// Up or down, so that the mean is right: floor(value + u) with 16 random bits u, in integers.
HEARTH_INLINE void stochastic(const float *block, const std::uint32_t *bits, const float *inverses,
                              std::int32_t *integers) {
    float scaled[blockValues];
    multiply(block, inverses, scaled);
    std::uint32_t seed = 0;
    for (std::size_t i = 0; i < blockValues; ++i)
        seed += bits[i] * (2 * static_cast<std::uint32_t>(i) + 0x9e3779b9U);
    for (std::size_t i = 0; i < blockValues; ++i) {
        // The integer hash lowbias32 (C. Wellons).
        std::uint32_t random = seed + static_cast<std::uint32_t>(i) * 0x9e3779b9U;
        random ^= random >> 16;
        random *= 0x7feb352dU;
        random ^= random >> 15;
        random *= 0x846ca68bU;
        random ^= random >> 16;
        integers[i] =
            (static_cast<std::int32_t>(scaled[i] * 65536.F) + static_cast<std::int32_t>(random & 0xffffU)) >> 16;
    }
}

HEARTH_WIDEST_VECTORS bool encodeBf16(DType type, std::span<const std::byte> raw, std::span<std::byte> encoded,
                                      Rounding /*always to nearest*/) {
    const std::size_t values = valuesIn(type, raw.size());
    float block[blockValues];
    std::uint32_t bits[blockValues];
    std::uint16_t upper[blockValues];
    for (std::size_t first = 0; first < values; first += blockValues) {
        const std::size_t count = std::min(blockValues, values - first);
        load(type, raw.data(), first, count, block);
        bitsOf(block, bits);
        // Before rounding, which carries a NaN of many ones into the sign.
        if (largestOf(bits) >= tooLarge)
            return false;
        for (std::size_t i = 0; i < blockValues; ++i)
            bits[i] += 0x7fffU + ((bits[i] >> 16) & 1U);
        for (std::size_t i = 0; i < blockValues; ++i)
            upper[i] = static_cast<std::uint16_t>(bits[i] >> 16);
        std::memcpy(encoded.data() + first * sizeof(upper[0]), upper, count * sizeof(upper[0]));
    }
    return true;
}

HEARTH_WIDEST_VECTORS void decodeBf16(DType type, std::span<const std::byte> encoded, std::span<std::byte> raw) {
    const std::size_t values = valuesIn(type, raw.size());
    float block[blockValues];
    std::uint16_t upper[blockValues] = {};
    for (std::size_t first = 0; first < values; first += blockValues) {
        const std::size_t count = std::min(blockValues, values - first);
        std::memcpy(upper, encoded.data() + first * sizeof(upper[0]), count * sizeof(upper[0]));
        for (std::size_t i = 0; i < blockValues; ++i)
            block[i] = widened(upper[i]);
        store(type, raw.data(), first, count, block);
    }
}

// The scales of a block: which ones are written before its integers, with the reciprocals for a row of 16 values (the
// four rows have the same), and the scales of a row that are read.

/// One for all: the largest value becomes at most `levels`.
template <int levels>
struct OneScale {
    static HEARTH_INLINE std::uint16_t written(const std::uint32_t *, std::uint32_t largest, float *inverses) {
        const std::uint16_t scale = scaleOf(largest, levels);
        std::fill_n(inverses, rowValues, scale ? 1.F / widened(scale) : 0.F);
        return scale;
    }
    static HEARTH_INLINE void read(std::uint16_t written, float *scales) {
        std::fill_n(scales, rowValues, widened(written));
    }
};

/// A quarter of the block (number q: of each row the values 4q to 4q + 3) whose values are small enough has 11/16 of
/// the scale; bit q of what is written tells. Integers go from -8 to 7, so the scale is negative where the largest
/// value is positive.
struct QuarterScales {
    static constexpr float smaller = 0.6875F;

    using Integers = std::int32_t __attribute__((vector_size(rowValues * sizeof(float))));
    using Floats = float __attribute__((vector_size(rowValues * sizeof(float))));

    static HEARTH_INLINE std::uint16_t written(const std::uint32_t *bits, std::uint32_t largest, float *inverses) {
        if (std::bit_cast<float>(largest) < emptyBlock) {
            std::fill_n(inverses, rowValues, 0.F);
            return 0;
        }
        // The bits of the largest of each quarter on either side of zero, in every place of a row that belongs to it.
        Integers above{}, below{};
        for (std::size_t row = 0; row < blockValues; row += rowValues) {
            Integers up;
            std::memcpy(&up, bits + row, sizeof up);
            const Integers down = up ^ std::numeric_limits<std::int32_t>::min();
            above = up > above ? up : above;
            below = down > below ? down : below;
        }
        for (Integers *most : {&above, &below}) {
            const Integers far =
                __builtin_shufflevector(*most, *most, 2, 3, 0, 1, 6, 7, 4, 5, 10, 11, 8, 9, 14, 15, 12, 13);
            *most = far > *most ? far : *most;
            const Integers near =
                __builtin_shufflevector(*most, *most, 1, 0, 3, 2, 5, 4, 7, 6, 9, 8, 11, 10, 13, 12, 15, 14);
            *most = near > *most ? near : *most;
        }
        const bool isPositive =
            std::max({above[0], above[4], above[8], above[12]}) == static_cast<std::int32_t>(largest);
        const Floats ups = reinterpret_cast<Floats>(above) * (isPositive ? 1.F / 8.F : 1.F / 7.F);
        const Floats downs = reinterpret_cast<Floats>(below) * (isPositive ? 1.F / 7.F : 1.F / 8.F);
        const Floats needed = ups > downs ? ups : downs;
        const float most = std::max({needed[0], needed[4], needed[8], needed[12]});
        // Three bits behind the leading one, rounded up; the lowest four tell of quarters.
        const std::uint32_t size = (std::bit_cast<std::uint32_t>(most) + 0xfffffU) & ~0xfffffU;
        const std::uint32_t scale = size | (isPositive ? signBit : 0U);
        const float whole = std::bit_cast<float>(scale), limit = std::bit_cast<float>(size) * smaller;
        const Floats all = Floats{} + 1.F / whole, less = Floats{} + 1.F / (whole * smaller);
        const Integers isSmall = needed <= limit;
        const Floats each = isSmall ? less : all;
        std::memcpy(inverses, &each, sizeof each);
        const std::uint32_t small = (isSmall[0] & 1) | (isSmall[4] & 2) | (isSmall[8] & 4) | (isSmall[12] & 8);
        return static_cast<std::uint16_t>(scale >> 16 | small);
    }
    static HEARTH_INLINE void read(std::uint16_t written, float *scales) {
        static constexpr std::uint32_t flags[rowValues] = {1, 1, 1, 1, 2, 2, 2, 2, 4, 4, 4, 4, 8, 8, 8, 8};
        const float scale = widened(written & 0xfff0U), less = scale * smaller;
        for (std::size_t i = 0; i < rowValues; ++i)
            scales[i] = written & flags[i] ? less : scale;
    }
};

/// How the integers of a block are packed.
struct Eight {
    using Scales = OneScale<127>;
    static constexpr bool isStochastic = false;
    static constexpr std::size_t perBlock = blockValues;
    static HEARTH_INLINE void pack(const std::int32_t *integers, std::uint8_t *bytes) {
        for (std::size_t i = 0; i < blockValues; ++i)
            bytes[i] = static_cast<std::uint8_t>(integers[i]);
    }
    static HEARTH_INLINE void unpack(const std::uint8_t *bytes, float *block) {
        for (std::size_t i = 0; i < blockValues; ++i)
            block[i] = static_cast<float>(static_cast<std::int8_t>(bytes[i]));
    }
};

struct Four {
    using Scales = QuarterScales;
    static constexpr bool isStochastic = true;
    static constexpr std::size_t perBlock = blockValues / 2;
    static HEARTH_INLINE void pack(const std::int32_t *integers, std::uint8_t *bytes) {
        for (std::size_t i = 0; i < perBlock; ++i)
            bytes[i] = static_cast<std::uint8_t>((integers[i] + 8) | ((integers[i + perBlock] + 8) << 4));
    }
    static HEARTH_INLINE void unpack(const std::uint8_t *bytes, float *block) {
        for (std::size_t i = 0; i < perBlock; ++i) {
            block[i] = static_cast<float>((bytes[i] & 15) - 8);
            block[i + perBlock] = static_cast<float>((bytes[i] >> 4) - 8);
        }
    }
};

struct Two {
    using Scales = OneScale<1>;
    static constexpr bool isStochastic = true;
    static constexpr std::size_t perBlock = blockValues / 4;
    static HEARTH_INLINE void pack(const std::int32_t *integers, std::uint8_t *bytes) {
        for (std::size_t i = 0; i < perBlock; ++i) {
            std::int32_t byte = 0;
            for (std::size_t quarter = 0; quarter < 4; ++quarter)
                byte |= (integers[i + quarter * perBlock] + 2) << (2 * quarter);
            bytes[i] = static_cast<std::uint8_t>(byte);
        }
    }
    static HEARTH_INLINE void unpack(const std::uint8_t *bytes, float *block) {
        for (std::size_t i = 0; i < blockValues; ++i)
            block[i] = static_cast<float>(((bytes[i % perBlock] >> (2 * (i / perBlock))) & 3) - 2);
    }
};

template <class Packing>
HEARTH_INLINE bool encodeBlock(DType type, const std::byte *raw, std::size_t count, Rounding rounding,
                               std::byte *encoded) {
    float block[blockValues], inverses[rowValues];
    std::uint32_t bits[blockValues];
    std::int32_t integers[blockValues];
    std::uint8_t bytes[Packing::perBlock];
    load(type, raw, 0, count, block);
    bitsOf(block, bits);
    const std::uint32_t largest = largestOf(bits);
    if (largest >= tooLarge)
        return false;
    const std::uint16_t scale = Packing::Scales::written(bits, largest, inverses);
    if (Packing::isStochastic && rounding == Rounding::Stochastic)
        stochastic(block, bits, inverses, integers);
    else
        nearest(block, inverses, integers);
    Packing::pack(integers, bytes);
    std::memcpy(encoded, &scale, scaleBytes);
    std::memcpy(encoded + scaleBytes, bytes, std::min(count, Packing::perBlock));
    return true;
}

template <class Packing>
HEARTH_INLINE bool encodeBlocks(DType type, std::span<const std::byte> raw, std::span<std::byte> encoded,
                                Rounding rounding) {
    const std::size_t values = valuesIn(type, raw.size()), tail = values % blockValues;
    const std::size_t step = blockValues * (raw.size() / std::max<std::size_t>(values, 1));
    const std::byte *from = raw.data();
    std::byte *to = encoded.data();
    for (std::size_t block = 0; block < values / blockValues; ++block) {
        if (!encodeBlock<Packing>(type, from, blockValues, rounding, to))
            return false;
        from += step;
        to += scaleBytes + Packing::perBlock;
    }
    return tail == 0 || encodeBlock<Packing>(type, from, tail, rounding, to);
}

template <class Packing>
HEARTH_INLINE void decodeBlock(DType type, const std::byte *encoded, std::size_t count, std::byte *raw) {
    float block[blockValues], scales[rowValues];
    std::uint8_t bytes[Packing::perBlock] = {};
    std::uint16_t scale = 0;
    std::memcpy(&scale, encoded, scaleBytes);
    std::memcpy(bytes, encoded + scaleBytes, std::min(count, Packing::perBlock));
    Packing::Scales::read(scale, scales);
    Packing::unpack(bytes, block);
    multiply(block, scales, block);
    store(type, raw, 0, count, block);
}

template <class Packing>
HEARTH_INLINE void decodeBlocks(DType type, std::span<const std::byte> encoded, std::span<std::byte> raw) {
    const std::size_t values = valuesIn(type, raw.size()), tail = values % blockValues;
    const std::size_t step = blockValues * (raw.size() / std::max<std::size_t>(values, 1));
    const std::byte *from = encoded.data();
    std::byte *to = raw.data();
    for (std::size_t block = 0; block < values / blockValues; ++block) {
        decodeBlock<Packing>(type, from, blockValues, to);
        from += scaleBytes + Packing::perBlock;
        to += step;
    }
    if (tail != 0)
        decodeBlock<Packing>(type, from, tail, to);
}

HEARTH_WIDEST_VECTORS bool encodeBfp8(DType type, std::span<const std::byte> raw, std::span<std::byte> encoded,
                                      Rounding rounding) {
    return encodeBlocks<Eight>(type, raw, encoded, rounding);
}

HEARTH_WIDEST_VECTORS void decodeBfp8(DType type, std::span<const std::byte> encoded, std::span<std::byte> raw) {
    decodeBlocks<Eight>(type, encoded, raw);
}

HEARTH_WIDEST_VECTORS bool encodeBfp4(DType type, std::span<const std::byte> raw, std::span<std::byte> encoded,
                                      Rounding rounding) {
    return encodeBlocks<Four>(type, raw, encoded, rounding);
}

HEARTH_WIDEST_VECTORS void decodeBfp4(DType type, std::span<const std::byte> encoded, std::span<std::byte> raw) {
    decodeBlocks<Four>(type, encoded, raw);
}

bool encodeBfp2(DType type, std::span<const std::byte> raw, std::span<std::byte> encoded, Rounding rounding) {
    return encodeBlocks<Two>(type, raw, encoded, rounding);
}

void decodeBfp2(DType type, std::span<const std::byte> encoded, std::span<std::byte> raw) {
    decodeBlocks<Two>(type, encoded, raw);
}

/// Other types are never encoded.
template <class Packing>
quint64 bytesOfBlocks(DType type, quint64 rawBytes) {
    if (!isReal(type))
        return rawBytes;
    const quint64 values = rawBytes / static_cast<quint64>(byteSize(type));
    const quint64 tail = values % blockValues;
    return values / blockValues * (scaleBytes + Packing::perBlock) +
           (tail ? scaleBytes + std::min<quint64>(tail, Packing::perBlock) : 0);
}

quint64 bytesOfHalves(DType type, quint64 rawBytes) {
    return isReal(type) ? rawBytes / static_cast<quint64>(byteSize(type)) * 2 : rawBytes;
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
            .encodedBytes = bytesOfBlocks<Packing>,
            .encode = encode,
            .decode = decode,
            .mostError = most.nearest,
            .mostStochasticError = most.stochastic};
}

}  // namespace

constinit const Codec bf16Codec{.name = "bf16",
                                .number = 1,
                                .usual = {2e-10, 2e-10},
                                .encodedBytes = bytesOfHalves,
                                .encode = encodeBf16,
                                .decode = decodeBf16};
constinit const Codec bfp8Codec = blockCodec<Eight>("bfp8", 2, {3e-10, 2e-10}, encodeBfp8, decodeBfp8, {0.015, 0.015});
constinit const Codec bfp4Codec = blockCodec<Four>("bfp4", 4, {4e-10, 2e-10}, encodeBfp4, decodeBfp4, fourBitErrors);
constinit const Codec bfp2Codec = blockCodec<Two>("bfp2", 255, {4e-10, 2e-10}, encodeBfp2, decodeBfp2, fourBitErrors);

}  // namespace hearth
