#include "core/train/peer_links.h"
#include "core/base/cbor.h"
#include "core/wire/stream_channel.h"

#include <QCborArray>
#include <QTimer>

namespace hearth {

Q_LOGGING_CATEGORY(linkLog, "hearth.train.links", QtInfoMsg)

struct PeerLinks::Link {
    std::unique_ptr<Channel> channel;
    std::unique_ptr<Rpc> rpc;
    QString device;
    bool data = false;
    std::optional<Reply> hello;  // for data, before the deployment
    qint64 burstAwaited = 0;
    std::optional<Reply> burstReply;
};

struct PeerLinks::Waiting {
    QSet<QString> missing;
    std::function<void(Result<void>)> done;
    QTimer deadline;
};

PeerLinks::PeerLinks(QString run, QString self, PeerConnector &connector, QObject *parent)
    : QObject(parent), m_run(std::move(run)), m_self(std::move(self)), m_connector(connector) {}

PeerLinks::~PeerLinks() = default;

/// Not why: that would tell a coordinator what listens in this device's network.
Error PeerLinks::unreachable(const Sentence &cause) {
    return {QStringLiteral("worker.peer-unreachable"), sentence("A device did not reach another one."), cause,
            sentence("Check that no firewall blocks the ports of the workers.")};
}

void PeerLinks::adopt(std::unique_ptr<Channel> channel) {
    const auto refuse = [&](const QString &code, const Sentence &what) {
        channel->close({code, what, {}, {}});
        channel.release()->deleteLater();
    };
    // It may have been removed since its handshake began.
    if (!isMember(channel->peer()))
        return refuse(QStringLiteral("worker.no-member"), sentence("This device is no member of the run."));
    const QString device = channel->peer().toHex();
    if (std::ranges::count_if(m_links, [&](const auto &link) { return link->device == device; }) >= maximumLinks)
        return refuse(QStringLiteral("worker.too-many-links"),
                      sentence("This device has %1 connections to the worker already.").arg(maximumLinks));
    add(std::move(channel));
}

void PeerLinks::setMembers(const QSet<Fingerprint> &members) {
    m_members = members;
    closeIf([this](const Link &link) { return !isMember(link.channel->peer()); },
            {QStringLiteral("worker.no-member"), sentence("This device is no member of the run."), {}, {}});
}

void PeerLinks::setTensorLimit(quint64 bytes) {
    m_tensorLimit = std::max(bytes, static_cast<quint64>(burstFrame));
    for (const auto &link : m_links)
        limit(*link->channel);
}

void PeerLinks::limit(Channel &channel) const {
    constexpr qint64 controlBytes = 64 << 10;  // greetings and the word of an end
    if (auto *stream = qobject_cast<StreamChannel *>(&channel))
        stream->setFrameLimits({controlBytes, m_tensorLimit});
}

PeerLinks::Link *PeerLinks::add(std::unique_ptr<Channel> channel) {
    m_links.push_back(std::make_unique<Link>());
    Link *link = m_links.back().get();
    link->device = channel->peer().toHex();
    link->channel = std::move(channel);
    link->rpc = std::make_unique<Rpc>(link->channel.get());
    limit(*link->channel);
    connect(link->channel.get(), &Channel::tensorReceived, this,
            [this, link](const TensorFrame &frame) { receive(link, frame); });
    connect(link->channel.get(), &Channel::closed, this, [this, link](const Error &reason) { remove(link, reason); });
    link->rpc->handle(QStringLiteral("peer.hello"), [this, link](const QCborMap &args, const Reply &reply) {
        if (args[QLatin1String("run")].toString() != m_run)
            return reply.fail(
                {QStringLiteral("worker.other-run"), sentence("This worker serves another run."), {}, {}});
        if (args[QLatin1String("purpose")].toString() == QLatin1String("data")) {
            if (!m_deployed.contains(link->device)) {
                link->hello = reply;
                return;
            }
            return becomeData(link, reply);
        }
        reply.ok();
    });
    link->rpc->handle(QStringLiteral("peer.ping"),
                      [this](const QCborMap &, const Reply &reply) { m_handOver([reply] { reply.ok(); }); });
    link->rpc->handle(QStringLiteral("peer.burst"), [link](const QCborMap &args, const Reply &reply) {
        link->burstAwaited = integerOf(args[QLatin1String("bytes")]);
        link->burstReply = reply;
    });
    for (auto each = m_handlers.cbegin(); each != m_handlers.cend(); ++each) {
        link->rpc->handle(each.key(), [link, handler = each.value()](const QCborMap &args, const Reply &reply) {
            if (!link->data)
                return reply.fail(
                    {QStringLiteral("worker.no-data-link"), sentence("This link carries no tensors."), {}, {}});
            handler(link->device, args, reply);
        });
    }
    return link;
}

void PeerLinks::call(const QString &device, const QString &op, const QCborMap &args, std::chrono::milliseconds deadline,
                     QObject *context, Rpc::Callback callback) {
    dataLink(device)->rpc->call(op, args, deadline, context, std::move(callback));
}

void PeerLinks::remove(Link *link, const Error &reason) {
    const auto it =
        std::find_if(m_links.begin(), m_links.end(), [link](const auto &each) { return each.get() == link; });
    if (it == m_links.end())
        return;
    const std::unique_ptr<Link> gone = std::move(*it);
    m_links.erase(it);
    // We are in one of its signals.
    gone->rpc.release()->deleteLater();
    gone->channel.release()->deleteLater();
    qCDebug(linkLog).noquote() << "no more connected with" << gone->device << reason.toString();
    if (gone->data)
        Q_EMIT lost(gone->device, reason);
}

PeerLinks::Link *PeerLinks::dataLink(const QString &device) const {
    for (const auto &link : m_links) {
        if (link->data && link->device == device)
            return link.get();
    }
    return nullptr;
}

void PeerLinks::becomeData(Link *link, const std::optional<Reply> &hello) {
    if (Link *former = dataLink(link->device); former && former != link) {
        former->data = false;
        former->channel->close(
            {QStringLiteral("worker.replaced"), sentence("A newer connection took its place."), {}, {}});
    }
    link->data = true;
    const QString device = link->device;
    qCDebug(linkLog).noquote() << "connected with" << device << "from" << ownHost(*link->channel);
    if (hello)
        hello->ok();  // first: before that the other end takes nothing
    if (m_waiting) {
        m_waiting->missing.remove(device);
        if (m_waiting->missing.isEmpty())
            settle({});
    }
    Q_EMIT linked(device);
}

void PeerLinks::receive(Link *link, const TensorFrame &frame) {
    if (link->burstReply) {
        link->burstAwaited -= frame.payload->size();
        if (link->burstAwaited <= 0) {
            link->burstReply->ok();
            link->burstReply.reset();
        }
        return;
    }
    if (link->data)
        Q_EMIT tensorReceived(link->device, frame);
}

void PeerLinks::send(const QString &device, const TensorHeader &header, Payload payload) {
    if (Link *link = dataLink(device))
        link->channel->sendTensor(header, std::move(payload));
}

quint64 PeerLinks::movedBytes() const {
    quint64 bytes = 0;
    for (const auto &link : m_links)
        bytes += link->channel->bytesSent() + link->channel->bytesReceived();
    return bytes;
}

QMap<QString, qint64> PeerLinks::waitingBytes() const {
    QMap<QString, qint64> waiting;
    for (const auto &link : m_links) {
        if (const qint64 bytes = link->data ? undeliveredBytes(*link->channel) : 0; bytes > 0)
            waiting[link->device] = bytes;
    }
    return waiting;
}

void PeerLinks::closeAll(const Error &reason) {
    closeIf([](const Link &) { return true; }, reason);
}

void PeerLinks::closeIf(const std::function<bool(const Link &)> &which, const Error &reason) {
    std::vector<Channel *> channels;
    for (const auto &link : m_links) {
        if (!which(*link))
            continue;
        link->data = false;
        channels.push_back(link->channel.get());
    }
    for (Channel *channel : channels)
        channel->close(reason);
}

void PeerLinks::end(const QString &device, const Error &reason) {
    if (Channel *channel = this->channel(device))
        channel->close(reason);
}

void PeerLinks::endWhere(const std::function<bool(const Channel &)> &isTrue, const Error &reason) {
    std::vector<Channel *> channels;
    for (const auto &link : m_links) {
        if (isTrue(*link->channel))
            channels.push_back(link->channel.get());
    }
    for (Channel *channel : channels)
        channel->close(reason);
}

Channel *PeerLinks::channel(const QString &device) const {
    const Link *link = dataLink(device);
    return link ? link->channel.get() : nullptr;
}

void PeerLinks::cancelConnecting() {
    m_tried.clear();
    if (m_waiting)
        settle(fail(QStringLiteral("worker.superseded"), sentence("A newer plan took its place.")));
}

/// The stages beside its own, its group, and the partners of states that move or are copied.
QSet<QString> PeerLinks::neededPeers(const Deployment &deployment) const {
    QSet<QString> needed;
    for (const int stage : deployment.stagesOf(m_self)) {
        const int last = std::min(stage + 1, static_cast<int>(deployment.stages.size()) - 1);
        for (int s = std::max(0, stage - 1); s <= last; ++s) {
            for (const Deployment::Member &each : deployment.stages[static_cast<std::size_t>(s)].members)
                needed.insert(each.device);
        }
    }
    const auto partner = [&](const QString &from, const QString &to) {
        if (from == m_self)
            needed.insert(to);
        if (to == m_self && !from.isEmpty())
            needed.insert(from);
    };
    for (const Deployment::Move &move : deployment.moves)
        partner(move.from, move.to);
    for (const Deployment::Backup &backup : deployment.backups)
        partner(backup.from, backup.to);
    needed.remove(m_self);
    return needed;
}

void PeerLinks::welcome(const Deployment &deployment) {
    m_deployed.clear();
    for (const Deployment::Peer &peer : deployment.peers)
        m_deployed.insert(peer.device);
    std::vector<Link *> waiting;
    for (const auto &link : m_links) {
        if (link->hello && m_deployed.contains(link->device))
            waiting.push_back(link.get());
    }
    for (Link *link : waiting)
        becomeData(link, std::exchange(link->hello, std::nullopt));
}

void PeerLinks::connectPeers(const Deployment &deployment, const QSet<QString> &partners, const QSet<QString> &tried,
                             std::function<void(Result<void>)> done) {
    cancelConnecting();
    welcome(deployment);
    const QSet<QString> needed = neededPeers(deployment) | partners;
    m_needed = needed;
    m_tried = tried;
    m_tries.setRemainingTime(connectDeadline);
    m_waiting = std::make_unique<Waiting>();
    m_waiting->done = std::move(done);
    m_waiting->missing = needed;
    qCDebug(linkLog).noquote() << "term" << deployment.term << "needs" << needed.values();
    m_waiting->deadline.setSingleShot(true);
    connect(&m_waiting->deadline, &QTimer::timeout, this, [this] {
        const QStringList missing(m_waiting->missing.begin(), m_waiting->missing.end());
        settle(tl::unexpected(unreachable(sentence("No connection to %1.").arg(missing.join(QStringLiteral(", "))))));
    });
    m_waiting->deadline.start(connectDeadline);
    bool before = true;  // peers listed before us dial us
    for (const Deployment::Peer &peer : deployment.peers) {
        if (peer.device == m_self)
            before = false;
        else if (dataLink(peer.device))
            m_waiting->missing.remove(peer.device);
        else if (!before && (needed.contains(peer.device) || tried.contains(peer.device)))
            dial(peer);
    }
    if (m_waiting->missing.isEmpty())
        QTimer::singleShot(0, this, [this, waiting = m_waiting.get()] {
            if (m_waiting.get() == waiting)
                settle({});
        });
}

QStringList PeerLinks::unreached() const {
    QStringList peers;
    for (const QString &peer : m_needed) {
        if (!dataLink(peer))
            peers << peer;
    }
    return peers;
}

void PeerLinks::settle(Result<void> result) {
    const std::unique_ptr<Waiting> waiting = std::move(m_waiting);
    if (waiting)
        waiting->done(std::move(result));
}

bool PeerLinks::isAwaited(const QString &device) const {
    return (m_waiting && m_waiting->missing.contains(device)) ||
           (m_tried.contains(device) && !m_tries.hasExpired() && !dataLink(device));
}

void PeerLinks::dial(const Deployment::Peer &peer) {
    const auto again = [this, peer](const Error &error) {
        if (!isAwaited(peer.device))
            return;
        qCInfo(linkLog).noquote() << error.toString();
        Deployment::Peer next = peer;
        if (!next.elsewhere.isEmpty())
            std::swap(next.address, next.elsewhere);
        QTimer::singleShot(redialInterval, this, [this, next] {
            if (isAwaited(next.device))
                dial(next);
        });
    };
    const auto fingerprint = Fingerprint::fromHex(peer.device);
    if (!fingerprint)
        return again(fingerprint.error());
    qCDebug(linkLog).noquote() << "dials" << peer.device << "at" << peer.address;
    m_connector.connectTo(
        *fingerprint, peer.address, peer.port, this, [this, again](Result<std::unique_ptr<Channel>> opened) {
            if (!opened)
                return again(opened.error());
            if (!isMember((*opened)->peer()))
                return opened->release()->deleteLater();
            Link *link = add(std::move(*opened));
            const QCborMap hello{{QLatin1String("run"), m_run}, {QLatin1String("purpose"), QLatin1String("data")}};
            Channel *channel = link->channel.get();
            link->rpc->call(QStringLiteral("peer.hello"), hello, Rpc::shortDeadline, channel,
                            [this, link, channel, again](const Result<QCborMap> &answer) {
                                if (!answer) {
                                    channel->close(answer.error());
                                    return again(answer.error());
                                }
                                becomeData(link);
                            });
        });
}

}  // namespace hearth
