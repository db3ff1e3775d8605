#include "ui/device_look.h"

#include <QCoreApplication>

namespace hearth {

namespace {
struct DeviceWords {
    Q_DECLARE_TR_FUNCTIONS(DeviceWords)
};
}  // namespace

DeviceLook lookOf(DeviceState state) {
    switch (state) {
        case DeviceState::Ready:
            return {DeviceWords::tr("Ready"), QStringLiteral("ready"), &Theme::good};
        case DeviceState::Training:
            return {DeviceWords::tr("Training"), QStringLiteral("flame"), &Theme::accentText};
        case DeviceState::Leaving:
            return {DeviceWords::tr("Leaving"), QStringLiteral("clock"), &Theme::slow};
        case DeviceState::Lost:
            return {DeviceWords::tr("Lost"), QStringLiteral("lost"), &Theme::bad};
    }
    return {DeviceWords::tr("Unknown"), QStringLiteral("info"), &Theme::secondary};
}

DeviceLook measuringLook() {
    return {DeviceWords::tr("Measuring"), QStringLiteral("measuring"), &Theme::info};
}

QString kindIcon(const DeviceInfo &device) {
    return device.self ? QStringLiteral("laptop") : QStringLiteral("desktop");
}

}  // namespace hearth
