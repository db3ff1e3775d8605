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
    // A sentence and the last lines of a program fit; an attempt to flood a log or to steer a terminal does not.
    constexpr qsizetype longest = 8192;
    const auto text = [&map](const char *key) {
        QString words = map.value(QLatin1String(key)).toString().left(longest);
        for (QChar &character : words) {
            if (character.category() == QChar::Other_Control && character != QLatin1Char('\n'))
                character = QLatin1Char(' ');
        }
        return words;
    };
    return {text("code"), text("what"), text("cause"), text("advice")};
}

}  // namespace hearth
