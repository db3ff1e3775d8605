// A discovery whose network is played by the test.
#pragma once

#include <map>

#include "core/discovery/discovery_source.h"
#include "core/home/announcement.h"

namespace hearth {

class PlayedSource : public DiscoverySource {
  public:
    void start(const AnnounceOrder &order) override {
        m_order = order;
        DiscoveryStatus status;
        status.state = DiscoveryState::Running;
        status.announcedAs = order.name;
        Q_EMIT statusChanged(status);
    }
    void stop() override { m_isStopped = true; }
    void tellAgain() override {
        for (const auto &[key, service] : m_there)
            Q_EMIT seen(service);
        Q_EMIT toldAll();
    }

    void lookFor(const QByteArrayList &types) override { m_types = types; }

    const AnnounceOrder &order() const { return m_order; }
    const QByteArrayList &types() const { return m_types; }
    bool isStopped() const { return m_isStopped; }

    void announce(const char *name, const char *host, const QString &address, quint16 port, const QString &prefix) {
        ServiceSeen service;
        service.address = QHostAddress(address);
        service.key = {2, service.address.protocol() == QAbstractSocket::IPv6Protocol, name};
        service.host = host;
        service.port = port;
        Announcement announcement;
        announcement.prefix = prefix;
        service.txt = announcement.toTxt();
        m_there[service.key] = service;
        Q_EMIT seen(service);
    }
    /// Of another type than Hearth's: what a computer that can be logged in to says of itself.
    void announceComputer(const char *name, const char *host, const QString &address,
                          const QByteArray &type = "_ssh._tcp", quint16 port = 22) {
        ServiceSeen service;
        service.address = QHostAddress(address);
        service.key = {2, service.address.protocol() == QAbstractSocket::IPv6Protocol, name, type};
        service.host = host;
        service.port = port;
        m_there[service.key] = service;
        Q_EMIT seen(service);
    }
    void withdraw(const ServiceKey &key) {
        m_there.erase(key);
        Q_EMIT gone(key);
    }

  private:
    AnnounceOrder m_order;
    QByteArrayList m_types;
    std::map<ServiceKey, ServiceSeen> m_there;
    bool m_isStopped = false;
};

}  // namespace hearth
