#include "core/discovery/diagnosis.h"

#include <QFile>
#include <QNetworkInterface>
#include <QTimer>
#include <algorithm>
#include <iterator>
#include <memory>
#include <utility>

#include "core/base/sentence.h"
#include "core/discovery/probes.h"
#include "core/home/device_info.h"

namespace hearth {
namespace {

constexpr qint64 longestConfiguration = 64 << 10;

QString readSome(const QString &path) {
    QFile file(path);
    return file.open(QIODevice::ReadOnly) ? QString::fromUtf8(file.read(longestConfiguration)) : QString();
}

/// Those that do not lead to this computer's own agent, which listens on `port`: its answer says nothing of a device.
QStringList withoutOwn(const QStringList &addresses, quint16 port) {
    const QList<QHostAddress> own = QNetworkInterface::allAddresses();
    QStringList others;
    std::copy_if(addresses.cbegin(), addresses.cend(), std::back_inserter(others), [&](const QString &address) {
        const auto parts = splitAddress(address);
        if (!parts || parts->port != port)
            return true;
        const QHostAddress host(parts->host);
        return !host.isLoopback() && !own.contains(host);
    });
    return others;
}

/// What says most about a device of several addresses.
int weight(Reach reach) {
    switch (reach) {
        case Reach::Connected:
            return 4;
        case Reach::Refused:
            return 3;
        case Reach::Silent:
            return 2;
        case Reach::NoRoute:
            return 1;
        case Reach::Failed:
            break;
    }
    return 0;
}

}  // namespace

Diagnosis::Diagnosis(DiagnosisOrder order, QObject *parent, std::chrono::milliseconds deadline,
                     std::chrono::milliseconds tcp)
    : QObject(parent), m_order(std::move(order)), m_tcpDeadline(tcp) {
    if (m_order.devices.size() > maximumDevices)
        m_order.devices.resize(maximumDevices);
    QTimer::singleShot(0, this, &Diagnosis::start);
    QTimer::singleShot(deadline, this, &Diagnosis::giveUp);
}

void Diagnosis::expect(const QString &id, const Sentence &subject) {
    m_findings.push_back({id, subject, Verdict::Pending, {}, {}, {}});
    Q_EMIT found(m_findings.back());
}

void Diagnosis::tell(const Finding &finding) {
    const auto at =
        std::find_if(m_findings.begin(), m_findings.end(), [&](const Finding &each) { return each.id == finding.id; });
    if (m_isOver || at == m_findings.end())
        return;
    *at = finding;
    Q_EMIT found(finding);
    m_isOver = std::none_of(m_findings.begin(), m_findings.end(),
                            [](const Finding &each) { return each.verdict == Verdict::Pending; });
    if (m_isOver)
        Q_EMIT finished();
}

void Diagnosis::giveUp() {
    for (const Finding &each : std::vector<Finding>(m_findings)) {
        if (each.verdict == Verdict::Pending)
            tell({each.id, each.subject, Verdict::Unknown, sentence("It took too long to find out."), {}, {}});
    }
}

void Diagnosis::start() {
    expect(QStringLiteral("interfaces"), sentence("Network interfaces"));
    expect(QStringLiteral("avahi"), sentence("Avahi daemon"));
    expect(QStringLiteral("announcement"), sentence("Announcement of this computer"));
    expect(QStringLiteral("multicast"), sentence("Multicast (mDNS)"));
    expect(QStringLiteral("neighbours"), sentence("Other devices in the network"));
    expect(QStringLiteral("port"), sentence("Port of the agent"));
    expect(QStringLiteral("firewall"), sentence("Firewall of this computer"));
    expect(QStringLiteral("vpn"), QStringLiteral("VPN"));
    for (const DiagnosisOrder::Device &device : m_order.devices) {
        expect(QStringLiteral("reach:") + device.id, sentence("Way to %1").arg(device.name));
        if (device.isLinked) {
            expect(QStringLiteral("back:") + device.id, sentence("Way back from %1").arg(device.name));
            expect(QStringLiteral("clock:") + device.id, sentence("Clock of %1").arg(device.name));
        }
    }
    lookAtHost();
    lookAtFirewall();
    for (const DiagnosisOrder::Device &device : m_order.devices)
        lookForDevice(device);
}

void Diagnosis::lookAtHost() {
    const QList<InterfaceFacts> interfaces = interfaceFacts();
    tell(judgeInterfaces(interfaces));
    tell(judgeVpn(interfaces));
    const bool isInstalled = QFile::exists(QStringLiteral("/usr/sbin/avahi-daemon"));
    tell(judgeDaemon({m_order.status, isInstalled, QFile::exists(QStringLiteral("/run/systemd/system"))}));

    AgentFacts agent;
    agent.status = m_order.status;
    agent.listenHost = m_order.listenHost;
    agent.port = m_order.port;
    tell(judgeAnnouncement(agent));
    const QHostAddress listens(m_order.listenHost);
    const bool isAnywhere = listens == QHostAddress(QHostAddress::AnyIPv4) ||
                            listens == QHostAddress(QHostAddress::AnyIPv6) || listens == QHostAddress::Any;
    const QHostAddress own = isAnywhere ? ownAddress(interfaces) : listens;
    if (own.isNull() || own.isLoopback()) {
        tell(judgePort(agent));
    } else {
        agent.address = joinAddress(own.toString(), agent.port);
        probeTcp(own.toString(), agent.port, m_tcpDeadline, this, [this, agent](Reach reach) {
            AgentFacts facts = agent;
            facts.answers = reach == Reach::Connected;
            tell(judgePort(facts));
        });
    }
    probeMulticast(multicastWait, this, [this](EchoFacts facts) {
        facts.hasOtherSigns = std::any_of(m_order.devices.begin(), m_order.devices.end(),
                                          [](const auto &device) { return device.isLinked || !device.isPaired; });
        tell(judgeMulticast(facts, m_order.status.state == DiscoveryState::Running));
        tell(judgeNeighbours(facts));
    });
}

void Diagnosis::lookAtFirewall() {
    if (m_order.lastPort > 0) {
        m_firewall.firstPort = m_order.port;
        m_firewall.lastPort = m_order.lastPort;
    }
    m_firewall.ufwConfiguration = readSome(QStringLiteral("/etc/ufw/ufw.conf"));
    const auto run = [this](const QString &program, const QStringList &arguments, ToolOutput FirewallFacts::*place) {
        ++m_tools;
        runTool(program, arguments, toolDeadline, this, [this, place](const ToolOutput &output) {
            m_firewall.*place = output;
            if (--m_tools == 0)
                tell(judgeFirewall(m_firewall));
        });
    };
    run(QStringLiteral("ufw"), {QStringLiteral("status")}, &FirewallFacts::ufw);
    run(QStringLiteral("firewall-cmd"), {QStringLiteral("--list-all")}, &FirewallFacts::firewalld);
    run(QStringLiteral("nft"), {QStringLiteral("list"), QStringLiteral("ruleset")}, &FirewallFacts::nft);
}

void Diagnosis::lookForDevice(const DiagnosisOrder::Device &device) {
    const QStringList addresses = device.isLinked ? device.addresses : withoutOwn(device.addresses, m_order.port);
    if (device.isLinked || addresses.isEmpty()) {
        tell(judgeReach({device.id, device.name, device.isPaired, device.isLinked, addresses.value(0), {}}));
        if (device.isLinked)
            askBack(device);
        return;
    }
    tryAddresses(device, addresses);
}

void Diagnosis::tryAddresses(const DiagnosisOrder::Device &device, const QStringList &addresses) {
    auto best = std::make_shared<DeviceFacts>();
    *best = {device.id, device.name, device.isPaired, false, addresses.first(), Reach::Failed};
    auto left = std::make_shared<qsizetype>(addresses.size());
    for (const QString &address : addresses) {
        const auto parts = splitAddress(address);
        probeTcp(parts ? parts->host : QString(), parts ? parts->port : 0, m_tcpDeadline, this,
                 [this, best, left, address](Reach reach) {
                     if (weight(reach) > weight(best->reach)) {
                         best->reach = reach;
                         best->address = address;
                     }
                     if (--*left == 0)
                         tell(judgeReach(*best));
                 });
    }
}

void Diagnosis::askBack(const DiagnosisOrder::Device &device) {
    m_order.askBack(device.id, this, [this, device](const std::optional<DiagnosisOrder::Back> &back) {
        BackFacts facts{device.id, device.name, {}, back.has_value(), false};
        if (back) {
            facts.seenAt = back->seenAt;
            facts.reached = back->reached;
        }
        tell(judgeBack(facts, m_order.port));
        tell(judgeClock(device.id, device.name, back ? std::optional(back->aheadMs) : std::nullopt));
    });
}

}  // namespace hearth
