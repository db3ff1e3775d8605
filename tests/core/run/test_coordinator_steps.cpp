// What happens between rounds, and does not come to its end: evaluations, and weights that are saved.
#include <QFile>
#include <QTest>

#include "core/base/block_codecs.h"
#include "held_disk.h"
#include "recovery_checks.h"

using namespace hearth;
using namespace hearth::fake;

class TestCoordinatorSteps : public QObject {
    Q_OBJECT
  private Q_SLOTS:
    void aStepThatFailsOnceIsTriedAgain_data();
    void aStepThatFailsOnceIsTriedAgain();
    void anEvaluationThatNeverSucceedsEndsNoRun_data();
    void anEvaluationThatNeverSucceedsEndsNoRun();
    void aLossInBetweenIsNoOtherTry();
    void whatIsGivenUpIsNotTriedAgainWhenItIsRepeated();
    void anEvaluationAloneFails();
    void weightsInBetweenThatNeverArriveEndNoRun();
    void weightsAtTheEndThatNeverArriveAreAnError();
    void roundsGoOnWhileWeightsAreWritten();
    void aPausedRunWritesOneFileAfterTheOther();
    void aStopWaitsForWhatIsBeingWritten();
    void aLossWhileTheLastWeightsAreWritten_data();
    void aLossWhileTheLastWeightsAreWritten();
    void aSaveThatIsAskedForWhileTheLastWeightsAreWritten();
    void everyFileThatIsAskedForIsWritten_data();
    void everyFileThatIsAskedForIsWritten();
    void aFullDiskIsWaitedFor();

  private:
    static QStringList warnings(const Home &home);
    static void save(Home &home, const QString &name);
};

const QString again = QStringLiteral("It is tried again."), without = QStringLiteral("The run goes on without it.");

/// What is advised.
QStringList TestCoordinatorSteps::warnings(const Home &home) {
    QStringList advice;
    for (const RunEvent &event : home.events(QStringLiteral("warning")))
        advice << std::get<event::Warning>(event.body).advice;
    return advice;
}

void TestCoordinatorSteps::save(Home &home, const QString &name) {
    home.coordinator->command(
        {{QStringLiteral("command"), QStringLiteral("save")}, {QStringLiteral("path"), home.folder.filePath(name)}});
}

void TestCoordinatorSteps::aStepThatFailsOnceIsTriedAgain_data() {
    QTest::addColumn<QString>("call");
    QTest::newRow("an evaluation") << QStringLiteral("evaluate");
    QTest::newRow("saving the weights") << QStringLiteral("weights.get");
}

void TestCoordinatorSteps::aStepThatFailsOnceIsTriedAgain() {
    QFETCH(QString, call);
    Home home(2);
    home.request.plan = home.plan();
    home.failsOnce[2] = call;
    home.start(quick());
    QVERIFY(reaches(home, RunState::Finished));
    QCOMPARE(warnings(home), QStringList{again});
    QCOMPARE(count(home, "evaluation"), std::size_t(2));  // after round 2, and at the end
    QVERIFY(QFile::exists(home.directory->weightsFile()));
    verifyRounds(home);
}

void TestCoordinatorSteps::anEvaluationThatNeverSucceedsEndsNoRun_data() {
    QTest::addColumn<bool>("silent");
    QTest::newRow("refused each time") << false;
    QTest::newRow("silent each time") << true;
}

void TestCoordinatorSteps::anEvaluationThatNeverSucceedsEndsNoRun() {
    QFETCH(bool, silent);
    Home home(2);
    home.request.plan = home.plan();
    (silent ? home.silent : home.fails)[2] = QStringLiteral("evaluate");
    RunDeadlines deadlines = quick();
    if (silent)
        deadlines.roundQuiet = std::chrono::seconds(3);
    home.start(deadlines);
    QVERIFY(reaches(home, RunState::Finished));
    QCOMPARE(warnings(home), (QStringList{again, again, without, again, again, without}));
    QCOMPARE(count(home, "evaluation"), std::size_t(0));
    QCOMPARE(count(home, "error"), std::size_t(0));
    QVERIFY(QFile::exists(home.directory->weightsFile()));
    verifyRounds(home);
}

void TestCoordinatorSteps::aLossInBetweenIsNoOtherTry() {
    Home home(3);
    home.request.plan = home.plan();
    home.silent[2] = QStringLiteral("evaluate");
    // What follows the first try: its states are gone, and rounds are done again.
    home.dies[3] = QStringLiteral("halt");
    RunDeadlines deadlines = quick();
    deadlines.roundQuiet = std::chrono::seconds(3);
    home.start(deadlines);
    QVERIFY(reaches(home, RunState::Finished));
    QCOMPARE(count(home, "lost"), std::size_t(1));
    QStringList told = warnings(home);
    told.removeIf([](const QString &each) { return each != again && each != without; });
    QCOMPARE(told, (QStringList{again, again, without, again, again, without}));
    QCOMPARE(count(home, "error"), std::size_t(0));
    verifyRounds(home);
}

/// Where gradients are rounded, no state of these few rounds is whole: each try begins with the first.
void TestCoordinatorSteps::whatIsGivenUpIsNotTriedAgainWhenItIsRepeated() {
    Home home(3);
    home.request.plan = home.plan();
    home.request.job.gradientCodec = &bfp8Codec;
    home.fails[2] = QStringLiteral("evaluate");
    home.start(quick());
    QVERIFY(reaches(home, RunState::Finished));
    QStringList told = warnings(home);
    told.removeIf([](const QString &each) { return each != again && each != without; });
    QCOMPARE(told, (QStringList{again, again, without, again, again, without}));
    verifyRounds(home);
}

void TestCoordinatorSteps::anEvaluationAloneFails() {
    Home home(2);
    home.request.plan = home.plan();
    home.request.kind = RunKind::Evaluate;
    home.fails[2] = QStringLiteral("evaluate");
    home.start(quick());
    QVERIFY(reaches(home, RunState::Failed));
    QCOMPARE(count(home, "error"), std::size_t(1));
    QVERIFY(warnings(home).isEmpty());
}

void TestCoordinatorSteps::weightsInBetweenThatNeverArriveEndNoRun() {
    Home home(2);
    home.request.plan = home.plan();
    makeEndless(home);
    home.fails[2] = QStringLiteral("weights.get");
    QVERIFY(trains(home, 2));
    home.command("save");
    QVERIFY(comes([&] { return warnings(home).contains(without); }));
    QCOMPARE(warnings(home), (QStringList{again, again, without}));
    const std::size_t before = count(home, "round");
    QVERIFY(comes([&] { return count(home, "round") > before + 3; }));
    home.fails.clear();
    home.command("stop");
    QVERIFY(reaches(home, RunState::Stopped));
    QVERIFY(QFile::exists(home.directory->weightsFile()));
}

void TestCoordinatorSteps::weightsAtTheEndThatNeverArriveAreAnError() {
    Home home(2);
    home.request.plan = home.plan();
    home.fails[2] = QStringLiteral("weights.get");
    home.start(quick());
    QVERIFY(reaches(home, RunState::Failed));
    QCOMPARE(warnings(home), (QStringList{again, again}));
    QCOMPARE(count(home, "error"), std::size_t(1));
}

void TestCoordinatorSteps::roundsGoOnWhileWeightsAreWritten() {
    Home home(3);
    home.request.plan = home.plan();
    makeEndless(home);
    home.request.safety.checkpointSeconds = 0;
    QVERIFY(trains(home, 2));
    HeldDisk disk;
    save(home, QStringLiteral("one.safetensors"));
    QVERIFY(comes([&] { return disk.isWaitedFor() || count(home, "checkpoint") > 0; }));
    QCOMPARE(count(home, "checkpoint"), std::size_t(0));
    const qint64 before = home.reported;
    save(home, QStringLiteral("two.safetensors"));
    QVERIFY(comes([&] { return home.reported > before + 3; }));
    // What is lost meanwhile is recovered as ever.
    home.worker(2)->die();
    QVERIFY(comes([&] { return count(home, "recovered") == 1; }));
    QCOMPARE(count(home, "checkpoint"), std::size_t(0));
    disk.letGo();
    QVERIFY(comes([&] { return count(home, "checkpoint") == 2; }));
    for (const char *name : {"one.safetensors", "two.safetensors"})
        QVERIFY(QFile::exists(home.folder.filePath(QLatin1String(name))));
    home.command("stop");
    QVERIFY(reaches(home, RunState::Stopped));
    QVERIFY(!HeldDisk::hasMetEventLoop());
}

void TestCoordinatorSteps::aPausedRunWritesOneFileAfterTheOther() {
    Home home(2);
    home.request.plan = home.plan();
    makeEndless(home);
    home.request.safety.checkpointSeconds = 0;
    QVERIFY(trains(home, 2));
    home.command("pause");
    QVERIFY(reaches(home, RunState::Paused));
    HeldDisk disk;
    save(home, QStringLiteral("one.safetensors"));
    QVERIFY(comes([&] { return disk.isWaitedFor() || count(home, "checkpoint") > 0; }));
    QVERIFY(reaches(home, RunState::Paused));
    save(home, QStringLiteral("two.safetensors"));
    QCOMPARE(home.coordinator->state(), RunState::Paused);
    disk.letGo();
    QVERIFY(comes([&] { return count(home, "checkpoint") == 2; }));
    QVERIFY(QFile::exists(home.folder.filePath(QStringLiteral("two.safetensors"))));
    QVERIFY(reaches(home, RunState::Paused));
    home.command("stop");
    QVERIFY(reaches(home, RunState::Stopped));
}

void TestCoordinatorSteps::aStopWaitsForWhatIsBeingWritten() {
    Home home(2);
    home.request.plan = home.plan();
    makeEndless(home);
    QVERIFY(trains(home, 2));
    HeldDisk disk;
    save(home, QStringLiteral("one.safetensors"));
    QVERIFY(comes([&] { return disk.isWaitedFor() || count(home, "checkpoint") > 0; }));
    home.command("stop");
    QVERIFY(home.coordinator->state() != RunState::Stopped);
    disk.letGo();
    QVERIFY(reaches(home, RunState::Stopped));
    QVERIFY(QFile::exists(home.folder.filePath(QStringLiteral("one.safetensors"))));
    QVERIFY(QFile::exists(home.directory->weightsFile()));
    QVERIFY(warnings(home).isEmpty());
}

void TestCoordinatorSteps::aLossWhileTheLastWeightsAreWritten_data() {
    QTest::addColumn<bool>("stopped");
    QTest::newRow("of all rounds: nobody is needed any more") << false;
    QTest::newRow("of a run that is stopped and may go on later: they are saved again") << true;
}

void TestCoordinatorSteps::aLossWhileTheLastWeightsAreWritten() {
    QFETCH(bool, stopped);
    Home home(3);
    home.request.plan = home.plan();
    if (stopped) {
        makeEndless(home);
        QVERIFY(trains(home, 4));
    }
    HeldDisk disk;
    if (stopped)
        home.command("stop");
    else
        home.start(quick());
    QVERIFY(comes([&] { return disk.isWaitedFor() || count(home, "checkpoint") > 0; }));
    QCOMPARE(home.coordinator->state(), RunState::Saving);
    home.worker(2)->die();
    QVERIFY(comes([&] { return count(home, "lost") == 1; }));
    QCOMPARE(home.coordinator->state(), stopped ? RunState::Recovering : RunState::Saving);
    disk.letGo();
    QVERIFY(reaches(home, stopped ? RunState::Stopped : RunState::Finished));
    QCOMPARE(count(home, "recovered"), std::size_t(stopped ? 1 : 0));
    QVERIFY(QFile::exists(home.directory->weightsFile()));
    if (!stopped)
        verifyRounds(home);
}

void TestCoordinatorSteps::aSaveThatIsAskedForWhileTheLastWeightsAreWritten() {
    Home home(2);
    home.request.plan = home.plan();
    HeldDisk disk;
    home.start(quick());
    QVERIFY(comes([&] { return disk.isWaitedFor() || count(home, "checkpoint") > 0; }));
    QCOMPARE(home.coordinator->state(), RunState::Saving);
    save(home, QStringLiteral("mine.safetensors"));
    disk.letGo();
    QVERIFY(reaches(home, RunState::Finished));
    QVERIFY(QFile::exists(home.folder.filePath(QStringLiteral("mine.safetensors"))));
    QCOMPARE(eventOf<event::Finished>(home, "finished").weightsSha256.size(), 64);
}

void TestCoordinatorSteps::everyFileThatIsAskedForIsWritten_data() {
    QTest::addColumn<bool>("last");
    QTest::newRow("before one boundary") << false;
    QTest::newRow("as the last ones are collected") << true;
}

void TestCoordinatorSteps::everyFileThatIsAskedForIsWritten() {
    QFETCH(bool, last);
    Home home(2);
    home.request.plan = home.plan();
    const QStringList names{QStringLiteral("one.safetensors"), QStringLiteral("two.safetensors")};
    const auto saveAll = [&] {
        for (const QString &name : names)
            save(home, name);
        save(home, QStringLiteral("no/such.safetensors"));
    };
    if (last) {
        home.start(quick());
        connect(home.coordinator.get(), &Coordinator::stateChanged, this, [&](RunState state) {
            if (state == RunState::Saving)
                saveAll();
        });
        QVERIFY(reaches(home, RunState::Finished));
    } else {
        makeEndless(home);
        QVERIFY(trains(home, 2));
        home.holdsRounds = true;
        saveAll();
        home.resumeRounds();
        QVERIFY(comes([&] { return !warnings(home).isEmpty(); }));
        home.command("stop");
        QVERIFY(reaches(home, RunState::Stopped));
    }
    for (const QString &name : names)
        QVERIFY(QFile::exists(home.folder.filePath(name)));
    // What cannot be written costs a warning, not the run.
    QCOMPARE(warnings(home).size(), 1);
}

void TestCoordinatorSteps::aFullDiskIsWaitedFor() {
    Home home(3);
    home.request.plan = home.plan();
    RunDeadlines deadlines = quick();
    deadlines.diskSpace = std::chrono::milliseconds(10);
    home.start(deadlines);
    {
        const SmallDisk disk;
        QVERIFY(comes([&] { return count(home, "warning") > 0 || home.coordinator->state() == RunState::Finished; }));
        QCOMPARE(warnings(home),
                 QStringList{QStringLiteral("Free some space there: the run ends as soon as there is enough.")});
        QCOMPARE(home.coordinator->state(), RunState::Saving);
        home.worker(2)->die();
        QVERIFY(comes([&] { return count(home, "lost") == 1; }));
        QCOMPARE(home.coordinator->state(), RunState::Saving);
    }
    QVERIFY(reaches(home, RunState::Finished));
    QCOMPARE(count(home, "warning"), std::size_t(1));
    QVERIFY(QFile::exists(home.directory->weightsFile()));
    verifyRounds(home);
}

QTEST_GUILESS_MAIN(TestCoordinatorSteps)
#include "test_coordinator_steps.moc"
