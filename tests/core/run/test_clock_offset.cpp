#include <QTest>
#include <algorithm>
#include <cstdlib>
#include <limits>
#include <random>

#include "core/run/clock_offset.h"

using namespace hearth;

namespace {

constexpr qint64 millisecond = 1'000'000;

/// A far clock that stands `offset` before this one and runs `rate` times as fast, behind a channel.
struct FarClock {
    qint64 offset = 0;
    double rate = 1;
    qint64 read(qint64 local) const { return offset + static_cast<qint64>(static_cast<double>(local) * rate); }
    /// Asks at `now`; the ways there and back take this long.
    qint64 ask(ClockOffset &estimate, qint64 now, qint64 there, qint64 back) const {
        estimate.add(now, read(now + there), now + there + back);
        return now + there + back;
    }
    qint64 errorOf(const ClockOffset &estimate, qint64 local) const {
        return std::abs(estimate.toLocal(read(local)) - local);
    }
};

}  // namespace

class TestClockOffset : public QObject {
    Q_OBJECT
  private Q_SLOTS:
    void isUnknownBeforeTheFirstAnswer() {
        ClockOffset estimate;
        QVERIFY(!estimate.isKnown());
        estimate.add(10, 5, 9);  // answered before it was asked: not a clock to learn from
        QVERIFY(!estimate.isKnown());
    }

    void aTimeThatNoClockShowsCountsForNothing() {
        for (const qint64 told : {std::numeric_limits<qint64>::max(), std::numeric_limits<qint64>::min(),
                                  ClockOffset::furthest + 1, -ClockOffset::furthest - 1}) {
            ClockOffset estimate;
            estimate.add(0, told, 10);
            QVERIFY(!estimate.isKnown());
        }
        ClockOffset estimate;
        estimate.add(0, ClockOffset::furthest, 10);
        QVERIFY(estimate.isKnown());
    }

    void staysWithinItsBound_data() {
        QTest::addColumn<qint64>("there");
        QTest::addColumn<qint64>("back");
        QTest::addColumn<qint64>("offset");
        QTest::newRow("equal ways") << millisecond << millisecond << qint64(123'456'789'000);
        QTest::newRow("all the delay on the way there") << 20 * millisecond << qint64(0) << qint64(-77'000);
        QTest::newRow("all the delay on the way back") << qint64(0) << 20 * millisecond << qint64(9'000'000'000'000);
        QTest::newRow("no delay at all") << qint64(0) << qint64(0) << qint64(5);
        QTest::newRow("an odd number of nanoseconds") << qint64(1) << qint64(0) << qint64(0);
    }

    void staysWithinItsBound() {
        QFETCH(qint64, there);
        QFETCH(qint64, back);
        QFETCH(qint64, offset);
        const FarClock clock{offset};
        ClockOffset estimate;
        const qint64 after = clock.ask(estimate, 1'000'000'000, there, back);
        QVERIFY(clock.errorOf(estimate, after) <= estimate.errorAt(after));
        QVERIFY(estimate.errorAt(after) <= (there + back) / 2 + (there + back) / 5000 + 1);
    }

    void theShortestRoundTripWins() {
        const FarClock clock{42 * millisecond};
        ClockOffset estimate;
        qint64 now = clock.ask(estimate, 0, 9 * millisecond, millisecond);
        now = clock.ask(estimate, now, 1000, 3000);
        now = clock.ask(estimate, now, 0, 30 * millisecond);
        QVERIFY(estimate.errorAt(now) < 10'000);
        QVERIFY(clock.errorOf(estimate, now) <= 10'000);
    }

    void anOldAnswerGivesWayAsClocksDrift() {
        const FarClock clock{0, 1 + 0.9 * ClockOffset::drift};
        ClockOffset estimate;
        qint64 now = clock.ask(estimate, 0, 500, 500);
        QVERIFY(clock.errorOf(estimate, now) <= estimate.errorAt(now));
        now += 100'000 * millisecond;  // both bounds are 10 ms by now
        QVERIFY(clock.errorOf(estimate, now) > 5 * millisecond);
        QVERIFY(clock.errorOf(estimate, now) <= estimate.errorAt(now));
        now = clock.ask(estimate, now, 2 * millisecond, millisecond);
        QVERIFY(estimate.errorAt(now) < 2 * millisecond);
        QVERIFY(clock.errorOf(estimate, now) <= estimate.errorAt(now));
    }

    void theBoundHoldsWhateverTheNetworkDoes() {
        std::mt19937 random(7);
        const auto upTo = [&](qint64 most) { return static_cast<qint64>(random()) % (most + 1); };
        for (int run = 0; run < 200; ++run) {
            const double rate = 1 + ClockOffset::drift * (static_cast<double>(upTo(1800)) / 1000 - 0.9);
            const FarClock clock{upTo(1'000'000'000) - 500'000'000, rate};
            ClockOffset estimate;
            qint64 now = upTo(1'000'000'000);
            for (int question = 0; question < 40; ++question) {
                const qint64 there = upTo(30) * upTo(millisecond), back = upTo(30) * upTo(millisecond);
                now = clock.ask(estimate, now, there, back);
                QVERIFY(clock.errorOf(estimate, now) <= estimate.errorAt(now) + 1);
                now += upTo(1000) * millisecond;
            }
            QVERIFY(estimate.isKnown());
        }
    }
};

QTEST_GUILESS_MAIN(TestClockOffset)
#include "test_clock_offset.moc"
