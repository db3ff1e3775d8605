#include "core/base/error.h"

#include <QStringList>

namespace hearth {

QString Error::toString() const {
    QStringList sentences;
    for (const QString &part : {what, cause, advice}) {
        if (!part.isEmpty())
            sentences << part;
    }
    return sentences.join(QLatin1Char(' '));
}

QCborMap Error::toCbor() const {
    return {{QStringLiteral("code"), code},
            {QStringLiteral("what"), what},
            {QStringLiteral("cause"), cause},
            {QStringLiteral("advice"), advice}};
}

QJsonObject Error::toJson() const {
    return toCbor().toJsonObject();
}

Error Error::fromCbor(const QCborMap &map) {
    const auto text = [&map](const char *key) { return map.value(QLatin1String(key)).toString(); };
    return {text("code"), text("what"), text("cause"), text("advice")};
}

}  // namespace hearth
