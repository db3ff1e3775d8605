#include "core/agent/own_place.h"

#include <QDir>
#include <algorithm>

#include "core/base/host_port.h"
#include "core/discovery/probes.h"

namespace hearth {
namespace {

constexpr qsizetype maximumPlaces = 8;

bool isAnyAddress(const QHostAddress &address) {
    return address == QHostAddress(QHostAddress::AnyIPv4) || address == QHostAddress(QHostAddress::AnyIPv6);
}

}  // namespace

OwnPlace OwnPlace::of(const QString &listenHost, const QHostAddress &inNetwork) {
    if (!isAnyAddress(QHostAddress(listenHost)))
        return {listenHost, listenHost};
    return {QStringLiteral("127.0.0.1"), inNetwork.isNull() ? QString() : inNetwork.toString()};
}

OwnPlace OwnPlace::now(const QString &listenHost) {
    return of(listenHost, ownAddress(interfaceFacts()));
}

QStringList placesForOthers(const QString &listenHost, quint16 port) {
    if (!isAnyAddress(QHostAddress(listenHost)))
        return {joinAddress(listenHost, port)};
    QStringList places;
    for (const InterfaceFacts &interface : interfaceFacts()) {
        if (!interface.isUp || interface.isLoopback || isInnerBridge(interface.name))
            continue;
        for (const QHostAddress &address : interface.addresses) {
            if (!address.isLoopback() && !address.isLinkLocal() && places.size() < maximumPlaces)
                places << joinAddress(address.toString(), port);
        }
    }
    return places;
}

bool isInnerBridge(const QString &name, const QString &interfaces) {
    const QDir all(interfaces);
    if (!all.exists(name + QStringLiteral("/bridge")))
        return false;
    const QStringList ports = QDir(all.filePath(name + QStringLiteral("/brif")))
                                  .entryList(QDir::AllEntries | QDir::NoDotAndDotDot | QDir::System);
    // A card, or what lies upon another interface, as a VLAN or a bond does; what containers have is neither.
    return std::none_of(ports.cbegin(), ports.cend(), [&](const QString &port) {
        const QDir folder(all.filePath(port));
        return folder.exists(QStringLiteral("device")) ||
               !folder.entryList({QStringLiteral("lower_*")}, QDir::AllEntries | QDir::System).isEmpty();
    });
}

}  // namespace hearth
