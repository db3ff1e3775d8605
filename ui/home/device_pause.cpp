#include "ui/home/device_pause.h"

#include "core/home/device_info.h"
#include "ui/base/home_source.h"

namespace hearth {

bool takesLimits(const DeviceInfo &device) {
    return device.state != DeviceState::Lost && device.state != DeviceState::Leaving && device.limitsKnown;
}

void switchPause(HomeSource &home, const DeviceInfo &device) {
    // Whoever is told of the change may replace what `device` refers to.
    const QString id = device.id;
    DeviceLimits limits = device.limits;
    limits.paused = !limits.paused;
    home.setLimits(id, limits);
}

}  // namespace hearth
