#include "core/home/power_source.h"

#include <QDir>
#include <QFile>

namespace hearth {
namespace {

QByteArray word(const QString &folder, const char *name) {
    QFile file(folder + QLatin1Char('/') + QLatin1String(name));
    return file.open(QIODevice::ReadOnly) ? file.read(64).trimmed() : QByteArray();
}

}  // namespace

std::optional<PowerSource> powerSource(const QString &folder) {
    bool hasBattery = false, discharging = false, pluggedIn = false;
    for (const QString &name : QDir(folder).entryList(QDir::Dirs | QDir::NoDotAndDotDot)) {
        const QString supply = folder + QLatin1Char('/') + name;
        if (word(supply, "scope") == "Device")
            continue;
        if (word(supply, "type") == "Battery") {
            hasBattery = true;
            discharging |= word(supply, "status") == "Discharging";
        } else {
            pluggedIn |= word(supply, "online") == "1";
        }
    }
    if (!hasBattery)
        return std::nullopt;
    return discharging && !pluggedIn ? PowerSource::Battery : PowerSource::Mains;
}

}  // namespace hearth
