#include <fcntl.h>
#include <unistd.h>

#include <QDir>
#include <QFile>
#include <QJsonArray>
#include <QJsonDocument>
#include <QTest>
#include <csignal>

#include "core/model/init.h"
#include "core/protocol/round_report.h"
#include "core/run/recovery_choice.h"
#include "core/run/run_state_file.h"
#include "core/wire/state_chunks.h"
#include "recovery_checks.h"
#include "tests/core/base/patience.h"
#include "tests/core/model/frozen_model.h"

using namespace hearth;
using namespace hearth::fake;

/// Whatever is lost, the run goes on with what is left, and every round is applied once.
class TestCoordinatorRecovery : public QObject {
    Q_OBJECT
  private Q_SLOTS:
    void aWorkerThatIsLost_data();
    void aWorkerThatIsLost();
    void whoLacksFrozenTensorsIsToldWhoHasThem();
    void theNewestCompleteVersionIsTaken_data();
    void theNewestCompleteVersionIsTaken();
    void aLossWhileRecovering();
    void allButOneLost();
    void everybodyLostWaitsForADevice();
    void aLinkBetweenWorkersThatBreaks();
    void aLinkThatStaysBrokenIsPlannedAround();
    void aWorkerThatStaysSilentIsLost();
    void anOldTermIsNothing();
    void theTermIsOnTheDiskBeforeItIsUsed();
    void copiesAreAskedForAndCommitted();
    void aVersionThatCannotBecomeCompleteIsGivenUp_data();
    void aVersionThatCannotBecomeCompleteIsGivenUp();
    void aLossWhileMeasuringLeavesTheOthers();
    void dataGoRoundABrokenLink();
    void statesGoRoundABrokenLink();
    void aLossWhileACheckpointIsRead();
};

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
        QVERIFY(reaches(home, RunState::Finished));
        verifyRounds(home);
        const auto lost = home.events(QStringLiteral("lost"));
        QCOMPARE(lost.size(), std::size_t(1));
        QCOMPARE(std::get<event::Lost>(lost[0].body).id, Home::id(2));
        QVERIFY(!std::get<event::Lost>(lost[0].body).cause.isEmpty());
        QCOMPARE(count(home, "error"), std::size_t(0));
        if (round > 0 && round < 6) {
            const auto recovered = home.events(QStringLiteral("recovered"));
            QCOMPARE(recovered.size(), std::size_t(1));
            const auto told = std::get<event::Recovered>(recovered[0].body);
            QCOMPARE(told.replayedRounds, qint64(round - 1 - qint64(told.fromVersion)));
            QVERIFY(told.seconds >= told.replayS && told.replayS >= 0 && told.planS >= 0 && told.rebuildS >= 0);
        }
    }
}

void TestCoordinatorRecovery::whoLacksFrozenTensorsIsToldWhoHasThem() {
    Home home(3);
    home.request.model = modelWithFrozen(home.request.model, {0});
    for (int layer = 0; layer < int(home.request.model.layers.size()); ++layer)
        home.inputs.weights.push_back(initialise(home.request.model, layer, 77, DType::Float32));
    home.inputs.frozen = frozenOf(home.inputs.weights);
    const FrozenTensors frozenTensors = home.inputs.frozen;
    home.request.plan = home.plan();
    home.request.job.rounds = 6;
    home.returns = false;
    home.diesInRound = 3;
    home.start(quick());
    QVERIFY(reaches(home, RunState::Finished));
    int sent = 0;
    for (const int number : {1, 3}) {
        const Deployment &deployment = *home.worker(number)->deployment;
        QCOMPARE(deployment.frozen.size(), std::size_t(1));
        QCOMPARE(deployment.frozen.front().layer, 0);
        QCOMPARE(deployment.frozen.front().sha256, frozenTensors.sha256.front());
        // Device 2 had none of it, and is gone.
        std::vector<QString> holders;
        for (const int peer : deployment.frozen.front().holders)
            holders.push_back(deployment.peers[std::size_t(peer)].device);
        QCOMPARE(holders, std::vector<QString>{home.worker(1)->self().toHex()});
        // Who asks the coordinator all the same gets it, in chunks.
        int index = 0;
        for (const TensorFrame &frame : home.worker(number)->frames) {
            if (frame.header.kind != TensorKind::Replica || frame.header.version != frozenVersion)
                continue;
            QCOMPARE(frame.header.stage, quint16(0));
            const Payload chunk = frozenTensors.chunk(0, index++);
            QVERIFY(std::ranges::equal(frame.payload->bytes(), std::span(chunk.data, std::size_t(chunk.size))));
            ++sent;
        }
    }
    QCOMPARE(sent, stateChunkCount(frozenTensors.bytes(0)));
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
    QVERIFY(comes([&] { return count(home, "round") == std::size_t(5); }));
    QTRY_COMPARE_WITH_TIMEOUT(home.worker(2)->committed, 3, patience);
    home.holdsAfter = 1000;
    home.worker(device)->die();
    QVERIFY(reaches(home, RunState::Finished));
    const auto told = eventOf<event::Recovered>(home, "recovered");
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
    QVERIFY(reaches(home, RunState::Finished));
    QCOMPARE(count(home, "lost"), std::size_t(2));
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
    QVERIFY(reaches(home, RunState::Training));
    home.worker(1)->die();
    home.worker(3)->die();
    home.holdsRounds = false;
    QVERIFY(reaches(home, RunState::Finished));
    QCOMPARE(count(home, "lost"), std::size_t(2));
    const auto plan = lastEvent<event::Plan>(home, "plan").plan;
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
    QVERIFY(reaches(home, RunState::Training));
    home.worker(1)->die();
    home.worker(2)->die();
    QTRY_COMPARE_WITH_TIMEOUT(count(home, "lost"), std::size_t(2), patience);
    QTRY_COMPARE_WITH_TIMEOUT(count(home, "warning"), std::size_t(1), patience);
    QCOMPARE(home.lastState(), QStringLiteral("recovering"));
    home.returns = true;
    home.holdsRounds = false;
    QVERIFY(reaches(home, RunState::Finished));
    verifyRounds(home);
}

void TestCoordinatorRecovery::aLinkBetweenWorkersThatBreaks() {
    Home home(2);
    home.request.plan = home.plan();
    home.request.job.evaluateEvery = 0;
    home.holdsRounds = true;
    home.start(quick());
    QVERIFY(reaches(home, RunState::Training));
    home.worker(1)->tellLost(*home.worker(2), 1);
    // It may not have noticed, and then would take its end for a good one.
    QVERIFY(comes([&] { return home.worker(2)->expected == QStringList{home.worker(2)->self().toHex()}; }));
    home.resumeRounds();
    QVERIFY(reaches(home, RunState::Finished));
    QCOMPARE(count(home, "lost"), std::size_t(0));
    const auto warning = eventOf<event::Warning>(home, "warning");
    QVERIFY(warning.what.contains(QLatin1String("local-1")) && warning.what.contains(QLatin1String("local-2")));
    QCOMPARE(count(home, "recovered"), std::size_t(1));
    verifyRounds(home);
}

void TestCoordinatorRecovery::aLinkThatStaysBrokenIsPlannedAround() {
    Home home(2);
    home.request.plan = home.plan();
    home.request.job.evaluateEvery = 0;
    home.unreachable = {1, 2};
    home.start(quick());
    QVERIFY(reaches(home, RunState::Finished));
    // No plan has both of them: they cannot talk.
    const auto plan = lastEvent<event::Plan>(home, "plan").plan;
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
        RunDeadlines deadlines = quick();
        if (QLatin1String(call) == QLatin1String("halt")) {
            home.diesInRound = 2;
            deadlines.halt = std::chrono::seconds(3);
        } else {
            deadlines.deploy = std::chrono::seconds(3);
        }
        home.start(deadlines);
        QVERIFY(reaches(home, RunState::Finished));
        verifyRounds(home);
    }
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
    QVERIFY(reaches(home, RunState::Training));
    home.worker(2)->die();
    QVERIFY(comes([&] { return count(home, "plan") == std::size_t(2); }));
    RoundReport old;
    old.round = 1;
    old.term = 1;
    old.version = 1;
    home.worker(1)->rpc->notify(QStringLiteral("round.done"), old.toCbor());
    home.resumeRounds();
    QVERIFY(reaches(home, RunState::Finished));
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
    QVERIFY(reaches(home, RunState::Finished));
    QCOMPARE(onDisk, quint32(2));
}

void TestCoordinatorRecovery::copiesAreAskedForAndCommitted() {
    Home home(3);
    home.request.plan = home.plan();
    home.request.job.rounds = 30;
    home.request.job.evaluateEvery = 0;
    home.start(quick());
    QVERIFY(reaches(home, RunState::Finished));
    const auto replicas = home.events(QStringLiteral("replica"));
    QVERIFY(replicas.size() >= 2);
    for (const RunEvent &event : replicas) {
        const auto replica = std::get<event::Replica>(event.body);
        QCOMPARE(replica.ofStage, 0);  // the lone device's; the group holds its own
        QVERIFY(replica.id == Home::id(2) || replica.id == Home::id(3));
    }
    QCOMPARE(quint64(home.worker(1)->committed), std::get<event::Replica>(replicas.back().body).version);
}

void TestCoordinatorRecovery::aVersionThatCannotBecomeCompleteIsGivenUp_data() {
    QTest::addColumn<bool>("copies");
    QTest::newRow("a device heard too late what to keep") << false;
    QTest::newRow("copies did not arrive") << true;
}

void TestCoordinatorRecovery::aVersionThatCannotBecomeCompleteIsGivenUp() {
    QFETCH(bool, copies);
    Home home(3);
    home.request.plan = home.plan();
    makeEndless(home);
    if (copies)
        home.losesCopies = true;
    else
        home.missesKeep[2] = 1;
    QVERIFY(trains(home, 8));
    if (copies)
        QCOMPARE(home.worker(2)->committed, qint64(-1));
    home.losesCopies = false;
    QVERIFY(comes([&] { return home.worker(2)->committed > 0; }));
    QCOMPARE(count(home, "recovered"), std::size_t(0));
    home.command("stop");
    QVERIFY(reaches(home, RunState::Stopped));
}

void TestCoordinatorRecovery::aLossWhileMeasuringLeavesTheOthers() {
    Home home(3);
    home.request.job.rounds = 4;
    home.dies[2] = QStringLiteral("profile");
    home.returns = false;
    home.start(quick());
    QVERIFY(reaches(home, RunState::Finished));
    QCOMPARE(count(home, "lost"), std::size_t(1));
    QCOMPARE(count(home, "error"), std::size_t(0));
    verifyRounds(home);
}

/// The first device is too small for all layers, and its worker does not reach the other's. The coordinator does.
void TestCoordinatorRecovery::dataGoRoundABrokenLink() {
    Home home(2);
    home.request.plan = home.plan();
    home.request.job.rounds = 3;
    home.memoryOf[1] = 2'000'000;
    home.unreachable = {1, 2};
    home.start(quick());
    QVERIFY(comes([&] { return home.coordinator->state() == RunState::Finished || count(home, "warning") >= 2; }));
    QVERIFY2(reaches(home, RunState::Finished), qPrintable(lastEvent<event::Warning>(home, "warning").cause));
    const auto stages = lastEvent<event::Plan>(home, "plan").plan[QStringLiteral("stages")].toArray();
    QCOMPARE(stages.size(), 1);
    QCOMPARE(stages[0].toObject()[QStringLiteral("shares")].toObject().keys(), QStringList{Home::id(2)});
    verifyRounds(home);
}

/// The second stage goes from one device to another that it does not reach.
void TestCoordinatorRecovery::statesGoRoundABrokenLink() {
    Home home(3);
    makeEndless(home);
    home.request.safety.keepsPlan = true;
    home.unmeasured = {{2, 3}, {3, 2}};
    QVERIFY(trains(home, 2));
    const QJsonObject before = Home(2).plan();
    const QByteArray text = QJsonDocument(before).toJson().replace(Home::id(2).toLatin1(), Home::id(3).toLatin1());
    for (const QJsonObject &wanted : {before, QJsonDocument::fromJson(text).object()}) {
        const auto plans = count(home, "plan");
        home.coordinator->command({{QStringLiteral("command"), QStringLiteral("plan")},
                                   {QStringLiteral("plan"), QCborMap::fromJsonObject(wanted)}});
        QVERIFY(comes([&] { return count(home, "plan") == plans + 1; }));
        const auto rounds = count(home, "round");
        QVERIFY(comes([&] { return count(home, "round") > rounds + 3; }));
    }
    QVERIFY(home.worker(3)->isIn(1));
    home.command("stop");
    QVERIFY(reaches(home, RunState::Stopped));
}

/// Whoever opens one of its files waits until a lease on it is given back.
void TestCoordinatorRecovery::aLossWhileACheckpointIsRead() {
    Home home(3);
    home.request.plan = home.plan();
    makeEndless(home);
    home.request.safety.checkpointSeconds = 0;
    home.request.safety.replication = ReplicationMode::Off;
    home.request.safety.keepsPlan = true;
    home.returns = false;
    QVERIFY(trains(home, 2));
    home.command("checkpoint");
    QVERIFY(comes([&] { return count(home, "checkpoint") == 1; }));
    const auto version = eventOf<event::Checkpoint>(home, "checkpoint").version;
    const QDir folder(home.directory->file(QStringLiteral("checkpoints/%1").arg(version, 10, 10, QLatin1Char('0'))));
    const QStringList tensors = folder.entryList({QStringLiteral("*.safetensors")});
    QVERIFY(!tensors.isEmpty());
    std::signal(SIGIO, SIG_IGN);  // the kernel's word that somebody waits
    const int lease = ::open(QFile::encodeName(folder.filePath(tensors.front())).constData(), O_RDWR | O_CLOEXEC);
    QVERIFY(comes([lease] { return ::fcntl(lease, F_SETLEASE, F_WRLCK) == 0; }));
    home.worker(1)->die();
    QVERIFY(comes([lease] { return ::fcntl(lease, F_GETLEASE) != F_WRLCK; }));
    home.worker(2)->die();
    QVERIFY(comes([&] { return count(home, "lost") == 2; }));
    const auto rounds = count(home, "round");
    ::close(lease);
    QVERIFY(comes([&] { return count(home, "round") > rounds; }));
    home.command("stop");
    QVERIFY(reaches(home, RunState::Stopped));
}

QTEST_GUILESS_MAIN(TestCoordinatorRecovery)
#include "test_coordinator_recovery.moc"
