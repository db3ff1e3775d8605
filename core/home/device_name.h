// What this device calls itself.
#pragma once

#include <QString>

#include "core/base/error.h"

namespace hearth {

/// `given`, which is then kept in STATE/device.json; or the name kept there; or the host's. At most
/// maximumDeviceName printable characters.
Result<QString> deviceName(const QString &stateDir, const QString &given);

}  // namespace hearth
