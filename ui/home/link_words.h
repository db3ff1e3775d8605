// Measured links in words.
#pragma once

#include <QString>

#include "core/home/device_info.h"
#include "core/profile/home_measurements.h"

namespace hearth {

/// "11.8 MB/s, 0.3 ms"
QString linkFigures(const LinkProfile::Pair &link);
/// Both directions, a line each; those that were not measured are left out.
QString linkText(const HomeMeasurements &measured, const DeviceInfo &one, const DeviceInfo &other);

}  // namespace hearth
