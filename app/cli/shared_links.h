// Half duplex links and shared air in words, in the terminal.
#pragma once

#include <QString>
#include <vector>

#include "core/home/device_info.h"

namespace hearth {

/// A line for each of them whose card is half duplex, as it was measured last.
void printSharedLinks(const std::vector<DeviceInfo> &devices, const QString &stateDir);

}  // namespace hearth
