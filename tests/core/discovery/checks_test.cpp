// What facts about a computer and its network mean: each kind of trouble is named, and has a cure.
#include <QTest>

#include "core/discovery/checks.h"

using namespace hearth;

namespace {

InterfaceFacts cable() {
    return {QStringLiteral("eth0"), true, false, false, true, {QHostAddress(QStringLiteral("192.168.1.5"))}};
}

DiscoveryStatus running() {
    DiscoveryStatus status;
    status.state = DiscoveryState::Running;
    status.daemon = QStringLiteral("avahi 0.8");
    status.announcedAs = QStringLiteral("laptop");
    status.isEchoed = true;
    return status;
}

AgentFacts agent(const QString &listens = QStringLiteral("::")) {
    return {running(), listens, 47600, true, QStringLiteral("192.168.1.5:47600")};
}

}  // namespace

class ChecksTest : public QObject {
    Q_OBJECT

  private Q_SLOTS:
    void interfaces_data() {
        QTest::addColumn<InterfaceFacts>("interface");
        QTest::addColumn<QString>("sentence");
        QTest::addColumn<Verdict>("verdict");
        QTest::newRow("a cable is used") << cable() << "eth0 is used (192.168.1.5)." << Verdict::Ok;
        InterfaceFacts other = cable();
        other.isLoopback = true;
        QTest::newRow("loopback is not") << other << "eth0 is left out: it is this computer itself." << Verdict::Bad;
        other = cable();
        other.isUp = false;
        QTest::newRow("one without a cable is not")
            << other << "eth0 is left out: it is not connected." << Verdict::Bad;
        other = cable();
        other.isTunnel = true;
        QTest::newRow("a tunnel is not") << other << "eth0 is left out: it is a tunnel, such as a VPN." << Verdict::Bad;
        other = cable();
        other.canMulticast = false;
        QTest::newRow("one without multicast is not")
            << other << "eth0 is left out: it does not speak to many at once." << Verdict::Bad;
        other = cable();
        other.addresses.clear();
        QTest::newRow("one without an address is not")
            << other << "eth0 is left out: it has no address." << Verdict::Bad;
    }
    void interfaces() {
        QFETCH(const InterfaceFacts, interface);
        QFETCH(const QString, sentence);
        QFETCH(const Verdict, verdict);
        const Finding finding = judgeInterfaces({interface});
        QVERIFY2(finding.finding.contains(sentence), qPrintable(finding.finding));
        QCOMPARE(finding.verdict, verdict);
        QCOMPARE(finding.cure.isEmpty(), verdict == Verdict::Ok);
    }

    void oneInterfaceThatCanBeUsedIsEnough() {
        InterfaceFacts loopback = cable();
        loopback.isLoopback = true;
        loopback.name = QStringLiteral("lo");
        const Finding finding = judgeInterfaces({loopback, cable()});
        QCOMPARE(finding.verdict, Verdict::Ok);
        QVERIFY(finding.finding.startsWith(QStringLiteral("eth0 is used")));
        QVERIFY(finding.finding.contains(QStringLiteral("lo is left out")));
    }

    void aVpnIsNamed() {
        InterfaceFacts tunnel = cable();
        tunnel.name = QStringLiteral("wg0");
        tunnel.isTunnel = true;
        const Finding finding = judgeVpn({cable(), tunnel});
        QCOMPARE(finding.verdict, Verdict::Warn);
        QVERIFY(finding.finding.contains(QStringLiteral("wg0")));
        QVERIFY(!finding.cure.isEmpty());
        tunnel.isUp = false;
        QCOMPARE(judgeVpn({cable(), tunnel}).verdict, Verdict::Ok);
    }

    void theDaemon_data() {
        QTest::addColumn<DiscoveryState>("state");
        QTest::addColumn<bool>("isInstalled");
        QTest::addColumn<bool>("hasSystemd");
        QTest::addColumn<Verdict>("verdict");
        QTest::addColumn<QString>("command");
        QTest::newRow("one that runs is well") << DiscoveryState::Running << true << true << Verdict::Ok << QString();
        QTest::newRow("one that is missing is installed")
            << DiscoveryState::Absent << false << true << Verdict::Bad << "sudo apt install avahi-daemon";
        QTest::newRow("one that does not run is started")
            << DiscoveryState::Absent << true << true << Verdict::Bad << "sudo systemctl enable --now avahi-daemon";
        QTest::newRow("one that does not run is started without systemd, too")
            << DiscoveryState::Absent << true << false << Verdict::Bad << "sudo avahi-daemon --daemonize";
        QTest::newRow("one that refuses is started again")
            << DiscoveryState::Failed << true << true << Verdict::Bad << "sudo systemctl restart avahi-daemon";
        QTest::newRow("one that was not asked is no trouble of its own")
            << DiscoveryState::Off << true << true << Verdict::Warn << QString();
        QTest::newRow("one that has not answered yet is unknown")
            << DiscoveryState::Starting << true << true << Verdict::Unknown << QString();
    }
    void theDaemon() {
        QFETCH(const DiscoveryState, state);
        QFETCH(const bool, isInstalled);
        QFETCH(const bool, hasSystemd);
        QFETCH(const Verdict, verdict);
        QFETCH(const QString, command);
        DiscoveryStatus status = running();
        status.state = state;
        const Finding finding = judgeDaemon({status, isInstalled, hasSystemd});
        QCOMPARE(finding.verdict, verdict);
        QCOMPARE(finding.command, command);
        QVERIFY(!finding.finding.isEmpty());
        QCOMPARE(finding.cure.isEmpty(), verdict == Verdict::Ok);
    }

    void aFloodIsNamed() {
        DiscoveryStatus status = running();
        status.isCrowded = true;
        QCOMPARE(judgeDaemon({status, true, true}).verdict, Verdict::Warn);
    }

    void theAnnouncement() {
        QCOMPARE(judgeAnnouncement(agent()).verdict, Verdict::Ok);
        QVERIFY(judgeAnnouncement(agent()).finding.contains(QStringLiteral("\"laptop\"")));
        QCOMPARE(judgeAnnouncement(agent(QStringLiteral("127.0.0.1"))).verdict, Verdict::Bad);
        AgentFacts facts = agent();
        facts.status.isEchoed = false;
        QCOMPARE(judgeAnnouncement(facts).verdict, Verdict::Warn);
        facts = agent();
        facts.status.isRenamed = true;
        QVERIFY(judgeAnnouncement(facts).finding.contains(QStringLiteral("taken")));
        facts = agent();
        facts.status.announcedAs.clear();
        QCOMPARE(judgeAnnouncement(facts).verdict, Verdict::Warn);
        facts.status.state = DiscoveryState::Absent;
        QCOMPARE(judgeAnnouncement(facts).verdict, Verdict::Bad);
    }

    void thePort() {
        QCOMPARE(judgePort(agent()).verdict, Verdict::Ok);
        QCOMPARE(judgePort(agent(QStringLiteral("127.0.0.1"))).verdict, Verdict::Bad);
        AgentFacts facts = agent();
        facts.answers = false;
        QCOMPARE(judgePort(facts).verdict, Verdict::Bad);
        facts.answers.reset();
        QCOMPARE(judgePort(facts).verdict, Verdict::Unknown);
    }

    void whoHearsQuestions_data() {
        QTest::addColumn<EchoFacts>("facts");
        QTest::addColumn<bool>("daemonRuns");
        QTest::addColumn<Verdict>("multicast");
        QTest::addColumn<Verdict>("neighbours");
        QTest::newRow("all is well") << EchoFacts{true, true, 3, false} << true << Verdict::Ok << Verdict::Ok;
        QTest::newRow("a network that keeps devices apart")
            << EchoFacts{true, true, 0, false} << true << Verdict::Ok << Verdict::Warn;
        QTest::newRow("others that are known by other ways")
            << EchoFacts{true, true, 0, true} << true << Verdict::Ok << Verdict::Ok;
        QTest::newRow("a firewall that keeps out mDNS")
            << EchoFacts{true, false, 0, false} << true << Verdict::Bad << Verdict::Warn;
        QTest::newRow("no daemon to answer")
            << EchoFacts{true, false, 0, false} << false << Verdict::Unknown << Verdict::Warn;
        QTest::newRow("no network") << EchoFacts{false, false, 0, false} << true << Verdict::Bad << Verdict::Warn;
    }
    void whoHearsQuestions() {
        QFETCH(const EchoFacts, facts);
        QFETCH(const bool, daemonRuns);
        QTEST(judgeMulticast(facts, daemonRuns).verdict, "multicast");
        QTEST(judgeNeighbours(facts).verdict, "neighbours");
    }

    void wayToADevice_data() {
        QTest::addColumn<DeviceFacts>("device");
        QTest::addColumn<Verdict>("verdict");
        const QString at = QStringLiteral("192.168.1.6:47600");
        const auto one = [&](bool paired, bool linked, const QString &address, Reach reach) {
            return DeviceFacts{
                QStringLiteral("0123456789abcdef"), QStringLiteral("nano"), paired, linked, address, reach};
        };
        QTest::newRow("a linked one is well") << one(true, true, at, Reach::Silent) << Verdict::Ok;
        QTest::newRow("one nearby that answers is well") << one(false, false, at, Reach::Connected) << Verdict::Ok;
        QTest::newRow("a paired one that answers should be linked")
            << one(true, false, at, Reach::Connected) << Verdict::Warn;
        QTest::newRow("one without an agent") << one(true, false, at, Reach::Refused) << Verdict::Bad;
        QTest::newRow("one in another network") << one(true, false, at, Reach::NoRoute) << Verdict::Bad;
        QTest::newRow("one that is silent") << one(true, false, at, Reach::Silent) << Verdict::Bad;
        QTest::newRow("one without an address") << one(true, false, QString(), Reach::Failed) << Verdict::Warn;
    }
    void wayToADevice() {
        QFETCH(const DeviceFacts, device);
        QFETCH(const Verdict, verdict);
        const Finding finding = judgeReach(device);
        QCOMPARE(finding.verdict, verdict);
        QVERIFY(finding.subject.contains(QStringLiteral("nano")));
        QVERIFY(device.address.isEmpty() || finding.finding.contains(device.address));
        QCOMPARE(finding.cure.isEmpty(), verdict == Verdict::Ok);
        const bool isStranger = !device.isPaired && device.reach == Reach::Connected;
        QCOMPARE(finding.finding.contains(QStringLiteral("not of this home")), isStranger);
    }

    void theWayBack() {
        const BackFacts back{QStringLiteral("x"), QStringLiteral("nano"), QStringLiteral("192.168.1.5:47600"), true,
                             true};
        QCOMPARE(judgeBack(back, 47600).verdict, Verdict::Ok);
        BackFacts other = back;
        other.reached = false;
        QCOMPARE(judgeBack(other, 47600).verdict, Verdict::Bad);
        QVERIFY(!judgeBack(other, 47600).cure.isEmpty());
        other.answered = false;
        QCOMPARE(judgeBack(other, 47600).verdict, Verdict::Unknown);
    }

    void clocks() {
        const QString id = QStringLiteral("x");
        const QString name = QStringLiteral("nano");
        QCOMPARE(judgeClock(id, name, 400).verdict, Verdict::Ok);
        QCOMPARE(judgeClock(id, name, -59'000).verdict, Verdict::Ok);
        QVERIFY(judgeClock(id, name, 3'600'000).finding.contains(QStringLiteral("3600 s ahead")));
        QVERIFY(judgeClock(id, name, -3'600'000).finding.contains(QStringLiteral("3600 s behind")));
        QCOMPARE(judgeClock(id, name, 3'600'000).verdict, Verdict::Warn);
        QVERIFY(judgeClock(id, name, 365 * 86'400'000LL).finding.contains(QStringLiteral("365 days ahead")));
        QVERIFY(judgeClock(id, name, -365 * 86'400'000LL).finding.contains(QStringLiteral("365 days behind")));
        QCOMPARE(judgeClock(id, name, {}).verdict, Verdict::Unknown);
    }

    void aFindingTravelsAsItIs() {
        const Finding finding = judgeDaemon({{}, false, false});
        QCOMPARE(Finding::fromCbor(finding.toCbor()), finding);
        QVERIFY(!finding.toJson().contains(QLatin1String("command")));
        QCOMPARE(finding.toJson()[QLatin1String("verdict")].toString(), QStringLiteral("warn"));
    }
};

QTEST_GUILESS_MAIN(ChecksTest)
#include "checks_test.moc"
