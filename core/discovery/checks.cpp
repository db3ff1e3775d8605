#include "core/discovery/checks.h"

#include <QStringList>
#include <cmath>

#include "core/base/sentence_list.h"

namespace hearth {
namespace {

constexpr qint64 tolerableSkew = 60'000;  // ms; what people notice when they compare times of two devices

QString addressList(const QList<QHostAddress> &addresses) {
    QStringList list;
    for (const QHostAddress &address : addresses)
        list << address.toString();
    return list.join(QStringLiteral(", "));
}

Sentence whyNot(const InterfaceFacts &interface) {
    if (interface.isLoopback)
        return sentence("%1 is left out: it is this computer itself.");
    if (!interface.isUp)
        return sentence("%1 is left out: it is not connected.");
    if (interface.isTunnel)
        return sentence("%1 is left out: it is a tunnel, such as a VPN.");
    if (!interface.canMulticast)
        return sentence("%1 is left out: it does not speak to many at once.");
    if (interface.addresses.isEmpty())
        return sentence("%1 is left out: it has no address.");
    return {};
}

}  // namespace

Finding judgeInterfaces(const QList<InterfaceFacts> &interfaces) {
    Finding finding{QStringLiteral("interfaces"), sentence("Network interfaces"), Verdict::Bad, {}, {}, {}};
    QList<Sentence> sentences;
    for (const InterfaceFacts &interface : interfaces) {
        if (const Sentence reason = whyNot(interface); !reason.isEmpty()) {
            sentences << reason.arg(interface.name);
            continue;
        }
        finding.verdict = Verdict::Ok;
        sentences.prepend(sentence("%1 is used (%2).").arg(interface.name, addressList(interface.addresses)));
    }
    if (finding.verdict == Verdict::Bad) {
        sentences.prepend(sentence("No network interface can be used."));
        finding.cure = sentence("Connect this computer to the home network, by cable or Wi-Fi.");
    }
    finding.finding = listed(sentences);
    return finding;
}

Finding judgeVpn(const QList<InterfaceFacts> &interfaces) {
    Finding finding{QStringLiteral("vpn"), QStringLiteral("VPN"), Verdict::Ok, sentence("No VPN is on."), {}, {}};
    QStringList tunnels;
    for (const InterfaceFacts &interface : interfaces) {
        if (interface.isTunnel && interface.isUp && !interface.isLoopback)
            tunnels << interface.name;
    }
    if (tunnels.isEmpty())
        return finding;
    finding.verdict = Verdict::Warn;
    finding.finding = sentence("A VPN is on (%1). It may keep this computer from its own network.")
                          .arg(tunnels.join(QStringLiteral(", ")));
    finding.cure = sentence(
        "If devices stay away, allow local networks in the settings of the VPN, or turn it off while you look.");
    return finding;
}

Finding judgeDaemon(const DaemonFacts &facts) {
    Finding finding{QStringLiteral("avahi"), sentence("Avahi daemon"), Verdict::Bad, {}, {}, {}};
    const Sentence &cause = facts.status.cause;
    switch (facts.status.state) {
        case DiscoveryState::Running:
            finding.verdict = facts.status.isCrowded ? Verdict::Warn : Verdict::Ok;
            finding.finding = sentence("It runs (%1).").arg(facts.status.daemon);
            if (facts.status.isCrowded) {
                finding.finding =
                    Sentence::joined({finding.finding, sentence("More devices are announced than Hearth looks at.")});
                finding.cure = sentence("Look for a program in the network that floods it with announcements.");
            }
            break;
        case DiscoveryState::Off:
            finding.verdict = Verdict::Warn;
            finding.finding = sentence("Discovery is off: the agent was started with --no-mdns.");
            finding.cure = sentence("Start the agent without it.");
            break;
        case DiscoveryState::Starting:
            finding.verdict = Verdict::Unknown;
            finding.finding = sentence("It has not answered yet.");
            finding.cure = sentence("Look again in a moment.");
            break;
        case DiscoveryState::Absent:
            finding.finding = facts.isInstalled ? sentence("It is not running.") : sentence("It is not installed.");
            finding.cure = facts.isInstalled ? sentence("Start it, now and whenever this computer starts.")
                                             : sentence("Install it.");
            if (!facts.isInstalled)
                finding.command = QStringLiteral("sudo apt install avahi-daemon");
            else if (facts.hasSystemd)
                finding.command = QStringLiteral("sudo systemctl enable --now avahi-daemon");
            else
                finding.command = QStringLiteral("sudo avahi-daemon --daemonize");
            break;
        case DiscoveryState::Failed:
            finding.finding = sentence("It runs, but refuses: %1").arg(cause);
            finding.cure = sentence("Start it again.");
            finding.command = QStringLiteral("sudo systemctl restart avahi-daemon");
            break;
    }
    return finding;
}

Finding judgeAnnouncement(const AgentFacts &facts) {
    Finding finding{
        QStringLiteral("announcement"), sentence("Announcement of this computer"), Verdict::Bad, {}, {}, {}};
    const DiscoveryStatus &status = facts.status;
    if (QHostAddress(facts.listenHost).isLoopback()) {
        finding.finding =
            sentence("This computer is not announced: its agent listens on %1, which nobody else can reach.")
                .arg(facts.listenHost);
        finding.cure = sentence("Start the agent without --listen, or with an address of the home network.");
        return finding;
    }
    if (status.announcedAs.isEmpty()) {
        finding.verdict = status.state == DiscoveryState::Running ? Verdict::Warn : Verdict::Bad;
        finding.finding = sentence("This computer is not announced.");
        if (status.state == DiscoveryState::Running && !status.cause.isEmpty())
            finding.finding = Sentence::joined({finding.finding, status.cause});
        finding.cure = status.state == DiscoveryState::Running ? sentence("Look again in a moment.")
                                                               : sentence("See to the Avahi daemon first.");
        return finding;
    }
    finding.verdict = status.isEchoed ? Verdict::Ok : Verdict::Warn;
    finding.finding = sentence("It is announced as \"%1\".").arg(status.announcedAs);
    if (status.isRenamed)
        finding.finding = Sentence::joined({finding.finding, sentence("Its own name is taken by another device.")});
    finding.finding =
        Sentence::joined({finding.finding, status.isEchoed ? sentence("The announcement can be seen.")
                                                           : sentence("The announcement cannot be seen from here.")});
    if (!status.isEchoed)
        finding.cure = sentence("Look again in a moment.");
    return finding;
}

Finding judgePort(const AgentFacts &facts) {
    Finding finding{QStringLiteral("port"), sentence("Port of the agent"), Verdict::Unknown, {}, {}, {}};
    if (QHostAddress(facts.listenHost).isLoopback()) {
        finding.verdict = Verdict::Bad;
        finding.finding = sentence("The agent listens on %1, which nobody else can reach.").arg(facts.listenHost);
        finding.cure = sentence("Start the agent without --listen, or with an address of the home network.");
    } else if (!facts.answers) {
        finding.finding = sentence("This computer has no address in a network.");
        finding.cure = sentence("Connect this computer to the home network, by cable or Wi-Fi.");
    } else if (*facts.answers) {
        finding.verdict = Verdict::Ok;
        finding.finding = sentence("The agent answers at %1.").arg(facts.address);
    } else {
        finding.verdict = Verdict::Bad;
        finding.finding = sentence("The agent does not answer at %1.").arg(facts.address);
        finding.cure = sentence("Open the ports of Hearth in the firewall of this computer.");
    }
    return finding;
}

Finding judgeMulticast(const EchoFacts &facts, bool daemonRuns) {
    Finding finding{QStringLiteral("multicast"), sentence("Multicast (mDNS)"), Verdict::Ok, {}, {}, {}};
    if (!facts.wasSent) {
        finding.verdict = Verdict::Bad;
        finding.finding = sentence("No question could be sent into the network.");
        finding.cure = sentence("Connect this computer to the home network, by cable or Wi-Fi.");
    } else if (facts.ownAnswered || facts.others > 0) {
        finding.finding = sentence("Questions to everybody (mDNS, port 5353) are heard.");
    } else if (!daemonRuns) {
        finding.verdict = Verdict::Unknown;
        finding.finding =
            sentence("Nobody answers questions to everybody, which is no wonder without the Avahi daemon.");
        finding.cure = sentence("See to the Avahi daemon first.");
    } else {
        finding.verdict = Verdict::Bad;
        finding.finding =
            sentence("Not even this computer's own daemon hears questions to everybody (mDNS, port 5353).");
        finding.cure = sentence("Open port 5353 for UDP in the firewall of this computer.");
    }
    return finding;
}

Finding judgeNeighbours(const EchoFacts &facts) {
    Finding finding{QStringLiteral("neighbours"), sentence("Other devices in the network"), Verdict::Ok, {}, {}, {}};
    if (facts.others > 0) {
        finding.finding = sentence("{1|One other device answers.|%1 other devices answer.}").arg(facts.others);
    } else if (facts.hasOtherSigns) {
        finding.finding = sentence("Other devices are known in this network.");
    } else {
        finding.verdict = Verdict::Warn;
        finding.finding = sentence("No other device answers.");
        finding.cure = sentence(
            "Check that the other device is on, in the same network, and runs Hearth. A guest Wi-Fi, or an access "
            "point that isolates its clients, keeps devices apart: use the main Wi-Fi, or a cable.");
    }
    return finding;
}

Finding judgeReach(const DeviceFacts &device) {
    Finding finding{
        QStringLiteral("reach:") + device.id, sentence("Way to %1").arg(device.name), Verdict::Bad, {}, {}, {}};
    if (device.isLinked) {
        finding.verdict = Verdict::Ok;
        finding.finding = sentence("It is linked at %1.").arg(device.address);
        return finding;
    }
    if (device.address.isEmpty()) {
        finding.verdict = Verdict::Warn;
        finding.finding = sentence("No address of it is known, and it is not announced.");
        finding.cure = sentence("Start Hearth there, or give its address.");
        return finding;
    }
    switch (device.reach) {
        case Reach::Connected:
            finding.verdict = device.isPaired ? Verdict::Warn : Verdict::Ok;
            finding.finding = sentence("It answers at %1.").arg(device.address);
            if (device.isPaired) {
                finding.finding = Sentence::joined({finding.finding, sentence("It is not linked all the same.")});
                finding.cure = sentence("Look again in a moment. If it was set up anew, forget it and pair it again.");
            } else {
                finding.finding = Sentence::joined(
                    {finding.finding,
                     sentence(
                         "It is not of this home: pair with it if it is yours, ignore it if it is of another one.")});
            }
            break;
        case Reach::Refused:
            finding.finding = sentence("There is a computer at %1, but no agent.").arg(device.address);
            finding.cure = sentence("Start Hearth there.");
            break;
        case Reach::NoRoute:
            finding.finding = sentence("No way leads to %1.").arg(device.address);
            finding.cure = sentence("Bring both devices into the same network.");
            break;
        case Reach::Silent:
        case Reach::Failed:
            finding.finding = sentence("Nothing answers at %1.").arg(device.address);
            finding.cure =
                sentence("Check that it is on and in the same network, and open the ports of Hearth in its firewall.");
            break;
    }
    return finding;
}

Finding judgeBack(const BackFacts &facts, quint16 port) {
    Finding finding{
        QStringLiteral("back:") + facts.id, sentence("Way back from %1").arg(facts.name), Verdict::Unknown, {}, {}, {}};
    if (!facts.answered) {
        finding.finding = sentence("It did not say whether it reaches this computer.");
        finding.cure = sentence("Install the same version of Hearth on every device.");
    } else if (facts.reached) {
        finding.verdict = Verdict::Ok;
        finding.finding = sentence("It reaches this computer at %1.").arg(facts.seenAt);
    } else {
        finding.verdict = Verdict::Bad;
        finding.finding = sentence("It does not reach port %1 of this computer (%2).").arg(port).arg(facts.seenAt);
        finding.cure = sentence("Open the ports of Hearth in the firewall of this computer.");
    }
    return finding;
}

Finding judgeClock(const QString &id, const QString &name, std::optional<qint64> ahead) {
    Finding finding{QStringLiteral("clock:") + id, sentence("Clock of %1").arg(name), Verdict::Unknown, {}, {}, {}};
    if (!ahead) {
        finding.finding = sentence("It did not tell its time.");
        return finding;
    }
    const double seconds = static_cast<double>(std::abs(*ahead)) / 1000;
    if (std::abs(*ahead) <= tolerableSkew) {
        finding.verdict = Verdict::Ok;
        finding.finding = sentence("It agrees with this computer's to %1 s.").arg(Sentence::quantity(seconds, 1));
        return finding;
    }
    finding.verdict = Verdict::Warn;
    if (const double days = seconds / 86400; days >= 2) {
        finding.finding = (*ahead > 0 ? sentence("It is %1 days ahead of this computer's.")
                                      : sentence("It is %1 days behind this computer's."))
                              .arg(Sentence::quantity(days, 0));
    } else {
        finding.finding = (*ahead > 0 ? sentence("It is %1 s ahead of this computer's.")
                                      : sentence("It is %1 s behind this computer's."))
                              .arg(Sentence::quantity(seconds, 0));
    }
    finding.cure = sentence(
        "Nothing of Hearth depends on it but the times that it shows. Let both take the time from the network.");
    finding.command = QStringLiteral("sudo timedatectl set-ntp true");
    return finding;
}

}  // namespace hearth
