#include <QJsonArray>
#include <QJsonDocument>
#include <QTest>
#include <QTimer>

#include "core/model/safetensors.h"
#include "core/run/checkpoint_store.h"
#include "recovery_checks.h"

using namespace hearth;
using namespace hearth::fake;

/// A device whose owner lets it take no work is relieved whenever its state says so, whatever was heard when.
class TestCoordinatorResting : public QObject {
    Q_OBJECT
  private Q_SLOTS:
    void theStateAloneRelievesADevice();
    void aPauseBeforeTheWorkerIsThere_data();
    void aPauseBeforeTheWorkerIsThere();
    void aSilentDeviceThatRestsIsNotTakenBack();
    void aSilentDeviceThatRestsGivesItsStates();
    void aCoordinatorThatComesBackRelievesThem();
    void aHolderOfCopiesIsLostWithoutDisturbance();
    void aStopWhileAllRestSavesWhatWasTrained_data();
    void aStopWhileAllRestSavesWhatWasTrained();
    void aStopWhileTheyAreRelievedSavesWhatWasTrained();
    void aStopWithoutADeviceThatIsNeededEndsAtOnce();

  private:
    static bool planUses(const Home &home, int number) {
        const auto stages = lastEvent<event::Plan>(home, "plan").plan[QStringLiteral("stages")].toArray();
        return QJsonDocument(stages).toJson().contains(Home::id(number).toLatin1());
    }
    /// The last weights are those of the last round that was done.
    static bool hasSaved(const Home &home) {
        const auto metadata = readSafetensorsMetadata(home.directory->weightsFile());
        const qint64 round = lastEvent<event::Round>(home, "round").round;
        return metadata && metadata->at(QStringLiteral("round")) == QString::number(round);
    }
    static bool goesOn(const Home &home) {
        const auto rounds = count(home, "round");
        return comes([&] { return count(home, "round") > rounds + 2; });
    }
};

void TestCoordinatorResting::theStateAloneRelievesADevice() {
    Home home(3);
    home.request.plan = home.plan();
    makeEndless(home);
    QVERIFY(trains(home, 2));
    home.becomes(3, DeviceState::Resting);
    QVERIFY(comes([&] { return count(home, "left") == 1; }));
    QVERIFY(home.agent.stopped.contains(Home::id(3)));
    QVERIFY(!planUses(home, 3));
    QVERIFY(goesOn(home));
    QCOMPARE(count(home, "lost"), std::size_t(0));
    home.command("stop");
    QVERIFY(reaches(home, RunState::Stopped));
}

void TestCoordinatorResting::aPauseBeforeTheWorkerIsThere_data() {
    QTest::addColumn<bool>("goesOn");
    QTest::newRow("others are there: it is planned without the device") << true;
    QTest::newRow("a person's plan needs the device: it is waited for") << false;
}

void TestCoordinatorResting::aPauseBeforeTheWorkerIsThere() {
    QFETCH(bool, goesOn);
    Home home(3);
    home.request.job.rounds = 4;
    if (!goesOn)
        home.request.plan = home.plan();
    home.start(quick());
    connect(home.coordinator.get(), &Coordinator::stateChanged, home.coordinator.get(), [&](RunState now) {
        if (now == RunState::Connecting && home.workers.empty())
            home.becomes(3, DeviceState::Resting);
    });
    if (goesOn) {
        home.returns = false;  // its agent would refuse
    } else {
        QVERIFY(reaches(home, RunState::Waiting));
        home.becomes(3, DeviceState::Ready);
    }
    QVERIFY(reaches(home, RunState::Finished));
    QCOMPARE(planUses(home, 3), !goesOn);
    verifyRounds(home);
    QVERIFY(home.agent.stopped.contains(Home::id(3)));
}

void TestCoordinatorResting::aSilentDeviceThatRestsIsNotTakenBack() {
    Home home(3);
    home.request.plan = home.plan();
    makeEndless(home);
    QVERIFY(trains(home, 4));
    home.unreached[3] = QStringLiteral("wire.deadline");
    home.worker(3)->die();
    QVERIFY(comes([&] { return count(home, "recovered") == 1; }));
    // It is being dialled when its agent is heard of again.
    home.unreached.clear();
    const auto before = home.workers.size();
    QVERIFY(comes([&] { return home.workers.size() > before; }));
    home.becomes(3, DeviceState::Resting);
    QVERIFY(goesOn(home));
    QCOMPARE(count(home, "joined"), std::size_t(0));
    QVERIFY(!planUses(home, 3));
    home.becomes(3, DeviceState::Ready);
    QVERIFY(comes([&] { return count(home, "joined") == 1; }));
    home.command("stop");
    QVERIFY(reaches(home, RunState::Stopped));
}

void TestCoordinatorResting::aSilentDeviceThatRestsGivesItsStates() {
    Home home(3);
    home.request.plan = home.plan();
    makeEndless(home);
    home.request.safety.keepsPlan = true;
    home.roundPause = std::chrono::milliseconds(400);  // so long for each round it waits for states, too
    home.start(quick());
    QVERIFY(comes([&] { return count(home, "round") >= 12; }));
    home.cutOff({2, 3});
    QVERIFY(comes([&] { return count(home, "warning") >= 1; }));  // it waits for their states
    home.unreached.clear();
    home.becomes(2, DeviceState::Resting);
    home.becomes(3, DeviceState::Resting);
    QVERIFY(comes([&] { return count(home, "recovered") == 1; }));
    QVERIFY(eventOf<event::Recovered>(home, "recovered").fromVersion >= 10);
    QVERIFY(!planUses(home, 2));
    QVERIFY(!planUses(home, 3));
    // Both had them: whoever comes later is not needed any more.
    QVERIFY(
        comes([&] { return home.agent.stopped.contains(Home::id(2)) && home.agent.stopped.contains(Home::id(3)); }));
    QVERIFY(count(home, "left") >= 1);
    QVERIFY(goesOn(home));
    home.command("stop");
    QVERIFY(reaches(home, RunState::Stopped));
}

void TestCoordinatorResting::aCoordinatorThatComesBackRelievesThem() {
    Home home(3);
    home.request.plan = home.plan();
    makeEndless(home);
    QVERIFY(trains(home, 4));
    home.request.again = true;
    home.request.devices[2].state = DeviceState::Resting;
    startAgain(home);
    QVERIFY(comes([&] { return count(home, "left") == 1; }));
    QVERIFY(!planUses(home, 3));
    QVERIFY(goesOn(home));
    home.command("stop");
    QVERIFY(reaches(home, RunState::Stopped));
}

/// It computes nothing: an evaluation goes on, and at its end others get the copies.
void TestCoordinatorResting::aHolderOfCopiesIsLostWithoutDisturbance() {
    Home home(3);
    makeEndless(home);
    home.request.safety.keepsPlan = true;
    QVERIFY(trains(home, 2));
    QJsonObject alone = home.plan();
    const auto layers = static_cast<int>(home.request.model.layers.size());
    alone[QStringLiteral("stages")] = QJsonArray{QJsonObject{{QStringLiteral("layers"), QJsonArray{0, layers}},
                                                             {QStringLiteral("shares"), QJsonObject{{Home::id(1), 32}}},
                                                             {QStringLiteral("in_flight"), 1}}};
    home.coordinator->command({{QStringLiteral("command"), QStringLiteral("plan")},
                               {QStringLiteral("plan"), QCborMap::fromJsonObject(alone)}});
    QVERIFY(comes([&] { return count(home, "plan") == 2 && home.worker(1)->committed > 2; }));
    const auto backups = home.worker(1)->deployment->backups;
    QCOMPARE(backups.size(), std::size_t(1));
    const int holder = Fingerprint::fromHex(backups[0].to)->bytes[1];
    home.holdsEvaluation = true;
    home.returns = false;
    home.command("evaluate");
    QVERIFY(comes([&] { return home.evaluationsAsked == 1; }));
    home.worker(holder)->die();
    QVERIFY(comes([&] { return count(home, "lost") == 1; }));
    QCOMPARE(home.coordinator->state(), RunState::Evaluating);
    home.holdsEvaluation = false;
    home.worker(1)->answerEvaluation();
    QVERIFY(comes([&] { return count(home, "evaluation") == 1; }));
    QCOMPARE(home.evaluationsAsked, 1);
    const auto term = home.worker(1)->term;
    QVERIFY(comes([&] { return home.worker(1)->term > term && home.worker(1)->deployment; }));
    QCOMPARE(home.worker(1)->deployment->backups.size(), std::size_t(1));
    QVERIFY(home.worker(1)->deployment->backups[0].to != backups[0].to);
    QVERIFY(goesOn(home));
    QCOMPARE(count(home, "recovered"), std::size_t(0));
    home.command("stop");
    QVERIFY(reaches(home, RunState::Stopped));
}

void TestCoordinatorResting::aStopWhileAllRestSavesWhatWasTrained_data() {
    QTest::addColumn<int>("devices");
    QTest::newRow("one device") << 1;
    QTest::newRow("each has a part of the layers") << 2;
}

void TestCoordinatorResting::aStopWhileAllRestSavesWhatWasTrained() {
    QFETCH(int, devices);
    Home home(devices);
    if (devices > 1)
        home.request.plan = home.plan();
    makeEndless(home);
    QVERIFY(trains(home, 3));
    for (int number = 1; number <= devices; ++number)
        home.becomes(number, DeviceState::Resting);
    QVERIFY(comes([&] { return home.lastState() == QLatin1String("waiting"); }));
    const auto rounds = count(home, "round");
    home.command("stop");
    QVERIFY(reaches(home, RunState::Stopped));
    QCOMPARE(count(home, "round"), rounds);
    QVERIFY(hasSaved(home));
    QCOMPARE(CheckpointStore(home.directory->path(), {}).versions().front(),
             static_cast<quint64>(lastEvent<event::Round>(home, "round").round));
    QCOMPARE(count(home, "lost"), std::size_t(0));
    QVERIFY(home.agent.stopped.contains(Home::id(1)));
}

void TestCoordinatorResting::aStopWhileTheyAreRelievedSavesWhatWasTrained() {
    Home home(1);
    makeEndless(home);
    QVERIFY(trains(home, 3));
    home.halted = [&](quint32) { home.command("stop"); };
    home.becomes(1, DeviceState::Resting);
    QVERIFY(reaches(home, RunState::Stopped));
    QVERIFY(hasSaved(home));
}

void TestCoordinatorResting::aStopWithoutADeviceThatIsNeededEndsAtOnce() {
    Home home(2);
    home.request.plan = home.plan();
    makeEndless(home);
    home.returns = false;
    home.losesCopies = true;
    QVERIFY(trains(home, 3));
    home.becomes(1, DeviceState::Resting);
    home.worker(2)->die();
    QVERIFY(comes([&] { return count(home, "warning") >= 1; }));
    home.command("stop");
    QVERIFY(reaches(home, RunState::Stopped));
    QVERIFY(!QFile::exists(home.directory->weightsFile()));
}

QTEST_GUILESS_MAIN(TestCoordinatorResting)
#include "test_coordinator_resting.moc"
