// Whether this machine runs on its battery.
#pragma once

#include <QString>

namespace hearth {

enum class PowerSource { Mains, Battery };

/// Battery only where one says that it is discharging and no supply is plugged in: what has no battery is on mains, and
/// so is what cannot be read. Batteries of peripherals (mice) do not count. Any thread. Source: the kernel's
/// sysfs-class-power. The folder is an argument for tests.
PowerSource powerSource(const QString &folder = QStringLiteral("/sys/class/power_supply"));

}  // namespace hearth
