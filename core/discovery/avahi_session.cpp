#include "core/discovery/avahi_session.h"

#include <avahi-common/alternative.h>
#include <avahi-common/error.h>
#include <avahi-common/malloc.h>
#include <net/if.h>
#include <QLoggingCategory>
#include <QNetworkInterface>
#include <QtEndian>
#include <algorithm>
#include <utility>
#include <vector>

#include "core/home/announcement.h"

namespace hearth {
namespace {

Q_LOGGING_CATEGORY(log, "hearth.home.avahi")

QString causeOf(int error) {
    return QString::fromUtf8(avahi_strerror(error)) + QLatin1Char('.');
}

QHostAddress addressOf(const AvahiAddress &address, int interface) {
    if (address.proto == AVAHI_PROTO_INET)
        return QHostAddress(qFromBigEndian(address.data.ipv4.address));
    QHostAddress result(address.data.ipv6.address);
    char name[IF_NAMESIZE] = {};
    if (result.isLinkLocal() && ::if_indextoname(static_cast<unsigned>(interface), name))
        result.setScopeId(QString::fromLocal8Bit(name));
    return result;
}

QByteArrayList stringsOf(AvahiStringList *list) {
    QByteArrayList strings;
    for (; list && strings.size() < Announcement::maximumStrings; list = avahi_string_list_get_next(list)) {
        strings << QByteArray(reinterpret_cast<const char *>(avahi_string_list_get_text(list)),
                              static_cast<qsizetype>(avahi_string_list_get_size(list)));
    }
    return strings;
}

/// On which interface and over which protocol the agent can be reached at `address`.
std::pair<AvahiIfIndex, AvahiProtocol> placeOf(const QHostAddress &address) {
    if (address.isNull())
        return {AVAHI_IF_UNSPEC, AVAHI_PROTO_UNSPEC};
    const AvahiProtocol protocol =
        address.protocol() == QAbstractSocket::IPv4Protocol ? AVAHI_PROTO_INET : AVAHI_PROTO_INET6;
    for (const QNetworkInterface &interface : QNetworkInterface::allInterfaces()) {
        for (const QNetworkAddressEntry &entry : interface.addressEntries()) {
            if (entry.ip().isEqual(address))
                return {interface.index(), protocol};
        }
    }
    return {AVAHI_IF_UNSPEC, protocol};
}

}  // namespace

AvahiSession::AvahiSession(AnnounceOrder order)
    : m_order(std::move(order)), m_lookAgain(this), m_again(this), m_publishAgain(this) {
    m_browsers.push_back({this, hearthService});
    m_lookAgain.setSingleShot(true);
    connect(&m_lookAgain, &QTimer::timeout, this, &AvahiSession::lookAgain);
    m_again.setSingleShot(true);
    connect(&m_again, &QTimer::timeout, this, &AvahiSession::open);
    m_publishAgain.setSingleShot(true);
    connect(&m_publishAgain, &QTimer::timeout, this, &AvahiSession::publishAnew);
}

AvahiSession::~AvahiSession() {
    stop();
}

void AvahiSession::start() {
    m_status.state = DiscoveryState::Starting;
    Q_EMIT statusChanged(m_status);
    open();
}

void AvahiSession::stop() {
    m_again.stop();
    close();
}

void AvahiSession::open() {
    close();
    m_name = m_order.name.toUtf8();
    m_renames = 0;
    int error = 0;
    // The callback runs for the first time in here, before the client is known.
    AvahiClient *client = avahi_client_new(
        m_poll.api(), AVAHI_CLIENT_NO_FAIL,
        [](AvahiClient *self, AvahiClientState state, void *session) {
            static_cast<AvahiSession *>(session)->clientChanged(self, state);
        },
        this, &error);
    m_client = client;
    if (!client)
        reopen(DiscoveryState::Absent, error);
}

void AvahiSession::close() {
    const bool hadAny = !m_lookups.empty();
    m_lookups.clear();  // its resolvers are freed with the client
    m_group = nullptr;
    for (Browser &browser : m_browsers)
        browser.now = browser.next = nullptr;
    m_lookAgain.stop();
    m_publishAgain.stop();
    m_hasMissed = false;
    if (m_client)
        avahi_client_free(std::exchange(m_client, nullptr));
    if (hadAny)
        Q_EMIT cleared();
}

void AvahiSession::reopen(DiscoveryState state, int error) {
    setStatus([&](DiscoveryStatus &status) {
        status.state = state;
        status.announcedAs.clear();
        status.isCrowded = false;
        status.cause = causeOf(error);
    });
    m_again.start(m_pause);
    m_pause = std::min(m_pause * 2, longestPause);
}

void AvahiSession::clientChanged(AvahiClient *client, AvahiClientState state) {
    switch (state) {
        case AVAHI_CLIENT_S_RUNNING:
            m_pause = firstPause;
            setStatus([&](DiscoveryStatus &status) {
                status.state = DiscoveryState::Running;
                status.cause = {};
                status.daemon = QString::fromUtf8(avahi_client_get_version_string(client));
            });
            browse(client);
            publish(client);
            break;
        case AVAHI_CLIENT_S_REGISTERING:
        case AVAHI_CLIENT_S_COLLISION:
            // The host's name is about to change: what was published comes again once it stands.
            if (m_group)
                avahi_entry_group_reset(m_group);
            break;
        case AVAHI_CLIENT_CONNECTING:
            setStatus([](DiscoveryStatus &status) {
                status.state = DiscoveryState::Absent;
                status.announcedAs.clear();
                status.cause = sentence("The Avahi daemon is not running.");
            });
            break;
        case AVAHI_CLIENT_FAILURE: {
            const int error = avahi_client_errno(client);
            const bool isAbsent = error == AVAHI_ERR_DISCONNECTED || error == AVAHI_ERR_NO_DAEMON;
            qCInfo(log, "The Avahi daemon is gone: %s", avahi_strerror(error));
            reopen(isAbsent ? DiscoveryState::Absent : DiscoveryState::Failed, error);
            break;
        }
    }
}

void AvahiSession::publish(AvahiClient *client) {
    if (m_order.name.isEmpty())
        return;
    if (!m_group) {
        m_group = avahi_entry_group_new(
            client,
            [](AvahiEntryGroup *group, AvahiEntryGroupState state, void *session) {
                static_cast<AvahiSession *>(session)->groupChanged(group, state);
            },
            this);
    }
    const auto [interface, protocol] = placeOf(m_order.address);
    while (m_group && avahi_entry_group_is_empty(m_group)) {
        AvahiStringList *txt = nullptr;
        for (auto each = m_order.txt.crbegin(); each != m_order.txt.crend(); ++each) {
            txt = avahi_string_list_add_arbitrary(txt, reinterpret_cast<const uint8_t *>(each->constData()),
                                                  static_cast<size_t>(each->size()));
        }
        int result = avahi_entry_group_add_service_strlst(m_group, interface, protocol, {}, m_name.constData(),
                                                          hearthService, nullptr, nullptr, m_order.port, txt);
        avahi_string_list_free(txt);
        if (result == AVAHI_ERR_COLLISION && m_renames < maximumRenames) {
            rename();
            continue;
        }
        if (result == AVAHI_OK)
            result = avahi_entry_group_commit(m_group);
        if (result != AVAHI_OK) {
            qCWarning(log, "This device cannot be announced: %s", avahi_strerror(result));
            setStatus([&](DiscoveryStatus &status) { status.cause = causeOf(result); });
        }
        return;
    }
}

void AvahiSession::publishAnew() {
    if (!m_client || !m_group || avahi_client_get_state(m_client) != AVAHI_CLIENT_S_RUNNING)
        return;  // it is published once the client runs
    m_name = m_order.name.toUtf8();
    m_renames = 0;
    avahi_entry_group_reset(m_group);
    publish(m_client);
}

void AvahiSession::groupChanged(AvahiEntryGroup *group, AvahiEntryGroupState state) {
    m_group = group;
    if (state == AVAHI_ENTRY_GROUP_COLLISION && m_renames < maximumRenames) {
        rename();
        avahi_entry_group_reset(group);
        publish(avahi_entry_group_get_client(group));
        return;
    }
    // Somebody takes every name, such as a router that repeats what it hears, and silences nobody for good by that.
    if (state == AVAHI_ENTRY_GROUP_COLLISION)
        m_publishAgain.start(longestPause);
    setStatus([&](DiscoveryStatus &status) {
        const bool stands = state == AVAHI_ENTRY_GROUP_ESTABLISHED;
        status.announcedAs = stands ? QString::fromUtf8(m_name) : QString();
        status.isRenamed = stands && m_name != m_order.name.toUtf8();
        if (state == AVAHI_ENTRY_GROUP_FAILURE || state == AVAHI_ENTRY_GROUP_COLLISION)
            status.cause = causeOf(avahi_client_errno(avahi_entry_group_get_client(group)));
    });
}

void AvahiSession::rename() {
    ++m_renames;
    char *other = avahi_alternative_service_name(m_name.constData());
    qCInfo(log, "The name %s is taken", m_name.constData());
    m_name = other;
    avahi_free(other);
}

void AvahiSession::browse(AvahiClient *client) {
    for (Browser &browser : m_browsers) {
        if (browser.now)
            continue;
        browser.now = newBrowser(client, browser);
        if (!browser.now) {
            reopen(DiscoveryState::Failed, avahi_client_errno(client));
            return;
        }
    }
}

AvahiServiceBrowser *AvahiSession::newBrowser(AvahiClient *client, Browser &browser) {
    return avahi_service_browser_new(
        client, AVAHI_IF_UNSPEC, AVAHI_PROTO_UNSPEC, browser.type.constData(), nullptr, {},
        // The type that is told is the one that somebody has written into a packet: the one that was asked for counts.
        [](AvahiServiceBrowser *which, AvahiIfIndex interface, AvahiProtocol protocol, AvahiBrowserEvent event,
           const char *name, const char *, const char *, AvahiLookupResultFlags flags, void *data) {
            auto *self = static_cast<Browser *>(data);
            if (event == AVAHI_BROWSER_NEW)
                self->session->found({interface, protocol == AVAHI_PROTO_INET6, name, self->type},
                                     (flags & AVAHI_LOOKUP_RESULT_LOCAL) != 0);
            else if (event == AVAHI_BROWSER_REMOVE)
                self->session->lost({interface, protocol == AVAHI_PROTO_INET6, name, self->type});
            else if (event == AVAHI_BROWSER_ALL_FOR_NOW)
                self->session->browsed(*self, which);
            else if (event == AVAHI_BROWSER_FAILURE)
                self->session->reopen(DiscoveryState::Failed,
                                      avahi_client_errno(avahi_service_browser_get_client(which)));
        },
        &browser);
}

void AvahiSession::lookFor(const QByteArrayList &types) {
    const auto isOver = [&types](const QByteArray &type) { return type != hearthService && !types.contains(type); };
    for (auto browser = m_browsers.begin(); browser != m_browsers.end();) {
        if (!isOver(browser->type)) {
            ++browser;
            continue;
        }
        if (browser->now)
            avahi_service_browser_free(browser->now);
        browser = m_browsers.erase(browser);
    }
    std::vector<ServiceKey> over;
    for (const auto &[key, lookup] : m_lookups) {
        if (isOver(key.type))
            over.push_back(key);
    }
    for (const ServiceKey &key : over)
        lost(key);
    for (const QByteArray &type : types) {
        const auto isOfType = [&type](const Browser &browser) { return browser.type == type; };
        if (std::none_of(m_browsers.begin(), m_browsers.end(), isOfType))
            m_browsers.push_back({this, type});
    }
    if (m_client && avahi_client_get_state(m_client) == AVAHI_CLIENT_S_RUNNING)
        browse(m_client);
}

void AvahiSession::lookAgain() {
    Browser &hearth = m_browsers.front();
    if (!hearth.now || hearth.next)
        return;
    // A new question is answered with all that the daemon knows. The one before goes on meanwhile, so that nobody who
    // leaves right now is missed.
    m_hasMissed = false;
    hearth.next = newBrowser(m_client, hearth);
    if (!hearth.next)
        m_hasMissed = true;
}

void AvahiSession::browsed(Browser &browser, const AvahiServiceBrowser *which) {
    if (which != browser.next)
        return;
    avahi_service_browser_free(std::exchange(browser.now, std::exchange(browser.next, nullptr)));
    setStatus([this](DiscoveryStatus &status) { status.isCrowded = m_hasMissed; });
}

void AvahiSession::tellAgain() {
    for (const auto &[key, lookup] : m_lookups) {
        if (lookup->isFound)
            Q_EMIT seen(lookup->told);
    }
    Q_EMIT toldAll();
}

bool AvahiSession::hasRoomFor(const ServiceKey &key) const {
    const bool isHearth = key.type == hearthService;
    const auto alike = std::count_if(m_lookups.begin(), m_lookups.end(), [isHearth](const auto &each) {
        return (each.first.type == hearthService) == isHearth;
    });
    return alike < (isHearth ? maximumResolvers : maximumOtherResolvers);
}

void AvahiSession::found(const ServiceKey &key, bool isLocal) {
    if (m_lookups.contains(key))
        return;
    if (!hasRoomFor(key)) {
        if (key.type != hearthService)
            return;  // they are only looked for as long as somebody looks at them
        m_hasMissed = true;
        setStatus([](DiscoveryStatus &status) { status.isCrowded = true; });
        return;
    }
    auto lookup = std::make_unique<Lookup>();
    lookup->session = this;
    lookup->key = key;
    lookup->isLocal = isLocal;
    lookup->again.setSingleShot(true);
    connect(&lookup->again, &QTimer::timeout, this, [this, raw = lookup.get()] { resolve(*raw); });
    resolve(*m_lookups.emplace(key, std::move(lookup)).first->second);
}

void AvahiSession::lost(const ServiceKey &key) {
    const auto at = m_lookups.find(key);
    if (at == m_lookups.end())
        return;
    const bool wasFound = at->second->isFound;
    forget(*at->second);
    m_lookups.erase(at);
    if (m_hasMissed && !m_lookAgain.isActive())
        m_lookAgain.start(lookAgainAfter);
    if (wasFound)
        Q_EMIT gone(key);
}

void AvahiSession::forget(Lookup &lookup) {
    if (lookup.resolver)
        avahi_service_resolver_free(std::exchange(lookup.resolver, nullptr));
}

void AvahiSession::resolve(Lookup &lookup) {
    if (!m_client)
        return;
    ++lookup.attempts;
    const AvahiProtocol protocol = lookup.key.isIpv6 ? AVAHI_PROTO_INET6 : AVAHI_PROTO_INET;
    // It stays and tells of changes, too.
    lookup.resolver = avahi_service_resolver_new(
        m_client, lookup.key.interface, protocol, lookup.key.name.constData(), lookup.key.type.constData(), "local",
        protocol, {},
        [](AvahiServiceResolver *, AvahiIfIndex, AvahiProtocol, AvahiResolverEvent event, const char *, const char *,
           const char *, const char *host, const AvahiAddress *address, uint16_t port, AvahiStringList *txt,
           AvahiLookupResultFlags, void *data) {
            auto *self = static_cast<Lookup *>(data);
            if (event == AVAHI_RESOLVER_FOUND && host && address)
                self->session->resolved(*self, host, *address, port, txt);
            else
                self->session->unresolved(*self);
        },
        &lookup);
    if (!lookup.resolver)
        unresolved(lookup);
}

void AvahiSession::resolved(Lookup &lookup, const char *host, const AvahiAddress &address, quint16 port,
                            AvahiStringList *txt) {
    lookup.isFound = true;
    lookup.attempts = 0;
    ServiceSeen &service = lookup.told;
    service.key = lookup.key;
    service.host = host;
    service.address = addressOf(address, lookup.key.interface);
    service.port = port;
    service.txt = stringsOf(txt);
    // What this machine says on one network may come back to it on another.
    service.isLocal = lookup.isLocal || QNetworkInterface::allAddresses().contains(service.address);
    Q_EMIT seen(service);
}

void AvahiSession::unresolved(Lookup &lookup) {
    forget(lookup);
    // Who announced it may have left without a word, which its name outlives by an hour.
    if (std::exchange(lookup.isFound, false))
        Q_EMIT gone(lookup.key);
    lookup.again.start(pauseAfter(lookup.attempts));
}

void AvahiSession::setStatus(const std::function<void(DiscoveryStatus &)> &change) {
    const DiscoveryStatus before = m_status;
    change(m_status);
    if (m_status != before)
        Q_EMIT statusChanged(m_status);
}

}  // namespace hearth
