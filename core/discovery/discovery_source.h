// Where announcements come from and go to: Avahi, or what a test plays.
#pragma once

#include <QByteArrayList>
#include <QHostAddress>
#include <QObject>
#include <QString>
#include <tuple>

#include "core/discovery/nearby.h"

namespace hearth {

/// The type of what Hearth's agents announce.
constexpr const char *hearthService = "_hearth._tcp";

/// One service as it is seen on one interface over one protocol; the same one comes several times.
struct ServiceKey {
    int interface = 0;  // its index
    bool isIpv6 = false;
    QByteArray name;  // UTF-8 as announced, at most 63 bytes
    QByteArray type = hearthService;

    bool operator==(const ServiceKey &) const = default;
    bool operator<(const ServiceKey &other) const {
        return std::tie(interface, isIpv6, name, type) <
               std::tie(other.interface, other.isIpv6, other.name, other.type);
    }
};

struct ServiceSeen {
    ServiceKey key;
    QByteArray host;       // "nano-1.local"
    QHostAddress address;  // with its scope where it is link-local
    quint16 port = 0;
    QByteArrayList txt;
    bool isLocal = false;  // announced by this machine
};

/// What this device announces.
struct AnnounceOrder {
    QString name;  // of the service; empty: only look
    quint16 port = 0;
    QByteArrayList txt;
    /// Where the agent listens; null: everywhere.
    QHostAddress address;
};

/// Main thread. Nothing here blocks, except stop() for up to half a second.
class DiscoverySource : public QObject {
    Q_OBJECT
  public:
    using QObject::QObject;

    /// Once, and again after stop(). Goes on by itself whatever becomes of the daemon.
    virtual void start(const AnnounceOrder &order) = 0;
    /// Withdraws the announcement; nothing is told any more.
    virtual void stop() = 0;
    /// Tells once more of all that is there now, and then toldAll(): for whoever had no room for some of it.
    virtual void tellAgain() = 0;
    /// Tells of services of these types, too, from here until the next call or stop().
    virtual void lookFor(const QByteArrayList &types) = 0;

  Q_SIGNALS:
    /// Also for every change of what is known of it.
    void seen(const hearth::ServiceSeen &service);
    void gone(const hearth::ServiceKey &key);
    /// All that was seen counts no more.
    void cleared();
    void toldAll();
    void statusChanged(const hearth::DiscoveryStatus &status);
};

}  // namespace hearth

Q_DECLARE_METATYPE(hearth::ServiceKey)
Q_DECLARE_METATYPE(hearth::ServiceSeen)
Q_DECLARE_METATYPE(hearth::DiscoveryStatus)
