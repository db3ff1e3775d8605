// What devices are called.
#pragma once

#include <QString>

#include "core/base/error.h"

namespace hearth {

/// A name that a person gives a device, without spaces around it: 1 to maximumDeviceName printable
/// characters, and not like a key, by which devices are chosen, too. Error "device.bad-name".
Result<QString> givenDeviceName(const QString &text);

/// What this device calls itself: `given`, which is then kept in STATE/device.json; or the name kept there; or the
/// host's. At most maximumDeviceName printable characters.
Result<QString> deviceName(const QString &stateDir, const QString &given);

}  // namespace hearth
