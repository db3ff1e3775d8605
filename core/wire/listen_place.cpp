#include "core/wire/listen_place.h"

#include <QStringList>

namespace hearth {

std::optional<PortRange> PortRange::of(const QString &text) {
    const QStringList parts = text.split(QLatin1Char('-'));
    bool firstOk = false, lastOk = false;
    const PortRange range{parts.first().toUShort(&firstOk), parts.last().toUShort(&lastOk)};
    const bool fine = parts.size() <= 2 && firstOk && lastOk && range.first <= range.last;
    return fine ? std::optional(range) : std::nullopt;
}

QHostAddress listenAddressOf(QString text) {
    if (text.startsWith(QLatin1Char('[')) && text.endsWith(QLatin1Char(']')))
        text = text.mid(1, text.size() - 2);
    // "::" alone would refuse IPv4.
    return text.isEmpty() || text == QLatin1String("::") ? QHostAddress(QHostAddress::Any) : QHostAddress(text);
}

}  // namespace hearth
