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
    Heart(const Identity &identity, const Fingerprint &coordinator, std::shared_ptr<const std::atomic<quint32>> term)
        : m_identity(identity), m_coordinator(coordinator), m_term(std::move(term)), m_timer(this) {
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
        m_beats = 0;
        connect(m_channel.get(), &Channel::controlReceived, this, &Heart::answer);
        connect(m_channel.get(), &Channel::closed, this, [this] {
            m_timer.stop();
            m_channel.release()->deleteLater();  // we are in one of its signals
        });
        m_timer.start(interval);
        beat();
    }

    void beat() {
        // Beats that nobody takes must not pile up; the numbers show that some are missing.
        constexpr qint64 mostUndelivered = 4096;
        ++m_beats;
        if (undeliveredBytes(*m_channel) < mostUndelivered)
            m_channel->sendControl(
                {{QLatin1String("beat"), m_beats}, {QLatin1String("term"), static_cast<qint64>(m_term->load())}});
    }

    void answer(const QCborMap &message) {
        const QCborValue probe = message[QLatin1String("probe")];
        if (probe.isInteger())
            m_channel->sendControl({{QLatin1String("probe"), probe}});
    }

    Identity m_identity;
    Fingerprint m_coordinator;
    const std::shared_ptr<const std::atomic<quint32>> m_term;
    std::unique_ptr<TlsListener> m_listener;
    std::unique_ptr<Channel> m_channel;
    QTimer m_timer;
    qint64 m_beats = 0;
};

Result<std::unique_ptr<Heartbeat>> Heartbeat::start(const Identity &identity, const Fingerprint &coordinator,
                                                    const QHostAddress &address, quint16 first, quint16 last) {
    std::unique_ptr<Heartbeat> self(new Heartbeat);
    self->m_heart = new Heart(identity, coordinator, self->m_term);
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
