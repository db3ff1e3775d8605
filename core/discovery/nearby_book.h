// Turns what is seen of services into devices nearby.
#pragma once

#include <QHash>
#include <map>
#include <set>
#include <vector>

#include "core/discovery/discovery_source.h"
#include "core/home/announcement.h"

namespace hearth {

/// It says where it is, in names as long as DNS allows.
bool isWhole(const ServiceSeen &service);
/// Which address of a device is tried first: IPv4, then those that hold on all interfaces.
int addressRank(const QHostAddress &address);

/// A device is known by the digits of its key: its services on all interfaces and protocols are gathered. Whatever is
/// announced, the book stays small, and devices of this home always find a place. Pure bookkeeping; time is an
/// argument; one thread.
class NearbyBook {
  public:
    static constexpr std::size_t maximumServices = 32;  // of one device: its interfaces and protocols
    static constexpr qsizetype maximumAddresses = 8;    // of one device
    static constexpr qsizetype maximumHosts = 4;        // that are named

    /// Trusted devices by the digits of their keys, with the names by which they are trusted.
    using Trusted = QHash<QString, QString>;

    /// `own`: the digits of this device.
    explicit NearbyBook(QString own) : m_own(std::move(own)) {}

    const QString &own() const { return m_own; }
    void setTrusted(Trusted trusted);
    bool isTrusted(const QString &prefix) const { return m_trusted.contains(prefix); }
    /// `now` in milliseconds since 1970. What cannot be read, and strangers beyond Nearby::maximumStrangers, are left
    /// out; a service whose new words cannot be read is gone.
    void see(const ServiceSeen &service, qint64 now);
    void lose(const ServiceKey &key);
    void clear();

    /// In order of appearance.
    std::vector<NearbyDevice> devices() const;
    bool isEchoed() const { return !m_echoes.empty(); }
    /// Some stranger was left out; until it is known that nobody is any more.
    bool isCrowded() const { return m_isCrowded; }
    /// There is room again, and somebody was left out: all that is there should be seen once more, between these two.
    bool wantsToLookAgain() const { return m_isCrowded && hasRoomFor({}); }
    void lookBegins() { m_hasLeftOut = false; }
    void lookEnds() { m_isCrowded = m_hasLeftOut; }

  private:
    struct Service {
        QByteArray host;  // lower case
        QHostAddress address;
        quint16 port = 0;
        int version = 0;
        quint64 order = 0;  // of appearance
    };
    struct Device {
        std::map<ServiceKey, Service> services;
        qint64 since = 0;
        quint64 order = 0;
    };
    NearbyDevice describe(const QString &prefix, const Device &device) const;
    bool hasRoomFor(const QString &prefix) const;

    QString m_own;
    Trusted m_trusted;
    std::map<QString, Device> m_devices;     // by digits
    std::map<ServiceKey, QString> m_places;  // the digits of each service
    std::set<ServiceKey> m_echoes;
    quint64 m_lastOrder = 0;
    bool m_isCrowded = false;
    bool m_hasLeftOut = false;  // since the last look began
};

}  // namespace hearth
