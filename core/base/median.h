// What stands in the middle of values that differ by chance.
#pragma once

#include <algorithm>
#include <cstddef>
#include <utility>
#include <vector>

namespace hearth {

/// The one before which `rank` others stand once they are sorted; there are more than `rank`. Any thread, all of these.
template <class Value>
Value valueOfRank(std::vector<Value> values, std::size_t rank) {
    const auto place = values.begin() + static_cast<std::ptrdiff_t>(rank);
    std::nth_element(values.begin(), place, values.end());
    return *place;
}

/// Of one value at least; of an even number the larger of the two in the middle.
template <class Value>
Value medianOf(std::vector<Value> values) {
    const std::size_t middle = values.size() / 2;
    return valueOfRank(std::move(values), middle);
}

/// Of one value at least; of an even number the smaller of the two in the middle.
template <class Value>
Value lowerMedianOf(std::vector<Value> values) {
    const std::size_t middle = (values.size() - 1) / 2;
    return valueOfRank(std::move(values), middle);
}

}  // namespace hearth
