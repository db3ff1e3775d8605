#include "core/home/device_kind.h"

#include <QFile>

namespace hearth {
namespace {

QByteArray firmwareText(const QString &path) {
    QFile file(path);
    const QByteArray bytes = file.open(QIODevice::ReadOnly) ? file.read(256) : QByteArray();
    // Texts of a device tree end with a zero byte.
    return QByteArray(bytes.constData()).trimmed();
}

DeviceKind kindInDeviceTree(const QByteArray &chassis) {
    if (chassis == "laptop" || chassis == "convertible")
        return DeviceKind::Laptop;
    if (chassis == "desktop")
        return DeviceKind::Desktop;
    return chassis.isEmpty() || chassis == "embedded" ? DeviceKind::Board : DeviceKind::Unknown;
}

}  // namespace

QString toWord(DeviceKind kind) {
    switch (kind) {
        case DeviceKind::Desktop:
            return QStringLiteral("desktop");
        case DeviceKind::Laptop:
            return QStringLiteral("laptop");
        case DeviceKind::Board:
            return QStringLiteral("board");
        case DeviceKind::Unknown:
            break;
    }
    return {};
}

DeviceKind deviceKindFromWord(const QString &word) {
    for (const DeviceKind kind : {DeviceKind::Desktop, DeviceKind::Laptop, DeviceKind::Board}) {
        if (word == toWord(kind))
            return kind;
    }
    return DeviceKind::Unknown;
}

DeviceKind deviceKind(const QString &root) {
    const QByteArray model = firmwareText(root + QStringLiteral("/proc/device-tree/model"));
    // This one is QEMU's and other virtual machines'.
    if (!model.isEmpty() && model != "linux,dummy-virt")
        return kindInDeviceTree(firmwareText(root + QStringLiteral("/proc/device-tree/chassis-type")));
    switch (firmwareText(root + QStringLiteral("/sys/class/dmi/id/chassis_type")).toInt()) {
        case 3:   // desktop
        case 4:   // low profile desktop
        case 5:   // pizza box
        case 6:   // mini tower
        case 7:   // tower
        case 13:  // all in one
        case 15:  // space-saving
        case 16:  // lunch box
        case 24:  // sealed-case PC
        case 35:  // mini PC
        case 36:  // stick PC
            return DeviceKind::Desktop;
        case 8:   // portable
        case 9:   // laptop
        case 10:  // notebook
        case 14:  // sub notebook
        case 31:  // convertible
        case 32:  // detachable
            return DeviceKind::Laptop;
        default:
            return DeviceKind::Unknown;
    }
}

}  // namespace hearth
