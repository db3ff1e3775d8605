#include <QTest>

#include "core/run/drift_patience.h"

using namespace hearth;

/// Rounds that took equally long.
struct Phase {
    int rounds = 0;
    double seconds = 0;
};
using Phases = QList<Phase>;
constexpr Phase anotherPlan{};

class TestDriftPatience : public QObject {
    Q_OBJECT
  private:
    static void rounds(DriftPatience &patience, int count, double seconds) {
        for (int i = 0; i < count; ++i)
            patience.roundTook(seconds);
    }
    static void pass(DriftPatience &patience, const Phases &phases) {
        for (const Phase &phase : phases) {
            if (phase.rounds == 0)
                patience.planChanged();
            rounds(patience, phase.rounds, phase.seconds);
        }
    }

  private Q_SLOTS:
    void aFirstChangeNeedsNoWait() {
        DriftPatience patience;
        QVERIFY(patience.mayLook(0));
    }
    void aChangeThatKeepsItsWordLeavesTheWaitShort() {
        DriftPatience patience;
        rounds(patience, 5, 1.0);
        patience.switched(10, 0.5);
        QVERIFY(!patience.mayLook(1000));  // not judged yet
        rounds(patience, 6, 0.5);
        QCOMPARE(patience.wait(), DriftPatience::shortestWait);
        QVERIFY(!patience.mayLook(10 + DriftPatience::shortestWait - 0.1));
        QVERIFY(patience.mayLook(10 + DriftPatience::shortestWait));
    }
    void changesThatBringNothingWaitLongerAndLonger() {
        DriftPatience patience;
        rounds(patience, 5, 1.0);
        double expected = DriftPatience::shortestWait;
        for (int change = 0; change < 10; ++change) {
            patience.switched(0, 0.5);
            rounds(patience, 6, 0.9);
            expected = std::min(2 * expected, DriftPatience::longestWait);
            QCOMPARE(patience.wait(), expected);
        }
        patience.switched(0, 0.2);
        rounds(patience, 6, 0.7);
        QCOMPARE(patience.wait(), DriftPatience::shortestWait);
    }
    void shortRoundsAreComparedForLong() {
        DriftPatience patience;
        rounds(patience, 50, 0.05);
        patience.switched(0, 0.5);
        rounds(patience, 6, 0.2);  // the new plan's links are slow in coming
        QVERIFY(!patience.mayLook(1000));
        rounds(patience, 70, 0.02);
        QCOMPARE(patience.wait(), DriftPatience::shortestWait);
    }
    void aPromiseIsJudgedByTheRoundsItIsAbout_data() {
        QTest::addColumn<Phases>("before");
        QTest::addColumn<double>("promised");  // the part of a round that is to be saved
        QTest::addColumn<Phases>("after");
        QTest::addColumn<double>("wait");
        const double shortest = DriftPatience::shortestWait;
        QTest::newRow("nothing came of it") << Phases{{5, 1}} << 0.5 << Phases{{7, 1}} << 2 * shortest;
        QTest::newRow("the first round after it does not count")
            << Phases{{5, 1}} << 0.5 << Phases{{1, 50}, {5, 0.5}} << shortest;
        QTest::newRow("rounds of another plan, before a loss, are not compared")
            << Phases{{50, 0.1}, anotherPlan, {20, 1}} << 0.5 << Phases{{6, 0.5}} << shortest;
        QTest::newRow("a few rounds since a loss are nothing to compare with")
            << Phases{{50, 0.1}, anotherPlan, {5, 1}} << 0.5 << Phases{{7, 1}} << shortest;
        QTest::newRow("nor are many that took less than two seconds")
            << Phases{{50, 0.1}, anotherPlan, {20, 0.04}} << 0.5 << Phases{{50, 0.1}} << shortest;
        QTest::newRow("a device that has just become slower counts")
            << Phases{{40, 0.05}, {3, 0.15}} << 0.4 << Phases{{40, 0.09}} << shortest;
        QTest::newRow("a promise that a loss overtook is not judged")
            << Phases{{5, 1}} << 0.5 << Phases{{1, 0.5}, anotherPlan, {20, 3}} << shortest;
    }
    void aPromiseIsJudgedByTheRoundsItIsAbout() {
        QFETCH(Phases, before);
        QFETCH(double, promised);
        QFETCH(Phases, after);
        QFETCH(double, wait);
        DriftPatience patience;
        pass(patience, before);
        patience.switched(0, promised);
        pass(patience, after);
        QCOMPARE(patience.wait(), wait);
        QVERIFY(!patience.mayLook(wait - 0.1));
        QVERIFY(patience.mayLook(wait));
    }
    void aPlanThatBrokeItsWordIsNotTriedAgain_data() {
        QTest::addColumn<double>("brought");  // seconds of a round under it
        QTest::addColumn<double>("later");
        QTest::addColumn<double>("speed");
        QTest::addColumn<int>("microBatch");
        QTest::addColumn<bool>("disappointed");
        QTest::newRow("at the same speeds") << 1.0 << 60.0 << 1.1 << 8 << true;
        QTest::newRow("it did what it promised") << 0.5 << 60.0 << 1.1 << 8 << false;
        QTest::newRow("much later") << 1.0 << 700.0 << 1.1 << 8 << false;
        QTest::newRow("a device is slower by now") << 1.0 << 60.0 << 2.0 << 8 << false;
        QTest::newRow("another plan") << 1.0 << 60.0 << 1.1 << 4 << false;
    }
    void aPlanThatBrokeItsWordIsNotTriedAgain() {
        QFETCH(double, brought);
        QFETCH(double, later);
        QFETCH(double, speed);
        QFETCH(int, microBatch);
        QFETCH(bool, disappointed);
        const QString device = QStringLiteral("d");
        Plan plan;
        plan.microBatch = 8;
        plan.stages = {{0, 4, {{device, 8}}}};
        DriftPatience patience;
        rounds(patience, 5, 1.0);
        patience.switched(0, 0.5, {}, plan, {{device, 1.0}});
        rounds(patience, 6, brought);
        plan.microBatch = microBatch;
        QCOMPARE(patience.disappointed(later, plan, {{device, speed}}), disappointed);
    }
    void aChangeWithoutAVerdictIsNeitherBrokenNorRegretted() {
        Plan before, other;
        before.microBatch = 8;
        other.microBatch = 4;
        DriftPatience patience;
        rounds(patience, 5, 1.0);
        patience.switched(0, 0.5, before, other, {}, DriftPatience::Verdict::None);
        QVERIFY(!patience.isJudging());
        QVERIFY(!patience.mayLook(DriftPatience::shortestWait - 0.1));  // it is a change as any other
        rounds(patience, 7, 2.0);
        QCOMPARE(patience.wait(), DriftPatience::shortestWait);
        QVERIFY(!patience.disappointed(60, other, {}));
        QVERIFY(!patience.takeRegret({}));
    }
    void aPlanIsRegrettedWhereRoundsWereShorterBefore_data() {
        QTest::addColumn<Phases>("after");
        QTest::addColumn<double>("speed");
        QTest::addColumn<double>("regretted");  // seconds of a round since; 0: it is not
        QTest::newRow("rounds are longer") << Phases{{1, 9}, {5, 1.5}} << 1.1 << 1.5;
        QTest::newRow("rounds are as long") << Phases{{1, 9}, {5, 1.02}} << 1.1 << 0.;
        QTest::newRow("rounds are shorter") << Phases{{1, 9}, {5, 0.8}} << 1.1 << 0.;
        QTest::newRow("one round is longer") << Phases{{1, 9}, {1, 9}, {4, 1}} << 1.1 << 0.;
        QTest::newRow("it is too early to say") << Phases{{1, 9}, {4, 1.5}} << 1.1 << 0.;
        QTest::newRow("a device has become slower") << Phases{{1, 9}, {5, 1.5}} << 1.4 << 0.;
        QTest::newRow("a loss has made another plan since") << Phases{{6, 1.5}, anotherPlan, {6, 1.5}} << 1.1 << 0.;
    }
    void aPlanIsRegrettedWhereRoundsWereShorterBefore() {
        QFETCH(Phases, after);
        QFETCH(double, speed);
        QFETCH(double, regretted);
        const QString device = QStringLiteral("d");
        Plan before, other;
        before.microBatch = 8;
        other.microBatch = 4;
        DriftPatience patience;
        rounds(patience, 5, 1.0);
        patience.switched(0, 0.2, before, other, {{device, 1.0}});
        pass(patience, after);
        const auto regret = patience.takeRegret({{device, speed}});
        QCOMPARE(regret.has_value(), regretted > 0);
        if (regret) {
            QCOMPARE(regret->plan.microBatch, before.microBatch);
            QCOMPARE(regret->secondsThen, 1.0);
            QCOMPARE(regret->secondsNow, regretted);
        }
        QVERIFY(!patience.takeRegret({{device, speed}}));
    }
};

QTEST_GUILESS_MAIN(TestDriftPatience)
#include "test_drift_patience.moc"
