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

PowerSource powerSource(const QString &folder) {
    bool discharging = false;
    for (const QString &name : QDir(folder).entryList(QDir::Dirs | QDir::NoDotAndDotDot)) {
        const QString supply = folder + QLatin1Char('/') + name;
        if (word(supply, "scope") == "Device")
            continue;
        if (word(supply, "type") == "Battery")
            discharging |= word(supply, "status") == "Discharging";
        else if (word(supply, "online") == "1")
            return PowerSource::Mains;
    }
    return discharging ? PowerSource::Battery : PowerSource::Mains;
}

}  // namespace hearth
