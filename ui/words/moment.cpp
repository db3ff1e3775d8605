#include "ui/words/moment.h"

#include <QCoreApplication>
#include <QLocale>
#include <chrono>

#include "ui/words/format.h"

namespace hearth {

namespace {

struct Moment {
    Q_DECLARE_TR_FUNCTIONS(Moment)
};

/// Who waits for less than that needs no clock.
constexpr std::chrono::seconds leastWait{60};

}  // namespace

QString formatMoment(const QDateTime &moment, const QDateTime &now) {
    const QDateTime local = moment.toLocalTime();
    return local.date() == now.toLocalTime().date() ? QLocale().toString(local.time(), QLocale::ShortFormat)
                                                    : QLocale().toString(local, QLocale::ShortFormat);
}

QString measuringText(qint64 done, qint64 total, const std::optional<QDateTime> &end, const QDateTime &now) {
    const QString steps =
        Moment::tr("Measuring the devices: %1 of %2 steps").arg(formatCount(done), formatCount(total));
    if (!end || now.secsTo(*end) < leastWait.count())
        return steps;
    return Moment::tr("%1, until about %2").arg(steps, formatMoment(*end, now));
}

}  // namespace hearth
