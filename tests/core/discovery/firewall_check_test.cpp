// What the programs of firewalls say, and which command opens the ports.
#include <QTest>

#include "core/discovery/checks.h"

using namespace hearth;

namespace {

ToolOutput said(const char *text, int status = 0) {
    return {true, true, status, QString::fromUtf8(text)};
}

const char *const droppingRules = R"(table inet filter {
	chain forward {
		type filter hook forward priority filter; policy drop;
	}
	chain input {
		type filter hook input priority filter; policy drop;
		ct state established,related accept
		iif "lo" accept
		%s
	}
})";

}  // namespace

class FirewallCheckTest : public QObject {
    Q_OBJECT

  private Q_SLOTS:
    void firewalls_data() {
        QTest::addColumn<FirewallFacts>("facts");
        QTest::addColumn<Verdict>("verdict");
        QTest::addColumn<QString>("command");
        const QString ufw = QStringLiteral("sudo ufw allow 47600:47632/tcp && sudo ufw allow 5353/udp");
        const QString none;
        QTest::newRow("none is none") << FirewallFacts{} << Verdict::Ok << none;

        FirewallFacts facts;
        facts.ufwConfiguration = QStringLiteral("# comment\nENABLED=yes\nLOGLEVEL=low\n");
        facts.ufw = said("ERROR: You need to be root to run this script\n", 1);
        QTest::newRow("ufw that only root can ask is opened in any case") << facts << Verdict::Warn << ufw;
        facts.ufwConfiguration = QStringLiteral("ENABLED=no\n");
        QTest::newRow("ufw that is off is none") << facts << Verdict::Ok << none;
        facts = {};
        facts.ufw = said("Status: inactive\n");
        QTest::newRow("ufw that says that it is off is none") << facts << Verdict::Ok << none;
        facts.ufw = said(
            "Status: active\n\nTo                         Action      From\n--                         ------      "
            "----\n22/tcp                     ALLOW       Anywhere\n");
        QTest::newRow("ufw that knows nothing of Hearth") << facts << Verdict::Bad << ufw;
        facts.firstPort = 47633;
        facts.lastPort = 47665;
        QTest::newRow("ufw and the agent of a second account")
            << facts << Verdict::Bad << QStringLiteral("sudo ufw allow 47633:47665/tcp && sudo ufw allow 5353/udp");
        facts = {};
        facts.ufw = said(
            "Status: active\n\n47600:47632/tcp            ALLOW       Anywhere\n5353/udp                   ALLOW  "
            "     Anywhere\n");
        QTest::newRow("ufw that lets Hearth through") << facts << Verdict::Ok << none;
        facts.ufw = said(
            "Status: active\n\n47600:47632/tcp            DENY        Anywhere\n5353/udp                   ALLOW  "
            "     Anywhere\n");
        QTest::newRow("ufw that keeps Hearth out") << facts << Verdict::Bad << ufw;

        facts.ufw = said(
            "Status: active\n\n1024:65535/tcp             ALLOW IN    Anywhere\nmDNS                       ALLOW  "
            "     Anywhere\n");
        QTest::newRow("ufw with a wider range") << facts << Verdict::Ok << none;
        facts.ufw = said(
            "Status: active\n\n47600:47632/tcp            ALLOW OUT   Anywhere\n5353/udp                   ALLOW  "
            "     Anywhere\n");
        QTest::newRow("ufw that lets Hearth only out") << facts << Verdict::Bad << ufw;
        facts.ufw = said("Status: active\n\nAnywhere                   ALLOW       192.168.1.0/24\n");
        QTest::newRow("ufw that lets a network in") << facts << Verdict::Warn << ufw;

        const QString firewalld = QStringLiteral(
            "sudo firewall-cmd --permanent --add-port=47600-47632/tcp --add-service=mdns && sudo firewall-cmd --reload");
        facts = {};
        facts.firewalld = said("public (active)\n  target: default\n  services: dhcpv6-client mdns ssh\n  ports: \n");
        QTest::newRow("firewalld that knows nothing of Hearth") << facts << Verdict::Bad << firewalld;
        facts.firewalld = said("public (active)\n  target: default\n  services: mdns\n  ports: 47600-47632/tcp\n");
        QTest::newRow("firewalld that lets Hearth through") << facts << Verdict::Ok << none;
        facts.firewalld = said("trusted (active)\n  target: ACCEPT\n  services: \n  ports: \n");
        QTest::newRow("firewalld that lets all through") << facts << Verdict::Ok << none;
        facts.firewalld = said(
            "FedoraWorkstation (default, active)\n  target: default\n  services: dhcpv6-client ssh\n"
            "  ports: 1025-65535/udp 1025-65535/tcp\n  source-ports: \n");
        QTest::newRow("firewalld of Fedora's workstation") << facts << Verdict::Ok << none;
        facts.firewalld = said("public (active)\n  ports: 47600-47610/tcp 47611-47632/tcp 5353/udp\n");
        QTest::newRow("firewalld with the range in parts") << facts << Verdict::Ok << none;
        facts.firewalld = said("public (active)\n  ports: 47600-47610/tcp 5353/udp\n");
        QTest::newRow("firewalld with half of the range") << facts << Verdict::Bad << firewalld;
        facts.firewalld = said("public (active)\n  ports: 47600-47632/udp 5353/udp\n");
        QTest::newRow("firewalld with the range for UDP") << facts << Verdict::Bad << firewalld;
        facts.firewalld = said(
            "public (active)\n  ports: \n  source-ports: 1-65535/tcp\n  rich rules: \n\trule family=\"ipv4\" "
            "source address=\"192.168.1.0/24\" accept\n");
        QTest::newRow("firewalld with rules of its own") << facts << Verdict::Warn << firewalld;
        facts.firewalld = said("public\n  target: default\n  services: ssh\n  ports: \n");
        QTest::newRow("firewalld whose default zone is not in use") << facts << Verdict::Warn << firewalld;
        facts.firewalld = said("FirewallD is not running\n", 252);
        QTest::newRow("firewalld that does not run is none") << facts << Verdict::Ok << none;

        facts = {};
        facts.nft = said("Operation not permitted (you must be root)\n", 1);
        QTest::newRow("rules that only root can read")
            << facts << Verdict::Unknown << QStringLiteral("sudo nft list ruleset");
        facts.nft = said("");
        QTest::newRow("no rules keep nothing out") << facts << Verdict::Ok << none;
        facts.nft = said(
            "table ip nat {\n\tchain POSTROUTING {\n\t\ttype nat hook postrouting priority srcnat; policy accept;\n\t}\n}\n");
        QTest::newRow("rules that drop nothing that comes in") << facts << Verdict::Ok << none;
        facts.nft = {true, true, 0, QString::asprintf(droppingRules, "tcp dport 22 accept")};
        QTest::newRow("rules that know nothing of Hearth")
            << facts << Verdict::Bad
            << QStringLiteral(
                   "sudo nft insert rule inet filter input tcp dport 47600-47632 accept && "
                   "sudo nft insert rule inet filter input udp dport 5353 accept");
        facts.nft = {true, true, 0,
                     QString::asprintf(droppingRules, "tcp dport 47600-47632 accept\n\t\tudp dport 5353 accept")};
        QTest::newRow("rules that let Hearth through") << facts << Verdict::Ok << none;
        facts.nft = {
            true, true, 0,
            QString::asprintf(droppingRules, "tcp dport { 22, 1024-65535 } accept\n\t\tudp dport 5353 accept")};
        QTest::newRow("rules with a wider range") << facts << Verdict::Ok << none;
        facts.nft = {true, true, 0, QString::asprintf(droppingRules, "ip saddr 192.168.1.0/24 accept")};
        QTest::newRow("rules that let a network in")
            << facts << Verdict::Warn
            << QStringLiteral(
                   "sudo nft insert rule inet filter input tcp dport 47600-47632 accept && "
                   "sudo nft insert rule inet filter input udp dport 5353 accept");
        facts.nft = {true, false, -1, {}};
        QTest::newRow("a program that does not answer leaves it open")
            << facts << Verdict::Unknown << QStringLiteral("sudo nft list ruleset");
    }
    void firewalls() {
        QFETCH(const FirewallFacts, facts);
        const Finding finding = judgeFirewall(facts);
        QTEST(finding.verdict, "verdict");
        QTEST(finding.command, "command");
        QCOMPARE(finding.cure.isEmpty(), finding.verdict == Verdict::Ok);
    }
};

QTEST_GUILESS_MAIN(FirewallCheckTest)
#include "firewall_check_test.moc"
