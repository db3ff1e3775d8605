#include "ui/words/moment.h"

#include <QLocale>

namespace hearth {

QString formatMoment(const QDateTime &moment, const QDateTime &now) {
    const QDateTime local = moment.toLocalTime();
    return local.date() == now.toLocalTime().date() ? QLocale().toString(local.time(), QLocale::ShortFormat)
                                                    : QLocale().toString(local, QLocale::ShortFormat);
}

}  // namespace hearth
