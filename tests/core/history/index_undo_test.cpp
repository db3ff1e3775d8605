// What History's index makes of rounds that are taken back.
#include <QTest>
#include <cmath>

#include "tests/core/history/index_fixture.h"

using namespace hearth;

class IndexUndoTest : public IndexFixture {
    Q_OBJECT

  private Q_SLOTS:
    void init() { begin(QStringLiteral("history.sqlite")); }

    void roundsDoneAgainTakeThePlaceOfThoseThatWereLost() {
        RunWriter run(runs(), QStringLiteral("a"));
        run.begin();
        for (int round = 1; round <= 2100; ++round)
            run.round(round, round == 2050 ? 0.001 : 5, 1, 50);
        run.add(event::Evaluation{2060, 0.99, 0.1});
        // A second look, so that what is taken back was stored before.
        QCOMPARE(only().lowestLoss, 0.001);
        run.add(event::Lost{QString(64, QLatin1Char('b')), 2101, QStringLiteral("silent")});
        event::Recovered recovered;
        recovered.term = 2;
        recovered.replayedRounds = 1700;
        recovered.movedBytes = 4096;
        run.add(recovered);
        for (int round = 401; round <= 500; ++round)
            run.round(round, 3, 2, 100);
        const RunSummary summary = only();
        QCOMPARE(summary.rounds, 500);
        QCOMPARE(summary.losses, 1);
        QCOMPARE(summary.recoveries, 1);
        QCOMPARE(summary.replayedRounds, 1700);
        QCOMPARE(summary.movedBytes, 4096);
        QCOMPARE(summary.lowestLoss, 3.0);
        QCOMPARE(summary.firstLoss, 5.0);
        QVERIFY(std::isnan(summary.bestAccuracy));
        QCOMPARE(summary.samplesPerSecond, 500 / (400 / 50.0 + 100 / 100.0));
        const RunDetails found = details();
        QVERIFY(found.accuracy.empty());
        int rounds = 0, gaps = 0;
        double last = 0;
        for (const CurvePoint &point : found.loss) {
            if (!std::isfinite(point.value)) {
                ++gaps;
                continue;
            }
            ++rounds;
            QVERIFY(point.round > last);
            last = point.round;
        }
        QCOMPARE(rounds, 500);
        QCOMPARE(gaps, 1);
    }
};

QTEST_GUILESS_MAIN(IndexUndoTest)
#include "index_undo_test.moc"
