#include "ui/home/device_look.h"

#include <QCoreApplication>
#include <algorithm>

#include "ui/words/format.h"
#include "ui/words/moment.h"

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

namespace {

/// Nothing is known of it but its key, its name and where it may be.
bool neverAnswered(const DeviceInfo &device) {
    return device.state == DeviceState::Lost && device.since == 0 && device.version.isEmpty();
}

/// Whether what a run knows says more than the home.
bool tellsMore(const DeviceInfo &device, Health health) {
    return health == Health::Lost || (health != Health::Well && device.state != DeviceState::Lost);
}

}  // namespace

DeviceLook lookOf(const DeviceInfo &device, Health health) {
    if (neverAnswered(device) && health == Health::Well)
        return {DeviceWords::tr("Paired"), QStringLiteral("paired"), &Theme::secondary};
    if (!tellsMore(device, health))
        return lookOf(device.state);
    switch (health) {
        case Health::Slow:
            return {DeviceWords::tr("Slow"), QStringLiteral("slow"), &Theme::slow};
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
    return lookOf(DeviceState::Lost);
}

QString sinceText(const DeviceInfo &device, const RunModel &run) {
    const DeviceFate fate = run.isLive() ? run.fate(device.id) : DeviceFate();
    if (tellsMore(device, fate.health))
        return DeviceWords::tr("for %1").arg(formatWholeSeconds(std::max(0.0, run.lastT() - fate.since)));
    if (neverAnswered(device))
        return DeviceWords::tr("has not answered yet");
    if (device.since == 0)
        return {};
    return DeviceWords::tr("since %1").arg(formatMoment(QDateTime::fromMSecsSinceEpoch(device.since)));
}

QString stateTip(const DeviceInfo &device, const RunModel &run) {
    const QString since = sinceText(device, run);
    const Health health = run.isLive() ? run.fate(device.id).health : Health::Well;
    return since.isEmpty() ? QString() : QStringLiteral("%1 · %2").arg(lookOf(device, health).word, since);
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
