#include "core/discovery/nearby_book.h"

#include <algorithm>

#include "core/home/device_info.h"

namespace hearth {
namespace {

constexpr qsizetype maximumHostName = 255;
constexpr qsizetype maximumServiceName = 63;

}  // namespace

bool isWhole(const ServiceSeen &service) {
    return service.port != 0 && !service.address.isNull() && !service.host.isEmpty() &&
           service.host.size() <= maximumHostName && service.key.name.size() <= maximumServiceName;
}

int addressRank(const QHostAddress &address) {
    if (address.protocol() == QAbstractSocket::IPv4Protocol)
        return address.isLinkLocal() ? 1 : 0;
    return address.isLinkLocal() ? 3 : 2;
}

void NearbyBook::setTrusted(Trusted trusted) {
    m_trusted = std::move(trusted);
}

bool NearbyBook::hasRoomFor(const QString &prefix) const {
    if (m_devices.contains(prefix) || m_trusted.contains(prefix))
        return true;
    const auto strangers = std::count_if(m_devices.begin(), m_devices.end(),
                                         [this](const auto &each) { return !m_trusted.contains(each.first); });
    return static_cast<std::size_t>(strangers) < Nearby::maximumStrangers;
}

void NearbyBook::see(const ServiceSeen &service, qint64 now) {
    const auto announcement = Announcement::fromTxt(service.txt);
    if (!announcement || !isWhole(service)) {
        lose(service.key);
        return;
    }
    const bool isEcho = service.isLocal && announcement->prefix == m_own;
    const auto place = m_places.find(service.key);
    const bool isKnown =
        isEcho ? m_echoes.contains(service.key) : place != m_places.end() && place->second == announcement->prefix;
    if (!isKnown)
        lose(service.key);  // another device may have had the name
    if (isEcho) {
        if (m_echoes.size() < maximumServices)
            m_echoes.insert(service.key);
        return;
    }
    if (!hasRoomFor(announcement->prefix)) {
        m_isCrowded = m_hasLeftOut = true;
        return;
    }
    Device &device = m_devices[announcement->prefix];
    if (device.services.empty()) {
        device.since = now;
        device.order = ++m_lastOrder;
    }
    const bool isNew = !device.services.contains(service.key);
    if (isNew && device.services.size() >= maximumServices)
        return;
    Service &known = device.services[service.key];
    if (isNew)
        known.order = ++m_lastOrder;
    known.host = service.host.toLower();
    known.address = service.address;
    known.port = service.port;
    known.version = announcement->version;
    m_places[service.key] = announcement->prefix;
}

void NearbyBook::lose(const ServiceKey &key) {
    m_echoes.erase(key);
    const auto place = m_places.find(key);
    if (place == m_places.end())
        return;
    const auto device = m_devices.find(place->second);
    m_places.erase(place);
    device->second.services.erase(key);
    if (device->second.services.empty())
        m_devices.erase(device);
}

void NearbyBook::clear() {
    m_devices.clear();
    m_places.clear();
    m_echoes.clear();
    m_isCrowded = m_hasLeftOut = false;
}

std::vector<NearbyDevice> NearbyBook::devices() const {
    std::vector<std::pair<quint64, const QString *>> order;
    for (const auto &[prefix, device] : m_devices)
        order.emplace_back(device.order, &prefix);
    std::sort(order.begin(), order.end());
    std::vector<NearbyDevice> list;
    for (const auto &[number, prefix] : order)
        list.push_back(describe(*prefix, m_devices.at(*prefix)));
    return list;
}

NearbyDevice NearbyBook::describe(const QString &prefix, const Device &device) const {
    NearbyDevice result;
    result.prefix = prefix;
    result.since = device.since;

    using Entry = std::pair<ServiceKey, Service>;
    std::vector<Entry> services(device.services.begin(), device.services.end());
    std::sort(services.begin(), services.end(),
              [](const Entry &a, const Entry &b) { return a.second.order < b.second.order; });
    result.name = m_trusted.value(prefix);
    if (result.name.isEmpty())
        result.name = cleanName(services.front().first.name);
    result.version = services.front().second.version;

    // The hosts take turns: one that announces many addresses does not crowd out another.
    std::vector<std::pair<QByteArray, std::vector<Entry>>> hosts;
    for (const Entry &service : services) {
        auto host = std::find_if(hosts.begin(), hosts.end(),
                                 [&](const auto &each) { return each.first == service.second.host; });
        if (host == hosts.end())
            host = hosts.insert(hosts.end(), {service.second.host, {}});
        host->second.push_back(service);
    }
    std::size_t most = 0;
    for (auto &[host, entries] : hosts) {
        std::stable_sort(entries.begin(), entries.end(), [](const Entry &a, const Entry &b) {
            return addressRank(a.second.address) < addressRank(b.second.address);
        });
        most = std::max(most, entries.size());
        if (result.hosts.size() < maximumHosts)
            result.hosts << cleanName(host);
    }
    for (std::size_t turn = 0; turn < most; ++turn) {
        for (const auto &[host, entries] : hosts) {
            if (turn >= entries.size() || result.addresses.size() >= maximumAddresses)
                continue;
            const Service &service = entries[turn].second;
            const QString address = joinAddress(service.address.toString(), service.port);
            if (!result.addresses.contains(address))
                result.addresses << address;
        }
    }
    if (prefix == m_own || hosts.size() > 1)
        result.state = NearbyState::Clone;
    else
        result.state = m_trusted.contains(prefix) ? NearbyState::Paired : NearbyState::Found;
    return result;
}

}  // namespace hearth
