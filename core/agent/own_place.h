// Where what listens on this device is found.
#pragma once

#include <QHostAddress>
#include <QString>
#include <QStringList>

namespace hearth {

/// Plain value, any thread.
struct OwnPlace {
    QString here;       // for programs of this device: it stays while networks come and go
    QString forOthers;  // for other devices; empty while no network leads here

    /// Of what listens on `listenHost`, on a device whose address in the network is `inNetwork`, null where it has
    /// none.
    static OwnPlace of(const QString &listenHost, const QHostAddress &inNetwork);
    /// The same in the networks that there are now.
    static OwnPlace now(const QString &listenHost);
};

/// Where other devices may find what listens there, "host:port", in the networks that there are now, at most eight: of
/// what listens on one address that one.
QStringList placesForOthers(const QString &listenHost, quint16 port);

/// A bridge of containers or virtual machines that leads to no other machine, which may have a bridge with the very
/// same address. `interfaces` is the kernel's folder of them.
bool isInnerBridge(const QString &name, const QString &interfaces = QStringLiteral("/sys/class/net"));

}  // namespace hearth
