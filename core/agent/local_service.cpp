#include "core/agent/local_service.h"

#include <QCborArray>
#include <QLocalSocket>
#include <map>

#include "core/base/cbor.h"
#include "core/run/files/event_file.h"
#include "core/wire/stream_channel.h"

namespace hearth {
namespace {

constexpr qint64 readChunk = 64 << 10;
// A reader that was stopped for a while (Ctrl-Z) finds its place again; what waits for it is bounded anyway.
constexpr std::chrono::hours patience{1};

}  // namespace

class LocalService::Session : public QObject {
  public:
    Session(Agent &agent, std::unique_ptr<QLocalSocket> socket) : m_agent(agent) {
        auto channel = std::make_unique<StreamChannel>(std::move(socket), Fingerprint{}, QStringLiteral("the app"));
        channel->setStallDeadline(patience);
        channel->setFrameLimits({Channel::maximumControlBytes, 0});
        m_channel = std::move(channel);
        m_rpc = std::make_unique<Rpc>(m_channel.get());
        connect(m_channel.get(), &Channel::windowOpened, this, &Session::pumpAll);
        connect(&m_agent.runs(), &RunService::grew, this, &Session::pump);
        connect(&m_agent.runs(), &RunService::ended, this, &Session::pump);
        connect(&m_agent.book(), &DeviceBook::changed, this, [this](const DeviceInfo &device) {
            if (m_subscribed)
                m_rpc->notify(QStringLiteral("device.changed"), device.toCbor());
        });
        connect(&m_agent.book(), &DeviceBook::removed, this, [this](const QString &id) {
            if (m_subscribed)
                m_rpc->notify(QStringLiteral("device.removed"), {{QStringLiteral("id"), id}});
        });
        connect(&m_agent.trust(), &TrustService::pairingChanged, this, [this](const PairingStatus &status) {
            if (m_subscribed)
                m_rpc->notify(QStringLiteral("pair.changed"), status.toCbor());
        });
        connect(&m_agent.trust(), &TrustService::pairingRefused, this, [this](const PairingStatus &stranger) {
            if (m_subscribed)
                m_rpc->notify(QStringLiteral("pair.refused"), stranger.toCbor());
        });
        connect(&m_agent.runs(), &RunService::changed, this, [this](const QString &id, const QString &state) {
            QCborMap note;
            note[QStringLiteral("id")] = id;
            note[QStringLiteral("state")] = state;
            if (m_subscribed)
                m_rpc->notify(QStringLiteral("run.changed"), note);
        });
        connect(&m_agent.home(), &HomeService::nearbyChanged, this, [this] {
            if (m_subscribed)
                m_rpc->notify(QStringLiteral("nearby.changed"), m_agent.home().nearby().toCbor());
        });
        serve();
    }

    ~Session() override {
        m_channel->disconnect(this);
        m_rpc.reset();
    }

    Channel *channel() const { return m_channel.get(); }

  private:
    void serve() {
        m_agent.serve(*m_rpc);
        m_rpc->handle(QStringLiteral("subscribe"), [this](const QCborMap &, const Reply &reply) {
            reply.ok();
            m_subscribed = true;
            for (const DeviceInfo &device : m_agent.devices())
                m_rpc->notify(QStringLiteral("device.changed"), device.toCbor());
            m_rpc->notify(QStringLiteral("nearby.changed"), m_agent.home().nearby().toCbor());
            m_rpc->notify(QStringLiteral("pair.changed"), m_agent.trust().pairing().status().toCbor());
        });
        m_rpc->handle(QStringLiteral("run.attach"), [this](const QCborMap &args, const Reply &reply) {
            const QString id = args[QStringLiteral("id")].toString();
            const auto known = m_agent.runs().require(id);
            if (!known) {
                reply.fail(known.error());
                return;
            }
            QCborMap result;
            result[QStringLiteral("live")] = m_agent.runs().isLive(id);
            // What the reader is told up to here happened before it looked.
            result[QStringLiteral("last_seq")] = static_cast<qint64>(m_agent.runs().lastSeqOf(id));
            reply.ok(result);
            const auto from = static_cast<quint64>(std::max<qint64>(1, integerOf(args[QStringLiteral("from")], 1)));
            m_attached[id] = std::make_unique<EventReader>(eventsPath(m_agent.runs().folder(id)), from);
            pump(id);
        });
    }

    void pumpAll() {
        QStringList ids;
        for (const auto &[id, reader] : m_attached)
            ids << id;
        for (const QString &id : ids)
            pump(id);
    }

    /// Sends what the reader has not seen, as long as little waits; windowOpened() brings us back.
    void pump(const QString &id) {
        const auto at = m_attached.find(id);
        if (at == m_attached.end())
            return;
        while (m_channel->isOpen() && m_channel->queuedBytes() <= Channel::lowMark) {
            const QByteArrayList lines = at->second->next(readChunk);
            for (const QByteArray &line : lines) {
                QCborMap note;
                note[QStringLiteral("id")] = id;
                note[QStringLiteral("line")] = QCborValue(line);
                m_rpc->notify(QStringLiteral("run.event"), note);
            }
            if (!lines.isEmpty())
                continue;
            if (!m_agent.runs().isLive(id)) {
                QCborMap note;
                note[QStringLiteral("id")] = id;
                m_attached.erase(at);
                m_rpc->notify(QStringLiteral("run.end"), note);
            }
            return;
        }
    }

    Agent &m_agent;
    std::unique_ptr<Channel> m_channel;
    std::unique_ptr<Rpc> m_rpc;
    bool m_subscribed = false;
    std::map<QString, std::unique_ptr<EventReader>> m_attached;
};

LocalService::LocalService(Agent &agent, SocketAccess access, QObject *parent)
    : QObject(parent), m_agent(agent), m_access(access) {
    connect(&m_listener, &LocalListener::connected, this,
            [this](QLocalSocket *socket) { accept(std::unique_ptr<QLocalSocket>(socket)); });
}

LocalService::~LocalService() = default;

Result<void> LocalService::listen() {
    // We hold the lock of the folder, so a socket that lies there is nobody's.
    return m_listener.listen(m_agent.stateDir(), QStringLiteral("agent.sock"), m_access);
}

void LocalService::accept(std::unique_ptr<QLocalSocket> socket) {
    if (m_sessions.size() >= maximumSessions)
        return;
    auto session = std::make_unique<Session>(m_agent, std::move(socket));
    Session *raw = session.get();
    connect(raw->channel(), &Channel::closed, this, [this, raw] {
        m_agent.tidySoon();
        const auto at =
            std::find_if(m_sessions.begin(), m_sessions.end(), [raw](const auto &each) { return each.get() == raw; });
        if (at == m_sessions.end())
            return;
        at->release()->deleteLater();  // we are inside a signal of its channel
        m_sessions.erase(at);
    });
    m_sessions.push_back(std::move(session));
}

}  // namespace hearth
