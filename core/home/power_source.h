// Whether this machine runs on its battery.
#pragma once

#include <QString>
#include <optional>

namespace hearth {

enum class PowerSource { Mains, Battery };

/// nullopt: there is no battery, and what has none is on mains. Battery only where one says that it is discharging and
/// no supply is plugged in; what cannot be read is on mains, too. Batteries of peripherals (mice) do not count. Any
/// thread. Source: the kernel's sysfs-class-power. The folder is an argument for tests.
std::optional<PowerSource> powerSource(const QString &folder = QStringLiteral("/sys/class/power_supply"));

}  // namespace hearth
