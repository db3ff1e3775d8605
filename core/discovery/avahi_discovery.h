// Discovery over the system's Avahi daemon.
#pragma once

#include <QThread>
#include <memory>

#include "core/discovery/discovery_source.h"

namespace hearth {

class AvahiSession;

/// Runs an AvahiSession in a thread of its own, so that a daemon that hangs holds up nobody.
class AvahiDiscovery : public DiscoverySource {
    Q_OBJECT
  public:
    /// For the daemon to take the announcement back; it does so anyway when this process is gone.
    static constexpr std::chrono::milliseconds stopDeadline{500};

    AvahiDiscovery();
    ~AvahiDiscovery() override;

    void start(const AnnounceOrder &order) override;
    void stop() override;
    void tellAgain() override;
    void lookFor(const QByteArrayList &types) override;

  private:
    std::unique_ptr<QThread> m_thread;
    AvahiSession *m_session = nullptr;  // lives in the thread and dies with it
};

}  // namespace hearth
