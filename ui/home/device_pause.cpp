#include "ui/home/device_pause.h"

#include <QCoreApplication>
#include <QLocale>
#include <QMenu>
#include <utility>

#include "core/home/device_info.h"
#include "ui/base/home_source.h"

namespace hearth {

namespace {

const QTime morning(7, 0);

struct PauseWords {
    Q_DECLARE_TR_FUNCTIONS(PauseWords)
};

}  // namespace

bool takesLimits(const DeviceInfo &device) {
    return device.state != DeviceState::Lost && device.state != DeviceState::Leaving && device.limitsKnown;
}

void pauseDevice(HomeSource &home, const DeviceInfo &device, std::optional<qint64> until) {
    // Whoever is told of the change may replace what `device` refers to.
    const QString id = device.id;
    DeviceLimits limits = device.limits;
    limits.pause(until);
    home.setLimits(id, limits);
}

void resumeDevice(HomeSource &home, const DeviceInfo &device) {
    const QString id = device.id;
    DeviceLimits limits = device.limits;
    limits.resume();
    home.setLimits(id, limits);
}

QDateTime nextMorning(const QDateTime &now) {
    const QDateTime local = now.toLocalTime();
    return {local.date().addDays(local.time() < morning ? 0 : 1), morning};
}

void addPauses(QMenu &menu, const QString &name, const std::function<void(std::optional<qint64> until)> &chosen) {
    const auto add = [&](const char *suffix, const QString &text, std::function<std::optional<qint64>()> end) {
        QAction *action = menu.addAction(text);
        action->setObjectName(name + QLatin1String(suffix));
        QObject::connect(action, &QAction::triggered, &menu, [chosen, end = std::move(end)] { chosen(end()); });
    };
    add("Hour", PauseWords::tr("For 1 hour"),
        [] { return std::optional(QDateTime::currentDateTime().addSecs(3600).toSecsSinceEpoch()); });
    add("Morning", PauseWords::tr("Until the morning (%1)").arg(QLocale().toString(morning, QLocale::ShortFormat)),
        [] { return std::optional(nextMorning(QDateTime::currentDateTime()).toSecsSinceEpoch()); });
    add("Open", PauseWords::tr("Until I resume it"), [] { return std::optional<qint64>(); });
}

}  // namespace hearth
