// One conversation with the Avahi daemon after another.
#pragma once

#include <avahi-client/client.h>
#include <avahi-client/lookup.h>
#include <avahi-client/publish.h>
#include <QTimer>
#include <chrono>
#include <cstddef>
#include <functional>
#include <list>
#include <map>
#include <memory>

#include "core/discovery/avahi_poll.h"
#include "core/discovery/discovery_source.h"

namespace hearth {

/// Publishes, browses and resolves; when the daemon or the bus goes away it forgets all and begins again. Every call
/// of libavahi-client waits for the daemon's answer, up to the bus's 25 s with one that hangs: so it all lives in a
/// thread of its own, AvahiDiscovery's, with an event loop.
class AvahiSession : public QObject {
    Q_OBJECT
  public:
    static constexpr std::chrono::milliseconds firstPause{1000};  // a daemon that restarts is back after a second
    static constexpr std::chrono::milliseconds longestPause{30000};
    /// Services that do not tell where they are, are asked again: packets are lost. So often quickly, then slowly and
    /// for as long as they are announced: a device that slept answers when it wakes, and nobody announces it anew.
    static constexpr std::chrono::milliseconds askAgainAfter{5000};
    static constexpr int quickAttempts = 5;
    static constexpr std::chrono::milliseconds askSlowlyAfter{60000};
    static constexpr std::chrono::milliseconds pauseAfter(int attempts) {
        return attempts < quickAttempts ? askAgainAfter : askSlowlyAfter;
    }
    /// Of Hearth's services, and of all others. Together below the daemon's own limit of 1024 objects per client.
    static constexpr std::ptrdiff_t maximumResolvers = 768;
    static constexpr std::ptrdiff_t maximumOtherResolvers = 192;
    /// From the moment when there is room again until the daemon is asked for what there was none for: who announces
    /// and withdraws without end does not set the pace.
    static constexpr std::chrono::milliseconds lookAgainAfter{10000};
    /// For names that are taken. After them the announcement waits for longestPause, and begins with the first name.
    static constexpr int maximumRenames = 20;

    explicit AvahiSession(AnnounceOrder order);
    ~AvahiSession() override;

    void start();
    /// Withdraws at once.
    void stop();
    /// As DiscoverySource's.
    void tellAgain();
    void lookFor(const QByteArrayList &types);

  Q_SIGNALS:
    void seen(const hearth::ServiceSeen &service);
    void gone(const hearth::ServiceKey &key);
    void cleared();
    void toldAll();
    void statusChanged(const hearth::DiscoveryStatus &status);

  private:
    /// Of one type.
    struct Browser {
        AvahiSession *session;
        QByteArray type;
        AvahiServiceBrowser *now = nullptr;
        AvahiServiceBrowser *next = nullptr;  // takes its place once it has told all
    };
    struct Lookup {
        AvahiSession *session;
        ServiceKey key;
        AvahiServiceResolver *resolver = nullptr;
        int attempts = 0;
        bool isLocal = false;
        bool isFound = false;
        ServiceSeen told;  // where it is found
        QTimer again;
    };

    void open();
    void close();
    /// Leaves this client, from within its callbacks too, and begins again after a pause.
    void reopen(DiscoveryState state, int error);
    void clientChanged(AvahiClient *client, AvahiClientState state);
    void publish(AvahiClient *client);
    void publishAnew();
    void groupChanged(AvahiEntryGroup *group, AvahiEntryGroupState state);
    void rename();
    void browse(AvahiClient *client);
    static AvahiServiceBrowser *newBrowser(AvahiClient *client, Browser &browser);
    /// All that `which` knew at its start has been told.
    void browsed(Browser &browser, const AvahiServiceBrowser *which);
    void lookAgain();
    bool hasRoomFor(const ServiceKey &key) const;
    void found(const ServiceKey &key, bool isLocal);
    void lost(const ServiceKey &key);
    void resolve(Lookup &lookup);
    void forget(Lookup &lookup);
    void resolved(Lookup &lookup, const char *host, const AvahiAddress &address, quint16 port, AvahiStringList *txt);
    void unresolved(Lookup &lookup);
    void setStatus(const std::function<void(DiscoveryStatus &)> &change);

    AnnounceOrder m_order;
    QByteArray m_name;  // that is being published
    int m_renames = 0;
    AvahiQtPoll m_poll{this};
    AvahiClient *m_client = nullptr;
    AvahiEntryGroup *m_group = nullptr;
    std::list<Browser> m_browsers;  // Hearth's first; Avahi holds pointers to them
    bool m_hasMissed = false;       // a service of Hearth for which there was no room
    QTimer m_lookAgain;
    std::map<ServiceKey, std::unique_ptr<Lookup>> m_lookups;
    QTimer m_again;
    QTimer m_publishAgain;
    std::chrono::milliseconds m_pause = firstPause;
    DiscoveryStatus m_status;
};

}  // namespace hearth
