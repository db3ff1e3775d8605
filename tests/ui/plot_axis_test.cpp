// Where the moments of a run are by time, by round and by epoch.
#include "ui/train/plot_axis.h"

#include <QTest>
#include <cmath>

using namespace hearth;

class PlotAxisTest : public QObject {
    Q_OBJECT

    /// One round in each second, from the first on.
    static TimeSeries steadyRounds(int count) {
        TimeSeries rounds;
        for (int i = 1; i <= count; ++i)
            rounds.append(i, i);
        return rounds;
    }

  private Q_SLOTS:
    void byTimeAPlaceIsAMoment() {
        const PlotAxis axis;
        QCOMPARE(axis.placeOf(12.5), 12.5);
        QCOMPARE(axis.timeOf(12.5), 12.5);
        QCOMPARE(axis.momentsAt(12.5).from, 12.5);
        QCOMPARE(axis.momentsAt(12.5).until, 12.5);
        QVERIFY(axis.isHole(3, 3.1));
    }

    void aMomentIsAtTheRoundThatWasDoneLast_data() {
        QTest::addColumn<double>("t");
        QTest::addColumn<double>("round");
        QTest::newRow("before the first") << 0.5 << 0.0;
        QTest::newRow("when one is done") << 3.0 << 3.0;
        QTest::newRow("between two") << 3.9 << 3.0;
        QTest::newRow("after the last") << 100.0 << 5.0;
    }
    void aMomentIsAtTheRoundThatWasDoneLast() {
        QFETCH(double, t);
        QFETCH(double, round);
        const TimeSeries rounds = steadyRounds(5);
        const PlotAxis axis(AxisKind::Round, rounds, 1);
        QCOMPARE(axis.placeOf(t), round);
        QCOMPARE(PlotStretch(axis, 0, 6).placeOf(t), round);
        QCOMPARE(PlotAxis(AxisKind::Epoch, rounds, 0.1).placeOf(t), round / 10);
    }

    void aRunIsAtARoundUntilTheNextIsDone() {
        const TimeSeries rounds = steadyRounds(5);
        const PlotAxis axis(AxisKind::Round, rounds, 1);
        QCOMPARE(axis.momentsAt(3.7).from, 3.0);
        QVERIFY(axis.momentsAt(3.7).until < 4 && axis.momentsAt(3.7).until > 3.999);
        QCOMPARE(axis.momentsAt(0.2).from, 0.0);
        QVERIFY(axis.momentsAt(0.2).until < 1);
        QCOMPARE(axis.momentsAt(5).from, 5.0);
        QVERIFY(std::isinf(axis.momentsAt(5).until));
        QVERIFY(std::isinf(axis.momentsAt(6).from));
        // A multiple of a part of an epoch is seldom exact.
        QCOMPARE(PlotAxis(AxisKind::Epoch, rounds, 0.1).timeOf(3 * 0.1), 3.0);
    }

    void aRunWithoutRoundsIsAtItsBeginning() {
        const TimeSeries rounds;
        const PlotAxis axis(AxisKind::Round, rounds, 1);
        QCOMPARE(axis.placeOf(12), 0.0);
        QCOMPARE(axis.timeOf(12), 0.0);
        QCOMPARE(PlotStretch(axis, 0, 10).placeOf(12), 0.0);
        QCOMPARE(axis.momentsAt(0).from, 0.0);
        QVERIFY(std::isinf(axis.momentsAt(0).until));
        QVERIFY(std::isinf(axis.momentsAt(1).from));
    }

    void aStepLeadsFromOneWholeRoundToAnother_data() {
        QTest::addColumn<double>("place");
        QTest::addColumn<double>("by");
        QTest::addColumn<double>("round");
        QTest::newRow("one that is too short") << 3.0 << 0.05 << 4.0;
        QTest::newRow("back") << 3.0 << -0.05 << 2.0;
        QTest::newRow("from between two") << 3.7 << 0.05 << 4.0;
        QTest::newRow("back from between two") << 3.7 << -0.05 << 2.0;
        QTest::newRow("a long one") << 3.0 << 4.2 << 7.0;
        QTest::newRow("to what is seen last") << 7.0 << 4.2 << 8.0;
        QTest::newRow("to what is seen first") << 3.0 << -4.2 << 2.0;
    }
    void aStepLeadsFromOneWholeRoundToAnother() {
        QFETCH(double, place);
        QFETCH(double, by);
        QFETCH(double, round);
        const TimeSeries rounds = steadyRounds(10);
        constexpr double first = 1.3, last = 8.9, unit = 0.1;
        QCOMPARE(PlotAxis(AxisKind::Round, rounds, 1).stepFrom(place, by, first, last), round);
        QCOMPARE(PlotAxis(AxisKind::Epoch, rounds, unit).stepFrom(unit * place, unit * by, unit * first, unit * last),
                 unit * round);
    }

    void byTimeAStepIsAsLongAsItIs() {
        QCOMPARE(PlotAxis().stepFrom(3, 0.05, 1.3, 8.9), 3.05);
        QCOMPARE(PlotAxis().stepFrom(8.88, 0.05, 1.3, 8.9), 8.9);
    }

    void whatARecoveryUndidIsNotThere() {
        TimeSeries rounds = steadyRounds(60);
        rounds.dropAfter(50);
        rounds.append(70, 51);
        const PlotAxis axis(AxisKind::Round, rounds, 1);
        QCOMPARE(axis.placeOf(55), 50.0);
        QCOMPARE(axis.placeOf(70), 51.0);
        QCOMPARE(axis.timeOf(51), 70.0);
        QVERIFY(!axis.isHole(50, 51));
    }

    void missingRoundsAreAHole() {
        TimeSeries rounds = steadyRounds(60);
        rounds.breakHere();
        rounds.append(100, 91);
        const PlotAxis axis(AxisKind::Round, rounds, 1);
        QCOMPARE(axis.placeOf(80), 60.0);
        QVERIFY(axis.timeOf(75) > 60 && axis.timeOf(75) < 100);
        QVERIFY(axis.isHole(60, 91));
        QVERIFY(!PlotAxis(AxisKind::Epoch, rounds, 0.01).isHole(0.6, 0.61));
    }

    void aDayIsFoundRoundForRound() {
        constexpr int day = 86'400;
        TimeSeries rounds;
        std::vector<double> times{0};
        for (int i = 1; i <= day; ++i) {
            // Of no even pace, and with pauses.
            const bool pauses = i % 10'000 == 0;
            if (pauses)
                rounds.breakHere();
            times.push_back(times.back() + 0.5 + 0.2 * (i % 7) + (pauses ? 600 : 0));
            rounds.append(times.back(), i);
        }
        const PlotAxis axis(AxisKind::Round, rounds, 1);
        const PlotStretch whole(axis, 0, day), part(axis, 50'000, 50'100);
        for (int i = 25'000; i <= day; i += 977) {
            QCOMPARE(axis.placeOf(times[static_cast<std::size_t>(i)]), static_cast<double>(i));
            QCOMPARE(axis.timeOf(i), times[static_cast<std::size_t>(i)]);
        }
        for (int i = 50'000; i <= 50'100; ++i)
            QCOMPARE(part.placeOf(times[static_cast<std::size_t>(i)]), static_cast<double>(i));
        // In a plot of 800 pixels each is so many rounds wide; of long ago so many rounds are known as one piece.
        constexpr double pixel = day / 800.0, together = 64;
        for (int i = 1; i <= day; i += 977) {
            const double t = times[static_cast<std::size_t>(i)];
            QVERIFY2(std::abs(whole.placeOf(t) - i) < pixel, qPrintable(QString::number(i)));
            QVERIFY2(std::abs(axis.placeOf(t) - i) <= together, qPrintable(QString::number(i)));
            QVERIFY2(std::abs(axis.placeOf(axis.timeOf(i)) - i) <= together, qPrintable(QString::number(i)));
        }
    }
};

QTEST_APPLESS_MAIN(PlotAxisTest)
#include "plot_axis_test.moc"
