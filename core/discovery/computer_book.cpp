#include "core/discovery/computer_book.h"

#include <algorithm>
#include <tuple>

#include "core/discovery/nearby_book.h"

namespace hearth {
namespace {

constexpr const char *workstationService = "_workstation._tcp";

/// Of one host.
struct GatheredServices {
    const ServiceSeen *best = nullptr;  // says most about SSH
    QList<QHostAddress> addresses;
};

QString computerName(const ServiceSeen &service) {
    QByteArray name = service.key.name;
    // "nano-1 [b8:27:eb:01:02:03]"
    if (const qsizetype hardware = name.lastIndexOf(" ["); service.key.type == workstationService && hardware > 0)
        name.truncate(hardware);
    const QString clean = cleanName(name);
    return clean.isEmpty() ? cleanName(service.host) : clean;
}

}  // namespace

QByteArrayList computerServices() {
    return {"_ssh._tcp", "_sftp-ssh._tcp", workstationService};
}

void ComputerBook::see(const ServiceSeen &service) {
    if (!isWhole(service) || service.isLocal) {
        lose(service.key);
        return;
    }
    if (!m_services.contains(service.key) && m_services.size() >= maximumServices)
        return;
    ServiceSeen &known = m_services[service.key];
    known = service;
    known.host = service.host.toLower();
    known.txt.clear();
}

std::vector<FoundComputer> ComputerBook::computers(const QList<Subnet> &subnets,
                                                   const QSet<QString> &withHearth) const {
    const QByteArrayList types = computerServices();
    std::map<QByteArray, GatheredServices> hosts;
    for (const auto &[key, service] : m_services) {
        if (!isAtHome(service.address, subnets))
            continue;
        GatheredServices &host = hosts[service.host];
        if (!host.addresses.contains(service.address))
            host.addresses << service.address;
        if (!host.best || types.indexOf(key.type) < types.indexOf(host.best->key.type))
            host.best = &service;
    }
    std::vector<FoundComputer> list;
    for (auto &[name, host] : hosts) {
        std::stable_sort(host.addresses.begin(), host.addresses.end(),
                         [](const QHostAddress &a, const QHostAddress &b) { return addressRank(a) < addressRank(b); });
        FoundComputer computer;
        computer.name = computerName(*host.best);
        computer.host = cleanName(name);
        computer.sshPort = host.best->key.type == workstationService ? quint16(0) : host.best->port;
        for (const QHostAddress &address : host.addresses.mid(0, maximumAddresses))
            computer.addresses << address.toString();
        computer.hasHearth = withHearth.contains(computer.host) ||
                             std::any_of(computer.addresses.begin(), computer.addresses.end(),
                                         [&](const QString &address) { return withHearth.contains(address); });
        list.push_back(std::move(computer));
    }
    std::sort(list.begin(), list.end(), [](const FoundComputer &a, const FoundComputer &b) {
        return std::tuple(a.hasHearth, a.name.toLower(), a.host) < std::tuple(b.hasHearth, b.name.toLower(), b.host);
    });
    return list;
}

}  // namespace hearth
