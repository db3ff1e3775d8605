// Small sets of devices as numbers.
#pragma once

#include <bit>
#include <vector>

#include "core/base/at.h"

namespace hearth {

/// Bit d: device d, or the place d of a list of devices.
using DeviceMask = unsigned;

constexpr DeviceMask bitOf(int device) {
    return DeviceMask{1} << device;
}

/// By place: those before it of the same type.
inline std::vector<DeviceMask> equalsBefore(const std::vector<int> &types) {
    const int count = static_cast<int>(types.size());
    std::vector<DeviceMask> equals(types.size(), 0);
    for (int place = 0; place < count; ++place) {
        for (int before = 0; before < place; ++before)
            equals[at(place)] |= types[at(before)] == types[at(place)] ? bitOf(before) : 0;
    }
    return equals;
}

/// Of devices that are the same, the first ones are used first, so that each choice is looked at once.
/// `equals`: as equalsBefore() has them.
inline bool usedInOrder(DeviceMask used, const std::vector<DeviceMask> &equals) {
    for (DeviceMask rest = used; rest; rest &= rest - 1) {
        const DeviceMask before = equals[at(std::countr_zero(rest))];
        if ((before & used) != before)
            return false;
    }
    return true;
}

}  // namespace hearth
