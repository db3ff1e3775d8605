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

/// Of devices that are the same, the first ones are used first, so that each choice is looked at once.
/// `equalsBefore`: by device, those before it that are the same.
inline bool usedInOrder(DeviceMask used, const std::vector<DeviceMask> &equalsBefore) {
    for (DeviceMask rest = used; rest; rest &= rest - 1) {
        const DeviceMask before = equalsBefore[at(std::countr_zero(rest))];
        if ((before & used) != before)
            return false;
    }
    return true;
}

}  // namespace hearth
