#include "core/agent/agent_nearby.h"

#include <QDateTime>
#include <algorithm>
#include <utility>

#include "core/pairing/name_skeleton.h"

namespace hearth {
namespace {

constexpr qsizetype longestServiceName = 63;  // bytes of a DNS label

/// As much of the name as fits, in whole characters.
QString serviceName(QString name) {
    while (name.toUtf8().size() > longestServiceName)
        name.chop(name.back().isLowSurrogate() ? 2 : 1);
    return name;
}

std::chrono::milliseconds sinceThen(std::chrono::steady_clock::time_point then) {
    return std::chrono::duration_cast<std::chrono::milliseconds>(std::chrono::steady_clock::now() - then);
}

}  // namespace

AgentNearby::AgentNearby(std::unique_ptr<DiscoverySource> source, const TrustStore &trust, const IgnoreList &ignored,
                         HomeLinks &links, Fingerprint own)
    : m_source(std::move(source)), m_trust(trust), m_ignored(ignored), m_links(links), m_book(announcedPrefix(own)) {
    m_gather.setSingleShot(true);
    connect(&m_gather, &QTimer::timeout, this, &AgentNearby::update);
    connect(m_source.get(), &DiscoverySource::seen, this, [this](const ServiceSeen &service) {
        if (service.key.type == hearthService)
            m_book.see(service, QDateTime::currentMSecsSinceEpoch());
        else
            m_computers.see(service);
        refresh();
    });
    connect(m_source.get(), &DiscoverySource::gone, this, [this](const ServiceKey &key) {
        m_book.lose(key);
        m_computers.lose(key);
        refresh();
    });
    connect(m_source.get(), &DiscoverySource::cleared, this, [this] {
        m_book.clear();
        m_computers.clear();
        refresh();
    });
    m_computersShown.setSingleShot(true);
    connect(&m_computersShown, &QTimer::timeout, this, [this] {
        m_source->lookFor({});
        m_computers.clear();
        refresh();
    });
    m_look.setSingleShot(true);
    connect(&m_look, &QTimer::timeout, this, [this] {
        m_looked = std::chrono::steady_clock::now();
        m_book.lookBegins();
        m_source->tellAgain();
    });
    connect(m_source.get(), &DiscoverySource::toldAll, this, [this] {
        m_book.lookEnds();
        refresh();
    });
    connect(m_source.get(), &DiscoverySource::statusChanged, this, [this](const DiscoveryStatus &status) {
        m_status = status;
        refresh();
    });
}

AgentNearby::~AgentNearby() {
    m_source->disconnect(this);
    m_source->stop();
}

void AgentNearby::start(const QString &name, const QHostAddress &listens, quint16 port) {
    m_name = name;
    m_listens = listens;
    m_port = port;
    AnnounceOrder order;
    if (!listens.isLoopback()) {
        order.name = serviceName(name);
        order.port = port;
        Announcement announcement;
        announcement.prefix = m_book.own();
        order.txt = announcement.toTxt();
    }
    const bool everywhere = listens == QHostAddress(QHostAddress::AnyIPv6) || listens == QHostAddress::Any;
    order.address = everywhere ? QHostAddress() : listens;
    m_started = std::chrono::steady_clock::now();
    m_status.state = m_nearby.status.state = DiscoveryState::Starting;
    m_source->start(order);
}

void AgentNearby::announceAs(const QString &name) {
    m_source->stop();
    m_book.clear();
    m_computers.clear();
    start(name, m_listens, m_port);
    refresh();
}

std::chrono::milliseconds AgentNearby::lookForComputers() {
    if (!m_computersShown.isActive())
        m_computersSince = std::chrono::steady_clock::now();
    m_computersShown.start(computersShownFor);
    m_source->lookFor(computerServices());
    return settlesIn(m_computersSince);
}

std::chrono::milliseconds AgentNearby::settlesIn(std::chrono::steady_clock::time_point began) const {
    using std::chrono::milliseconds;
    if (m_status.state != DiscoveryState::Starting && m_status.state != DiscoveryState::Running)
        return milliseconds(0);
    return std::max(milliseconds(0), settling - sinceThen(began));
}

void AgentNearby::refresh() {
    if (m_gather.isActive())
        return;
    m_gather.start(std::max(gatherFor, shortestPause - sinceThen(m_updated)));
}

QSet<QString> AgentNearby::placesWithHearth() const {
    QSet<QString> places;
    const auto add = [&places](const QStringList &addresses) {
        for (const QString &address : addresses) {
            if (const auto parts = splitAddress(address))
                places << parts->host.toLower();
        }
    };
    for (const TrustedDevice &device : m_trust.devices())
        add(device.addresses);
    for (const NearbyDevice &device : m_book.devices()) {
        add(device.addresses);
        places.unite(QSet<QString>(device.hosts.begin(), device.hosts.end()));
    }
    return places;
}

void AgentNearby::update() {
    m_updated = std::chrono::steady_clock::now();
    NearbyBook::Trusted trusted;
    for (const TrustedDevice &device : m_trust.devices())
        trusted.insert(announcedPrefix(device.fingerprint), device.name);
    const QStringList ours = trusted.values() << m_name;
    m_book.setTrusted(std::move(trusted));
    if (m_book.wantsToLookAgain() && !m_look.isActive())
        m_look.start(std::max(std::chrono::milliseconds(0), lookPause - sinceThen(m_looked)));
    Nearby now{m_book.devices(), m_status, m_ignored.devices()};
    if (m_computersShown.isActive())
        now.computers = m_computers.computers(localSubnets(), placesWithHearth());
    for (NearbyDevice &device : now.devices) {
        // Whoever takes the place of a device of this home is heard of all the same.
        const bool isOurs = device.prefix == m_book.own() || m_book.isTrusted(device.prefix);
        if (!isOurs && m_ignored.contains(device.prefix))
            device.state = NearbyState::Ignored;
        if (!isOurs && !device.name.isEmpty())
            device.name = distinctName(device.name, device.prefix, ours);
    }
    now.status.isEchoed = m_book.isEchoed();
    now.status.isCrowded = m_status.isCrowded || m_book.isCrowded();
    if (now == m_nearby)
        return;
    m_nearby = std::move(now);
    tellAddresses();
    Q_EMIT changed();
}

QHash<QString, QStringList> AgentNearby::addresses() const {
    const QList<Subnet> subnets = localSubnets();
    QHash<QString, QStringList> announced;
    for (const NearbyDevice &device : m_nearby.devices) {
        for (const QString &address : device.addresses) {
            const auto parts = splitAddress(address);
            if (parts && isAtHome(QHostAddress(parts->host), subnets))
                announced[device.prefix] << address;
        }
    }
    return announced;
}

void AgentNearby::tellAddresses() {
    const QHash<QString, QStringList> announced = addresses();
    for (const TrustedDevice &device : m_trust.devices()) {
        const QString prefix = announcedPrefix(device.fingerprint);
        const QStringList hints = announced.value(prefix);
        if (hints.isEmpty() && !m_hinted.contains(prefix))
            continue;
        if (hints.isEmpty())
            m_hinted.remove(prefix);
        else
            m_hinted.insert(prefix);
        m_links.setHints(device.fingerprint, hints);
    }
}

}  // namespace hearth
