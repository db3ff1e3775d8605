// What a device is likely to take from the socket while it trains.
#pragma once

#include "core/base/estimated.h"
#include "core/home/device_info.h"

namespace hearth {

/// Whether the power of its graphics card comes on top of the rest: it computes there, and is no board, whose card is a
/// part of its processor.
bool addsCardPower(const DeviceInfo &device);

/// Watts of the whole device, by its kind and by the power limit of the graphics card that it computes on, from half to
/// twice what is usual: nobody has measured it. `cardWatts` is what the card took in rounds of a run, where it tells
/// that. Any thread.
Estimated typicalWatts(const DeviceInfo &device, std::optional<double> cardWatts = {});

}  // namespace hearth
