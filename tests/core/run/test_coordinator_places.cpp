#include <QTest>
#include <algorithm>

#include "core/run/run_state_file.h"
#include "recovery_checks.h"

using namespace hearth;
using namespace hearth::fake;

/// Each device is where others see it, which is not one place for all, nor for ever.
class TestCoordinatorPlaces : public QObject {
    Q_OBJECT
  private Q_SLOTS:
    void eachFindsTheOthersWhereItsOwnDeviceSeesThem();
    void whatIsDialledOverLoopbackIsElsewhereForOthers_data();
    void whatIsDialledOverLoopbackIsElsewhereForOthers();
    void aDeviceThatGetsAnotherAddressJoinsAgain();
    void aPlanIsLookedForOnceABrokenLinkMayWork();

  private:
    /// Where a worker was told to find another.
    static QString placeOf(const Home &home, int from, int to);
};

QString TestCoordinatorPlaces::placeOf(const Home &home, int from, int to) {
    if (!home.worker(from)->deployment)  // started anew, on a busy computer
        return QStringLiteral("no deployment");
    const auto &peers = home.worker(from)->deployment->peers;
    const auto peer = std::ranges::find(peers, key(2, static_cast<quint8>(to)).toHex(), &Deployment::Peer::device);
    return peer == peers.end() ? QStringLiteral("no peer") : peer->address;
}

/// Two networks: the first device reaches the second one on another address than the third does.
void TestCoordinatorPlaces::eachFindsTheOthersWhereItsOwnDeviceSeesThem() {
    Home home(3);
    home.addresses = {{1, QStringLiteral("172.17.0.1")}, {2, QStringLiteral("10.1.0.2")}};
    home.seen = {{{2, 1}, QStringLiteral("10.1.0.1")},
                 {{3, 1}, QStringLiteral("10.2.0.1")},
                 {{3, 2}, QStringLiteral("fe80::2%wlan0")}};
    home.start();
    QVERIFY(reaches(home, RunState::Finished));
    const auto place = [&](int from, int to) {
        const QString probed = home.probed.at({from, key(2, static_cast<quint8>(to)).toHex()});
        return placeOf(home, from, to) == probed ? probed : QStringLiteral("two different ones");
    };
    QCOMPARE(place(1, 2), QStringLiteral("10.1.0.2"));
    QCOMPARE(place(2, 1), QStringLiteral("10.1.0.1"));
    QCOMPARE(place(2, 3), QStringLiteral("127.0.0.1"));
    QCOMPARE(place(3, 1), QStringLiteral("10.2.0.1"));
    QCOMPARE(place(3, 2), QStringLiteral("fe80::2%wlan0"));
    // A coordinator that takes the run up knows it, too.
    const auto state = RunStateFile::load(home.directory->file(RunStateFile::name()));
    QVERIFY(state);
    for (const RunStateFile::Worker &worker : state->workers) {
        if (worker.device == Home::id(2))
            QCOMPARE(worker.address.sees, (QMap<QString, QString>{{Home::id(1), QStringLiteral("10.1.0.1")}}));
    }
}

void TestCoordinatorPlaces::whatIsDialledOverLoopbackIsElsewhereForOthers_data() {
    QTest::addColumn<QString>("place");
    QTest::newRow("where the network has it") << QStringLiteral("192.168.1.5");
    QTest::newRow("and nowhere without a network") << QString();
}

/// The coordinator's own device, whose address in the network comes and goes.
void TestCoordinatorPlaces::whatIsDialledOverLoopbackIsElsewhereForOthers() {
    QFETCH(QString, place);
    Home home(2);
    home.request.plan = home.plan();
    home.addresses = {{1, QStringLiteral("127.0.0.1")}, {2, QStringLiteral("192.168.1.6")}};
    home.forOthers[1] = place;
    home.start();
    QVERIFY(reaches(home, RunState::Finished));
    QCOMPARE(home.dialled[1], QStringLiteral("127.0.0.1"));
    QCOMPARE(home.dialled[2], QStringLiteral("192.168.1.6"));
    QCOMPARE(placeOf(home, 1, 1), place);
    QCOMPARE(placeOf(home, 2, 1), place);
    QCOMPARE(home.probed.at({2, key(2, 1).toHex()}), place);
    // A coordinator that takes the run up knows both.
    const auto state = RunStateFile::load(home.directory->file(RunStateFile::name()));
    QVERIFY(state);
    QCOMPARE(state->workers.front().address.address, QStringLiteral("127.0.0.1"));
    QCOMPARE(state->workers.front().address.forOthers, std::optional(place));
    QVERIFY(!state->workers.back().address.forOthers);
}

void TestCoordinatorPlaces::aDeviceThatGetsAnotherAddressJoinsAgain() {
    Home home(3);
    const QString before = QStringLiteral("10.0.0.2"), moved = QStringLiteral("10.0.0.20");
    home.request.devices[1].address = before + QStringLiteral(":47600");
    home.addresses[2] = before;
    home.seen[{3, 2}] = before;
    home.request.plan = home.plan();
    makeEndless(home);
    QVERIFY(trains(home, 3));
    QCOMPARE(placeOf(home, 3, 2), before);
    home.cutOff({2});
    QVERIFY(comes([&] { return count(home, "recovered") == 1; }));
    home.request.devices[1].address = moved + QStringLiteral(":47600");
    home.addresses[2] = moved;
    home.becomes(2, DeviceState::Ready);
    // Where the worker was nobody answers: it is started anew, for its connections to others led there.
    QVERIFY(comes([&] { return home.agent.started.count(Home::id(2)) == 2; }));
    home.unreached.clear();
    QVERIFY(comes([&] { return count(home, "joined") == 1; }));
    QCOMPARE(home.dialled[2], moved);
    // The plan of all three was given: it comes back.
    QVERIFY(comes([&] { return placeOf(home, 3, 2) == moved; }));
    home.command("stop");
    QVERIFY(reaches(home, RunState::Stopped));
}

void TestCoordinatorPlaces::aPlanIsLookedForOnceABrokenLinkMayWork() {
    Home home(3);
    home.request.plan = home.plan();
    makeEndless(home);
    home.unreachable = {1, 2};
    QVERIFY(trains(home, 3));
    const auto plans = count(home, "plan");
    home.unreachable = {0, 0};
    Q_EMIT home.agent.placesSeen(Home::id(1), {{Home::id(2), QStringLiteral("10.1.0.2")}});
    QVERIFY(comes([&] { return count(home, "plan") > plans; }));
    const auto plan = lastEvent<event::Plan>(home, "plan");
    QCOMPARE(plan.reason, QStringLiteral("full"));
    QVERIFY2(plan.why.contains(QLatin1String("the given plan")), qPrintable(plan.why));
    home.command("stop");
    QVERIFY(reaches(home, RunState::Stopped));
}

QTEST_GUILESS_MAIN(TestCoordinatorPlaces)
#include "test_coordinator_places.moc"
