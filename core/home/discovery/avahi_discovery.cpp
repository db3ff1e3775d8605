#include "core/home/discovery/avahi_discovery.h"

#include <QDeadlineTimer>
#include <tuple>

#include "core/home/discovery/avahi_session.h"

namespace hearth {

AvahiDiscovery::AvahiDiscovery() = default;

AvahiDiscovery::~AvahiDiscovery() {
    stop();
}

void AvahiDiscovery::start(const AnnounceOrder &order) {
    m_thread = std::make_unique<QThread>();
    m_thread->setObjectName(QStringLiteral("avahi"));
    m_session = new AvahiSession(order);
    m_session->moveToThread(m_thread.get());
    connect(m_session, &AvahiSession::seen, this, &DiscoverySource::seen);
    connect(m_session, &AvahiSession::gone, this, &DiscoverySource::gone);
    connect(m_session, &AvahiSession::cleared, this, &DiscoverySource::cleared);
    connect(m_session, &AvahiSession::statusChanged, this, &DiscoverySource::statusChanged);
    connect(m_thread.get(), &QThread::started, m_session, &AvahiSession::start);
    connect(m_thread.get(), &QThread::finished, m_session, &QObject::deleteLater);
    m_thread->start();
}

void AvahiDiscovery::stop() {
    if (!m_thread)
        return;
    m_session->disconnect(this);
    m_thread->quit();  // and the session with it
    // A thread that waits for a daemon that hangs ends with the process.
    if (!m_thread->wait(QDeadlineTimer(stopDeadline)))
        std::ignore = m_thread.release();
    m_thread.reset();
    m_session = nullptr;
}

}  // namespace hearth
