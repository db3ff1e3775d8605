#include <QJsonArray>
#include <QRegularExpression>
#include <QTest>
#include <utility>

#include "core/run/recovery_tries.h"
#include "recovery_checks.h"

using namespace hearth;
using namespace hearth::fake;

/// Devices that are only silent still hold what they have: the run waits for it as long as that can pay.
class TestCoordinatorSilence : public QObject {
    Q_OBJECT
  private Q_SLOTS:
    void whoeverIsSilentComesBackWithItsStates();
    void silenceThatLastsCostsNoMoreThanItsRounds();
    void aWorkerThatIsGoneIsNotWaitedFor();
    void aSilentWorkerWhoseStatesNobodyNeedsJoinsAgain();
    void aWorkerThatIsStuckIsStartedAnew();
    void whoReturnsWhileOthersAreHaltedIsAskedToo();
    void nobodyKeepsConnectionsToWhoeverIsSilent();
    void aLinkThatStaysSilentIsPlannedAround_data();
    void aLinkThatStaysSilentIsPlannedAround();
    void linksThatAreSilentOnceAreAllBuiltAgain();
    void aConnectionThatBreaksWhileItsPlanIsDeployed_data();
    void aConnectionThatBreaksWhileItsPlanIsDeployed();
    void aConnectionThatThePlanInForceDoesNotNeed_data();
    void aConnectionThatThePlanInForceDoesNotNeed();

  private:
    static constexpr std::chrono::milliseconds roundTime{400};  // so long for each round it waits for states, too
    static constexpr std::size_t roundsBefore = 12;
    /// The first stage is on device 1, the second on 2 and 3, which are cut off after some rounds.
    static void cutOff(Home &home);
};

void TestCoordinatorSilence::cutOff(Home &home) {
    home.request.plan = home.plan();
    home.request.job.rounds = roundsBefore + 40;
    home.request.job.evaluateEvery = 0;
    home.roundPause = roundTime;
    home.start(quick());
    QVERIFY(comes([&] { return count(home, "round") >= roundsBefore; }));
    home.cutOff({2, 3});
    QCOMPARE(count(home, "lost"), std::size_t(2));
}

void TestCoordinatorSilence::whoeverIsSilentComesBackWithItsStates() {
    Home home(3);
    cutOff(home);
    QVERIFY(comes([&] { return count(home, "warning") >= 1; }));
    const auto waits = eventOf<event::Warning>(home, "warning");
    QVERIFY2(waits.advice.startsWith(QLatin1String("The run waits up to ")), qPrintable(waits.advice));
    QVERIFY2(waits.cause.contains(QLatin1String("classifier")), qPrintable(waits.cause));
    home.roundPause = std::chrono::milliseconds(0);
    home.unreached.clear();
    QVERIFY(reaches(home, RunState::Finished));
    const auto recovered = eventOf<event::Recovered>(home, "recovered");
    QCOMPARE(recovered.method, QStringLiteral("lightweight"));
    QVERIFY2(recovered.fromVersion >= roundsBefore, qPrintable(QString::number(recovered.fromVersion)));
    QCOMPARE(home.agent.started.count(Home::id(2)), qsizetype(1));
    QVERIFY(!home.agent.stopped.mid(0, home.agent.stopped.size() - 3).contains(Home::id(2)));
    QCOMPARE(count(home, "warning"), std::size_t(1));
    verifyRounds(home);
}

void TestCoordinatorSilence::silenceThatLastsCostsNoMoreThanItsRounds() {
    Home home(3);
    cutOff(home);
    home.roundPause = std::chrono::milliseconds(0);
    QVERIFY(reaches(home, RunState::Finished));
    QCOMPARE(eventOf<event::Recovered>(home, "recovered").method, QStringLiteral("disk"));
    QCOMPARE(count(home, "warning"), std::size_t(2));
    // To know what is lost took as long as the run waited for it.
    static const QRegularExpression upTo(QStringLiteral("waits up to ([0-9.]+) s "));
    const auto named = upTo.match(eventOf<event::Warning>(home, "warning").advice.english());
    QVERIFY(named.hasMatch());
    constexpr double coarse = 0.9;  // timers may be early by a twentieth
    QVERIFY2(eventOf<event::Recovered>(home, "recovered").detectS > coarse * named.captured(1).toDouble(),
             qPrintable(named.captured()));
    QVERIFY(eventOf<event::Warning>(home, "warning", 1).advice.contains(QLatin1String("initial weights")));
    verifyRounds(home);
}

void TestCoordinatorSilence::aWorkerThatIsGoneIsNotWaitedFor() {
    Home home(3);
    cutOff(home);
    home.unreached = {{2, QStringLiteral("wire.nobody-listens")}, {3, QStringLiteral("wire.nobody-listens")}};
    QVERIFY(comes([&] { return home.agent.started.count(Home::id(2)) > 1; }));
    home.unreached.clear();
    home.roundPause = std::chrono::milliseconds(0);
    QVERIFY(reaches(home, RunState::Finished));
    QCOMPARE(eventOf<event::Recovered>(home, "recovered").method, QStringLiteral("disk"));
    verifyRounds(home);
}

void TestCoordinatorSilence::aSilentWorkerWhoseStatesNobodyNeedsJoinsAgain() {
    Home home(3);
    home.request.plan = home.plan();
    makeEndless(home);
    QVERIFY(trains(home, 3));
    home.cutOff({2});
    QVERIFY(comes([&] { return count(home, "recovered") == 1; }));
    QCOMPARE(eventOf<event::Recovered>(home, "recovered").replayedRounds, qint64(0));
    home.unreached.clear();
    QVERIFY(comes([&] { return count(home, "joined") == 1; }));
    QCOMPARE(home.agent.started.count(Home::id(2)), qsizetype(1));
    // The plan of all three was given: it comes back.
    QVERIFY(comes([&] { return count(home, "plan") == 3; }));
    home.command("stop");
    QVERIFY(reaches(home, RunState::Stopped));
}

void TestCoordinatorSilence::aWorkerThatIsStuckIsStartedAnew() {
    Home home(3);
    home.request.plan = home.plan();
    makeEndless(home);
    QVERIFY(trains(home, 3));
    // Its agent is well all the time.
    home.unreached[2] = QStringLiteral("wire.deadline");
    Q_EMIT home.agent.workerExited(
        Home::id(2), {QStringLiteral("device.lost"), QStringLiteral("It does not answer any more."), {}, {}});
    QVERIFY(comes([&] { return home.agent.started.count(Home::id(2)) == 2; }));
    home.unreached.clear();
    QVERIFY(comes([&] { return count(home, "joined") == 1; }));
    home.command("stop");
    QVERIFY(reaches(home, RunState::Stopped));
}

void TestCoordinatorSilence::whoReturnsWhileOthersAreHaltedIsAskedToo() {
    Home home(3);
    home.silent[1] = QStringLiteral("halt");
    cutOff(home);
    home.roundPause = std::chrono::milliseconds(0);
    home.unreached.clear();
    QVERIFY(comes([&] { return count(home, "joined") == 2; }));
    fake::Worker *first = home.worker(1);
    QVERIFY(first->deploying);
    home.silent.clear();
    first->deploying->ok(
        {{QStringLiteral("version"), first->rounds}, {QStringLiteral("states"), heldStatesToCbor(first->held)}});
    QVERIFY(reaches(home, RunState::Finished));
    const auto recovered = eventOf<event::Recovered>(home, "recovered");
    QCOMPARE(recovered.method, QStringLiteral("lightweight"));
    QVERIFY2(recovered.fromVersion >= roundsBefore, qPrintable(QString::number(recovered.fromVersion)));
    verifyRounds(home);
}

void TestCoordinatorSilence::nobodyKeepsConnectionsToWhoeverIsSilent() {
    Home home(3);
    cutOff(home);
    QVERIFY(comes([&] { return home.worker(1)->expected == QStringList{key(2, 1).toHex()}; }));
    home.roundPause = std::chrono::milliseconds(0);
    home.unreached.clear();
    QVERIFY(reaches(home, RunState::Finished));
}

void TestCoordinatorSilence::aLinkThatStaysSilentIsPlannedAround_data() {
    QTest::addColumn<QString>("code");
    QTest::addColumn<int>("stages");
    QTest::newRow("it is there each time, and lets nothing through") << QStringLiteral("worker.link-silent") << 1;
    QTest::newRow("it only ends") << QStringLiteral("wire.closed") << 2;
}

void TestCoordinatorSilence::aLinkThatStaysSilentIsPlannedAround() {
    QFETCH(QString, code);
    QFETCH(int, stages);
    Home home(2);
    home.request.plan = home.plan();
    home.request.job.evaluateEvery = 0;
    home.holdsRounds = true;
    home.start(quick());
    QVERIFY(reaches(home, RunState::Training));
    for (std::size_t times = 1; times <= std::size_t{RecoveryTries::mostTries}; ++times) {
        // One end notices it, or the other.
        const int end = times % 2 == 1 ? 1 : 2;
        home.worker(end)->tellLost(*home.worker(3 - end), {}, code);
        QVERIFY(
            comes([&] { return count(home, "plan") == times + 1 && home.coordinator->state() == RunState::Training; }));
    }
    home.resumeRounds();
    QVERIFY(reaches(home, RunState::Finished));
    const auto plan = lastEvent<event::Plan>(home, "plan").plan;
    QCOMPARE(plan[QStringLiteral("stages")].toArray().size(), stages);
    verifyRounds(home);
}

void TestCoordinatorSilence::linksThatAreSilentOnceAreAllBuiltAgain() {
    Home home(3);
    home.request.plan = home.plan();
    home.request.job.evaluateEvery = 0;
    home.holdsRounds = true;
    home.start(quick());
    QVERIFY(reaches(home, RunState::Training));
    std::size_t plans = 1;
    for (const auto &[from, to] : {std::pair{1, 2}, std::pair{1, 3}, std::pair{2, 3}}) {
        home.worker(from)->tellLost(*home.worker(to), {}, QStringLiteral("worker.link-silent"));
        ++plans;
        QVERIFY(comes([&] { return count(home, "plan") == plans && home.coordinator->state() == RunState::Training; }));
    }
    home.resumeRounds();
    QVERIFY(reaches(home, RunState::Finished));
    QStringList advice;
    for (const RunEvent &each : home.events(QStringLiteral("warning")))
        advice << std::get<event::Warning>(each.body).advice.english();
    QCOMPARE(advice, QStringList(3, QStringLiteral("It is built again; the round is repeated.")));
    verifyRounds(home);
}

void TestCoordinatorSilence::aConnectionThatBreaksWhileItsPlanIsDeployed_data() {
    QTest::addColumn<quint32>("before");
    QTest::newRow("not one that broke before: it is built with this plan") << quint32(1);
    QTest::newRow("not one that no plan needs") << quint32(0);
}

/// It is deployed again.
void TestCoordinatorSilence::aConnectionThatBreaksWhileItsPlanIsDeployed() {
    QFETCH(quint32, before);
    Home home(3);
    home.request.plan = home.plan();
    makeEndlessOnItsPlan(home);
    QVERIFY(trains(home, 2));
    home.silent[3] = QStringLiteral("deploy");
    home.worker(2)->die();
    QVERIFY(comes([&] {
        const auto &plan = home.worker(1)->deployment;
        return home.worker(3)->deploying && plan && plan->term == 2;
    }));
    home.silent.clear();
    home.worker(1)->tellLost(*home.worker(3), before);
    home.worker(3)->tellLost(*home.worker(1), 2);
    QVERIFY(comes([&] { return count(home, "plan") == 3; }));
    const auto rounds = count(home, "round");
    QVERIFY(comes([&] { return count(home, "round") > rounds + 3; }));
    QStringList broken;
    for (const RunEvent &each : home.events(QStringLiteral("warning"))) {
        const auto &told = std::get<event::Warning>(each.body);
        if (told.what.contains(QLatin1String("The connection between")))
            broken << told.what.english();
    }
    QCOMPARE(broken, QStringList{QStringLiteral("The connection between local-3 and local-1 broke.")});
    QCOMPARE(count(home, "plan"), std::size_t(3));
    QCOMPARE(count(home, "lost"), std::size_t(1));
    QCOMPARE(count(home, "recovered"), std::size_t(1));
    home.command("stop");
    QVERIFY(reaches(home, RunState::Stopped));
}

void TestCoordinatorSilence::aConnectionThatThePlanInForceDoesNotNeed_data() {
    QTest::addColumn<qint64>("ofTerm");
    QTest::newRow("no plan needs it") << qint64{0};
    QTest::newRow("a plan that is not there yet needs it") << qint64{2};
    QTest::newRow("a number that no term reaches") << qint64{0x100000001};
}

/// Its end costs the run nothing.
void TestCoordinatorSilence::aConnectionThatThePlanInForceDoesNotNeed() {
    QFETCH(qint64, ofTerm);
    Home home(3);
    home.request.plan = home.plan();
    makeEndlessOnItsPlan(home);
    QVERIFY(trains(home, 2));
    home.worker(1)->tellLost(*home.worker(2), ofTerm);
    home.worker(1)->tellLost(*home.worker(3), 1);  // judged after the other one
    QVERIFY(comes([&] { return count(home, "recovered") == 1; }));
    QCOMPARE(count(home, "warning"), std::size_t(1));
    QCOMPARE(eventOf<event::Warning>(home, "warning").what,
             QStringLiteral("The connection between local-1 and local-3 broke."));
    home.command("stop");
    QVERIFY(reaches(home, RunState::Stopped));
}

QTEST_GUILESS_MAIN(TestCoordinatorSilence)
#include "test_coordinator_silence.moc"
