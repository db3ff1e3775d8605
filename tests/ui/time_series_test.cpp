// The series behind the plots: fixed memory, peaks that survive, silence that stays.
#include "ui/run/time_series.h"

#include <QTest>
#include <algorithm>
#include <cmath>
#include <limits>

using namespace hearth;

namespace {
constexpr double day = 24 * 3600;
constexpr double all = std::numeric_limits<double>::max();
constexpr int everything = std::numeric_limits<int>::max();
}  // namespace

class TimeSeriesTest : public QObject {
    Q_OBJECT

  private Q_SLOTS:
    void newValuesAreExact() {
        TimeSeries series({64, 16});
        for (int i = 0; i < 40; ++i)
            series.append(i / 3.0, i * 0.1);
        const auto pieces = series.read(-all, all, everything);
        QCOMPARE(pieces.size(), std::size_t{40});
        for (int i = 0; i < 40; ++i) {
            const TimeSeries::Piece &piece = pieces[static_cast<std::size_t>(i)];
            QVERIFY(piece.from == i / 3.0 && piece.to == piece.from);
            QVERIFY(piece.mean == i * 0.1 && piece.least == piece.mean && piece.most == piece.mean);
        }
        QVERIFY(series.lastT() == 13.0);
    }

    void aDayStaysInTheSameMemory_data() {
        QTest::addColumn<double>("perSecond");
        QTest::newRow("one round per second") << 1.0;
        QTest::newRow("fifty rounds per second") << 50.0;
    }
    void aDayStaysInTheSameMemory() {
        QFETCH(double, perSecond);
        TimeSeries series;
        series.append(0, 0);
        const std::size_t memory = series.memory();
        QVERIFY(memory < std::size_t{2} << 20);
        const auto count = static_cast<qint64>(1.5 * day * perSecond);
        for (qint64 i = 1; i < count; ++i)
            series.append(static_cast<double>(i) / perSecond, 1);
        QCOMPARE(series.memory(), memory);
        QCOMPARE(series.count(), count);
        // The last day is there from its first second on, and all that came is accounted for.
        const double last = series.lastT();
        const auto pieces = series.read(last - day, last, 800);
        QVERIFY(pieces.front().from <= last - day);
        QCOMPARE(pieces.back().to, last);
        QVERIFY(pieces.size() <= 1600 && pieces.size() >= 200);
        for (std::size_t i = 1; i < pieces.size(); ++i) {
            QVERIFY(pieces[i].from > pieces[i - 1].to);
            QVERIFY(pieces[i].from - pieces[i - 1].to < 1.5 / perSecond);
        }
    }

    /// At one round per second every round of the last hours can be looked at.
    void oneMinuteOfManyHoursAgoIsSeenInFull() {
        TimeSeries series;
        for (int i = 0; i < static_cast<int>(day); ++i)
            series.append(i, i);
        const double then = day - 17 * 3600;
        const auto pieces = series.read(then, then + 60, 800);
        QVERIFY(pieces.size() >= 61);
        QVERIFY(std::ranges::all_of(pieces, [](const TimeSeries::Piece &piece) { return piece.count == 1; }));
    }

    void allThatIsKnownIsGivenInTheFinestDetail() {
        TimeSeries series({64, 16});
        QVERIFY(series.all().empty());
        double sum = 0;
        for (int i = 0; i < 1000; ++i) {
            if (i == 990)
                series.breakHere();
            series.append(i, i);
            sum += i;
        }
        const auto pieces = series.all();
        double told = 0;
        qint64 count = 0;
        for (std::size_t i = 0; i < pieces.size(); ++i) {
            QVERIFY(i == 0 || (pieces[i].from == pieces[i - 1].to + 1 && pieces[i].count <= pieces[i - 1].count));
            QCOMPARE(pieces[i].breakBefore, pieces[i].from == 990);
            told += pieces[i].mean * pieces[i].count;
            count += pieces[i].count;
        }
        QCOMPARE(count, 1000);
        QCOMPARE(told, sum);
        // But for those in the first bucket that is coarser.
        QVERIFY(std::ranges::count(pieces, 1U, &TimeSeries::Piece::count) > 64 - 16);
    }

    void peaksSurviveHoweverOldTheyAre() {
        TimeSeries series({64, 128});
        for (int i = 0; i < 100'000; ++i)
            series.append(i, i == 1234 ? 99 : i == 70'000 ? -7 : 1);
        const auto pieces = series.read(0, 100'000, 100);
        const auto most = std::ranges::max(pieces, {}, &TimeSeries::Piece::most);
        QCOMPARE(most.most, 99.0);
        QVERIFY(most.from <= 1234 && most.to >= 1234);
        QVERIFY(most.mean > 1 && most.mean < 99);
        const auto least = std::ranges::min(pieces, {}, &TimeSeries::Piece::least);
        QCOMPARE(least.least, -7.0);
        QVERIFY(least.from <= 70'000 && least.to >= 70'000);
    }

    void meansCountEveryValueOnce() {
        TimeSeries series({16, 512});
        double sum = 0;
        for (int i = 0; i < 5000; ++i) {
            series.append(i, i % 17);
            sum += i % 17;
        }
        double held = 0;
        qint64 count = 0;
        for (const TimeSeries::Piece &piece : series.read(0, 5000, 300)) {
            held += piece.mean * piece.count;
            count += piece.count;
        }
        QCOMPARE(count, 5000);
        QVERIFY2(std::abs(held - sum) < 1e-3 * sum, qPrintable(QString::number(held)));
    }

    void silenceStaysSilentAtEveryLevel_data() {
        QTest::addColumn<int>("after");
        QTest::newRow("seen value by value") << 10;
        QTest::newRow("seen in buckets of four") << 300;
        QTest::newRow("seen in buckets of hundreds") << 30'000;
    }
    void silenceStaysSilentAtEveryLevel() {
        QFETCH(int, after);
        TimeSeries series({128, 128});
        for (int i = 0; i < 1000; ++i)
            series.append(i, 1);
        series.breakHere();
        const double resumed = 1000 + after;
        for (int i = 0; i < after; ++i)
            series.append(resumed + i, 1);
        const auto pieces = series.read(0, series.lastT(), 100);
        const auto broken = std::ranges::count_if(pieces, &TimeSeries::Piece::breakBefore);
        QCOMPARE(broken, 1);
        for (const TimeSeries::Piece &piece : pieces)
            QVERIFY(piece.to <= 999 || piece.from >= resumed);
        QVERIFY(!series.at(1000 + after / 2.0));
        QVERIFY(series.at(999));
        QVERIFY(series.at(resumed));
    }

    void whatFormsAPieceStaysAsNewValuesCome() {
        TimeSeries series({4096, 512});
        for (int i = 0; i < 3000; ++i)
            series.append(i, i);
        const auto before = series.read(0, 3000, 100);
        series.append(3000, 3000);
        const auto after = series.read(0, 3000, 100);
        for (std::size_t i = 0; i + 1 < std::min(before.size(), after.size()); ++i)
            QCOMPARE(after[i].from, before[i].from);
    }

    void roundsThatAreTakenBackAreGone_data() {
        QTest::addColumn<int>("until");
        QTest::newRow("the newest value") << 2998;
        QTest::newRow("within a bucket") << 2990;
        QTest::newRow("many buckets") << 2500;
        QTest::newRow("further than single values reach") << 1003;
        QTest::newRow("nearly all") << 2;
        QTest::newRow("all") << -1;
    }
    void roundsThatAreTakenBackAreGone() {
        QFETCH(int, until);
        TimeSeries series({512, 1024});
        for (int i = 0; i < 3000; ++i)
            series.append(i, i);
        series.dropAfter(until);
        QVERIFY(series.lastT() <= std::max(0, until));
        QVERIFY(series.count() >= until + 1 - 4);
        // What comes again takes its place, and is not counted twice.
        const qint64 kept = series.count();
        for (int i = 0; i < 2000; ++i)
            series.append(5000 + i, 7);
        QCOMPARE(series.count(), kept + 2000);
        qint64 count = 0;
        double last = -1;
        for (const TimeSeries::Piece &piece : series.read(0, 10'000, 900)) {
            count += piece.count;
            QVERIFY(piece.from > last);
            last = piece.to;
            QVERIFY(piece.to <= until || piece.from >= 5000);
            QVERIFY(piece.from < 5000 ? piece.most <= until : piece.least == 7);
        }
        QCOMPARE(count, series.count());
    }

    void aWindowHasItsNeighboursSoThatLinesRunToItsEdges() {
        TimeSeries series;
        for (int i = 0; i < 100; ++i)
            series.append(10 * i, i);
        const auto pieces = series.read(305, 322, 100);
        QCOMPARE(pieces.size(), std::size_t{4});
        QCOMPARE(pieces.front().from, 300.0);
        QCOMPARE(pieces.back().from, 330.0);
    }

    void theCursorReadsTheLastValueBeforeIt() {
        TimeSeries series;
        QVERIFY(!series.at(0));
        series.append(1, 10);
        series.append(2, 20);
        QVERIFY(!series.at(0.5));
        QCOMPARE(series.at(1.9)->mean, 10.0);
        QCOMPARE(series.at(2)->mean, 20.0);
        QVERIFY2(!series.at(2.1), "nothing is known of what comes after the last value");
    }

    void whatIsNoNumberIsLeftOut() {
        TimeSeries series;
        series.append(1, std::nan(""));
        series.append(2, std::numeric_limits<double>::infinity());
        QVERIFY(series.isEmpty());
        QVERIFY(series.read(0, 10, 100).empty());
        series.append(3, 1);
        series.clear();
        QVERIFY(series.isEmpty());
        QVERIFY(series.read(0, 10, 100).empty());
    }
};

QTEST_APPLESS_MAIN(TimeSeriesTest)
#include "time_series_test.moc"
