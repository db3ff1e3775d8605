#include <QTest>

#include "core/wire/stranger_brake.h"

using namespace hearth;
using namespace std::chrono_literals;

namespace {

constexpr StrangerBrake::Clock::time_point start{1h};

QHostAddress host(int number) {
    return QHostAddress(quint32(0x0a000000 + number));
}

/// A crowd that sends so many connections a second, each from an address of its own, through what the rules let pass.
struct Crowd {
    StrangerBrake &brake;
    double perSecond;
    double passing = 0;  // of the next one
    int next = 1000;
    int taken = 0;

    void knock(StrangerBrake::Clock::time_point from, std::chrono::milliseconds span) {
        for (auto at = from; at < from + span; at += 1ms) {
            double share = brake.rules(at).share;
            for (passing += perSecond / 1000 * share; passing >= 1; passing -= 1) {
                taken += brake.arrived(host(next++), at).taken ? 1 : 0;
                if (const double now = brake.rules(at).share; now != share) {
                    passing *= now / share;
                    share = now;
                }
            }
        }
    }
};

}  // namespace

class TestStrangerBrake : public QObject {
    Q_OBJECT

  private Q_SLOTS:
    void aHomeThatConnectsMeetsNoBrake() {
        StrangerBrake brake;
        for (int i = 0; i < 30; ++i) {
            QVERIFY(brake.arrived(host(i), start).taken);
            QVERIFY(brake.rules(start).isOpen());
        }
    }

    void anAddressThatKnocksWithoutEndIsShutOutForAWhile() {
        StrangerBrake brake;
        for (int i = 0; i < int(StrangerBrake::strangerBurst); ++i) {
            QVERIFY(brake.arrived(host(1), start).taken);
            QVERIFY(brake.rules(start).isOpen());
        }
        QVERIFY(!brake.arrived(host(1), start).taken);
        const auto rules = brake.rules(start);
        QCOMPARE(rules.shutOut, QList<QHostAddress>{host(1)});
        QCOMPARE(rules.share, 1);  // nobody else is kept waiting
        QVERIFY(!brake.arrived(host(1), start + 9s).taken);
        QVERIFY(brake.arrived(host(2), start).taken);
        QVERIFY(brake.rules(start + StrangerBrake::shutOutFor).isOpen());
        QVERIFY(brake.arrived(host(1), start + StrangerBrake::shutOutFor).taken);
    }

    void oneMachineIsOneAddress() {
        StrangerBrake brake;
        brake.setKnown({QHostAddress(QStringLiteral("::ffff:10.0.0.1"))});
        QCOMPARE(brake.arrived(host(1), start).standing, Standing::Known);
        brake.setKnown({QHostAddress(QStringLiteral("fe80::1%eth0"))});
        QCOMPARE(brake.arrived(QHostAddress(QStringLiteral("fe80::1%wlan0")), start).standing, Standing::Known);
        QCOMPARE(brake.arrived(host(1), start).standing, Standing::Stranger);
    }

    void whatIsDialledKeepsItsScope_data() {
        QTest::addColumn<QString>("shown");
        QTest::addColumn<QString>("dialled");
        QTest::newRow("link-local") << QStringLiteral("fe80::1%eth0") << QStringLiteral("fe80::1%eth0");
        QTest::newRow("IPv4 inside") << QStringLiteral("::ffff:10.0.0.1") << QStringLiteral("10.0.0.1");
        QTest::newRow("IPv4") << QStringLiteral("10.0.0.1") << QStringLiteral("10.0.0.1");
    }
    void whatIsDialledKeepsItsScope() {
        QFETCH(QString, shown);
        QFETCH(QString, dialled);
        QCOMPARE(unmapped(QHostAddress(shown)).toString(), dialled);
    }

    void whoDialsNowAndThenIsNeverShutOut() {
        StrangerBrake brake;
        for (int i = 0; i < 1000; ++i)
            QVERIFY(brake.arrived(host(1), start + i * 300ms).taken);
    }

    void aCrowdIsTakenByLotAtItsPace_data() {
        QTest::addColumn<double>("perSecond");
        QTest::newRow("a few more than are taken") << 60.0;
        QTest::newRow("a hundred thousand in a minute") << 1667.0;
        QTest::newRow("a hundred thousand in a second") << 100000.0;
    }
    void aCrowdIsTakenByLotAtItsPace() {
        QFETCH(double, perSecond);
        StrangerBrake brake;
        Crowd crowd{brake, perSecond};
        crowd.knock(start, 2s);
        crowd.taken = 0;
        crowd.knock(start + 2s, 10s);
        const double taken = crowd.taken / 10.0;
        QVERIFY2(taken > StrangerBrake::perSecond / 2 && taken < StrangerBrake::perSecond * 1.5,
                 qPrintable(QString::number(taken)));
    }

    void aFloodIsBrakedFromItsBeginning() {
        StrangerBrake brake;
        Crowd crowd{brake, 100000};
        crowd.knock(start, 100ms);
        QVERIFY2(crowd.taken < 3 * StrangerBrake::perSecond, qPrintable(QString::number(crowd.taken)));
    }

    void afterAFloodEverybodyIsTakenAgain() {
        StrangerBrake brake;
        Crowd crowd{brake, 1667};
        crowd.knock(start, 5s);
        QVERIFY(!brake.rules(start + 5s).isOpen());
        auto now = start + 5s;
        while (!brake.rules(now).isOpen() && now < start + 20s)
            now += StrangerBrake::window;
        QVERIFY(now < start + 12s);
    }

    void knownAddressesPassWhileACrowdIsThere() {
        StrangerBrake brake;
        brake.setKnown({host(1)});
        brake.met(host(2));
        Crowd crowd{brake, 1667};
        crowd.knock(start, 2s);
        const auto rules = brake.rules(start + 2s);
        QVERIFY(rules.share < 0.1);
        QCOMPARE(rules.passed, (QList<QHostAddress>{host(2), host(1)}));
        for (int i = 0; i < 10; ++i) {
            const auto arrival = brake.arrived(host(1 + i % 2), start + 2s);
            QVERIFY(arrival.taken);
            QCOMPARE(arrival.standing, Standing::Known);
        }
    }

    void whereTheKernelDrawsNoLotsTheBrakeDoes() {
        StrangerBrake brake;
        brake.setKnown({host(1)});
        QVERIFY(brake.isDrawn(host(2), 0.999));
        Crowd crowd{brake, 1667};
        crowd.knock(start, 2s);
        const double share = brake.rules(start + 2s).share;
        QVERIFY(brake.isDrawn(host(2), share / 2));
        QVERIFY(!brake.isDrawn(host(2), share));
        QVERIFY(brake.isDrawn(host(1), 0.999));
        QVERIFY(brake.isDrawn(QHostAddress(QHostAddress::LocalHost), 0.999));
    }

    void whereADeviceWasMetIsForgottenWithTheDevice() {
        StrangerBrake brake;
        brake.met(host(1));
        QCOMPARE(brake.arrived(host(1), start).standing, Standing::Known);
        brake.setKnown({host(2)});
        QCOMPARE(brake.arrived(host(1), start).standing, Standing::Stranger);
    }

    void aFloodFromAKnownAddressIsShutOutToo() {
        StrangerBrake brake;
        brake.setKnown({host(1), host(2)});
        int taken = 0;
        for (int i = 0; i < 1000; ++i)
            taken += brake.arrived(host(1), start + i * 1ms).taken ? 1 : 0;
        QVERIFY(taken <= int(StrangerBrake::knownBurst) + 2);
        const auto rules = brake.rules(start + 1s);
        QCOMPARE(rules.shutOut, QList<QHostAddress>{host(1)});
        QCOMPARE(rules.passed, QList<QHostAddress>{host(2)});
        QVERIFY(brake.arrived(host(2), start + 1s).taken);
    }

    void knownAddressesDoNotBrakeStrangers() {
        StrangerBrake brake;
        QList<QHostAddress> known;
        for (int i = 0; i < 200; ++i)
            known << host(i);
        brake.setKnown(known);
        for (int i = 0; i < 200; ++i)
            QVERIFY(brake.arrived(host(i), start).taken);
        QVERIFY(brake.rules(start).isOpen());
    }

    void thisMachineIsNeverBraked() {
        StrangerBrake brake;
        for (int i = 0; i < 1000; ++i) {
            const auto arrival = brake.arrived(QHostAddress(quint32(0x7f000001 + i % 5)), start);
            QVERIFY(arrival.taken);
            QCOMPARE(arrival.standing, Standing::Local);
        }
        QVERIFY(brake.rules(start).isOpen());
    }

    void whatIsRememberedIsBounded() {
        StrangerBrake brake;
        for (int i = 0; i < 2000; ++i) {
            for (int k = 0; k <= int(StrangerBrake::strangerBurst); ++k)
                brake.arrived(host(i), start);
            brake.met(host(i + 100000));
        }
        const auto rules = brake.rules(start);
        QCOMPARE(rules.shutOut.size(), StrangerBrake::maximumShutOut);
        QCOMPARE(rules.passed.size(), StrangerBrake::maximumPassed);
    }
};

QTEST_GUILESS_MAIN(TestStrangerBrake)
#include "test_stranger_brake.moc"
