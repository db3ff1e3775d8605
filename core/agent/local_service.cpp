#include "core/agent/local_service.h"

#include <QCborArray>
#include <QLocalSocket>
#include <QTimer>
#include <map>

#include "core/agent/local_pairing.h"
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
        connect(&m_agent, &Agent::runGrew, this, &Session::pump);
        connect(&m_agent, &Agent::runEnded, this, &Session::pump);
        connect(&m_agent, &Agent::deviceChanged, this, [this](const DeviceInfo &device) {
            if (m_subscribed)
                m_rpc->notify(QStringLiteral("device.changed"), device.toCbor());
        });
        connect(&m_agent, &Agent::deviceRemoved, this, [this](const QString &id) {
            if (m_subscribed)
                m_rpc->notify(QStringLiteral("device.removed"), {{QStringLiteral("id"), id}});
        });
        connect(&m_agent, &Agent::pairingChanged, this, [this](const PairingStatus &status) {
            if (m_subscribed)
                m_rpc->notify(QStringLiteral("pair.changed"), status.toCbor());
        });
        connect(&m_agent, &Agent::runChanged, this, [this](const QString &id, const QString &state) {
            QCborMap note;
            note[QStringLiteral("id")] = id;
            note[QStringLiteral("state")] = state;
            if (m_subscribed)
                m_rpc->notify(QStringLiteral("run.changed"), note);
        });
        connect(&m_agent, &Agent::strangerRefused, this, [this](const QString &address) {
            QCborMap note;
            note[QStringLiteral("address")] = address;
            if (m_subscribed)
                m_rpc->notify(QStringLiteral("stranger.refused"), note);
        });
        connect(&m_agent, &Agent::nearbyChanged, this, [this] {
            if (m_subscribed)
                m_rpc->notify(QStringLiteral("nearby.changed"), m_agent.nearby().toCbor());
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
        m_rpc->handle(QStringLiteral("status"),
                      [this](const QCborMap &, const Reply &reply) { reply.ok(m_agent.status()); });
        m_rpc->handle(QStringLiteral("devices"), [this](const QCborMap &, const Reply &reply) {
            QCborArray list;
            for (const DeviceInfo &device : m_agent.devices())
                list.append(device.toCbor());
            QCborMap result;
            result[QStringLiteral("devices")] = list;
            reply.ok(result);
        });
        m_rpc->handle(QStringLiteral("subscribe"), [this](const QCborMap &, const Reply &reply) {
            reply.ok();
            m_subscribed = true;
            for (const DeviceInfo &device : m_agent.devices())
                m_rpc->notify(QStringLiteral("device.changed"), device.toCbor());
            m_rpc->notify(QStringLiteral("nearby.changed"), m_agent.nearby().toCbor());
            m_rpc->notify(QStringLiteral("pair.changed"), m_agent.pairing().status().toCbor());
        });
        m_rpc->handle(QStringLiteral("nearby"), [this](const QCborMap &, const Reply &reply) {
            // Who asks an agent that has just been started for this very question gets an answer that is worth it.
            QTimer::singleShot(m_agent.nearbySettlesIn(), this, [this, reply] { reply.ok(m_agent.nearby().toCbor()); });
        });
        m_rpc->handle(QStringLiteral("diagnose"), [this](const QCborMap &, const Reply &reply) {
            m_agent.diagnose(
                this,
                [this](const Finding &finding) { m_rpc->notify(QStringLiteral("diagnose.finding"), finding.toCbor()); },
                [reply](const Result<std::vector<Finding>> &findings) {
                    if (!findings) {
                        reply.fail(findings.error());
                        return;
                    }
                    QCborArray list;
                    for (const Finding &finding : *findings)
                        list.append(finding.toCbor());
                    QCborMap result;
                    result[QStringLiteral("findings")] = list;
                    reply.ok(result);
                });
        });
        servePairing(*m_rpc, m_agent);
        m_rpc->handle(QStringLiteral("device.address"), [this](const QCborMap &args, const Reply &reply) {
            const auto device = Fingerprint::fromHex(args[QStringLiteral("fingerprint")].toString());
            answer(reply, device ? m_agent.setDeviceAddress(*device, args[QStringLiteral("address")].toString())
                                 : tl::unexpected(device.error()));
        });
        m_rpc->handle(QStringLiteral("device.rename"), [this](const QCborMap &args, const Reply &reply) {
            answer(reply,
                   m_agent.rename(args[QStringLiteral("device")].toString(), args[QStringLiteral("name")].toString()));
        });
        m_rpc->handle(QStringLiteral("limits.set"), [this](const QCborMap &args, const Reply &reply) {
            const auto limits = DeviceLimits::fromJson(args[QStringLiteral("limits")].toMap().toJsonObject(),
                                                       QStringLiteral("the limits"));
            if (!limits)
                return reply.fail(limits.error());
            m_agent.setLimitsOf(args[QStringLiteral("device")].toString(), *limits, &m_agent,
                                [reply](const Result<void> &result) { answer(reply, result); });
        });
        m_rpc->handle(QStringLiteral("trust"), [this](const QCborMap &args, const Reply &reply) {
            const auto device = IdentityFile::fromJson(args[QStringLiteral("identity")].toMap().toJsonObject(),
                                                       QStringLiteral("the identity"));
            answer(reply, device ? m_agent.trust(*device) : tl::unexpected(device.error()));
        });
        m_rpc->handle(QStringLiteral("distrust"), [this](const QCborMap &args, const Reply &reply) {
            const auto device = Fingerprint::fromHex(args[QStringLiteral("fingerprint")].toString());
            answer(reply, device ? m_agent.distrust(*device) : tl::unexpected(device.error()));
        });
        m_rpc->handle(QStringLiteral("leave"), [this](const QCborMap &, const Reply &reply) {
            QCborMap result;
            result[QStringLiteral("workers")] = m_agent.foreignWorkers();
            reply.ok(result);
            m_agent.leave();
        });
        m_rpc->handle(QStringLiteral("runs"), [this](const QCborMap &, const Reply &reply) {
            m_agent.readRuns(this, [reply](const std::vector<RunInfo> &runs) {
                QCborArray list;
                for (const RunInfo &run : runs)
                    list.append(run.toCbor());
                QCborMap result;
                result[QStringLiteral("runs")] = list;
                reply.ok(result);
            });
        });
        m_rpc->handle(QStringLiteral("run.start"), [this](const QCborMap &args, const Reply &reply) {
            // In the agent's context: the run starts also when the app that asked for it is gone.
            m_agent.startRun(args, &m_agent, [reply](const Result<QCborMap> &result) {
                result ? reply.ok(*result) : reply.fail(result.error());
            });
        });
        m_rpc->handle(QStringLiteral("run.command"), [this](const QCborMap &args, const Reply &reply) {
            answer(reply, m_agent.commandRun(args[QStringLiteral("id")].toString(), args));
        });
        m_rpc->handle(QStringLiteral("run.attach"), [this](const QCborMap &args, const Reply &reply) {
            const QString id = args[QStringLiteral("id")].toString();
            const auto known = m_agent.requireRun(id);
            if (!known) {
                reply.fail(known.error());
                return;
            }
            QCborMap result;
            result[QStringLiteral("live")] = m_agent.isLive(id);
            // What the reader is told up to here happened before it looked.
            result[QStringLiteral("last_seq")] = static_cast<qint64>(m_agent.lastSeqOf(id));
            reply.ok(result);
            const auto from = static_cast<quint64>(std::max<qint64>(1, integerOf(args[QStringLiteral("from")], 1)));
            m_attached[id] = std::make_unique<EventReader>(eventsPath(m_agent.runFolder(id)), from);
            pump(id);
        });
        m_rpc->handle(QStringLiteral("run.detach"), [this](const QCborMap &args, const Reply &reply) {
            m_attached.erase(args[QStringLiteral("id")].toString());
            reply.ok();
        });
    }

    static void answer(const Reply &reply, const Result<void> &result) {
        result ? reply.ok() : reply.fail(result.error());
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
            if (!m_agent.isLive(id)) {
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

LocalService::LocalService(Agent &agent, SocketAccess access, QObject *parent) : QObject(parent), m_agent(agent) {
    QLocalServer::SocketOptions options = QLocalServer::UserAccessOption;
    if (access == SocketAccess::Group)
        options |= QLocalServer::GroupAccessOption;
    m_server.setSocketOptions(options);
    connect(&m_server, &QLocalServer::newConnection, this, &LocalService::accept);
}

LocalService::~LocalService() = default;

Result<void> LocalService::listen() {
    const auto name = LocalSocketName::of(m_agent.stateDir());
    if (!name)
        return tl::unexpected(name.error());
    // We hold the lock of the folder, so a socket that lies there is nobody's.
    QLocalServer::removeServer(name->path());
    if (!m_server.listen(name->path())) {
        return fail(QStringLiteral("agent.no-socket"),
                    QStringLiteral("The local socket in %1 could not be made.").arg(m_agent.stateDir()),
                    m_server.errorString() + QLatin1Char('.'), QStringLiteral("Choose another folder with --state."));
    }
    return {};
}

void LocalService::accept() {
    while (QLocalSocket *socket = m_server.nextPendingConnection()) {
        socket->setParent(nullptr);
        std::unique_ptr<QLocalSocket> owned(socket);
        if (m_sessions.size() >= maximumSessions)
            continue;
        auto session = std::make_unique<Session>(m_agent, std::move(owned));
        Session *raw = session.get();
        connect(raw->channel(), &Channel::closed, this, [this, raw] {
            m_agent.tidySoon();
            const auto at = std::find_if(m_sessions.begin(), m_sessions.end(),
                                         [raw](const auto &each) { return each.get() == raw; });
            if (at == m_sessions.end())
                return;
            at->release()->deleteLater();  // we are inside a signal of its channel
            m_sessions.erase(at);
        });
        m_sessions.push_back(std::move(session));
    }
}

}  // namespace hearth
