#include <QFile>
#include <QJsonArray>
#include <QJsonDocument>
#include <QTest>
#include <QTimer>

#include "core/base/block_codecs.h"
#include "recovery_checks.h"

using namespace hearth;
using namespace hearth::fake;

/// What comes when nobody expects it: wishes and losses in the middle of a start, a change or a wait.
class TestCoordinatorOrders : public QObject {
    Q_OBJECT
  private Q_SLOTS:
    void aDeviceLeavesInTheMiddle_data();
    void aDeviceLeavesInTheMiddle();
    void aDeviceLeavesAfterTheEnd();
    void aRemovedDeviceIsOutForGood();
    void aDeviceThatWasNeverAskedEndsNoStart();
    void theLastDeviceLeavesAndComesBack();
    void aStopTellsWhichStatesCount_data();
    void aStopTellsWhichStatesCount();
    void aLossWhileANewDeviceIsMeasured();
    void aWishWithoutConnectionEndsNothing();
    void manyLossesAtOnce();
    void aStopWhileStatesAreAwaited();
    void aSlowRoundAfterManyIsNoLoss();
    void aLossWhileAPersonsSaveIsCollected();
    void aLossWhileACheckpointIsCollected();
    void aDeviceComesBackWhileTheOthersAreMeasured();
    void aDeviceThatAppearsBeforeThePlanJoins_data();
    void aDeviceThatAppearsBeforeThePlanJoins();
    void aLossWhileTheFirstPlanIsMade();
    void aRecoveryIsToldBeforeAPause();
    void aPlanThatNobodyOfferedIsNotAccepted();
    void aDeviceThatWasSentAwayBeforeItCameStaysOut();
};

void TestCoordinatorOrders::aDeviceLeavesInTheMiddle_data() {
    QTest::addColumn<RunState>("state");
    QTest::addColumn<bool>("given");
    QTest::newRow("while it is measured") << RunState::Profiling << false;
    QTest::newRow("while the first plan is made") << RunState::Planning << false;
    QTest::newRow("while the first plan is deployed") << RunState::Deploying << true;
    QTest::newRow("while a loss is made good") << RunState::Recovering << true;
    QTest::newRow("in an evaluation") << RunState::Evaluating << true;
    QTest::newRow("in a change of the plan") << RunState::Switching << true;
}

void TestCoordinatorOrders::aDeviceLeavesInTheMiddle() {
    QFETCH(RunState, state);
    QFETCH(bool, given);
    Home home(4);
    home.request.job.rounds = 8;
    home.request.safety.keepsPlan = true;
    home.returns = false;
    if (given) {
        Home three(3);
        home.request.plan = three.plan();
    }
    home.start(quick());
    if (state == RunState::Recovering)
        home.diesInRound = 3;
    if (state == RunState::Switching)
        whenFirst(home, RunState::Training, [&] { home.becomes(2, DeviceState::Leaving); });
    whenFirst(home, state, [&] { home.becomes(3, DeviceState::Leaving); });
    QVERIFY(reaches(home, RunState::Finished));
    QVERIFY(home.agent.stopped.contains(Home::id(3)));
    verifyRounds(home);
    if (given)
        QVERIFY(count(home, "left") >= 1);
    const auto plan = lastEvent<event::Plan>(home, "plan").plan;
    QVERIFY(!QJsonDocument(plan[QStringLiteral("stages")].toArray()).toJson().contains(Home::id(3).toLatin1()));
}

void TestCoordinatorOrders::aDeviceLeavesAfterTheEnd() {
    Home home(2);
    home.request.plan = home.plan();
    home.start(quick());
    QVERIFY(reaches(home, RunState::Finished));
    const auto before = home.events().size();
    home.becomes(2, DeviceState::Leaving);
    QCOMPARE(home.events().size(), before);
}

void TestCoordinatorOrders::aRemovedDeviceIsOutForGood() {
    Home home(3);
    makeEndless(home);
    QVERIFY(trains(home, 2));
    QVERIFY(home.returns);  // one that is only lost would be back
    Q_EMIT home.agent.deviceRemoved(Home::id(2));
    QVERIFY(comes([&] { return count(home, "lost") == 1; }));
    QVERIFY(home.agent.stopped.contains(Home::id(2)));
    const QString removed = key(2, 2).toHex();
    for (const int other : {1, 3})
        QVERIFY(comes([&] { return !home.worker(other)->expected.contains(removed); }));
    const auto rounds = count(home, "round");
    QVERIFY(comes([&] { return count(home, "round") > rounds + 5; }));
    QCOMPARE(count(home, "joined"), std::size_t(0));
    const auto plan = lastEvent<event::Plan>(home, "plan").plan;
    QVERIFY(!QJsonDocument(plan[QStringLiteral("stages")].toArray()).toJson().contains(Home::id(2).toLatin1()));
    home.command("stop");
    QVERIFY(reaches(home, RunState::Stopped));
}

/// The agent tells every run of every device.
void TestCoordinatorOrders::aDeviceThatWasNeverAskedEndsNoStart() {
    Home home(3);
    home.request.plan = Home(2).plan();
    home.silent[1] = QStringLiteral("hello");
    home.start(quick());
    QVERIFY(comes([&] { return home.worker(1) && home.worker(1)->deploying; }));
    QCOMPARE(home.coordinator->state(), RunState::Connecting);
    const Error gone{QStringLiteral("device.lost"), QStringLiteral("The device can no longer be reached."), {}, {}};
    for (const int other : {3, 7}) {
        Q_EMIT home.agent.workerExited(Home::id(other), gone);
        Q_EMIT home.agent.deviceRemoved(Home::id(other));
    }
    QCOMPARE(home.coordinator->state(), RunState::Connecting);
    QCOMPARE(count(home, "lost"), std::size_t(0));
    home.command("stop");
    QVERIFY(reaches(home, RunState::Stopped));
}

void TestCoordinatorOrders::theLastDeviceLeavesAndComesBack() {
    Home home(1);
    makeEndless(home);
    QVERIFY(trains(home, 2));
    home.becomes(1, DeviceState::Leaving);
    QVERIFY(comes([&] { return count(home, "warning") == 1; }));
    home.worker(1)->die();
    home.becomes(1, DeviceState::Lost);
    home.becomes(1, DeviceState::Ready);
    QVERIFY(comes([&] { return count(home, "joined") == 1; }));
    const auto rounds = count(home, "round");
    QVERIFY(comes([&] { return count(home, "round") > rounds; }));
    home.command("stop");
    QVERIFY(reaches(home, RunState::Stopped));
}

void TestCoordinatorOrders::aStopTellsWhichStatesCount_data() {
    QTest::addColumn<QString>("job");
    QTest::addColumn<bool>("depend");
    // Who was away forgets those of another course.
    QTest::newRow("asynchronous training: weights depend on plans") << "asynchronous" << true;
    QTest::newRow("codecs between stages: weights depend on plans") << "codec" << true;
    QTest::newRow("rounded gradients: weights depend on plans") << "gradient codec" << true;
    QTest::newRow("bfloat16: weights depend on plans") << "bfloat16" << true;
    QTest::newRow("weights that do not: all count") << "exact" << false;
}

/// What the last checkpoint is made of, too.
void TestCoordinatorOrders::aStopTellsWhichStatesCount() {
    QFETCH(QString, job);
    QFETCH(bool, depend);
    Home home(3);
    home.request.plan = home.plan();
    makeEndlessOnItsPlan(home);
    if (job == QLatin1String("asynchronous"))
        home.request.job.asynchronous.emplace();
    else if (job == QLatin1String("codec"))
        home.request.job.codec = CodecChoice::Auto;
    else if (job == QLatin1String("gradient codec"))
        home.request.job.gradientCodec = &bfp8Codec;
    else if (job == QLatin1String("bfloat16"))
        home.request.job.precision = Precision::Bfloat16;
    QVERIFY(trains(home, 4));
    home.command("stop");
    QVERIFY(reaches(home, RunState::Stopped));
    const QCborArray known = depend ? QCborArray{QCborArray{1, 0}} : QCborArray();
    for (const int number : {1, 2, 3})
        QCOMPARE(home.worker(number)->origins, known);
}

void TestCoordinatorOrders::aLossWhileANewDeviceIsMeasured() {
    Home home(2);
    makeEndless(home);
    home.returns = false;
    QVERIFY(trains(home, 2));
    home.silent[2] = QStringLiteral("link.probe");
    home.becomes(3, DeviceState::Ready);
    QVERIFY(comes([&] { return home.worker(2)->deploying.has_value(); }));
    home.silent.clear();
    home.worker(2)->die();
    QVERIFY(comes([&] {
        const auto plan = lastEvent<event::Plan>(home, "plan").plan;
        return QJsonDocument(plan).toJson().contains(Home::id(3).toLatin1());
    }));
    home.command("stop");
    QVERIFY(reaches(home, RunState::Stopped));
}

void TestCoordinatorOrders::aWishWithoutConnectionEndsNothing() {
    Home home(3);
    makeEndlessOnItsPlan(home);
    QVERIFY(trains(home, 2));
    home.unreachable = {1, 2};
    home.coordinator->command({{QStringLiteral("command"), QStringLiteral("plan")},
                               {QStringLiteral("plan"), QCborMap::fromJsonObject(home.plan())}});
    QVERIFY(comes([&] { return count(home, "warning") >= 1 && count(home, "plan") >= 2; }));
    const auto rounds = count(home, "round");
    QVERIFY(comes([&] { return count(home, "error") > 0 || count(home, "round") > rounds + 3; }));
    QCOMPARE(count(home, "error"), std::size_t(0));
    QCOMPARE(lastEvent<event::Plan>(home, "plan").reason, QStringLiteral("replay"));
    home.command("stop");
    QVERIFY(reaches(home, RunState::Stopped));
}

void TestCoordinatorOrders::manyLossesAtOnce() {
    constexpr int devices = 12;
    Home home(devices);
    makeEndlessOnItsPlan(home);
    QVERIFY(trains(home, 2));
    for (int number = 2; number <= devices; ++number)
        home.worker(number)->die();
    QVERIFY(comes([&] { return count(home, "error") > 0 || count(home, "recovered") > 0; }));
    QCOMPARE(count(home, "error"), std::size_t(0));
    QCOMPARE(count(home, "lost"), std::size_t(devices - 1));
    home.command("stop");
    QVERIFY(reaches(home, RunState::Stopped));
}

void TestCoordinatorOrders::aStopWhileStatesAreAwaited() {
    Home home(3);
    home.request.plan = home.plan();
    makeEndlessOnItsPlan(home);
    home.roundPause = std::chrono::milliseconds(400);  // so long for each round it waits, too
    home.start(quick());
    QVERIFY(comes([&] { return count(home, "round") >= 12; }));
    home.cutOff({2, 3});
    QVERIFY(comes([&] { return count(home, "warning") >= 1; }));
    home.command("stop");
    QCOMPARE(home.coordinator->state(), RunState::Stopped);
}

void TestCoordinatorOrders::aSlowRoundAfterManyIsNoLoss() {
    using namespace std::chrono_literals;
    Home home(2);
    home.request.plan = home.plan();
    home.request.job.evaluateEvery = 0;
    home.request.job.rounds = 23;
    home.roundPause = 100ms;
    RunDeadlines deadlines = quick();
    deadlines.roundQuiet = 30s;  // a question comes after 3 s
    home.start(deadlines);
    QVERIFY(comes([&] { return home.reported >= 20; }));
    home.roundPause = 3300ms;
    QVERIFY(comes([&] { return home.reported >= 22; }));
    home.roundPause = 0ms;
    QVERIFY(reaches(home, RunState::Finished));
    QCOMPARE(count(home, "lost"), std::size_t(0));
    verifyRounds(home);
}

void TestCoordinatorOrders::aLossWhileAPersonsSaveIsCollected() {
    Home home(3);
    home.request.plan = home.plan();
    makeEndlessOnItsPlan(home);
    home.request.safety.checkpointSeconds = 0;
    QVERIFY(trains(home, 4));
    home.dies[2] = QStringLiteral("weights.get");
    const QString file = home.folder.filePath(QStringLiteral("mine.safetensors"));
    home.coordinator->command({{QStringLiteral("command"), QStringLiteral("save")}, {QStringLiteral("path"), file}});
    QVERIFY(comes([&] { return count(home, "checkpoint") == 1; }));
    QCOMPARE(count(home, "lost"), std::size_t(1));
    QVERIFY(QFile::exists(file));
    home.command("stop");
    QVERIFY(reaches(home, RunState::Stopped));
}

void TestCoordinatorOrders::aLossWhileACheckpointIsCollected() {
    Home home(3);
    home.request.plan = home.plan();
    makeEndlessOnItsPlan(home);
    home.request.safety.checkpointSeconds = 0;
    home.silent[1] = QStringLiteral("state.get");
    QVERIFY(trains(home, 2));
    home.command("checkpoint");
    QVERIFY(comes([&] { return home.worker(1)->deploying.has_value(); }));
    home.silent.clear();
    home.worker(2)->die();
    QVERIFY(comes([&] { return count(home, "checkpoint") == 1; }));
    QCOMPARE(count(home, "recovered"), std::size_t(1));
    home.command("stop");
    QVERIFY(reaches(home, RunState::Stopped));
}

void TestCoordinatorOrders::aDeviceComesBackWhileTheOthersAreMeasured() {
    Home home(3);
    makeEndless(home);
    home.dies[2] = QStringLiteral("profile");
    home.start(quick());
    QVERIFY(comes([&] { return count(home, "joined") == 1; }));
    QCOMPARE(eventOf<event::Joined>(home, "joined").id, Home::id(2));
    const qint64 before = home.reported;
    QVERIFY(comes([&] { return home.reported > before + 2; }));
    QCOMPARE(count(home, "error"), std::size_t(0));
    home.command("stop");
    QVERIFY(reaches(home, RunState::Stopped));
}

void TestCoordinatorOrders::aDeviceThatAppearsBeforeThePlanJoins_data() {
    QTest::addColumn<RunState>("state");
    QTest::newRow("while workers are asked for") << RunState::Connecting;
    QTest::newRow("while they are measured") << RunState::Profiling;
}

void TestCoordinatorOrders::aDeviceThatAppearsBeforeThePlanJoins() {
    QFETCH(RunState, state);
    Home home(2);
    makeEndless(home);
    home.start(quick());
    whenFirst(home, state, [&] { home.becomes(3, DeviceState::Ready); });
    QVERIFY(comes([&] { return count(home, "joined") == 1; }));
    QCOMPARE(eventOf<event::Joined>(home, "joined").id, Home::id(3));
    const qint64 before = home.reported;
    QVERIFY(comes([&] { return home.reported > before + 2; }));
    QCOMPARE(count(home, "error"), std::size_t(0));
    home.command("stop");
    QVERIFY(reaches(home, RunState::Stopped));
}

void TestCoordinatorOrders::aLossWhileTheFirstPlanIsMade() {
    Home home(3);
    home.request.job.rounds = 4;
    home.returns = false;
    home.start(quick());
    const Error reason{QStringLiteral("worker.crashed"), QStringLiteral("The worker crashed."), {}, {}};
    whenFirst(home, RunState::Planning, [&] { Q_EMIT home.agent.workerExited(Home::id(2), reason); });
    QVERIFY(reaches(home, RunState::Finished));
    QCOMPARE(count(home, "lost"), std::size_t(1));
    QCOMPARE(count(home, "error"), std::size_t(0));
    verifyRounds(home);
}

void TestCoordinatorOrders::aRecoveryIsToldBeforeAPause() {
    Home home(3);
    home.request.plan = home.plan();
    makeEndlessOnItsPlan(home);
    QVERIFY(trains(home, 4));
    home.command("pause");
    QVERIFY(reaches(home, RunState::Paused));
    home.worker(2)->die();
    QVERIFY(comes([&] { return count(home, "recovered") == 1; }));
    QVERIFY(reaches(home, RunState::Paused));
    home.command("stop");
    QVERIFY(reaches(home, RunState::Stopped));
}

void TestCoordinatorOrders::aPlanThatNobodyOfferedIsNotAccepted() {
    Home home(2);
    makeEndlessOnItsPlan(home);
    QVERIFY(trains(home, 2));
    home.command("accept-plan");
    const auto told = lastEvent<event::Warning>(home, "warning");
    QCOMPARE(told.what, QStringLiteral("No plan was accepted."));
    QCOMPARE(told.cause, QStringLiteral("The run offers none now."));
    home.command("stop");
    QVERIFY(reaches(home, RunState::Stopped));
}

void TestCoordinatorOrders::aDeviceThatWasSentAwayBeforeItCameStaysOut() {
    Home home(2);
    makeEndless(home);
    QVERIFY(trains(home, 2));
    home.coordinator->command(
        {{QStringLiteral("command"), QStringLiteral("leave")}, {QStringLiteral("device"), Home::id(3)}});
    home.becomes(3, DeviceState::Ready);
    home.becomes(4, DeviceState::Ready);
    QVERIFY(comes([&] { return count(home, "joined") == 1; }));
    QCOMPARE(eventOf<event::Joined>(home, "joined").id, Home::id(4));
    QVERIFY(!home.agent.started.contains(Home::id(3)));
    home.command("stop");
    QVERIFY(reaches(home, RunState::Stopped));
}

QTEST_GUILESS_MAIN(TestCoordinatorOrders)
#include "test_coordinator_orders.moc"
