// Measured links in words.
#pragma once

#include <QString>
#include <vector>

#include "core/home/device_info.h"
#include "core/profile/home_measurements.h"

namespace hearth {

/// "11.8 MB/s, 0.3 ms delay, half duplex"
QString linkFigures(const HomeMeasurements &measured, const LinkProfile::Pair &link);
/// Both directions, a line each, and whether the two share the air; what was not measured is left out.
QString linkText(const HomeMeasurements &measured, const DeviceInfo &one, const DeviceInfo &other);
/// "Shares the air with nano-1, nano-2"; empty where it shares none. `all`: whose names are known.
QString airText(const HomeMeasurements &measured, const QString &device, const std::vector<DeviceInfo> &all);

}  // namespace hearth
