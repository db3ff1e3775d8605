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

    const AnnounceOrder &order() const { return m_order; }
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
    void withdraw(const ServiceKey &key) {
        m_there.erase(key);
        Q_EMIT gone(key);
    }

  private:
    AnnounceOrder m_order;
    std::map<ServiceKey, ServiceSeen> m_there;
    bool m_isStopped = false;
};

}  // namespace hearth
