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
    if (health == Health::Resting || health == Health::Paused)
        return takesWork(device.state);
    return health == Health::Lost || (health != Health::Well && device.state != DeviceState::Lost);
}

}  // namespace

DeviceLook lookOf(const DeviceInfo &device, Health health) {
    if (neverAnswered(device) && health == Health::Well)
        return {DeviceWords::tr("Paired"), QStringLiteral("paired"), &Theme::secondary};
    return tellsMore(device, health) ? lookOf(health) : lookOf(device.state);
}

DeviceLook lookOf(Health health) {
    switch (health) {
        case Health::Resting:
            return lookOf(DeviceState::Resting);
        case Health::Paused:
            return {DeviceWords::tr("Paused"), QStringLiteral("pause"), &Theme::slow};
        case Health::Slow:
            return {DeviceWords::tr("Slow"), QStringLiteral("slow"), &Theme::slow};
        case Health::Suspect:
            return {DeviceWords::tr("Does not answer"), QStringLiteral("warning"), &Theme::slow};
        case Health::Left:
            return {DeviceWords::tr("Left"), QStringLiteral("clock"), &Theme::slow};
        case Health::Returned:
            return {DeviceWords::tr("Back"), QStringLiteral("found"), &Theme::good};
        case Health::Well:
            return {DeviceWords::tr("In this run"), QStringLiteral("info"), &Theme::secondary};
        case Health::Lost:
            break;
    }
    return lookOf(DeviceState::Lost);
}

namespace {
QString restWord(const DeviceInfo &device) {
    switch (device.rest) {
        case Rest::Paused:
            return device.limits.pausedUntil
                       ? DeviceWords::tr("paused until %1")
                             .arg(formatMoment(QDateTime::fromSecsSinceEpoch(*device.limits.pausedUntil)))
                       : DeviceWords::tr("paused");
        case Rest::OnBattery:
            return DeviceWords::tr("runs on its battery");
        case Rest::OutOfHours:
            return DeviceWords::tr("not at this hour");
        case Rest::CardTaken:
            return DeviceWords::tr("another program computes on its card");
        case Rest::None:
            break;
    }
    return DeviceWords::tr("takes no work now");
}

}  // namespace

QString whyResting(const DeviceInfo &device, const RunModel &run) {
    if (run.isLive() && run.devices().fate(device.id).health == Health::Resting && takesWork(device.state)) {
        constexpr double least = 0.005;
        const event::Plan &told = run.planEvent();
        const auto longer = told.resting.constFind(device.id);
        if (longer != told.resting.constEnd() && *longer >= least)
            return DeviceWords::tr("a plan with it would take %1 longer").arg(formatPercent(*longer));
        if (longer != told.resting.constEnd() && *longer > -least)
            return DeviceWords::tr("a plan with it would take as long");
        return told.reason == QLatin1String("user") ? DeviceWords::tr("your plan gives it no layers")
                                                    : DeviceWords::tr("the plan gives it no layers");
    }
    return device.state == DeviceState::Resting ? restWord(device) : QString();
}

QString stateWord(const DeviceInfo &device, const QString &word, const RunModel &run) {
    const QString why = whyResting(device, run);
    return why.isEmpty() ? word : DeviceWords::tr("%1: %2").arg(word, why);
}

QString sinceText(const DeviceInfo &device, const RunModel &run) {
    const DeviceFate fate = run.isLive() ? run.devices().fate(device.id) : DeviceFate();
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
    const Health health = run.isLive() ? run.devices().fate(device.id).health : Health::Well;
    const QString word = stateWord(device, lookOf(device, health).word, run);
    return since.isEmpty() ? QString() : QStringLiteral("%1 · %2").arg(word, since);
}

DeviceLook measuringLook() {
    return {DeviceWords::tr("Measuring"), QStringLiteral("measuring"), &Theme::info};
}

QString kindIcon(const DeviceInfo &device) {
    return device.kind == DeviceKind::Unknown ? QStringLiteral("computer") : toWord(device.kind);
}

namespace {
QString kindWord(DeviceKind kind) {
    switch (kind) {
        case DeviceKind::Desktop:
            return DeviceWords::tr("Desktop computer");
        case DeviceKind::Laptop:
            return DeviceWords::tr("Laptop");
        case DeviceKind::Board:
            return DeviceWords::tr("Single-board computer");
        case DeviceKind::Unknown:
            break;
    }
    return DeviceWords::tr("Computer");
}
}  // namespace

QString kindText(const DeviceInfo &device) {
    if (device.kind == DeviceKind::Unknown && !device.onBattery)
        return {};
    QString kind = kindWord(device.kind);
    if (!device.onBattery)
        return kind;
    return *device.onBattery ? DeviceWords::tr("%1, on battery").arg(kind)
                             : DeviceWords::tr("%1, on mains power").arg(kind);
}

}  // namespace hearth
