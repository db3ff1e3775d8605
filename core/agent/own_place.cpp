#include "core/agent/own_place.h"

#include "core/discovery/probes.h"

namespace hearth {

OwnPlace OwnPlace::of(const QString &listenHost, const QHostAddress &inNetwork) {
    const QHostAddress listens(listenHost);
    const bool isAnywhere =
        listens == QHostAddress(QHostAddress::AnyIPv4) || listens == QHostAddress(QHostAddress::AnyIPv6);
    if (!isAnywhere)
        return {listenHost, listenHost};
    return {QStringLiteral("127.0.0.1"), inNetwork.isNull() ? QString() : inNetwork.toString()};
}

OwnPlace OwnPlace::now(const QString &listenHost) {
    return of(listenHost, ownAddress(interfaceFacts()));
}

}  // namespace hearth
