// What kind of computer a device is, for its icon and a word beside it.
#pragma once

#include <QString>

namespace hearth {

enum class DeviceKind { Unknown, Desktop, Laptop, Board };
QString toWord(DeviceKind kind);  // "", "desktop", "laptop", "board"
/// Unknown for a word of a later version.
DeviceKind deviceKindFromWord(const QString &word);

/// This machine's. A device tree describes a board (Jetson, Raspberry Pi) unless its chassis-type says otherwise
/// (Devicetree Specification 0.4, 3.2); else the chassis type of the firmware counts (SMBIOS 3.7, 7.4.1). Servers,
/// virtual machines and what cannot be read are Unknown. Any thread. `root` stands before the paths, for tests.
DeviceKind deviceKind(const QString &root = {});

}  // namespace hearth
