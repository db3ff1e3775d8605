#include "core/home/typical_power.h"

#include <algorithm>

namespace hearth {
namespace {

constexpr Estimated halfToTwice(double watts) {
    return {watts / 2, watts, 2 * watts};
}

// Power modes of NVIDIA's Jetson boards: 5 or 10 W (Nano), 7.5 or 15 W (TX2), 10 to 20 W (Xavier NX); a Raspberry Pi 4
// takes 3 to 7 W.
constexpr Estimated boardWatts = halfToTwice(10);
// Processors of 15 to 45 W (base power of their makers' data sheets), the display, and losses of the adapter.
constexpr Estimated laptopWatts = halfToTwice(40);
// Processors of 65 to 125 W, memory, disks and fans, and losses of the power supply.
constexpr Estimated desktopWatts = halfToTwice(120);
// A card that tells no limit: those of laptops have limits from 35 to 140 W, those of desktops from 75 to 350 W.
constexpr Estimated anyCardWatts = halfToTwice(100);

Estimated wattsOfKind(DeviceKind kind) {
    switch (kind) {
        case DeviceKind::Board:
            return boardWatts;
        case DeviceKind::Laptop:
            return laptopWatts;
        case DeviceKind::Desktop:
            return desktopWatts;
        case DeviceKind::Unknown:
            break;
    }
    return {boardWatts.least, laptopWatts.likely, desktopWatts.most};
}

/// `ownersLimit` in watts; 0: none.
Estimated wattsOfCard(const GraphicsCard &card, double ownersLimit) {
    double limit = card.wattsLimit.value_or(0);
    // Where the driver refuses its owner's limit, its own holds.
    if (ownersLimit > 0 && card.trouble.isEmpty())
        limit = limit > 0 ? std::min(limit, ownersLimit) : ownersLimit;
    // More it never takes. It waits for others in a part of every round.
    return limit > 0 ? halfToTwice(limit / 2) : anyCardWatts;
}

}  // namespace

bool addsCardPower(const DeviceInfo &device) {
    return device.kind != DeviceKind::Board && device.card && device.card->computes();
}

Estimated typicalWatts(const DeviceInfo &device, std::optional<double> cardWatts) {
    const Estimated rest = wattsOfKind(device.kind);
    if (!addsCardPower(device))
        return rest;
    return rest + (cardWatts ? exactly(*cardWatts) : wattsOfCard(*device.card, device.limits.cardWatts));
}

}  // namespace hearth
