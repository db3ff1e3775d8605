// Where what listens on this device is found.
#pragma once

#include <QHostAddress>
#include <QString>

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

}  // namespace hearth
