// What happens between rounds, and does not come to its end: evaluations, and weights that are saved.
#include <QFile>
#include <QTest>

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
    void anEvaluationAloneFails();
    void weightsInBetweenThatNeverArriveEndNoRun();
    void weightsAtTheEndThatNeverArriveAreAnError();

  private:
    static QStringList warnings(const Home &home);
};

const QString again = QStringLiteral("It is tried again."), without = QStringLiteral("The run goes on without it.");

/// What is advised.
QStringList TestCoordinatorSteps::warnings(const Home &home) {
    QStringList advice;
    for (const RunEvent &event : home.events(QStringLiteral("warning")))
        advice << std::get<event::Warning>(event.body).advice;
    return advice;
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
        deadlines.roundQuiet = std::chrono::seconds(1);
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
    deadlines.roundQuiet = std::chrono::seconds(1);
    home.start(deadlines);
    QVERIFY(reaches(home, RunState::Finished));
    QCOMPARE(count(home, "lost"), std::size_t(1));
    QStringList told = warnings(home);
    told.removeIf([](const QString &each) { return each != again && each != without; });
    QCOMPARE(told, (QStringList{again, again, without, again, again, without}));
    QCOMPARE(count(home, "error"), std::size_t(0));
    verifyRounds(home);
}

void TestCoordinatorSteps::anEvaluationAloneFails() {
    Home home(2);
    home.request.plan = home.plan();
    home.request.evaluateOnly = true;
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

QTEST_GUILESS_MAIN(TestCoordinatorSteps)
#include "test_coordinator_steps.moc"
