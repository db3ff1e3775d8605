// Moving averages of what rounds measure.
#pragma once

namespace hearth {

/// About the last ten values count.
inline void blend(double &average, double value, bool first) {
    constexpr double newest = 0.2;
    average = first ? value : average + newest * (value - average);
}

}  // namespace hearth
