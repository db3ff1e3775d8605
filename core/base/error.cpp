#include "core/base/error.h"

namespace hearth {

namespace {

const QLatin1String codeKey("code"), whatKey("what"), causeKey("cause"), adviceKey("advice");

}  // namespace

QCborMap Error::toCbor() const {
    QCborMap map{{codeKey, code}};
    insertSentence(map, whatKey, what);
    insertSentence(map, causeKey, cause);
    insertSentence(map, adviceKey, advice);
    return map;
}

QJsonObject Error::toJson() const {
    return toCbor().toJsonObject();
}

Error Error::fromCbor(const QCborMap &map) {
    return {sentenceAt(map, codeKey).english(), sentenceAt(map, whatKey), sentenceAt(map, causeKey),
            sentenceAt(map, adviceKey)};
}

}  // namespace hearth
