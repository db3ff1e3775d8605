// Services, as they come and go on interfaces and protocols, become devices nearby.
#include <QTest>

#include "core/discovery/nearby_book.h"

using namespace hearth;

namespace {

const QString ownPrefix = QStringLiteral("00000000000000ff");

QString prefix(int number) {
    return QStringLiteral("%1").arg(number, 16, 16, QLatin1Char('0'));
}

QByteArrayList txt(const QString &digits) {
    return {"v=1", "id=" + digits.toLatin1()};
}

ServiceSeen service(const char *name, const char *host, const char *address, const QString &digits, int interface = 2) {
    ServiceSeen seen;
    seen.address = QHostAddress(QLatin1String(address));
    seen.key = {interface, seen.address.protocol() == QAbstractSocket::IPv6Protocol, name};
    seen.host = host;
    seen.port = 47600;
    seen.txt = txt(digits);
    return seen;
}

}  // namespace

class NearbyBookTest : public QObject {
    Q_OBJECT

  private Q_SLOTS:
    void init() { m_book = NearbyBook(ownPrefix); }

    void aServiceBecomesADevice() {
        m_book.see(service("nano-1", "nano-1.local", "10.0.0.5", prefix(1)), 1000);
        QCOMPARE(m_book.devices().size(), std::size_t(1));
        const NearbyDevice device = m_book.devices().front();
        QCOMPARE(device.prefix, prefix(1));
        QCOMPARE(device.name, QStringLiteral("nano-1"));
        QCOMPARE(device.addresses, QStringList{QStringLiteral("10.0.0.5:47600")});
        QCOMPARE(device.hosts, QStringList{QStringLiteral("nano-1.local")});
        QCOMPARE(device.version, 1);
        QCOMPARE(device.state, NearbyState::Found);
        QCOMPARE(device.since, 1000);
    }

    void interfacesAndProtocolsAreGathered() {
        m_book.see(service("nano-1", "nano-1.local", "fe80::1%eth0", prefix(1)), 1000);
        m_book.see(service("nano-1", "nano-1.local", "fd00::1", prefix(1), 3), 1500);
        m_book.see(service("nano-1", "nano-1.local", "10.0.0.5", prefix(1)), 2000);
        m_book.see(service("nano-1", "NANO-1.local", "192.168.0.5", prefix(1), 3), 3000);
        QCOMPARE(m_book.devices().size(), std::size_t(1));
        const NearbyDevice device = m_book.devices().front();
        QCOMPARE(device.addresses,
                 (QStringList{QStringLiteral("10.0.0.5:47600"), QStringLiteral("192.168.0.5:47600"),
                              QStringLiteral("[fd00::1]:47600"), QStringLiteral("[fe80::1%eth0]:47600")}));
        QCOMPARE(device.since, 1000);
        QCOMPARE(device.state, NearbyState::Found);
    }

    void aDeviceGoesWithItsLastService() {
        const ServiceSeen one = service("nano-1", "nano-1.local", "10.0.0.5", prefix(1));
        const ServiceSeen two = service("nano-1", "nano-1.local", "192.168.0.5", prefix(1), 3);
        m_book.see(one, 1000);
        m_book.see(two, 1000);
        m_book.lose(one.key);
        QCOMPARE(m_book.devices().front().addresses, QStringList{QStringLiteral("192.168.0.5:47600")});
        m_book.lose(two.key);
        m_book.lose(two.key);
        QVERIFY(m_book.devices().empty());
        m_book.see(one, 9000);
        QCOMPARE(m_book.devices().front().since, 9000);
    }

    void aTrustedDeviceKeepsItsName() {
        m_book.setTrusted({{prefix(1), QStringLiteral("kitchen")}});
        m_book.see(service("something else", "nano-1.local", "10.0.0.5", prefix(1)), 1000);
        QCOMPARE(m_book.devices().front().state, NearbyState::Paired);
        QCOMPARE(m_book.devices().front().name, QStringLiteral("kitchen"));
        m_book.setTrusted({});
        QCOMPARE(m_book.devices().front().state, NearbyState::Found);
    }

    void twoHostsWithOneKeyAreNamed() {
        m_book.see(service("nano-1", "nano-1.local", "10.0.0.5", prefix(1)), 1000);
        m_book.see(service("impostor", "other.local", "10.0.0.66", prefix(1)), 2000);
        QCOMPARE(m_book.devices().size(), std::size_t(1));
        const NearbyDevice device = m_book.devices().front();
        QCOMPARE(device.state, NearbyState::Clone);
        QCOMPARE(device.name, QStringLiteral("nano-1"));
        QCOMPARE(device.hosts, (QStringList{QStringLiteral("nano-1.local"), QStringLiteral("other.local")}));
        m_book.lose({2, false, "impostor"});
        QCOMPARE(m_book.devices().front().state, NearbyState::Found);
    }

    void aHostThatHasRenamedItsServiceIsNoClone() {
        m_book.see(service("nano", "nano-1.local", "10.0.0.5", prefix(1)), 1000);
        m_book.see(service("nano #2", "nano-1.local", "10.0.0.5", prefix(1)), 2000);
        m_book.lose({2, false, "nano"});
        QCOMPARE(m_book.devices().size(), std::size_t(1));
        QCOMPARE(m_book.devices().front().name, QStringLiteral("nano #2"));
        QCOMPARE(m_book.devices().front().state, NearbyState::Found);
    }

    void hostsWithOneKeyTakeTurnsWithTheirAddresses() {
        for (int i = 0; i < 20; ++i) {
            m_book.see(service("loud", "loud.local", qPrintable(QStringLiteral("10.0.1.%1").arg(i)), prefix(1), i + 1),
                       1000);
        }
        m_book.see(service("quiet", "quiet.local", "10.0.0.5", prefix(1)), 2000);
        const QStringList addresses = m_book.devices().front().addresses;
        QCOMPARE(addresses.size(), NearbyBook::maximumAddresses);
        QVERIFY(addresses.contains(QStringLiteral("10.0.0.5:47600")));
    }

    void itsOwnAnnouncementIsAnEcho() {
        ServiceSeen own = service("me", "me.local", "10.0.0.1", ownPrefix);
        own.isLocal = true;
        m_book.see(own, 1000);
        QVERIFY(m_book.isEchoed());
        QVERIFY(m_book.devices().empty());
        m_book.lose(own.key);
        QVERIFY(!m_book.isEchoed());
    }

    void itsOwnKeyAnnouncedByAnotherHostIsAClone() {
        m_book.see(service("me too", "other.local", "10.0.0.66", ownPrefix), 1000);
        QVERIFY(!m_book.isEchoed());
        QCOMPARE(m_book.devices().front().state, NearbyState::Clone);
    }

    void aNameThatThisDeviceTakesIsNoLongerTheOthers() {
        m_book.see(service("kitchen", "nano-1.local", "10.0.0.5", prefix(1)), 1000);
        m_book.see(service("kitchen #2", "nano-1.local", "10.0.0.5", prefix(1)), 2000);
        ServiceSeen own = service("kitchen", "me.local", "10.0.0.1", ownPrefix);
        own.isLocal = true;
        m_book.see(own, 3000);
        QCOMPARE(m_book.devices().size(), std::size_t(1));
        QCOMPARE(m_book.devices().front().name, QStringLiteral("kitchen #2"));
        QVERIFY(m_book.isEchoed());
    }

    void aNameThatThisDeviceGivesUpIsNoEchoAnyMore() {
        ServiceSeen own = service("kitchen", "me.local", "10.0.0.1", ownPrefix);
        own.isLocal = true;
        m_book.see(own, 1000);
        m_book.see(service("kitchen", "nano-1.local", "10.0.0.5", prefix(1)), 2000);
        QVERIFY(!m_book.isEchoed());
        QCOMPARE(m_book.devices().front().prefix, prefix(1));
    }

    void aNameThatAnotherDeviceTakesMovesWithIt() {
        m_book.see(service("nano", "nano-1.local", "10.0.0.5", prefix(1)), 1000);
        m_book.see(service("nano", "nano-2.local", "10.0.0.6", prefix(2)), 2000);
        QCOMPARE(m_book.devices().size(), std::size_t(1));
        QCOMPARE(m_book.devices().front().prefix, prefix(2));
    }

    void whatCannotBeUsedIsLeftOut_data() {
        QTest::addColumn<ServiceSeen>("strange");
        const ServiceSeen good = service("nano", "nano-1.local", "10.0.0.5", prefix(1));
        ServiceSeen strange = good;
        strange.txt = {"v=1", "id=<script>"};
        QTest::newRow("digits that are none") << strange;
        strange = good;
        strange.port = 0;
        QTest::newRow("no port") << strange;
        strange = good;
        strange.address = QHostAddress();
        QTest::newRow("no address") << strange;
        strange = good;
        strange.host = QByteArray(256, 'h');
        QTest::newRow("a host with an endless name") << strange;
        strange = good;
        strange.host.clear();
        QTest::newRow("a host without a name") << strange;
    }
    void whatCannotBeUsedIsLeftOut() {
        QFETCH(const ServiceSeen, strange);
        m_book.see(strange, 1000);
        QVERIFY(m_book.devices().empty());
        // One that becomes strange is gone.
        m_book.see(service("nano", "nano-1.local", "10.0.0.5", prefix(1)), 1000);
        QCOMPARE(m_book.devices().size(), std::size_t(1));
        m_book.see(strange, 2000);
        QVERIFY(m_book.devices().empty());
    }

    void aFloodLeavesRoomForTheHome() {
        m_book.setTrusted({{prefix(7000), QStringLiteral("kitchen")}});
        for (int i = 1; i <= 2000; ++i) {
            m_book.see(service(qPrintable(QStringLiteral("n%1").arg(i)), "x.local", "10.0.0.5", prefix(i)), i);
        }
        QCOMPARE(m_book.devices().size(), Nearby::maximumStrangers);
        QVERIFY(m_book.isCrowded());
        m_book.see(service("kitchen", "kitchen.local", "10.0.0.7", prefix(7000)), 5000);
        QCOMPARE(m_book.devices().back().name, QStringLiteral("kitchen"));
        // Who was first stays.
        QCOMPARE(m_book.devices().front().prefix, prefix(1));
        QVERIFY(!m_book.wantsToLookAgain());
        m_book.lose({2, false, "n1"});
        // Others were left out, and nobody has said that they are gone.
        QVERIFY(m_book.isCrowded());
        QVERIFY(m_book.wantsToLookAgain());
        m_book.see(service("late", "late.local", "10.0.0.8", prefix(6000)), 6000);
        QCOMPARE(m_book.devices().back().prefix, prefix(6000));
    }

    void aLookTellsWhetherSomebodyIsStillLeftOut_data() {
        QTest::addColumn<int>("there");
        QTest::addColumn<bool>("crowded");
        QTest::newRow("there is room for all who are still there")
            << static_cast<int>(Nearby::maximumStrangers) << false;
        QTest::newRow("one too many") << static_cast<int>(Nearby::maximumStrangers) + 1 << true;
    }
    void aLookTellsWhetherSomebodyIsStillLeftOut() {
        QFETCH(int, there);
        QFETCH(bool, crowded);
        const auto seeAll = [this](int first, int last) {
            for (int i = first; i <= last; ++i)
                m_book.see(service(qPrintable(QStringLiteral("n%1").arg(i)), "x.local", "10.0.0.5", prefix(i)), 1000);
        };
        seeAll(1, 1000);
        m_book.lose({2, false, "n1"});
        m_book.lookBegins();
        QVERIFY(m_book.isCrowded());  // the warning stays while it looks
        seeAll(2, there + 1);
        m_book.lookEnds();
        QCOMPARE(m_book.devices().size(), Nearby::maximumStrangers);
        QCOMPARE(m_book.isCrowded(), crowded);
    }

    void oneDeviceHasAtMostSoManyServices() {
        for (std::size_t i = 0; i < NearbyBook::maximumServices; ++i)
            m_book.see(service("nano", "nano.local", "fe80::1%eth0", prefix(1), static_cast<int>(i + 1)), 1000);
        // It would come first: an address that holds everywhere.
        const ServiceSeen more = service("nano", "nano.local", "10.0.0.5", prefix(1), 500);
        m_book.see(more, 1000);
        QVERIFY(!m_book.devices().front().addresses.contains(QStringLiteral("10.0.0.5:47600")));
        m_book.lose({1, true, "nano"});
        m_book.see(more, 1000);
        QCOMPARE(m_book.devices().front().addresses.front(), QStringLiteral("10.0.0.5:47600"));
    }

    void afterTheDaemonHasGoneNothingIsLeft() {
        m_book.see(service("nano", "nano-1.local", "10.0.0.5", prefix(1)), 1000);
        m_book.clear();
        QVERIFY(m_book.devices().empty());
    }

    void aListTravelsAsItIs() {
        m_book.see(service("nano <b>", "nano-1.local", "fe80::1%eth0", prefix(1)), 1000);
        m_book.see(service("twin", "twin.local", "10.0.0.5", prefix(1)), 1000);
        Nearby nearby{m_book.devices(), {}};
        nearby.status.state = DiscoveryState::Running;
        nearby.status.announcedAs = QStringLiteral("me #2");
        nearby.status.isRenamed = true;
        QCOMPARE(Nearby::fromCbor(QCborValue::fromCbor(nearby.toCbor().toCborValue().toCbor()).toMap()), nearby);
        QCOMPARE(nearby.devices.front().toJson()[QLatin1String("since")].toString(),
                 QStringLiteral("1970-01-01T00:00:01.000Z"));
    }

  private:
    NearbyBook m_book{ownPrefix};
};

QTEST_GUILESS_MAIN(NearbyBookTest)
#include "nearby_book_test.moc"
