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

    void theFiguresAreThoseOfTheRoundsThatAreLeft_data() {
        QTest::addColumn<qint64>("from");
        QTest::newRow("all done again") << qint64{1};
        QTest::newRow("from the end of what is stored as one") << qint64{1024};
        QTest::newRow("from the beginning of what is stored as one") << qint64{1025};
        QTest::newRow("from somewhere") << qint64{1500};
        QTest::newRow("only the last one") << qint64{3000};
    }
    void theFiguresAreThoseOfTheRoundsThatAreLeft() {
        QFETCH(qint64, from);
        RunWriter run(runs(), QStringLiteral("a"));
        run.begin();
        QMap<qint64, event::Round> left;
        run.rounds(3000, [&left](event::Round &round) {
            round.loss = 9 - static_cast<double>(round.round) / 1000;
            round.samplesPerS = static_cast<double>(round.round);
            left[round.round] = round;
        });
        for (int time = 1; time <= 3; ++time) {
            // Each time a look in between, and something in the file that is taken back the next time.
            left.erase(left.lowerBound(from), left.end());
            for (qint64 i = from; i < from + 5; ++i) {
                event::Round round = {i, 2, static_cast<quint64>(i), 8 + 0.1 * time, 1, 1, 50.0 * time, {}, {}};
                run.add(round);
                left[i] = round;
            }
            run.add(event::Evaluation{from + 4, 0.5 - 0.1 * time, 1});
            double lowest = 99, seconds = 0;
            for (const event::Round &round : std::as_const(left)) {
                lowest = std::min(lowest, round.loss);
                seconds += 1 / round.samplesPerS;
            }
            const RunSummary summary = only();
            QCOMPARE(summary.rounds, from + 4);
            QCOMPARE(summary.firstLoss, left.first().loss);
            QCOMPARE(summary.loss, 8 + 0.1 * time);
            QCOMPARE(summary.lowestLoss, lowest);
            QCOMPARE(summary.samplesPerSecond, static_cast<double>(left.size()) / seconds);
            QCOMPARE(summary.bestAccuracy, 0.5 - 0.1 * time);
            QCOMPARE(details().loss.back().round, static_cast<double>(from + 4));
        }
    }
};

QTEST_GUILESS_MAIN(IndexUndoTest)
#include "index_undo_test.moc"
