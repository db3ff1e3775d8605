// Fills in what a device did not measure, from what others did.
#pragma once

#include <optional>
#include <vector>

#include "core/profile/model_profile.h"

namespace hearth {

/// A layer of a device that nobody can speak for.
struct UnknownTimes {
    std::size_t device = 0;
    std::size_t layer = 0;
};
/// The first one: no device measured the layer together with one that this device measured as well.
std::optional<UnknownTimes> unknownTimes(const std::vector<TimeTable> &tables);

/// One valid table per device, all with the same layers and nothing unknown. A missing layer takes as many times what
/// it takes on another device as the layers that both measured do: on the one with which the device has most in common.
std::vector<TimeTable> completeTimes(std::vector<TimeTable> tables);

}  // namespace hearth
