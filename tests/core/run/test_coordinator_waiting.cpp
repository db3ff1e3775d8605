#include <QJsonArray>
#include <QJsonDocument>
#include <QTest>
#include <algorithm>
#include <utility>

#include "core/run/plan_refusal.h"
#include "recovery_checks.h"

using namespace hearth;
using namespace hearth::fake;

/// A run that is started while its devices rest begins by itself, and hears what it is told until then.
class TestCoordinatorWaiting : public QObject {
    Q_OBJECT
  private Q_SLOTS:
    void aRunBeginsWhenADeviceTakesWork();
    void whoRestedAtTheBeginningJoinsUnderTheNextCoordinator_data();
    void whoRestedAtTheBeginningJoinsUnderTheNextCoordinator();
    void aRunOnItsPlanBeginsWhenAllOfItTakeWork();
    void aNewDeviceLetsARunBegin();
    void aRunThatWaitsToBeginIsStopped();
    void aDeviceThatRestsAgainBeforeThePlanIsWaitedForAgain_data();
    void aDeviceThatRestsAgainBeforeThePlanIsWaitedForAgain();
    void aDeviceWhoseAgentSaysThatItRestsIsWaitedFor();
    void aPlanIsRefusedWhileARunWaitsToBegin();
    void aPausedRunDoesNotBegin_data();
    void aPausedRunDoesNotBegin();
    void aDeviceThatWasTakenOutIsNotWaitedFor_data();
    void aDeviceThatWasTakenOutIsNotWaitedFor();
    void aDeviceThatIsTakenOutWhileWorkersConnectIsNotPlannedWith();
    void aRunThatCannotBeginWithoutADeviceEndsWithIt_data();
    void aRunThatCannotBeginWithoutADeviceEndsWithIt();
    void aRunThatLostItsLastDeviceWhileWorkersConnectedDoesNotWait();
    void whatIsToldBeforeTheFirstEventIsHeardAfterIt();
    void aResumedRunThatIsPausedAtOnceDoesNotBegin();
    void weightsThatNobodyCanSaveAreTold();
    void aRunWhoseDevicesWereAllTakenOutSaysWhatItWaitsFor_data();
    void aRunWhoseDevicesWereAllTakenOutSaysWhatItWaitsFor();

  private:
    static QCborMap order(const char *word) { return {{QStringLiteral("command"), QLatin1String(word)}}; }
    static void takeOut(Home &home, int number, bool ofTheHome) {
        if (ofTheHome)
            Q_EMIT home.agent.deviceRemoved(Home::id(number));
        else
            home.coordinator->command(
                {{QStringLiteral("command"), QStringLiteral("leave")}, {QStringLiteral("device"), Home::id(number)}});
    }
    static bool planUses(const Home &home, int number) {
        const auto stages = lastEvent<event::Plan>(home, "plan").plan[QStringLiteral("stages")].toArray();
        return QJsonDocument(stages).toJson().contains(Home::id(number).toLatin1());
    }
    /// No worker was asked for.
    static bool waitsToBegin(Home &home) {
        for (DeviceInfo &device : home.request.devices)
            device.state = DeviceState::Resting;
        home.start(quick());
        return comes([&] { return home.lastState() == QLatin1String("waiting"); }) && home.agent.started.isEmpty();
    }
    /// So often the run came to wait.
    static std::size_t waits(const Home &home) {
        const auto states = home.events(QStringLiteral("state"));
        return static_cast<std::size_t>(std::ranges::count_if(states, [](const RunEvent &event) {
            return std::get<event::State>(event.body).state == QLatin1String("waiting");
        }));
    }
};

void TestCoordinatorWaiting::aRunBeginsWhenADeviceTakesWork() {
    Home home(2);
    makeEndless(home);
    QVERIFY(waitsToBegin(home));
    QCOMPARE(eventOf<event::Warning>(home, "warning").what, QStringLiteral("All devices of the run rest."));
    home.becomes(1, DeviceState::Ready);
    QVERIFY(comes([&] { return count(home, "round") >= 3; }));
    QVERIFY(!home.agent.started.contains(Home::id(2)));
    // The other one joins when its time has come.
    home.becomes(2, DeviceState::Ready);
    QVERIFY(comes([&] { return count(home, "joined") == 1; }));
    QCOMPARE(count(home, "lost"), std::size_t(0));
    home.command("stop");
    QVERIFY(reaches(home, RunState::Stopped));
}

void TestCoordinatorWaiting::whoRestedAtTheBeginningJoinsUnderTheNextCoordinator_data() {
    QTest::addColumn<DeviceState>("state");
    QTest::newRow("it rests still") << DeviceState::Resting;
    QTest::newRow("it took work while there was no coordinator") << DeviceState::Ready;
}

void TestCoordinatorWaiting::whoRestedAtTheBeginningJoinsUnderTheNextCoordinator() {
    QFETCH(DeviceState, state);
    Home home(2);
    makeEndless(home);
    QVERIFY(waitsToBegin(home));
    home.becomes(1, DeviceState::Ready);
    QVERIFY(comes([&] { return count(home, "round") >= 3; }));
    home.request.again = true;
    home.request.devices[0].state = DeviceState::Ready;
    home.request.devices[1].state = state;
    startAgain(home);
    QVERIFY(comes([&] { return count(home, "recovered") == 1; }));
    home.becomes(2, DeviceState::Ready);
    QVERIFY(comes([&] { return count(home, "joined") == 1; }));
    QCOMPARE(eventOf<event::Joined>(home, "joined").id, Home::id(2));
    QCOMPARE(count(home, "lost"), std::size_t(0));
    home.command("stop");
    QVERIFY(reaches(home, RunState::Stopped));
}

void TestCoordinatorWaiting::aRunOnItsPlanBeginsWhenAllOfItTakeWork() {
    Home home(2);
    home.request.plan = home.plan();
    makeEndless(home);
    QVERIFY(waitsToBegin(home));
    QCOMPARE(eventOf<event::Warning>(home, "warning").what, QStringLiteral("Devices that the run's plan needs rest."));
    home.becomes(1, DeviceState::Ready);
    QCOMPARE(home.coordinator->state(), RunState::Waiting);
    home.becomes(2, DeviceState::Ready);
    QVERIFY(comes([&] { return count(home, "round") >= 3; }));
    QVERIFY(planUses(home, 2));
    home.command("stop");
    QVERIFY(reaches(home, RunState::Stopped));
}

void TestCoordinatorWaiting::aNewDeviceLetsARunBegin() {
    Home home(1);
    makeEndless(home);
    QVERIFY(waitsToBegin(home));
    home.becomes(2, DeviceState::Ready);
    QVERIFY(comes([&] { return count(home, "round") >= 3; }));
    QVERIFY(planUses(home, 2));
    home.command("stop");
    QVERIFY(reaches(home, RunState::Stopped));
}

void TestCoordinatorWaiting::aRunThatWaitsToBeginIsStopped() {
    Home home(1);
    makeEndless(home);
    QVERIFY(waitsToBegin(home));
    home.becomes(1, DeviceState::Ready);
    home.command("stop");
    QVERIFY(reaches(home, RunState::Stopped));
    QVERIFY(home.agent.started.isEmpty());
    QVERIFY(home.workers.empty());
}

void TestCoordinatorWaiting::aDeviceThatRestsAgainBeforeThePlanIsWaitedForAgain_data() {
    QTest::addColumn<RunState>("state");
    QTest::newRow("while its worker is asked for") << RunState::Connecting;
    QTest::newRow("while it is measured") << RunState::Profiling;
    QTest::newRow("while the first plan is made") << RunState::Planning;
}

void TestCoordinatorWaiting::aDeviceThatRestsAgainBeforeThePlanIsWaitedForAgain() {
    QFETCH(RunState, state);
    Home home(1);
    makeEndless(home);
    QVERIFY(waitsToBegin(home));
    whenFirst(home, state, [&] { home.becomes(1, DeviceState::Resting); });
    home.becomes(1, DeviceState::Ready);
    QVERIFY(comes([&] { return waits(home) == 2; }));
    QVERIFY(home.agent.stopped.contains(Home::id(1)));
    QCOMPARE(lastEvent<event::Warning>(home, "warning").what, QStringLiteral("All devices of the run rest."));
    home.becomes(1, DeviceState::Ready);
    QVERIFY(comes([&] { return count(home, "round") >= 3; }));
    QCOMPARE(count(home, "error"), std::size_t(0));
    home.command("stop");
    QVERIFY(reaches(home, RunState::Stopped));
}

/// Which may be heard before its new state is.
void TestCoordinatorWaiting::aDeviceWhoseAgentSaysThatItRestsIsWaitedFor() {
    Home home(1);
    makeEndless(home);
    QVERIFY(waitsToBegin(home));
    home.unreached[1] = QStringLiteral("device.resting");
    home.becomes(1, DeviceState::Ready);
    QVERIFY(comes([&] { return waits(home) >= 2; }));
    home.becomes(1, DeviceState::Resting);
    home.unreached.clear();
    home.becomes(1, DeviceState::Ready);
    QVERIFY(comes([&] { return count(home, "round") >= 3; }));
    QCOMPARE(count(home, "error"), std::size_t(0));
    home.command("stop");
    QVERIFY(reaches(home, RunState::Stopped));
}

void TestCoordinatorWaiting::aPlanIsRefusedWhileARunWaitsToBegin() {
    Home home(2);
    makeEndless(home);
    QVERIFY(waitsToBegin(home));
    home.coordinator->command({{QStringLiteral("command"), QStringLiteral("plan")},
                               {QStringLiteral("plan"), QCborMap::fromJsonObject(home.plan())}});
    const auto told = lastEvent<event::Warning>(home, "warning");
    QCOMPARE(told.what, QStringLiteral("The plan was not taken."));
    QVERIFY(isPlanRefused(told));
    QVERIFY(told.advice.startsWith(QLatin1String("The run begins without it.")));
    home.becomes(1, DeviceState::Ready);
    QVERIFY(comes([&] { return count(home, "round") >= 3; }));
    home.command("stop");
    QVERIFY(reaches(home, RunState::Stopped));
}

void TestCoordinatorWaiting::aPausedRunDoesNotBegin_data() {
    QTest::addColumn<bool>("again");
    QTest::newRow("under the coordinator that was told") << false;
    QTest::newRow("under the next one") << true;
}

void TestCoordinatorWaiting::aPausedRunDoesNotBegin() {
    QFETCH(bool, again);
    Home home(1);
    makeEndless(home);
    QVERIFY(waitsToBegin(home));
    home.command("pause");
    QCOMPARE(home.lastState(), QStringLiteral("paused"));
    if (again) {
        home.request.again = true;
        home.request.devices[0].state = DeviceState::Ready;
        startAgain(home);
        QVERIFY(reaches(home, RunState::Waiting));
        QCOMPARE(home.lastState(), QStringLiteral("paused"));
    }
    home.becomes(1, DeviceState::Ready);
    // Several times as long as devices are gathered.
    QVERIFY(!QTest::qWaitFor([&] { return !home.agent.started.isEmpty(); }, 200));
    home.command("resume");
    QCOMPARE(home.lastState(), QStringLiteral("waiting"));
    QVERIFY(comes([&] { return count(home, "round") >= 3; }));
    home.command("stop");
    QVERIFY(reaches(home, RunState::Stopped));
}

void TestCoordinatorWaiting::aDeviceThatWasTakenOutIsNotWaitedFor_data() {
    QTest::addColumn<bool>("ofTheHome");
    QTest::newRow("of the run") << false;
    QTest::newRow("of the home") << true;
}

void TestCoordinatorWaiting::aDeviceThatWasTakenOutIsNotWaitedFor() {
    QFETCH(bool, ofTheHome);
    Home home(2);
    makeEndless(home);
    QVERIFY(waitsToBegin(home));
    takeOut(home, 2, ofTheHome);
    QCOMPARE(eventOf<event::Left>(home, "left").id, Home::id(2));
    home.becomes(2, DeviceState::Ready);
    home.becomes(1, DeviceState::Ready);
    QVERIFY(comes([&] { return count(home, "round") >= 3; }));
    QVERIFY(!home.agent.started.contains(Home::id(2)));
    home.command("stop");
    QVERIFY(reaches(home, RunState::Stopped));
}

void TestCoordinatorWaiting::aDeviceThatIsTakenOutWhileWorkersConnectIsNotPlannedWith() {
    Home home(2);
    makeEndless(home);
    home.start(quick());
    QVERIFY(comes([&] { return !home.agent.started.isEmpty(); }));
    takeOut(home, 2, false);
    QVERIFY(comes([&] { return count(home, "round") >= 3; }));
    QVERIFY(!planUses(home, 2));
    home.command("stop");
    QVERIFY(reaches(home, RunState::Stopped));
}

void TestCoordinatorWaiting::aRunThatCannotBeginWithoutADeviceEndsWithIt_data() {
    QTest::addColumn<int>("devices");
    QTest::addColumn<bool>("ofTheHome");
    QTest::addColumn<QString>("code");
    const QString left = QStringLiteral("run.device-left"), removed = QStringLiteral("run.device-removed");
    QTest::newRow("the last one is taken out of the run") << 1 << false << left;
    QTest::newRow("the last one is taken out of the home") << 1 << true << removed;
    QTest::newRow("one of its plan is taken out of the run") << 2 << false << left;
    QTest::newRow("one of its plan is taken out of the home") << 2 << true << removed;
}

void TestCoordinatorWaiting::aRunThatCannotBeginWithoutADeviceEndsWithIt() {
    QFETCH(int, devices);
    QFETCH(bool, ofTheHome);
    Home home(devices);
    if (devices > 1)
        home.request.plan = home.plan();
    makeEndless(home);
    QVERIFY(waitsToBegin(home));
    takeOut(home, 1, ofTheHome);
    QVERIFY(reaches(home, RunState::Failed));
    QTEST(home.lastError().code, "code");
    QVERIFY(home.agent.started.isEmpty());
}

/// It rests, too, and nobody is left whose rest could end.
void TestCoordinatorWaiting::aRunThatLostItsLastDeviceWhileWorkersConnectedDoesNotWait() {
    Home home(1);
    makeEndless(home);
    QVERIFY(waitsToBegin(home));
    home.unreached[1] = QStringLiteral("device.resting");
    bool isTold = false;
    connect(home.coordinator.get(), &Coordinator::stateChanged, home.coordinator.get(), [&](RunState now) {
        if (now == RunState::Connecting && !std::exchange(isTold, true))
            takeOut(home, 1, false);
    });
    home.becomes(1, DeviceState::Ready);
    QVERIFY(reaches(home, RunState::Failed));
    QCOMPARE(home.lastError().code, QStringLiteral("run.device-left"));
}

void TestCoordinatorWaiting::whatIsToldBeforeTheFirstEventIsHeardAfterIt() {
    Home home(2);
    makeEndless(home);
    home.start(quick());
    QCborMap plan = order("plan");
    plan[QStringLiteral("plan")] = QCborMap::fromJsonObject(home.plan());
    Q_EMIT home.agent.command(plan);
    home.becomes(3, DeviceState::Ready);
    QVERIFY(home.events().empty());
    QVERIFY(comes([&] { return count(home, "warning") >= 1; }));
    QVERIFY(std::holds_alternative<event::Run>(home.events().front().body));
    QCOMPARE(eventOf<event::Warning>(home, "warning").what, QStringLiteral("The plan was not taken."));
    QVERIFY(comes([&] { return count(home, "joined") == 1; }));
    home.command("stop");
    QVERIFY(reaches(home, RunState::Stopped));
}

void TestCoordinatorWaiting::aResumedRunThatIsPausedAtOnceDoesNotBegin() {
    Home home(2);
    home.request.plan = home.plan();
    makeEndless(home);
    QVERIFY(trains(home, 3));
    home.command("stop");
    QVERIFY(reaches(home, RunState::Stopped));
    home.request.resume = true;
    home.agent.started.clear();
    startAgain(home);
    Q_EMIT home.agent.command(order("pause"));
    QVERIFY(reaches(home, RunState::Waiting));
    QCOMPARE(home.lastState(), QStringLiteral("paused"));
    QVERIFY(home.agent.started.isEmpty());
    const qint64 before = home.reported;
    home.command("resume");
    QVERIFY(comes([&] { return home.reported > before; }));
    home.command("stop");
    QVERIFY(reaches(home, RunState::Stopped));
}

void TestCoordinatorWaiting::weightsThatNobodyCanSaveAreTold() {
    Home home(1);
    makeEndless(home);
    QVERIFY(waitsToBegin(home));
    home.command("save");
    home.command("stop");
    QVERIFY(reaches(home, RunState::Stopped));
    QCOMPARE(lastEvent<event::Warning>(home, "warning").what, QStringLiteral("The weights were not saved."));
}

void TestCoordinatorWaiting::aRunWhoseDevicesWereAllTakenOutSaysWhatItWaitsFor_data() {
    QTest::addColumn<bool>("ofTheHome");
    QTest::newRow("of the run") << false;
    QTest::newRow("of the home") << true;
}

void TestCoordinatorWaiting::aRunWhoseDevicesWereAllTakenOutSaysWhatItWaitsFor() {
    QFETCH(bool, ofTheHome);
    Home home(1);
    makeEndlessOnItsPlan(home);
    QVERIFY(trains(home, 3));
    home.worker(1)->die();
    QVERIFY(comes([&] { return count(home, "warning") >= 1; }));
    takeOut(home, 1, ofTheHome);
    QCOMPARE(lastEvent<event::Warning>(home, "warning").cause,
             QStringLiteral("All of them were taken out of the run."));
    home.command("stop");
    QVERIFY(reaches(home, RunState::Stopped));
}

QTEST_GUILESS_MAIN(TestCoordinatorWaiting)
#include "test_coordinator_waiting.moc"
