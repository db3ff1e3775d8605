#include <QSignalSpy>
#include <QTest>

#include "core/base/block_codecs.h"
#include "run_parts.h"

using namespace hearth;
using namespace hearth::fake;

namespace {

/// Of the plan in force, in which everybody computes as was measured, and for less than half of the time.
void doRounds(RunParts &run, int count, double seconds) {
    event::Round round = roundOf(run, 1);
    round.roundS = seconds;
    for (event::RoundDevice &device : round.devices)
        device.waitForwardS = 1;
    for (int i = 0; i < count; ++i)
        run.replanner->followDrift(round);
}

void changeTo(RunParts &run, const PendingPlan &plan) {
    run.replanner->switching(plan);
    run.current->setPlan(plan.plan);
    run.replanner->changeEnded(plan.reason, 0.1);
}

/// A promise of shorter rounds: the same stages, on other devices.
std::optional<PendingPlan> otherPlan(const RunParts &run) {
    auto plan = readGivenPlan(ofDevices(run.home, {Home::id(2), Home::id(3)}), run.home.request.job,
                              run.home.request.model, run.membership->devices());
    if (!plan)
        return std::nullopt;
    return PendingPlan{std::move(*plan), QStringLiteral("measured"), {}, 0.2};
}

}  // namespace

/// What the rounds under a plan say of the change to it.
class TestJudgedPlans : public QObject {
    Q_OBJECT
  private Q_SLOTS:
    void aRunGoesBackToThePlanThatRoundsShowToBeBetter_data() {
        QTest::addColumn<double>("seconds");  // of a round under the other plan
        QTest::addColumn<QString>("gone");
        QTest::addColumn<bool>("isGiven");
        QTest::addColumn<bool>("goesBack");
        QTest::newRow("rounds are longer under the other one") << 1.5 << QString() << false << true;
        QTest::newRow("rounds are shorter") << 0.8 << QString() << false << false;
        QTest::newRow("a device of the plan before is gone") << 1.5 << Home::id(1) << false << false;
        QTest::newRow("the other one is a person's, which is possible again") << 1.5 << QString() << true << false;
    }
    void aRunGoesBackToThePlanThatRoundsShowToBeBetter() {
        QFETCH(double, seconds);
        QFETCH(QString, gone);
        QFETCH(bool, isGiven);
        QFETCH(bool, goesBack);
        RunParts run(3);
        QVERIFY(trainsWithFirst(run, 3));
        run.replanner->changeEnded(QStringLiteral("first"), 0.1);
        doRounds(run, 6, 1);
        const Plan before = run.current->plan();
        const auto other = otherPlan(run);
        QVERIFY(other && other->plan.stages != before.stages);
        if (isGiven)
            run.replanner->setGiven(other->plan);
        changeTo(run, *other);
        if (!gone.isEmpty())
            run.membership->remove(gone, Departure::Ended);
        QVERIFY(!run.replanner->hasPending());
        doRounds(run, 6, seconds);
        const auto pending = run.replanner->takePending();
        QCOMPARE(pending.has_value(), goesBack);
        if (pending) {
            QCOMPARE(pending->reason, QStringLiteral("return"));
            QCOMPARE(pending->plan.stages, before.stages);
            QVERIFY(pending->plan.prediction);
            QVERIFY(!pending->why.isEmpty());
        }
    }
    void roundsBesideWhichADeviceIsMeasuredSayNothing() {
        RunParts run(4);
        QVERIFY(trainsWithFirst(run, 3));
        run.replanner->changeEnded(QStringLiteral("first"), 0.1);
        doRounds(run, 6, 1);
        const auto other = otherPlan(run);
        QVERIFY(other);
        changeTo(run, *other);
        run.join(4);
        QSignalSpy measured(&*run.replanner, &Replanner::measured);
        run.replanner->measureNext();
        doRounds(run, 20, 1.5);
        QVERIFY(!run.replanner->hasPending());
        QVERIFY(comes([&] { return !measured.isEmpty(); }));
        doRounds(run, 6, 1.5);
        QVERIFY(run.replanner->hasPending());
    }
    void roundsThatAreWrittenByOtherCodecsAreNotCompared_data() {
        QTest::addColumn<qint64>("completed");  // when the plan changes
        QTest::addColumn<QString>("codec");     // of the plan that follows
        QTest::addColumn<bool>("isRaised");     // while it is judged
        QTest::addColumn<bool>("isJudged");
        QTest::newRow("the plan's codec") << qint64{60} << "bfp8" << false << true;
        QTest::newRow("another one in the first rounds") << qint64{10} << "bfp8" << false << false;
        QTest::newRow("the plan's codec in the first rounds") << qint64{10} << "bf16" << false << true;
        QTest::newRow("another one since the cut was raised") << qint64{60} << "bfp8" << true << false;
    }
    void roundsThatAreWrittenByOtherCodecsAreNotCompared() {
        QFETCH(qint64, completed);
        QFETCH(QString, codec);
        QFETCH(bool, isRaised);
        QFETCH(bool, isJudged);
        RunParts run(3);
        QVERIFY(trainsWithFirst(run, 3, completed));
        run.replanner->changeEnded(QStringLiteral("first"), 0.1);
        doRounds(run, 6, 1);
        auto other = otherPlan(run);
        QVERIFY(other);
        other->plan.stages[0].codec = {codecByName(codec), codecByName(codec)};
        changeTo(run, *other);
        doRounds(run, 3, 1.5);
        const qint64 done = completed + 3;
        if (isRaised) {
            CodecRaises raises;
            QVERIFY(!raises.take({151, 1, 1, {{0, {}, {}, 0.02, 0.01}}}, other->plan, done + 1).empty());
            run.guard->setRaises(raises);
            run.replanner->setLevelLimits(raises.limitsAt(done + 1));  // nobody looks for a plan
        }
        run.guard->roundDone(done);
        doRounds(run, 6, 1.5);
        QCOMPARE(run.replanner->hasPending(), isJudged);
    }
    void whatRoundsShowComesBeforeWhatIsPredicted() {
        RunParts run(3);
        QVERIFY(trainsWithFirst(run, 3));
        run.replanner->changeEnded(QStringLiteral("first"), 0.1);
        doRounds(run, 6, 1);
        const auto other = otherPlan(run);
        QVERIFY(other);
        changeTo(run, *other);
        doRounds(run, 5, 1.5);
        run.isChanging = true;
        run.replanner->consider(QStringLiteral("join"));  // later
        run.isChanging = false;
        doRounds(run, 1, 1.5);
        const auto pending = run.replanner->takePending();
        QVERIFY(pending);
        QCOMPARE(pending->reason, QStringLiteral("return"));
    }
    void aDeviceThatLostItsLayersForBeingSlowIsTriedAgain() {
        RunParts run(3);
        QVERIFY(trainsWithFirst(run, 3));
        run.replanner->changeEnded(QStringLiteral("first"), 0.1);
        doRounds(run, 6, 1);
        auto without = readGivenPlan(ofDevices(run.home, {Home::id(1), Home::id(2)}), run.home.request.job,
                                     run.home.request.model, run.membership->devices());
        QVERIFY(without);
        event::Round slow = roundOf(run, 1);
        slow.devices[Home::id(3)].computeS *= 10;
        run.isChanging = true;  // nobody looks for a plan
        for (int i = 0; i < 6; ++i)
            run.replanner->followDrift(slow);
        run.isChanging = false;
        changeTo(run, {std::move(*without), QStringLiteral("replay"), {}, 0});
        doRounds(run, 1, 0.25);
        // Drift is a reason to look for a plan, which is not taken here.
        QVERIFY(comes([&] { return run.replanner->hasPending() || run.replanner->isSettled(); }));
        run.replanner->takePending();
        doRounds(run, 2398, 0.25);
        QVERIFY(run.replanner->isSettled());
        doRounds(run, 1, 0.25);
        QVERIFY(!run.replanner->isSettled());
        QVERIFY(comes([&] { return run.replanner->hasPending(); }));
        QVERIFY(usesDevice(run.replanner->takePending()->plan, Home::id(3)));
    }
    void aPlanThatWasLeftForThatStaysLeft_data() {
        QTest::addColumn<QString>("reason");
        for (const char *reason : {"drift", "measured", "full", "join", "codec"})
            QTest::newRow(reason) << QString::fromLatin1(reason);
    }
    void aPlanThatWasLeftForThatStaysLeft() {
        QFETCH(QString, reason);
        RunParts run(2);
        QVERIFY(trainsWithFirst(run, 2));
        run.replanner->changeEnded(QStringLiteral("first"), 0.1);
        doRounds(run, 6, 1);
        QSignalSpy found(&*run.replanner, &Replanner::found);
        run.replanner->consider(QStringLiteral("measured"));
        QVERIFY(comes([&] { return !found.isEmpty(); }));
        changeTo(run, *run.replanner->takePending());
        doRounds(run, 6, 1.5);
        const auto back = run.replanner->takePending();
        QVERIFY(back);
        QCOMPARE(back->reason, QStringLiteral("return"));
        changeTo(run, *back);
        doRounds(run, 6, 1);
        run.replanner->consider(reason);
        QVERIFY(!run.replanner->isSettled());
        QVERIFY(comes([&] { return run.replanner->isSettled(); }));
    }
};

QTEST_GUILESS_MAIN(TestJudgedPlans)
#include "test_judged_plans.moc"
