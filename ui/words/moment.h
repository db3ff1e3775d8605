// Since when something is so, and until when.
#pragma once

#include <QDateTime>
#include <QString>
#include <optional>

namespace hearth {

/// "14:03" on the day of `now`, with its date on any other; both in local time.
QString formatMoment(const QDateTime &moment, const QDateTime &now = QDateTime::currentDateTime());

/// "Measuring the devices: 12 of 864 steps, until about 14:03"; without the time where nothing is known of it, or
/// little is left.
QString measuringText(qint64 done, qint64 total, const std::optional<QDateTime> &end,
                      const QDateTime &now = QDateTime::currentDateTime());

}  // namespace hearth
