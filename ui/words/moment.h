// Since when something is so.
#pragma once

#include <QDateTime>
#include <QString>

namespace hearth {

/// "14:03" on the day of `now`, with its date on any other; both in local time.
QString formatMoment(const QDateTime &moment, const QDateTime &now = QDateTime::currentDateTime());

}  // namespace hearth
