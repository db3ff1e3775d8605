#include <QTest>

#include "core/run/drift_patience.h"

using namespace hearth;

class TestDriftPatience : public QObject {
    Q_OBJECT
  private:
    static void rounds(DriftPatience &patience, int count, double seconds) {
        for (int i = 0; i < count; ++i)
            patience.roundTook(seconds);
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
    void theFirstRoundAfterAChangeDoesNotCount() {
        DriftPatience patience;
        rounds(patience, 5, 1.0);
        patience.switched(0, 0.5);
        patience.roundTook(50);
        rounds(patience, 5, 0.5);
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
    void roundsOfAnotherPlanAreNotCompared() {
        DriftPatience patience;
        rounds(patience, 50, 0.1);
        patience.planChanged();  // a device was lost
        rounds(patience, 20, 1.0);
        patience.switched(0, 0.5);
        rounds(patience, 6, 0.5);
        QCOMPARE(patience.wait(), DriftPatience::shortestWait);
    }
    void aDeviceThatHasJustBecomeSlowerCounts() {
        DriftPatience patience;
        rounds(patience, 40, 0.05);
        rounds(patience, 3, 0.15);
        patience.switched(0, 0.4);
        rounds(patience, 40, 0.09);
        QCOMPARE(patience.wait(), DriftPatience::shortestWait);
    }
    void aPromiseThatALossOvertookIsNotJudged() {
        DriftPatience patience;
        rounds(patience, 5, 1.0);
        patience.switched(0, 0.5);
        patience.roundTook(0.5);
        patience.planChanged();
        rounds(patience, 20, 3.0);
        QCOMPARE(patience.wait(), DriftPatience::shortestWait);
        QVERIFY(patience.mayLook(100));
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
        patience.switched(0, 0.5, plan, {{device, 1.0}});
        rounds(patience, 6, brought);
        plan.microBatch = microBatch;
        QCOMPARE(patience.disappointed(later, plan, {{device, speed}}), disappointed);
    }
};

QTEST_GUILESS_MAIN(TestDriftPatience)
#include "test_drift_patience.moc"
