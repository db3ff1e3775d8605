// The scales of the blocks that block_codecs.cpp writes. Only that file includes this one: it is compiled for several
// instruction sets, without fused multiplications.
#pragma once

#include <algorithm>
#include <bit>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <limits>

#define HEARTH_INLINE inline __attribute__((always_inline))

namespace hearth::block_scales {

constexpr std::size_t blockValues = 64;
constexpr std::size_t rowValues = 16;
constexpr std::uint32_t signBit = 0x80000000;
constexpr std::uint32_t tooLarge = 0x7f000000;  // 2^127: times a scale that was rounded up it could be infinite
constexpr float emptyBlock = 1e-30F;            // smaller ones would make 1 / scale infinite

// Numbers are read and written in place, at any address: compilers make vectors of these calls, and wide loads from a
// copy of a block would wait for the narrower stores that make it.

template <class T>
HEARTH_INLINE T numberAt(const std::byte *numbers, std::size_t i) {
    T value;
    std::memcpy(&value, numbers + i * sizeof(T), sizeof(T));
    return value;
}

template <class T>
HEARTH_INLINE void setNumber(std::byte *numbers, std::size_t i, T value) {
    std::memcpy(numbers + i * sizeof(T), &value, sizeof(T));
}

/// The bits of the largest absolute value; from `tooLarge` on the block cannot be written, as with an infinity or a
/// NaN.
HEARTH_INLINE std::uint32_t largestOf(const std::byte *block) {
    std::uint32_t largest = 0;
    for (std::size_t i = 0; i < blockValues; ++i)
        largest = std::max(largest, numberAt<std::uint32_t>(block, i) & 0x7fffffffU);
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

// The scales of a block: which ones are written before its integers (false: it cannot be written), with the reciprocals
// for a row of 16 values (the four rows have the same), and the scales of a row that are read.

/// One for all: the largest value becomes at most `levels`.
template <int levels>
struct OneScale {
    static HEARTH_INLINE bool write(const std::byte *block, std::uint16_t &scale, float *inverses) {
        const std::uint32_t largest = largestOf(block);
        if (largest >= tooLarge)
            return false;
        scale = scaleOf(largest, levels);
        std::fill_n(inverses, rowValues, scale ? 1.F / widened(scale) : 0.F);
        return true;
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

    static HEARTH_INLINE bool write(const std::byte *block, std::uint16_t &scale, float *inverses) {
        // The bits of the largest on either side of zero: of each quarter, in every place of a row that belongs to it.
        Integers above{}, below{};
        for (std::size_t row = 0; row < blockValues / rowValues; ++row) {
            Integers up;
            std::memcpy(&up, block + row * sizeof up, sizeof up);
            const Integers down = up ^ std::numeric_limits<std::int32_t>::min();
            above = up > above ? up : above;
            below = down > below ? down : below;
        }
        const std::int32_t mostAbove = spread(above), mostBelow = spread(below);
        const auto largest = static_cast<std::uint32_t>(std::max(mostAbove, mostBelow));
        if (largest >= tooLarge)
            return false;
        if (std::bit_cast<float>(largest) < emptyBlock) {
            scale = 0;
            std::fill_n(inverses, rowValues, 0.F);
            return true;
        }
        const bool isPositive = mostAbove >= mostBelow;
        const float upwards = isPositive ? 1.F / 8.F : 1.F / 7.F, downwards = isPositive ? 1.F / 7.F : 1.F / 8.F;
        // As integers, which have the same order from zero on: GCC 12 takes comparisons of floats, and masks from them,
        // apart where a processor's vectors are shorter than a row.
        const Integers ups = reinterpret_cast<Integers>(reinterpret_cast<Floats>(above) * upwards);
        const Integers downs = reinterpret_cast<Integers>(reinterpret_cast<Floats>(below) * downwards);
        const Integers needed = ups > downs ? ups : downs;
        const float most =
            std::max(std::bit_cast<float>(mostAbove) * upwards, std::bit_cast<float>(mostBelow) * downwards);
        // Three bits behind the leading one, rounded up; the lowest four tell of quarters.
        const std::uint32_t size = (std::bit_cast<std::uint32_t>(most) + 0xfffffU) & ~0xfffffU;
        const std::uint32_t wide = size | (isPositive ? signBit : 0U);
        const float whole = std::bit_cast<float>(wide), limit = std::bit_cast<float>(size) * smaller;
        const auto all = std::bit_cast<std::int32_t>(1.F / whole),
                   less = std::bit_cast<std::int32_t>(1.F / (whole * smaller));
        const Integers isSmall = (needed - std::bit_cast<std::int32_t>(limit) - 1) >> 31;  // all ones or none
        const Integers each = all ^ (isSmall & (all ^ less));
        std::memcpy(inverses, &each, sizeof each);
        Integers small = isSmall & Integers{1, 1, 1, 1, 2, 2, 2, 2, 4, 4, 4, 4, 8, 8, 8, 8};
        small |= __builtin_shufflevector(small, small, 8, 9, 10, 11, 12, 13, 14, 15, 0, 1, 2, 3, 4, 5, 6, 7);
        small |= __builtin_shufflevector(small, small, 4, 5, 6, 7, 0, 1, 2, 3, 12, 13, 14, 15, 8, 9, 10, 11);
        scale = static_cast<std::uint16_t>(wide >> 16 | static_cast<std::uint32_t>(small[0]));
        return true;
    }
    static HEARTH_INLINE void read(std::uint16_t written, float *scales) {
        static constexpr std::uint32_t flags[rowValues] = {1, 1, 1, 1, 2, 2, 2, 2, 4, 4, 4, 4, 8, 8, 8, 8};
        const float scale = widened(written & 0xfff0U), less = scale * smaller;
        for (std::size_t i = 0; i < rowValues; ++i)
            scales[i] = written & flags[i] ? less : scale;
    }

  private:
    /// Each place gets the largest of its quarter; returns that of all.
    static HEARTH_INLINE std::int32_t spread(Integers &row) {
        const Integers two = __builtin_shufflevector(row, row, 2, 3, 0, 1, 6, 7, 4, 5, 10, 11, 8, 9, 14, 15, 12, 13);
        row = two > row ? two : row;
        const Integers one = __builtin_shufflevector(row, row, 1, 0, 3, 2, 5, 4, 7, 6, 9, 8, 11, 10, 13, 12, 15, 14);
        row = one > row ? one : row;
        const Integers eight = __builtin_shufflevector(row, row, 8, 9, 10, 11, 12, 13, 14, 15, 0, 1, 2, 3, 4, 5, 6, 7);
        Integers all = eight > row ? eight : row;
        const Integers four = __builtin_shufflevector(all, all, 4, 5, 6, 7, 0, 1, 2, 3, 12, 13, 14, 15, 8, 9, 10, 11);
        all = four > all ? four : all;
        return all[0];
    }
};

}  // namespace hearth::block_scales
