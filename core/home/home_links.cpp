#include "core/home/home_links.h"

#include <QHostInfo>
#include <QLoggingCategory>
#include <QUuid>
#include <algorithm>

#include "core/base/sentence.h"
#include "core/home/announcement.h"
#include "core/home/home_links_private.h"
#include "core/home/machine_mark.h"
#include "core/wire/stranger_link.h"
#include "core/wire/stream_channel.h"

namespace hearth {
namespace {

Q_LOGGING_CATEGORY(linksLog, "hearth.home.links")

// Of devices that come and go with changing addresses; more than a home has, and little to keep.
constexpr qsizetype maximumSeenAt = 256;
constexpr qsizetype maximumInstance = 64;

/// "::ffff:10.0.0.2" and "10.0.0.2" are the same place.
QString plainHost(const QString &host) {
    const QHostAddress address(host);
    bool isV4 = false;
    const quint32 v4 = address.toIPv4Address(&isV4);
    return isV4 ? QHostAddress(v4).toString() : host;
}

Error replacedError() {
    return {QStringLiteral("link.replaced"), sentence("A newer link took over."), {}, {}};
}

}  // namespace

HomeLinks::HomeLinks(Identity identity, const TrustStore &trust, Hello hello, QObject *parent)
    : QObject(parent),
      m_identity(std::move(identity)),
      m_trust(trust),
      m_hello(std::move(hello)),
      m_instance(QUuid::createUuid().toString(QUuid::WithoutBraces)) {
    m_listener =
        std::make_unique<TlsListener>(m_identity, [this](const Fingerprint &peer) { return m_trust.trusts(peer); });
    connect(m_listener.get(), &TlsListener::channelReady, this,
            [this](Channel *channel) { take(std::unique_ptr<Channel>(channel), false, QString()); });
    m_dialler = std::make_unique<HomeDialler>(
        m_trust,
        [this](const QString &host, quint16 port, const Fingerprint &device, QObject *context, DialCallback callback) {
            const auto wrongKey = [this, device, address = joinAddress(host, port)](const Fingerprint &shown) {
                // This device or another one of ours may have the address now, and anybody may announce one.
                const bool isOurs = shown == m_identity.fingerprint() || m_trust.trusts(shown);
                if (!isOurs && !m_dialler->isOnlyAnnounced(device, address))
                    Q_EMIT otherKey(device, address);
            };
            dialTls(m_identity, host, port, device, defaultDialDeadline, context, std::move(callback), wrongKey);
        },
        [this](const Fingerprint &device) { return m_links.contains(device); });
    connect(m_dialler.get(), &HomeDialler::connected, this, [this](Channel *channel, const QString &address) {
        take(std::unique_ptr<Channel>(channel), true, address);
    });
    connect(m_dialler.get(), &HomeDialler::notAccepted, this, &HomeLinks::notAccepted);
    connect(m_listener.get(), &TlsListener::strangerReady, this, &HomeLinks::strangerReady);
    m_watchTimer.setTimerType(Qt::PreciseTimer);
    connect(&m_watchTimer, &QTimer::timeout, this, &HomeLinks::watchLinks);
    connect(m_listener.get(), &TlsListener::refused, this,
            [this](const Fingerprint &peer, const QHostAddress &address, const Error &reason) {
                qCWarning(linksLog, "Refused %s at %s: %s",
                          peer.isNull() ? "somebody without a key" : qUtf8Printable(announcedPrefix(peer)),
                          qUtf8Printable(address.toString()), qUtf8Printable(reason.what));
                Q_EMIT refused(peer, address.toString(), reason);
            });
}

HomeLinks::~HomeLinks() {
    closeAll();
}

Result<quint16> HomeLinks::listen(const QString &host, quint16 first, quint16 last) {
    QHostAddress address(host);
    if (host == QLatin1String("0.0.0.0"))
        address = QHostAddress::AnyIPv4;
    else if (host == QLatin1String("::"))
        address = QHostAddress::Any;
    if (address.isNull()) {
        return fail(QStringLiteral("agent.bad-address"), sentence("\"%1\" is not an address to listen on.").arg(host),
                    QString(), sentence("Give a number like 192.168.1.5 or ::, not a name."));
    }
    return m_listener->listen(address, first, last);
}

void HomeLinks::forget(const Fingerprint &device, const Error &reason) {
    endAll(m_waiting, device, reason);
    drop(device, reason);
    m_dialler->forget(device);
    m_seenAt.clear();  // the trust store knows where the others are
    knowAddresses();
}

void HomeLinks::handle(const QString &op, Handler handler) {
    m_handlers[op] = std::move(handler);
}

void HomeLinks::onNotify(const QString &op, NoteHandler handler) {
    m_noteHandlers[op] = std::move(handler);
}

Rpc *HomeLinks::rpc(const Fingerprint &device) const {
    const auto link = m_links.find(device);
    if (link == m_links.end())
        return nullptr;
    if (link->second->told)
        return link->second->rpc.get();
    const auto former = m_finishing.find(device);
    return former != m_finishing.end() && former->second.back()->told ? former->second.back()->rpc.get() : nullptr;
}

void HomeLinks::notify(const Fingerprint &device, const QString &op, const QCborMap &args) {
    if (Rpc *link = rpc(device))
        link->notify(op, args);
}

void HomeLinks::notifyAll(const QString &op, const QCborMap &args) {
    // Sending may find out that a link is dead, which takes it out of the map.
    std::vector<Fingerprint> linked;
    for (const auto &[device, link] : m_links)
        linked.push_back(device);
    for (const Fingerprint &device : linked) {
        if (const auto link = m_links.find(device); link != m_links.end())
            link->second->rpc->notify(op, args);
    }
}

void HomeLinks::closeAll() {
    m_closing = true;
    m_watchTimer.stop();
    m_listener->close();
    m_dialler->stop();
    const auto close = [this](const Link &link) {
        link.channel->disconnect(this);
        link.channel->close({QStringLiteral("agent.ends"), sentence("The agent ends."), {}, {}});
    };
    for (const auto &[device, link] : m_links)
        close(*link);
    for (Links *others : {&m_waiting, &m_finishing}) {
        for (const auto &[device, links] : *others) {
            for (const auto &link : links)
                close(*link);
        }
        others->clear();
    }
    m_links.clear();
}

void HomeLinks::take(std::unique_ptr<Channel> channel, bool dialled, const QString &address) {
    const Fingerprint device = channel->peer();
    if (m_closing || !m_trust.trusts(device))
        return;
    // Agents exchange words; memory for a tensor is nobody's to ask for here.
    if (auto *stream = qobject_cast<StreamChannel *>(channel.get()))
        stream->setFrameLimits(onlyWords);
    auto link = std::make_unique<Link>();
    link->dialled = dialled;
    link->rpc = std::make_unique<Rpc>(channel.get());
    link->channel = std::move(channel);
    Channel *raw = link->channel.get();
    Rpc *rpc = link->rpc.get();
    const QString from = dialled ? address : raw->peerName();
    connect(raw, &Channel::closed, this, [this, device, raw](const Error &reason) { closedBy(device, raw, reason); });
    rpc->handle(QStringLiteral("hello"), [this, device, raw, from](const QCborMap &args, const Reply &reply) {
        if (!promote(device, raw))
            return;
        reply.ok(hello());
        // What it told is saved: once a link, however often it says so. What changes it tells in other notes.
        if (const auto own = m_links.find(device); own != m_links.end() && !own->second->told)
            told(device, from, args);
    });
    rpc->onNotify(QStringLiteral("beat"), [](const QCborMap &) {});  // that it came is all it says
    rpc->onNotify(QStringLiteral("probe"), [rpc](const QCborMap &) { rpc->notify(QStringLiteral("beat")); });
    for (auto each = m_handlers.cbegin(); each != m_handlers.cend(); ++each) {
        rpc->handle(each.key(), [device, handler = each.value()](const QCborMap &args, const Reply &reply) {
            handler(device, args, reply);
        });
    }
    for (auto each = m_noteHandlers.cbegin(); each != m_noteHandlers.cend(); ++each)
        rpc->onNotify(each.key(), [device, handler = each.value()](const QCborMap &args) { handler(device, args); });
    if (!dialled) {
        add(m_waiting, device, std::move(link));
    } else if (install(device, std::move(link))) {
        rpc->call(QStringLiteral("hello"), hello(), Rpc::shortDeadline, raw,
                  [this, device, from, raw](const Result<QCborMap> &answer) {
                      if (answer)
                          told(device, from, *answer);
                      else
                          raw->close(answer.error());  // it lives, so that nothing else would have it dialled again
                  });
    }
}

bool HomeLinks::install(const Fingerprint &device, std::unique_ptr<Link> link) {
    if (const auto known = m_links.find(device); known != m_links.end()) {
        const bool lowerIsUs = m_identity.fingerprint() < device;
        // Of two links in opposite directions both ends must drop the same one; of two in the same direction the
        // newer is the live one (the peer has restarted).
        const bool areOpposite = known->second->dialled != link->dialled;
        if (areOpposite && known->second->dialled == lowerIsUs) {
            end(*link, replacedError());
            return false;
        }
        auto replaced = std::move(known->second);
        m_links.erase(known);
        link->instance = replaced->instance;
        link->announced = replaced->announced;
        if (areOpposite)
            letFinish(device, std::move(replaced));
        else
            end(*replaced, replacedError());
    }
    link->since = Link::Clock::now();
    link->watch = LinkWatch(link->since, LinkWatch::calm);
    m_links[device] = std::move(link);
    if (!m_watchTimer.isActive())
        m_watchTimer.start(LinkWatch::tick);
    return true;
}

bool HomeLinks::promote(const Fingerprint &device, const Channel *channel) {
    if (auto link = takeOut(m_waiting, device, channel))
        return install(device, std::move(link));
    const auto current = m_links.find(device);
    return current != m_links.end() && current->second->channel.get() == channel;
}

void HomeLinks::closedBy(const Fingerprint &device, const Channel *channel, const Error &reason) {
    const auto current = m_links.find(device);
    if (current != m_links.end() && current->second->channel.get() == channel) {
        drop(device, reason);
        return;
    }
    for (Links *others : {&m_waiting, &m_finishing}) {
        if (const auto link = takeOut(*others, device, channel))
            end(*link, reason);
    }
}

void HomeLinks::told(const Fingerprint &device, const QString &address, const QCborMap &hello) {
    auto link = m_links.find(device);
    if (link == m_links.end())
        return;
    auto info = DeviceInfo::fromCbor(hello[QStringLiteral("device")].toMap());
    if (!info) {
        link->second->channel->close(info.error());
        return;
    }
    info->id = device.toHex();
    info->self = false;
    // The listening port is the device's to tell, the place it is at is ours to see.
    const quint16 port = info->port();
    QString host = address;
    if (const auto parts = splitAddress(address))
        host = parts->host;
    if (link->second->dialled)
        info->address = address;
    else
        info->address = joinAddress(plainHost(host), port);
    if (hello[QStringLiteral("machine")].toString() != machineMark())
        info->agentPid = 0;
    // Two ends that dial each other at once replace a link without anything having happened; one that has started again
    // has lost all it had.
    const QString instance = hello[QStringLiteral("instance")].toString().left(maximumInstance);
    if (link->second->announced && instance != link->second->instance) {
        link->second->announced = false;
        endAll(m_finishing, device, replacedError());
        Q_EMIT unlinked(
            device, {QStringLiteral("link.restarted"), sentence("Its agent has started again."), QString(), QString()});
        link = m_links.find(device);
        if (link == m_links.end())
            return;
    }
    link->second->instance = instance;
    link->second->told = true;
    link->second->announced = true;
    if (const QHostAddress seen(plainHost(host)); !seen.isNull() && !m_seenAt.contains(seen)) {
        if (m_seenAt.size() >= maximumSeenAt)
            m_seenAt.clear();
        m_seenAt.insert(seen);
        knowAddresses();
    }
    m_dialler->setSeenAt(device, port > 0 ? info->address : QString());
    if (m_logPace.take()) {
        qCInfo(linksLog, "Linked with %s (%s) at %s", qUtf8Printable(info->name),
               qUtf8Printable(announcedPrefix(device)), qUtf8Printable(info->address));
    }
    const bool dialled = link->second->dialled;
    Q_EMIT linked(device, *info);
    if (port > 0)
        Q_EMIT located(device, info->address, dialled);
}

void HomeLinks::drop(const Fingerprint &device, const Error &reason) {
    const auto at = m_links.find(device);
    if (at == m_links.end())
        return;
    const auto link = std::move(at->second);
    m_links.erase(at);
    end(*link, reason);
    endAll(m_finishing, device, reason);
    if (Link::Clock::now() - link->since >= steadyAfter)
        m_dialler->setSteady(device);
    if (link->announced) {
        if (m_logPace.take()) {
            qCInfo(linksLog, "Lost the link with %s: %s", qUtf8Printable(announcedPrefix(device)),
                   qUtf8Printable(reason.what));
        }
        Q_EMIT unlinked(device, reason);
    }
    m_dialler->dialLater(device);
}

void HomeLinks::end(Link &link, const Error &reason) {
    link.channel->disconnect(this);
    if (link.channel->isOpen())
        link.channel->close(reason);
    // We may be inside a signal of this very channel.
    link.channel.release()->deleteLater();
    link.rpc.release()->deleteLater();
}

std::unique_ptr<HomeLinks::Link> HomeLinks::takeOut(Links &links, const Fingerprint &device, const Channel *channel) {
    const auto at = links.find(device);
    if (at == links.end())
        return nullptr;
    const auto is = [channel](const std::unique_ptr<Link> &link) { return link->channel.get() == channel; };
    const auto found = std::find_if(at->second.begin(), at->second.end(), is);
    if (found == at->second.end())
        return nullptr;
    auto link = std::move(*found);
    at->second.erase(found);
    if (at->second.empty())
        links.erase(at);
    return link;
}

void HomeLinks::add(Links &links, const Fingerprint &device, std::unique_ptr<Link> link) {
    std::unique_ptr<Link> oldest;
    if (const auto at = links.find(device); at != links.end() && at->second.size() >= maximumWaiting)
        oldest = takeOut(links, device, at->second.front()->channel.get());
    links[device].push_back(std::move(link));
    if (oldest)
        end(*oldest, replacedError());
}

void HomeLinks::letFinish(const Fingerprint &device, std::unique_ptr<Link> link) {
    Channel *channel = link->channel.get();
    QTimer::singleShot(finishing, channel, [channel] { channel->close(replacedError()); });
    add(m_finishing, device, std::move(link));
}

void HomeLinks::endAll(Links &links, const Fingerprint &device, const Error &reason) {
    const auto at = links.find(device);
    if (at == links.end())
        return;
    const auto ended = std::move(at->second);
    links.erase(at);
    for (const auto &link : ended)
        end(*link, reason);
}

QCborMap HomeLinks::hello() const {
    QCborMap map = m_hello();
    map[QStringLiteral("instance")] = m_instance;
    return map;
}

void HomeLinks::dialKnown() {
    knowAddresses();
    m_dialler->dialKnown();
}

void HomeLinks::knowAddresses() {
    QSet<QHostAddress> known = m_seenAt;
    for (const TrustedDevice &device : m_trust.devices()) {
        for (const QString &address : device.addresses) {
            const auto parts = splitAddress(address);
            if (const QHostAddress host(parts ? parts->host : QString()); !host.isNull())
                known.insert(host);
        }
    }
    m_listener->setKnownAddresses(known.values());
}

}  // namespace hearth
