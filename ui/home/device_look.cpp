#include "ui/home/device_look.h"

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
        case DeviceState::Resting:
            return {DeviceWords::tr("Resting"), QStringLiteral("pause"), &Theme::secondary};
        case DeviceState::Leaving:
            return {DeviceWords::tr("Leaving"), QStringLiteral("clock"), &Theme::slow};
        case DeviceState::Lost:
            return {DeviceWords::tr("Lost"), QStringLiteral("lost"), &Theme::bad};
    }
    return {DeviceWords::tr("Unknown"), QStringLiteral("info"), &Theme::secondary};
}

DeviceLook lookOf(DeviceState state, Health health) {
    if (health == Health::Lost || state == DeviceState::Lost)
        return lookOf(DeviceState::Lost);
    switch (health) {
        case Health::Suspect:
            return {DeviceWords::tr("Does not answer"), QStringLiteral("warning"), &Theme::slow};
        case Health::Left:
            return {DeviceWords::tr("Left"), QStringLiteral("clock"), &Theme::slow};
        case Health::Returned:
            return {DeviceWords::tr("Back"), QStringLiteral("found"), &Theme::good};
        case Health::Lost:
        case Health::Well:
            break;
    }
    return lookOf(state);
}

DeviceLook measuringLook() {
    return {DeviceWords::tr("Measuring"), QStringLiteral("measuring"), &Theme::info};
}

QString restWord(Rest rest) {
    switch (rest) {
        case Rest::Paused:
            return DeviceWords::tr("paused");
        case Rest::OnBattery:
            return DeviceWords::tr("runs on its battery");
        case Rest::OutOfHours:
            return DeviceWords::tr("not at this hour");
        case Rest::None:
            break;
    }
    return DeviceWords::tr("takes no work now");
}

QString kindIcon(const DeviceInfo &device) {
    return device.self ? QStringLiteral("laptop") : QStringLiteral("desktop");
}

}  // namespace hearth
