#include "core/train/heartbeat.h"

#include <QCborMap>
#include <QTimer>
#include <utility>

#include "core/base/post_to.h"
#include "core/wire/stream_channel.h"
#include "core/wire/tls_listener.h"

namespace hearth {

class Heartbeat::Heart : public QObject {
  public:
    Heart(const Identity &identity, const Fingerprint &coordinator)
        : m_identity(identity), m_coordinator(coordinator), m_timer(this) {
        m_timer.setTimerType(Qt::PreciseTimer);
        connect(&m_timer, &QTimer::timeout, this, &Heart::beat);
    }
    ~Heart() override {
        if (m_channel)
            m_channel->disconnect(this);
    }

    /// In the thread where it lives.
    Result<quint16> listen(const QHostAddress &address, quint16 first, quint16 last) {
        m_listener = std::make_unique<TlsListener>(m_identity,
                                                   [this](const Fingerprint &peer) { return peer == m_coordinator; });
        connect(m_listener.get(), &TlsListener::channelReady, this,
                [this](Channel *channel) { adopt(std::unique_ptr<Channel>(channel)); });
        return m_listener->listen(address, first, last);
    }

  private:
    void adopt(std::unique_ptr<Channel> channel) {
        if (m_channel) {
            m_channel->disconnect(this);
            m_channel.release()->deleteLater();
        }
        m_channel = std::move(channel);
        connect(m_channel.get(), &Channel::controlReceived, this, &Heart::answer);
        connect(m_channel.get(), &Channel::closed, this, [this] {
            m_timer.stop();
            m_channel.release()->deleteLater();  // we are in one of its signals
        });
        m_timer.start(interval);
        beat();
    }

    void beat() {
        // Beats that nobody takes must not pile up.
        constexpr qint64 mostUndelivered = 4096;
        if (undeliveredBytes(*m_channel) < mostUndelivered)
            m_channel->sendControl({{QLatin1String("beat"), true}});
    }

    void answer(const QCborMap &message) {
        if (message.contains(QLatin1String("probe")))
            m_channel->sendControl({{QLatin1String("probe"), 1}});
    }

    Identity m_identity;
    Fingerprint m_coordinator;
    std::unique_ptr<TlsListener> m_listener;
    std::unique_ptr<Channel> m_channel;
    QTimer m_timer;
};

Result<std::unique_ptr<Heartbeat>> Heartbeat::start(const Identity &identity, const Fingerprint &coordinator,
                                                    const QHostAddress &address, quint16 first, quint16 last) {
    std::unique_ptr<Heartbeat> self(new Heartbeat);
    self->m_heart = new Heart(identity, coordinator);
    self->m_heart->moveToThread(&self->m_thread);
    QObject::connect(&self->m_thread, &QThread::finished, self->m_heart, &QObject::deleteLater);
    self->m_thread.setObjectName(QStringLiteral("heartbeat"));
    self->m_thread.start();
    Result<quint16> port;
    runIn(self->m_heart, [&] { port = self->m_heart->listen(address, first, last); });
    if (!port)
        return tl::unexpected(port.error());
    self->m_port = *port;
    return self;
}

Heartbeat::~Heartbeat() {
    m_thread.quit();
    m_thread.wait();
}

}  // namespace hearth
