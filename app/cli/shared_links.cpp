#include "app/cli/shared_links.h"

#include "app/cli/command.h"
#include "core/profile/home_measurements.h"

namespace hearth {

void printSharedLinks(const std::vector<DeviceInfo> &devices, const QString &stateDir) {
    HomeMeasurements measured;
    measured.sharing = ProfileStore(stateDir + QStringLiteral("/profiles")).sharing();
    for (const DeviceInfo &device : devices) {
        if (!measured.isHalfDuplex(device.id, device.id))
            continue;
        const QStringList others = measured.sharesAirWith(device.id);
        QStringList names;
        for (const DeviceInfo &each : devices) {
            if (others.contains(each.id))
                names << each.name;
        }
        printLine(names.isEmpty() ? QStringLiteral("%1: half duplex").arg(device.name)
                                  : QStringLiteral("%1: half duplex, shares the air with %2")
                                        .arg(device.name, names.join(QStringLiteral(", "))));
    }
}

}  // namespace hearth
