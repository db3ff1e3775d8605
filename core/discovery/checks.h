// What facts about this computer and its network mean for finding devices. Pure functions: they look at nothing else.
#pragma once

#include <QHostAddress>
#include <QList>
#include <QString>
#include <optional>

#include "core/discovery/finding.h"
#include "core/discovery/nearby.h"

namespace hearth {

struct InterfaceFacts {
    QString name;
    bool isUp = false;  // and has a carrier
    bool isLoopback = false;
    bool isTunnel = false;  // a VPN, or another end-to-end link
    bool canMulticast = false;
    QList<QHostAddress> addresses;
};
Finding judgeInterfaces(const QList<InterfaceFacts> &interfaces);
Finding judgeVpn(const QList<InterfaceFacts> &interfaces);

struct DaemonFacts {
    DiscoveryStatus status;
    bool isInstalled = false;
    bool hasSystemd = false;
};
Finding judgeDaemon(const DaemonFacts &facts);

struct AgentFacts {
    DiscoveryStatus status;
    QString listenHost;
    quint16 port = 0;
    /// Whether a connection from this computer to its own address in the network came through; nothing: there is no
    /// such address.
    std::optional<bool> answers;
    QString address;  // that was tried, "host:port"
};
Finding judgeAnnouncement(const AgentFacts &facts);
Finding judgePort(const AgentFacts &facts);

/// What came back when all responders of the network were asked who they are.
struct EchoFacts {
    bool wasSent = false;
    bool ownAnswered = false;    // this computer's daemon heard the question
    int others = 0;              // other machines that answered
    bool hasOtherSigns = false;  // of devices nearby, or linked
};
Finding judgeMulticast(const EchoFacts &facts, bool daemonRuns);
Finding judgeNeighbours(const EchoFacts &facts);

/// How a connection to a place went.
enum class Reach { Connected, Refused, NoRoute, Silent, Failed };
struct DeviceFacts {
    QString id;  // digits of its key
    QString name;
    bool isPaired = false;
    bool isLinked = false;
    QString address;  // of the link, or the one that says most
    Reach reach = Reach::Silent;
};
Finding judgeReach(const DeviceFacts &device);

struct BackFacts {
    QString id;
    QString name;
    QString seenAt;  // this device's address as the other one sees it
    bool answered = false;
    bool reached = false;
};
Finding judgeBack(const BackFacts &facts, quint16 port);
/// `ahead` in milliseconds, of the other device's clock.
Finding judgeClock(const QString &id, const QString &name, std::optional<qint64> ahead);

/// What a program said; `ran` is false where it is missing or was ended by the deadline.
struct ToolOutput {
    bool exists = false;
    bool ran = false;
    int status = -1;
    QString text;
};
struct FirewallFacts {
    QString ufwConfiguration;                     // /etc/ufw/ufw.conf, which everybody may read
    ToolOutput ufw;                               // ufw status
    ToolOutput firewalld;                         // firewall-cmd --list-all
    ToolOutput nft;                               // nft list ruleset
    quint16 firstPort = 47600, lastPort = 47632;  // that other devices need to reach
};
Finding judgeFirewall(const FirewallFacts &facts);

}  // namespace hearth
