// The device that a person means.
#pragma once

#include <vector>

#include "core/home/device_info.h"

namespace hearth {

/// By id, else by name or by the first digits of its id (isKeyStart()), also in groups, where exactly one is meant so.
/// Error "device.unknown" with the names that there are.
Result<DeviceInfo> deviceNamed(const std::vector<DeviceInfo> &devices, const QString &word);

}  // namespace hearth
