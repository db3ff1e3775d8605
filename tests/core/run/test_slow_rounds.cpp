#include <QSignalSpy>
#include <QTest>
#include <QTimer>

#include "core/protocol/transfer_progress.h"
#include "core/run/slow_rounds.h"
#include "recovery_checks.h"
#include "tests/core/base/patience.h"
#include "tests/core/base/standstill.h"

using namespace hearth;
using namespace std::chrono_literals;
using namespace hearth::fake;

namespace {

/// Starts a run whose workers do not end their rounds by themselves.
void holdRounds(Home &home, const RunDeadlines &deadlines) {
    home.request.plan = home.plan();
    home.holdsRounds = true;
    home.start(deadlines);
}

}  // namespace

/// Rounds that take long: said once, and no reason to fail while bytes move.
class TestSlowRounds : public QObject {
    Q_OBJECT
  private Q_SLOTS:
    void saidOncePerEpisode();
    void nothingUnderWayIsNotSlow();
    void theLinkThatIsWaitedForIsNamed();
    void theDeviceThatIsWaitedForIsNamed();
    void bytesThatMoveKeepARoundAlive();
    void theDeviceThatHangsIsLostNotTheFirst();
    void aLinkThatStandsStillIsPlannedAround();
    void aRoundThatStaysQuietEndsTheRun();
    void bytesThatMoveKeepACallAlive();
    void amountsThatMakeNoSenseCountAsNothing();

  private:
    void tell(const Home &home, int from, qint64 moved, int to, qint64 waiting) const;
};

void TestSlowRounds::tell(const Home &home, int from, qint64 moved, int to, qint64 waiting) const {
    const TransferProgress progress{moved, {{fake::key(2, static_cast<quint8>(to)).toHex(), waiting}}};
    home.worker(from)->rpc->notify(QStringLiteral("transfers"), progress.toCbor());
}

void TestSlowRounds::saidOncePerEpisode() {
    SlowRounds rounds(1ms);
    QSignalSpy slow(&rounds, &SlowRounds::slow);
    rounds.begun(1);
    rounds.begun(2);  // fed ahead
    QTRY_COMPARE_WITH_TIMEOUT(slow.count(), 1, patience);
    QCOMPARE(slow.at(0).at(0).toLongLong(), 1);
    rounds.done(1, 10);
    rounds.done(2, 10);
    SlowRounds clock(5ms);
    QSignalSpy later(&clock, &SlowRounds::slow);
    rounds.begun(3);
    clock.begun(1);
    QTRY_COMPARE_WITH_TIMEOUT(later.count(), 1, patience);
    QCOMPARE(slow.count(), 1);  // the same episode
    rounds.done(3, 0);          // as fast as it should be
    rounds.begun(4);
    QTRY_COMPARE_WITH_TIMEOUT(slow.count(), 2, patience);
    QCOMPARE(slow.at(1).at(0).toLongLong(), 4);
}

void TestSlowRounds::nothingUnderWayIsNotSlow() {
    SlowRounds rounds(1ms), other(1ms);
    QSignalSpy slow(&rounds, &SlowRounds::slow), otherSlow(&other, &SlowRounds::slow);
    rounds.begun(1);
    rounds.rest();
    other.begun(1);
    QTRY_COMPARE_WITH_TIMEOUT(otherSlow.count(), 1, patience);
    QCOMPARE(slow.count(), 0);
    rounds.setPrediction(1e9);  // five times that is no time a timer knows
    rounds.begun(2);
    QCOMPARE(slow.count(), 0);
}

void TestSlowRounds::theLinkThatIsWaitedForIsNamed() {
    Home home(2);
    RunDeadlines deadlines;
    deadlines.slowRound = 20ms;
    holdRounds(home, deadlines);
    QTRY_COMPARE_WITH_TIMEOUT(home.coordinator->state(), RunState::Training, patience);
    tell(home, 1, 0, 2, 1000);
    tell(home, 2, 0, 1, 800'000);
    QTRY_COMPARE_WITH_TIMEOUT(home.events(QStringLiteral("warning")).size(), std::size_t(1), patience);
    const auto events = home.events(QStringLiteral("warning"));
    const auto &warning = std::get<event::Warning>(events[0].body);
    QVERIFY2(warning.what.startsWith(QLatin1String("Round 1 takes more than 5 times")), qPrintable(warning.what));
    QVERIFY2(warning.cause.startsWith(QLatin1String("800,000 bytes")), qPrintable(warning.cause));
    QVERIFY2(warning.cause.endsWith(QLatin1String("on the link from local-2 to local-1.")), qPrintable(warning.cause));
    QVERIFY(!warning.advice.isEmpty());
    QCOMPARE(home.coordinator->state(), RunState::Training);
}

void TestSlowRounds::theDeviceThatIsWaitedForIsNamed() {
    Home home(2);
    RunDeadlines deadlines;
    deadlines.slowRound = 20ms;
    holdRounds(home, deadlines);
    QTRY_COMPARE_WITH_TIMEOUT(home.coordinator->state(), RunState::Training, patience);
    // A worker is done with what it was given.
    QTRY_VERIFY_WITH_TIMEOUT(home.inputSamples[1] >= home.request.job.batch, patience);
    home.worker(1)->reportRound(1);
    QTRY_COMPARE_WITH_TIMEOUT(home.events(QStringLiteral("warning")).size(), std::size_t(1), patience);
    const auto events = home.events(QStringLiteral("warning"));
    QCOMPARE(std::get<event::Warning>(events[0].body).cause, QStringLiteral("Not done with it: local-2."));
}

void TestSlowRounds::bytesThatMoveKeepARoundAlive() {
    RunDeadlines deadlines = unhurried();
    deadlines.roundQuiet = 3000ms;
    for (Tries tries;;) {
        Standstill machine;
        Home home(2);
        holdRounds(home, deadlines);
        QTRY_COMPARE_WITH_TIMEOUT(home.coordinator->state(), RunState::Training, patience);
        int left = 100;  // for twice as long as the deadline
        QTimer mover;
        connect(&mover, &QTimer::timeout, this, [&] {
            if (--left >= 0)
                tell(home, 1, 10'000, 2, 500'000);
        });
        mover.start(60ms);
        QTRY_VERIFY_WITH_TIMEOUT(left <= 0, patience);
        if (count(home, "warning") > 0 && machine.excuses(deadlines.roundQuiet, tries))
            continue;
        QCOMPARE(count(home, "warning"), std::size_t(0));
        QCOMPARE(home.coordinator->state(), RunState::Training);
        // Bytes that wait and do not move are none.
        connect(&mover, &QTimer::timeout, this, [&] { tell(home, 1, 0, 2, 500'000); });
        QTRY_VERIFY_WITH_TIMEOUT(count(home, "warning") > 0, patience);
        QCOMPARE(eventOf<event::Warning>(home, "warning").what, QStringLiteral("Round 1 does not get on."));
        return;
    }
}

void TestSlowRounds::theDeviceThatHangsIsLostNotTheFirst() {
    Home home(3);
    RunDeadlines deadlines = quick();
    deadlines.roundQuiet = 3000ms;
    deadlines.halt = 5000ms;  // of the devices that are well, too
    home.returns = false;
    // Its operation under way does not end; the others wait for it.
    home.silent[3] = QStringLiteral("halt");
    holdRounds(home, deadlines);
    whenFirst(home, RunState::Recovering, [&home] { home.holdsRounds = false; });
    QVERIFY(reaches(home, RunState::Finished));
    const auto lost = eventOf<event::Lost>(home, "lost");
    QCOMPARE(lost.id, Home::id(3));
    QCOMPARE(count(home, "lost"), std::size_t(1));
    verifyRounds(home);
}

void TestSlowRounds::aLinkThatStandsStillIsPlannedAround() {
    Home home(3);
    RunDeadlines deadlines = quick();
    deadlines.roundQuiet = 3000ms;
    holdRounds(home, deadlines);
    whenFirst(home, RunState::Training, [&] { tell(home, 1, 0, 2, 500'000); });
    whenFirst(home, RunState::Recovering, [&home] { home.holdsRounds = false; });
    QVERIFY(reaches(home, RunState::Finished));
    QCOMPARE(eventOf<event::Warning>(home, "warning").cause,
             QStringLiteral("500,000 bytes (488 KiB) wait on the link from local-1 to local-2."));
    QCOMPARE(count(home, "lost"), std::size_t(0));
    QVERIFY(count(home, "plan") >= 2);
    QVERIFY(lastEvent<event::Plan>(home, "plan").plan[QStringLiteral("stages")] !=
            eventOf<event::Plan>(home, "plan").plan[QStringLiteral("stages")]);
    verifyRounds(home);
}

void TestSlowRounds::aRoundThatStaysQuietEndsTheRun() {
    Home home(2);
    RunDeadlines deadlines = quick();
    deadlines.roundQuiet = 500ms;
    holdRounds(home, deadlines);
    QVERIFY(reaches(home, RunState::Failed));
    QCOMPARE(home.lastError().code, QStringLiteral("run.round-quiet"));
    QCOMPARE(count(home, "warning"), std::size_t(2));
    QCOMPARE(count(home, "lost"), std::size_t(0));
}

void TestSlowRounds::bytesThatMoveKeepACallAlive() {
    RunDeadlines deadlines = unhurried();
    deadlines.deploy = 3000ms;
    for (Tries tries;;) {
        Standstill machine;
        Home home(2);
        home.request.plan = home.plan();
        home.silent[2] = QStringLiteral("deploy");
        home.start(deadlines);
        QTRY_COMPARE_WITH_TIMEOUT(home.coordinator->state(), RunState::Deploying, patience);
        int left = 100;  // for twice as long as the deadline
        QTimer mover;
        connect(&mover, &QTimer::timeout, this, [&] {
            if (--left >= 0)
                tell(home, 2, 10'000, 1, 0);
        });
        mover.start(60ms);
        QTRY_VERIFY_WITH_TIMEOUT(left <= 0, patience);
        if (count(home, "lost") > 0 && machine.excuses(deadlines.deploy, tries))
            continue;
        QCOMPARE(count(home, "lost"), std::size_t(0));
        QCOMPARE(home.coordinator->state(), RunState::Deploying);
        QTRY_VERIFY_WITH_TIMEOUT(count(home, "lost") > 0, patience);
        const auto lost = eventOf<event::Lost>(home, "lost");
        QVERIFY2(lost.cause.contains(QLatin1String("local-2")), qPrintable(lost.cause));
        return;
    }
}

void TestSlowRounds::amountsThatMakeNoSenseCountAsNothing() {
    const QString peer = fake::key(2, 1).toHex();
    const TransferProgress progress{5, {{peer, 7}}};
    QCOMPARE(TransferProgress::fromCbor(progress.toCbor()).movedBytes, 5);
    QCOMPARE(TransferProgress::fromCbor(progress.toCbor()).waiting, progress.waiting);
    const TransferProgress negative = TransferProgress::fromCbor(TransferProgress{-5, {{peer, -7}}}.toCbor());
    QCOMPARE(negative.movedBytes, 0);
    QVERIFY(negative.waiting.isEmpty());
    QVERIFY(TransferProgress::fromCbor({{QStringLiteral("waiting"), 3}}).waiting.isEmpty());
}

QTEST_GUILESS_MAIN(TestSlowRounds)
#include "test_slow_rounds.moc"
