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
};

QTEST_GUILESS_MAIN(TestDriftPatience)
#include "test_drift_patience.moc"
