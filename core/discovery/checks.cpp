#include "core/discovery/checks.h"

#include <QStringList>
#include <cmath>

namespace hearth {
namespace {

constexpr qint64 tolerableSkew = 60'000;  // ms; what people notice when they compare times of two devices

QString addressList(const QList<QHostAddress> &addresses) {
    QStringList list;
    for (const QHostAddress &address : addresses)
        list << address.toString();
    return list.join(QStringLiteral(", "));
}

QString whyNot(const InterfaceFacts &interface) {
    if (interface.isLoopback)
        return QStringLiteral("%1 is left out: it is this computer itself.");
    if (!interface.isUp)
        return QStringLiteral("%1 is left out: it is not connected.");
    if (interface.isTunnel)
        return QStringLiteral("%1 is left out: it is a tunnel, such as a VPN.");
    if (!interface.canMulticast)
        return QStringLiteral("%1 is left out: it does not speak to many at once.");
    if (interface.addresses.isEmpty())
        return QStringLiteral("%1 is left out: it has no address.");
    return {};
}

}  // namespace

Finding judgeInterfaces(const QList<InterfaceFacts> &interfaces) {
    Finding finding{QStringLiteral("interfaces"), QStringLiteral("Network interfaces"), Verdict::Bad, {}, {}, {}};
    QStringList sentences;
    for (const InterfaceFacts &interface : interfaces) {
        if (const QString reason = whyNot(interface); !reason.isEmpty()) {
            sentences << reason.arg(interface.name);
            continue;
        }
        finding.verdict = Verdict::Ok;
        sentences.prepend(QStringLiteral("%1 is used (%2).").arg(interface.name, addressList(interface.addresses)));
    }
    if (finding.verdict == Verdict::Bad) {
        sentences.prepend(QStringLiteral("No network interface can be used."));
        finding.cure = QStringLiteral("Connect this computer to the home network, by cable or Wi-Fi.");
    }
    finding.finding = sentences.join(QLatin1Char(' '));
    return finding;
}

Finding judgeVpn(const QList<InterfaceFacts> &interfaces) {
    Finding finding{QStringLiteral("vpn"), QStringLiteral("VPN"), Verdict::Ok, QStringLiteral("No VPN is on."), {}, {}};
    QStringList tunnels;
    for (const InterfaceFacts &interface : interfaces) {
        if (interface.isTunnel && interface.isUp && !interface.isLoopback)
            tunnels << interface.name;
    }
    if (tunnels.isEmpty())
        return finding;
    finding.verdict = Verdict::Warn;
    finding.finding = QStringLiteral("A VPN is on (%1). It may keep this computer from its own network.")
                          .arg(tunnels.join(QStringLiteral(", ")));
    finding.cure = QStringLiteral(
        "If devices stay away, allow local networks in the settings of the VPN, or turn it off while you look.");
    return finding;
}

Finding judgeDaemon(const DaemonFacts &facts) {
    Finding finding{QStringLiteral("avahi"), QStringLiteral("Avahi daemon"), Verdict::Bad, {}, {}, {}};
    const QString &cause = facts.status.cause;
    switch (facts.status.state) {
        case DiscoveryState::Running:
            finding.verdict = facts.status.isCrowded ? Verdict::Warn : Verdict::Ok;
            finding.finding = QStringLiteral("It runs (%1).").arg(facts.status.daemon);
            if (facts.status.isCrowded) {
                finding.finding += QStringLiteral(" More devices are announced than Hearth looks at.");
                finding.cure = QStringLiteral("Look for a program in the network that floods it with announcements.");
            }
            break;
        case DiscoveryState::Off:
            finding.verdict = Verdict::Warn;
            finding.finding = QStringLiteral("Discovery is off: the agent was started with --no-mdns.");
            finding.cure = QStringLiteral("Start the agent without it.");
            break;
        case DiscoveryState::Starting:
            finding.verdict = Verdict::Unknown;
            finding.finding = QStringLiteral("It has not answered yet.");
            finding.cure = QStringLiteral("Look again in a moment.");
            break;
        case DiscoveryState::Absent:
            finding.finding =
                facts.isInstalled ? QStringLiteral("It is not running.") : QStringLiteral("It is not installed.");
            finding.cure = facts.isInstalled ? QStringLiteral("Start it, now and whenever this computer starts.")
                                             : QStringLiteral("Install it.");
            if (!facts.isInstalled)
                finding.command = QStringLiteral("sudo apt install avahi-daemon");
            else if (facts.hasSystemd)
                finding.command = QStringLiteral("sudo systemctl enable --now avahi-daemon");
            else
                finding.command = QStringLiteral("sudo avahi-daemon --daemonize");
            break;
        case DiscoveryState::Failed:
            finding.finding = QStringLiteral("It runs, but refuses: %1").arg(cause);
            finding.cure = QStringLiteral("Start it again.");
            finding.command = QStringLiteral("sudo systemctl restart avahi-daemon");
            break;
    }
    return finding;
}

Finding judgeAnnouncement(const AgentFacts &facts) {
    Finding finding{
        QStringLiteral("announcement"), QStringLiteral("Announcement of this computer"), Verdict::Bad, {}, {}, {}};
    const DiscoveryStatus &status = facts.status;
    if (QHostAddress(facts.listenHost).isLoopback()) {
        finding.finding =
            QStringLiteral("This computer is not announced: its agent listens on %1, which nobody else can reach.")
                .arg(facts.listenHost);
        finding.cure = QStringLiteral("Start the agent without --listen, or with an address of the home network.");
        return finding;
    }
    if (status.announcedAs.isEmpty()) {
        finding.verdict = status.state == DiscoveryState::Running ? Verdict::Warn : Verdict::Bad;
        finding.finding = QStringLiteral("This computer is not announced.");
        if (status.state == DiscoveryState::Running && !status.cause.isEmpty())
            finding.finding += QLatin1Char(' ') + status.cause;
        finding.cure = status.state == DiscoveryState::Running ? QStringLiteral("Look again in a moment.")
                                                               : QStringLiteral("See to the Avahi daemon first.");
        return finding;
    }
    finding.verdict = status.isEchoed ? Verdict::Ok : Verdict::Warn;
    finding.finding = QStringLiteral("It is announced as \"%1\".").arg(status.announcedAs);
    if (status.isRenamed)
        finding.finding += QStringLiteral(" Its own name is taken by another device.");
    finding.finding += status.isEchoed ? QStringLiteral(" The announcement can be seen.")
                                       : QStringLiteral(" The announcement cannot be seen from here.");
    if (!status.isEchoed)
        finding.cure = QStringLiteral("Look again in a moment.");
    return finding;
}

Finding judgePort(const AgentFacts &facts) {
    Finding finding{QStringLiteral("port"), QStringLiteral("Port of the agent"), Verdict::Unknown, {}, {}, {}};
    if (QHostAddress(facts.listenHost).isLoopback()) {
        finding.verdict = Verdict::Bad;
        finding.finding = QStringLiteral("The agent listens on %1, which nobody else can reach.").arg(facts.listenHost);
        finding.cure = QStringLiteral("Start the agent without --listen, or with an address of the home network.");
    } else if (!facts.answers) {
        finding.finding = QStringLiteral("This computer has no address in a network.");
        finding.cure = QStringLiteral("Connect this computer to the home network, by cable or Wi-Fi.");
    } else if (*facts.answers) {
        finding.verdict = Verdict::Ok;
        finding.finding = QStringLiteral("The agent answers at %1.").arg(facts.address);
    } else {
        finding.verdict = Verdict::Bad;
        finding.finding = QStringLiteral("The agent does not answer at %1.").arg(facts.address);
        finding.cure = QStringLiteral("Open the ports of Hearth in the firewall of this computer.");
    }
    return finding;
}

Finding judgeMulticast(const EchoFacts &facts, bool daemonRuns) {
    Finding finding{QStringLiteral("multicast"), QStringLiteral("Multicast (mDNS)"), Verdict::Ok, {}, {}, {}};
    if (!facts.wasSent) {
        finding.verdict = Verdict::Bad;
        finding.finding = QStringLiteral("No question could be sent into the network.");
        finding.cure = QStringLiteral("Connect this computer to the home network, by cable or Wi-Fi.");
    } else if (facts.ownAnswered || facts.others > 0) {
        finding.finding = QStringLiteral("Questions to everybody (mDNS, port 5353) are heard.");
    } else if (!daemonRuns) {
        finding.verdict = Verdict::Unknown;
        finding.finding =
            QStringLiteral("Nobody answers questions to everybody, which is no wonder without the Avahi daemon.");
        finding.cure = QStringLiteral("See to the Avahi daemon first.");
    } else {
        finding.verdict = Verdict::Bad;
        finding.finding =
            QStringLiteral("Not even this computer's own daemon hears questions to everybody (mDNS, port 5353).");
        finding.cure = QStringLiteral("Open port 5353 for UDP in the firewall of this computer.");
    }
    return finding;
}

Finding judgeNeighbours(const EchoFacts &facts) {
    Finding finding{
        QStringLiteral("neighbours"), QStringLiteral("Other devices in the network"), Verdict::Ok, {}, {}, {}};
    if (facts.others > 0) {
        finding.finding = facts.others == 1 ? QStringLiteral("One other device answers.")
                                            : QStringLiteral("%1 other devices answer.").arg(facts.others);
    } else if (facts.hasOtherSigns) {
        finding.finding = QStringLiteral("Other devices are known in this network.");
    } else {
        finding.verdict = Verdict::Warn;
        finding.finding = QStringLiteral("No other device answers.");
        finding.cure = QStringLiteral(
            "Check that the other device is on, in the same network, and runs Hearth. A guest Wi-Fi, or an access "
            "point that isolates its clients, keeps devices apart: use the main Wi-Fi, or a cable.");
    }
    return finding;
}

Finding judgeReach(const DeviceFacts &device) {
    Finding finding{
        QStringLiteral("reach:") + device.id, QStringLiteral("Way to %1").arg(device.name), Verdict::Bad, {}, {}, {}};
    if (device.isLinked) {
        finding.verdict = Verdict::Ok;
        finding.finding = QStringLiteral("It is linked at %1.").arg(device.address);
        return finding;
    }
    if (device.address.isEmpty()) {
        finding.verdict = Verdict::Warn;
        finding.finding = QStringLiteral("No address of it is known, and it is not announced.");
        finding.cure = QStringLiteral("Start Hearth there, or give its address.");
        return finding;
    }
    switch (device.reach) {
        case Reach::Connected:
            finding.verdict = device.isPaired ? Verdict::Warn : Verdict::Ok;
            finding.finding = QStringLiteral("It answers at %1.").arg(device.address);
            if (device.isPaired) {
                finding.finding += QStringLiteral(" It is not linked all the same.");
                finding.cure =
                    QStringLiteral("Look again in a moment. If it was set up anew, forget it and pair it again.");
            } else {
                finding.finding += QStringLiteral(
                    " It is not of this home: pair with it if it is yours, ignore it if it is of another one.");
            }
            break;
        case Reach::Refused:
            finding.finding = QStringLiteral("There is a computer at %1, but no agent.").arg(device.address);
            finding.cure = QStringLiteral("Start Hearth there.");
            break;
        case Reach::NoRoute:
            finding.finding = QStringLiteral("No way leads to %1.").arg(device.address);
            finding.cure = QStringLiteral("Bring both devices into the same network.");
            break;
        case Reach::Silent:
        case Reach::Failed:
            finding.finding = QStringLiteral("Nothing answers at %1.").arg(device.address);
            finding.cure = QStringLiteral(
                "Check that it is on and in the same network, and open the ports of Hearth in its firewall.");
            break;
    }
    return finding;
}

Finding judgeBack(const BackFacts &facts, quint16 port) {
    Finding finding{QStringLiteral("back:") + facts.id,
                    QStringLiteral("Way back from %1").arg(facts.name),
                    Verdict::Unknown,
                    {},
                    {},
                    {}};
    if (!facts.answered) {
        finding.finding = QStringLiteral("It did not say whether it reaches this computer.");
        finding.cure = QStringLiteral("Install the same version of Hearth on every device.");
    } else if (facts.reached) {
        finding.verdict = Verdict::Ok;
        finding.finding = QStringLiteral("It reaches this computer at %1.").arg(facts.seenAt);
    } else {
        finding.verdict = Verdict::Bad;
        finding.finding =
            QStringLiteral("It does not reach port %1 of this computer (%2).").arg(port).arg(facts.seenAt);
        finding.cure = QStringLiteral("Open the ports of Hearth in the firewall of this computer.");
    }
    return finding;
}

Finding judgeClock(const QString &id, const QString &name, std::optional<qint64> ahead) {
    Finding finding{
        QStringLiteral("clock:") + id, QStringLiteral("Clock of %1").arg(name), Verdict::Unknown, {}, {}, {}};
    if (!ahead) {
        finding.finding = QStringLiteral("It did not tell its time.");
        return finding;
    }
    const double seconds = static_cast<double>(std::abs(*ahead)) / 1000;
    if (std::abs(*ahead) <= tolerableSkew) {
        finding.verdict = Verdict::Ok;
        finding.finding = QStringLiteral("It agrees with this computer's to %1 s.").arg(seconds, 0, 'f', 1);
        return finding;
    }
    finding.verdict = Verdict::Warn;
    if (const double days = seconds / 86400; days >= 2) {
        finding.finding = (*ahead > 0 ? QStringLiteral("It is %1 days ahead of this computer's.")
                                      : QStringLiteral("It is %1 days behind this computer's."))
                              .arg(days, 0, 'f', 0);
    } else {
        finding.finding = (*ahead > 0 ? QStringLiteral("It is %1 s ahead of this computer's.")
                                      : QStringLiteral("It is %1 s behind this computer's."))
                              .arg(seconds, 0, 'f', 0);
    }
    finding.cure = QStringLiteral(
        "Nothing of Hearth depends on it but the times that it shows. Let both take the time from the network.");
    finding.command = QStringLiteral("sudo timedatectl set-ntp true");
    return finding;
}

}  // namespace hearth
