// A number that nobody knows exactly.
#pragma once

namespace hearth {

/// Probably `likely`, hardly less than `least` or more than `most`; none is below 0. Plain value, any thread.
struct Estimated {
    double least = 0;
    double likely = 0;
    double most = 0;

    /// Both may be off in the same way: their bounds add up.
    constexpr Estimated operator+(const Estimated &other) const {
        return {least + other.least, likely + other.likely, most + other.most};
    }
    constexpr Estimated operator*(const Estimated &other) const {
        return {least * other.least, likely * other.likely, most * other.most};
    }
    constexpr Estimated operator*(double factor) const { return {least * factor, likely * factor, most * factor}; }
};

/// That is known.
constexpr Estimated exactly(double value) {
    return {value, value, value};
}

}  // namespace hearth
