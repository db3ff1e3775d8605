#include "core/discovery/avahi_discovery.h"

#include <QDeadlineTimer>

#include "core/base/post_to.h"
#include "core/discovery/avahi_session.h"

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
    connect(m_session, &AvahiSession::toldAll, this, &DiscoverySource::toldAll);
    connect(m_session, &AvahiSession::statusChanged, this, &DiscoverySource::statusChanged);
    connect(m_thread.get(), &QThread::started, m_session, &AvahiSession::start);
    connect(m_thread.get(), &QThread::finished, m_session, &QObject::deleteLater);
    m_thread->start();
}

void AvahiDiscovery::tellAgain() {
    if (m_session)
        QMetaObject::invokeMethod(m_session, &AvahiSession::tellAgain, Qt::QueuedConnection);
}

void AvahiDiscovery::lookFor(const QByteArrayList &types) {
    if (m_session)
        postTo(m_session, [session = m_session, types] { session->lookFor(types); });
}

void AvahiDiscovery::stop() {
    if (!m_thread)
        return;
    m_session->disconnect(this);
    postTo(m_session, [thread = m_thread.get()] { thread->quit(); });  // and the session with it
    if (m_thread->wait(QDeadlineTimer(stopDeadline))) {
        m_thread.reset();
    } else {
        // It waits for a daemon that hangs, and ends with the process at the latest: nothing may destroy it before.
        static auto *const abandoned = new QObject;
        m_thread.release()->setParent(abandoned);
    }
    m_session = nullptr;
}

}  // namespace hearth
