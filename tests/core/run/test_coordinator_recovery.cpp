#include <QJsonArray>
#include <QJsonDocument>
#include <QSignalSpy>
#include <QTest>

#include "core/base/cbor.h"
#include "core/profile/round_report.h"
#include "core/run/recovery_choice.h"
#include "core/run/run_state_file.h"
#include "fake_home.h"

using namespace hearth;
using fake::Home;

/// Whatever is lost, the run goes on with what is left, and every round is applied once.
class TestCoordinatorRecovery : public QObject {
    Q_OBJECT
  private Q_SLOTS:
    void aWorkerThatIsLost_data();
    void aWorkerThatIsLost();
    void theNewestCompleteVersionIsTaken_data();
    void theNewestCompleteVersionIsTaken();
    void aLossWhileRecovering();
    void allButOneLost();
    void everybodyLostWaitsForADevice();
    void aLinkBetweenWorkersThatBreaks();
    void aLinkThatStaysBrokenIsPlannedAround();
    void aWorkerThatStaysSilentIsLost();
    void aDeviceComesBack();
    void anotherLibraryIsRefused();
    void anOldTermIsNothing();
    void theTermIsOnTheDiskBeforeItIsUsed();
    void copiesAreAskedForAndCommitted();
    void aLossWhileMeasuringLeavesTheOthers();
    void everythingGatheredAndGivenOut();
    void aNewDeviceIsMeasuredAndTaken();
    void aBetterPlanIsOffered();
    void aPersonsPlanIsTakenAtTheNextRound();
    void aPersonsPlanThatCannotBeIsRefused();
    void aDeviceLeavesPolitely();

  private:
    /// Rounds of each term ascend without gaps, the last one is the run's, and the next term begins with the version
    /// that it says.
    static void verifyRounds(const Home &home);
    static RunDeadlines quick();
};

RunDeadlines TestCoordinatorRecovery::quick() {
    RunDeadlines deadlines;
    deadlines.lastWords = std::chrono::milliseconds(0);
    deadlines.returns = std::chrono::milliseconds(40);
    return deadlines;
}

void TestCoordinatorRecovery::verifyRounds(const Home &home) {
    qint64 before = 0;
    quint32 term = 0;
    for (const RunEvent &event : home.events()) {
        if (const auto *plan = std::get_if<event::Plan>(&event.body)) {
            QVERIFY(plan->term > term);
            QVERIFY2(plan->round <= before + 1, "A round was left out.");
            term = plan->term;
            before = plan->round - 1;
        } else if (const auto *round = std::get_if<event::Round>(&event.body)) {
            QCOMPARE(round->term, term);
            QCOMPARE(round->round, before + 1);
            QCOMPARE(qint64(round->version), round->round);
            before = round->round;
        }
    }
    QCOMPARE(before, home.request.job.rounds.value_or(0));
    for (const auto &worker : home.workers) {
        for (std::size_t i = 1; i < worker->reports.size(); ++i)
            QVERIFY(worker->reports[i] > worker->reports[i - 1]);
    }
}

void TestCoordinatorRecovery::aWorkerThatIsLost_data() {
    QTest::addColumn<QString>("call");
    QTest::addColumn<int>("round");
    QTest::newRow("while it is deployed") << QStringLiteral("deploy") << 0;
    QTest::newRow("in the first round") << QString() << 1;
    QTest::newRow("in a later round") << QString() << 3;
    QTest::newRow("in the last round") << QString() << 6;
    QTest::newRow("in an evaluation") << QStringLiteral("evaluate") << 0;
    QTest::newRow("while the weights are saved") << QStringLiteral("weights.get") << 0;
}

void TestCoordinatorRecovery::aWorkerThatIsLost() {
    QFETCH(QString, call);
    QFETCH(int, round);
    for (const bool returns : {false, true}) {
        Home home(3);
        home.request.plan = home.plan();
        home.request.job.rounds = 6;
        home.returns = returns;
        if (round > 0)
            home.diesInRound = round;
        else
            home.dies[2] = call;
        home.start(quick());
        QTRY_COMPARE_WITH_TIMEOUT(home.coordinator->state(), RunState::Finished, 30000);
        verifyRounds(home);
        const auto lost = home.events(QStringLiteral("lost"));
        QCOMPARE(lost.size(), std::size_t(1));
        QCOMPARE(std::get<event::Lost>(lost[0].body).id, Home::id(2));
        QVERIFY(!std::get<event::Lost>(lost[0].body).cause.isEmpty());
        QCOMPARE(home.events(QStringLiteral("error")).size(), std::size_t(0));
        if (round > 0 && round < 6) {
            const auto recovered = home.events(QStringLiteral("recovered"));
            QCOMPARE(recovered.size(), std::size_t(1));
            const auto told = std::get<event::Recovered>(recovered[0].body);
            QCOMPARE(told.replayedRounds, qint64(round - 1 - qint64(told.fromVersion)));
            QVERIFY(told.seconds >= told.replayS && told.replayS >= 0 && told.planS >= 0 && told.rebuildS >= 0);
        }
    }
}

void TestCoordinatorRecovery::theNewestCompleteVersionIsTaken_data() {
    QTest::addColumn<int>("device");
    QTest::addColumn<qint64>("version");
    QTest::addColumn<QString>("method");
    // Devices 2 and 3 are a group: each holds the whole stage. Device 1 is alone; version 3 has its copies.
    QTest::newRow("a member of a group: the state of now") << 2 << qint64(5) << QStringLiteral("lightweight");
    QTest::newRow("a lone device: its newest copy") << 1 << qint64(3) << QStringLiteral("lightweight");
}

void TestCoordinatorRecovery::theNewestCompleteVersionIsTaken() {
    QFETCH(int, device);
    QFETCH(qint64, version);
    QFETCH(QString, method);
    Home home(3);
    home.request.plan = home.plan();
    home.request.job.rounds = 9;
    home.request.job.evaluateEvery = 0;
    home.request.safety.keepsPlan = true;
    home.returns = false;
    home.holdsAfter = 5;
    home.start(quick());
    QTRY_COMPARE_WITH_TIMEOUT(home.events(QStringLiteral("round")).size(), std::size_t(5), 30000);
    QTRY_COMPARE(home.worker(2)->committed, 3);
    home.holdsAfter = 1000;
    home.worker(device)->die();
    QTRY_COMPARE_WITH_TIMEOUT(home.coordinator->state(), RunState::Finished, 30000);
    const auto told = std::get<event::Recovered>(home.events(QStringLiteral("recovered")).at(0).body);
    QCOMPARE(qint64(told.fromVersion), version);
    QCOMPARE(told.replayedRounds, 5 - version);
    QCOMPARE(told.method, method);
    verifyRounds(home);
}

void TestCoordinatorRecovery::aLossWhileRecovering() {
    Home home(4);
    home.request.job.rounds = 5;
    home.request.job.evaluateEvery = 0;
    home.returns = false;
    home.diesInRound = 2;
    home.dies[3] = QStringLiteral("halt");
    home.start(quick());
    QTRY_COMPARE_WITH_TIMEOUT(home.coordinator->state(), RunState::Finished, 30000);
    QCOMPARE(home.events(QStringLiteral("lost")).size(), std::size_t(2));
    verifyRounds(home);
}

void TestCoordinatorRecovery::allButOneLost() {
    Home home(3);
    home.request.plan = home.plan();
    home.request.job.rounds = 5;
    home.request.job.evaluateEvery = 0;
    home.returns = false;
    home.holdsRounds = true;
    home.start(quick());
    QTRY_COMPARE_WITH_TIMEOUT(home.coordinator->state(), RunState::Training, 30000);
    home.worker(1)->die();
    home.worker(3)->die();
    home.holdsRounds = false;
    QTRY_COMPARE_WITH_TIMEOUT(home.coordinator->state(), RunState::Finished, 30000);
    QCOMPARE(home.events(QStringLiteral("lost")).size(), std::size_t(2));
    const auto plan = std::get<event::Plan>(home.events(QStringLiteral("plan")).back().body).plan;
    QCOMPARE(plan[QStringLiteral("stages")].toArray().size(), 1);
    verifyRounds(home);
}

void TestCoordinatorRecovery::everybodyLostWaitsForADevice() {
    Home home(2);
    home.request.plan = home.plan();
    home.request.job.rounds = 5;
    home.returns = false;
    home.holdsRounds = true;
    home.start(quick());
    QTRY_COMPARE_WITH_TIMEOUT(home.coordinator->state(), RunState::Training, 30000);
    home.worker(1)->die();
    home.worker(2)->die();
    QTRY_COMPARE(home.events(QStringLiteral("lost")).size(), std::size_t(2));
    QTRY_COMPARE(home.events(QStringLiteral("warning")).size(), std::size_t(1));
    QCOMPARE(home.lastState(), QStringLiteral("recovering"));
    home.returns = true;
    home.holdsRounds = false;
    QTRY_COMPARE_WITH_TIMEOUT(home.coordinator->state(), RunState::Finished, 30000);
    verifyRounds(home);
}

void TestCoordinatorRecovery::aLinkBetweenWorkersThatBreaks() {
    Home home(2);
    home.request.plan = home.plan();
    home.request.job.evaluateEvery = 0;
    home.holdsRounds = true;
    home.start(quick());
    QTRY_COMPARE_WITH_TIMEOUT(home.coordinator->state(), RunState::Training, 30000);
    const Error reason{QStringLiteral("wire.closed"), QStringLiteral("The connection ended."), {}, {}};
    home.worker(1)->rpc->notify(
        QStringLiteral("peer.lost"),
        {{QStringLiteral("device"), home.worker(2)->self().toHex()}, {QStringLiteral("error"), reason.toCbor()}});
    home.holdsRounds = false;
    QTRY_COMPARE_WITH_TIMEOUT(home.coordinator->state(), RunState::Finished, 30000);
    QCOMPARE(home.events(QStringLiteral("lost")).size(), std::size_t(0));
    const auto warning = std::get<event::Warning>(home.events(QStringLiteral("warning")).at(0).body);
    QVERIFY(warning.what.contains(QLatin1String("local-1")) && warning.what.contains(QLatin1String("local-2")));
    QCOMPARE(home.events(QStringLiteral("recovered")).size(), std::size_t(1));
    verifyRounds(home);
}

void TestCoordinatorRecovery::aLinkThatStaysBrokenIsPlannedAround() {
    Home home(2);
    home.request.plan = home.plan();
    home.request.job.evaluateEvery = 0;
    home.unreachable = {1, 2};
    home.start(quick());
    QTRY_COMPARE_WITH_TIMEOUT(home.coordinator->state(), RunState::Finished, 30000);
    // No plan has both of them: they cannot talk.
    const auto plan = std::get<event::Plan>(home.events(QStringLiteral("plan")).back().body).plan;
    QCOMPARE(plan[QStringLiteral("stages")].toArray().size(), 1);
    verifyRounds(home);
}

void TestCoordinatorRecovery::aWorkerThatStaysSilentIsLost() {
    for (const char *call : {"deploy", "halt"}) {
        Home home(3);
        home.request.plan = home.plan();
        home.request.job.rounds = 4;
        home.returns = false;
        home.silent[3] = QLatin1String(call);
        if (QLatin1String(call) == QLatin1String("halt"))
            home.diesInRound = 2;
        RunDeadlines deadlines = quick();
        deadlines.deploy = deadlines.halt = std::chrono::milliseconds(300);
        home.start(deadlines);
        QTRY_COMPARE_WITH_TIMEOUT(home.coordinator->state(), RunState::Finished, 30000);
        verifyRounds(home);
    }
}

void TestCoordinatorRecovery::aDeviceComesBack() {
    Home home(2);
    home.request.job.rounds = 100000;
    home.roundPause = std::chrono::milliseconds(10);
    home.request.job.evaluateEvery = 0;
    home.computeSeconds = 0;  // nobody drifts
    home.diesInRound = 3;
    home.start(quick());
    QTRY_COMPARE_WITH_TIMEOUT(home.events(QStringLiteral("joined")).size(), std::size_t(1), 30000);
    QCOMPARE(std::get<event::Joined>(home.events(QStringLiteral("joined"))[0].body).id, Home::id(2));
    // Two equal devices are faster than one: the plan of both comes back.
    QTRY_VERIFY_WITH_TIMEOUT(home.events(QStringLiteral("plan")).size() >= 3, 30000);
    const auto plan = std::get<event::Plan>(home.events(QStringLiteral("plan")).back().body);
    // It may be there before the look for a better plan without it has ended.
    QVERIFY(plan.reason == QLatin1String("join") || plan.reason == QLatin1String("full"));
    QVERIFY2(plan.why.contains(QLatin1Char('%')), qPrintable(plan.why));
    const qint64 first = plan.round;
    QTRY_VERIFY_WITH_TIMEOUT(home.reported > first, 30000);
    home.command("stop");
    QTRY_COMPARE_WITH_TIMEOUT(home.coordinator->state(), RunState::Stopped, 30000);
}

void TestCoordinatorRecovery::anotherLibraryIsRefused() {
    Home home(2);
    home.request.job.rounds = 100000;
    home.roundPause = std::chrono::milliseconds(10);
    home.request.job.evaluateEvery = 0;
    home.computeSeconds = 0;  // nobody drifts
    home.start(quick());
    QTRY_VERIFY_WITH_TIMEOUT(home.reported >= 2, 30000);
    home.library = QStringLiteral("fake 2");
    home.worker(2)->die();
    QTRY_VERIFY_WITH_TIMEOUT(!home.events(QStringLiteral("warning")).empty(), 30000);
    const auto warning = std::get<event::Warning>(home.events(QStringLiteral("warning"))[0].body);
    QVERIFY(warning.what.contains(QLatin1String("local-2")));
    QVERIFY(warning.cause.contains(QLatin1String("fake 2")) && warning.cause.contains(QLatin1String("fake 1")));
    QCOMPARE(home.events(QStringLiteral("joined")).size(), std::size_t(0));
    home.command("stop");
    QTRY_COMPARE_WITH_TIMEOUT(home.coordinator->state(), RunState::Stopped, 30000);
}

void TestCoordinatorRecovery::anOldTermIsNothing() {
    Home home(3);
    home.request.plan = home.plan();
    home.request.job.rounds = 5;
    home.request.job.evaluateEvery = 0;
    home.request.safety.keepsPlan = true;
    home.returns = false;
    home.holdsRounds = true;
    home.start(quick());
    QTRY_COMPARE_WITH_TIMEOUT(home.coordinator->state(), RunState::Training, 30000);
    home.worker(2)->die();
    QTRY_COMPARE_WITH_TIMEOUT(home.events(QStringLiteral("plan")).size(), std::size_t(2), 30000);
    RoundReport old;
    old.round = 1;
    old.term = 1;
    old.version = 1;
    home.worker(1)->rpc->notify(QStringLiteral("round.done"), old.toCbor());
    home.holdsRounds = false;
    home.reportRounds();
    QTRY_COMPARE_WITH_TIMEOUT(home.coordinator->state(), RunState::Finished, 30000);
    verifyRounds(home);
}

void TestCoordinatorRecovery::theTermIsOnTheDiskBeforeItIsUsed() {
    Home home(3);
    home.request.plan = home.plan();
    home.request.job.rounds = 4;
    home.diesInRound = 2;
    home.returns = false;
    quint32 onDisk = 0;
    home.halted = [&](quint32 term) {
        const auto state = RunStateFile::load(home.directory->file(RunStateFile::name()));
        QVERIFY(state);
        onDisk = state->term;
        QCOMPARE(term, onDisk);
        QVERIFY(state->problem && state->plan);
    };
    home.start(quick());
    QTRY_COMPARE_WITH_TIMEOUT(home.coordinator->state(), RunState::Finished, 30000);
    QCOMPARE(onDisk, quint32(2));
}

void TestCoordinatorRecovery::copiesAreAskedForAndCommitted() {
    Home home(3);
    home.request.plan = home.plan();
    home.request.job.rounds = 30;
    home.request.job.evaluateEvery = 0;
    home.start(quick());
    QTRY_COMPARE_WITH_TIMEOUT(home.coordinator->state(), RunState::Finished, 30000);
    const auto replicas = home.events(QStringLiteral("replica"));
    QVERIFY(replicas.size() >= 2);
    for (const RunEvent &event : replicas) {
        const auto replica = std::get<event::Replica>(event.body);
        QCOMPARE(replica.ofStage, 0);  // the lone device's; the group holds its own
        QVERIFY(replica.id == Home::id(2) || replica.id == Home::id(3));
    }
    QCOMPARE(quint64(home.worker(1)->committed), std::get<event::Replica>(replicas.back().body).version);
}

void TestCoordinatorRecovery::aLossWhileMeasuringLeavesTheOthers() {
    Home home(3);
    home.request.job.rounds = 4;
    home.dies[2] = QStringLiteral("profile");
    home.returns = false;
    home.start(quick());
    QTRY_COMPARE_WITH_TIMEOUT(home.coordinator->state(), RunState::Finished, 30000);
    QCOMPARE(home.events(QStringLiteral("lost")).size(), std::size_t(1));
    QCOMPARE(home.events(QStringLiteral("error")).size(), std::size_t(0));
    verifyRounds(home);
}

void TestCoordinatorRecovery::everythingGatheredAndGivenOut() {
    Home home(3);
    home.request.plan = home.plan();
    home.request.job.rounds = 8;
    home.request.job.evaluateEvery = 0;
    home.request.safety.heavy = true;
    home.returns = false;
    home.diesInRound = 6;
    home.start(quick());
    QTRY_VERIFY_WITH_TIMEOUT(!home.lastState().isEmpty() && home.coordinator->state() >= RunState::Finished, 30000);
    QVERIFY2(home.lastError().code.isEmpty(), qPrintable(home.lastError().toString()));
    QTRY_COMPARE_WITH_TIMEOUT(home.coordinator->state(), RunState::Finished, 30000);
    const auto told = std::get<event::Recovered>(home.events(QStringLiteral("recovered")).at(0).body);
    QCOMPARE(told.method, QStringLiteral("heavy"));
    QCOMPARE(qint64(told.fromVersion), 5);
    // All layers came here and went to their owners, one each.
    qint64 bytes = 0;
    for (const StateLayer &layer : stateLayersOf(home.request.model, DType::Float32, 1))
        bytes += layer.bytes;
    QVERIFY2(told.movedBytes >= bytes, qPrintable(QString::number(told.movedBytes)));
    verifyRounds(home);
}

void TestCoordinatorRecovery::aNewDeviceIsMeasuredAndTaken() {
    Home home(2);
    home.request.job.rounds = 100000;
    home.roundPause = std::chrono::milliseconds(10);
    home.request.job.evaluateEvery = 0;
    home.computeSeconds = 0;
    const DeviceInfo third = home.newcomer(3);
    home.start(quick());
    QTRY_VERIFY_WITH_TIMEOUT(home.reported >= 2, 30000);
    Q_EMIT home.agent.deviceChanged(third);
    QTRY_COMPARE_WITH_TIMEOUT(home.events(QStringLiteral("joined")).size(), std::size_t(1), 30000);
    QTRY_VERIFY_WITH_TIMEOUT(home.events(QStringLiteral("plan")).size() >= 2, 30000);
    const auto plan = std::get<event::Plan>(home.events(QStringLiteral("plan")).back().body);
    QCOMPARE(plan.reason, QStringLiteral("join"));
    QVERIFY(QJsonDocument(plan.plan).toJson().contains(third.id.toLatin1()));
    home.command("stop");
    QTRY_COMPARE_WITH_TIMEOUT(home.coordinator->state(), RunState::Stopped, 30000);
}

void TestCoordinatorRecovery::aBetterPlanIsOffered() {
    Home home(2);
    home.request.job.rounds = 100000;
    home.roundPause = std::chrono::milliseconds(10);
    home.request.job.evaluateEvery = 0;
    home.computeSeconds = 0;
    home.request.safety.join = JoinPolicy::Offer;
    home.diesInRound = 3;
    home.start(quick());
    QTRY_COMPARE_WITH_TIMEOUT(home.events(QStringLiteral("warning")).size(), std::size_t(1), 30000);
    const auto offer = std::get<event::Warning>(home.events(QStringLiteral("warning"))[0].body);
    QVERIFY2(offer.advice.contains(QLatin1String("hearth adopt")), qPrintable(offer.advice));
    const auto plans = home.events(QStringLiteral("plan")).size();
    home.command("adopt");
    QTRY_COMPARE_WITH_TIMEOUT(home.events(QStringLiteral("plan")).size(), plans + 1, 30000);
    home.command("stop");
    QTRY_COMPARE_WITH_TIMEOUT(home.coordinator->state(), RunState::Stopped, 30000);
}

void TestCoordinatorRecovery::aPersonsPlanIsTakenAtTheNextRound() {
    Home home(3);
    home.request.job.rounds = 100000;
    home.roundPause = std::chrono::milliseconds(10);
    home.request.job.evaluateEvery = 0;
    home.request.safety.keepsPlan = true;
    home.start(quick());
    QTRY_VERIFY_WITH_TIMEOUT(home.reported >= 2, 30000);
    home.coordinator->command({{QStringLiteral("command"), QStringLiteral("plan")},
                               {QStringLiteral("plan"), QCborMap::fromJsonObject(home.plan())}});
    QTRY_COMPARE_WITH_TIMEOUT(home.events(QStringLiteral("plan")).size(), std::size_t(2), 30000);
    const auto plan = std::get<event::Plan>(home.events(QStringLiteral("plan"))[1].body);
    QCOMPARE(plan.reason, QStringLiteral("user"));
    QCOMPARE(plan.plan[QStringLiteral("stages")].toArray().size(), 2);
    QTRY_VERIFY_WITH_TIMEOUT(home.reported > plan.round, 30000);
    QCOMPARE(home.events(QStringLiteral("recovered")).size(), std::size_t(0));
    home.command("stop");
    QTRY_COMPARE_WITH_TIMEOUT(home.coordinator->state(), RunState::Stopped, 30000);
}

void TestCoordinatorRecovery::aPersonsPlanThatCannotBeIsRefused() {
    Home home(2);
    home.request.job.rounds = 100000;
    home.roundPause = std::chrono::milliseconds(10);
    home.request.job.evaluateEvery = 0;
    home.start(quick());
    QTRY_VERIFY_WITH_TIMEOUT(home.reported >= 2, 30000);
    QJsonObject wrong = home.plan();
    wrong[QStringLiteral("batch")] = 48;
    home.coordinator->command({{QStringLiteral("command"), QStringLiteral("plan")},
                               {QStringLiteral("plan"), QCborMap::fromJsonObject(wrong)}});
    QTRY_COMPARE_WITH_TIMEOUT(home.events(QStringLiteral("warning")).size(), std::size_t(1), 30000);
    const qint64 before = home.reported;
    QTRY_VERIFY_WITH_TIMEOUT(home.reported > before + 2, 30000);
    home.command("stop");
    QTRY_COMPARE_WITH_TIMEOUT(home.coordinator->state(), RunState::Stopped, 30000);
}

void TestCoordinatorRecovery::aDeviceLeavesPolitely() {
    Home home(3);
    home.request.plan = home.plan();
    home.request.job.rounds = 60;
    home.roundPause = std::chrono::milliseconds(10);
    home.request.job.evaluateEvery = 0;
    home.request.safety.keepsPlan = true;
    home.start(quick());
    QTRY_VERIFY_WITH_TIMEOUT(home.reported >= 3, 30000);
    Q_EMIT home.agent.deviceLeaving(Home::id(1));
    QTRY_COMPARE_WITH_TIMEOUT(home.events(QStringLiteral("left")).size(), std::size_t(1), 30000);
    QVERIFY(home.agent.stopped.contains(Home::id(1)));
    QCOMPARE(home.events(QStringLiteral("lost")).size(), std::size_t(0));
    QCOMPARE(home.events(QStringLiteral("recovered")).size(), std::size_t(0));
    const auto plan = std::get<event::Plan>(home.events(QStringLiteral("plan"))[1].body);
    QCOMPARE(plan.reason, QStringLiteral("leave"));
    QVERIFY(!QJsonDocument(plan.plan[QStringLiteral("stages")].toArray()).toJson().contains(Home::id(1).toLatin1()));
    QTRY_COMPARE_WITH_TIMEOUT(home.coordinator->state(), RunState::Finished, 30000);
    verifyRounds(home);
}

QTEST_GUILESS_MAIN(TestCoordinatorRecovery)
#include "test_coordinator_recovery.moc"
