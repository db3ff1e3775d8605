// How fast copies go, on a clock and a link of the test's own.
#include <QTest>

#include "core/train/send_pace.h"
#include "core/wire/state_chunks.h"

using namespace hearth;
using namespace std::chrono_literals;

namespace {

/// A link of so many bytes per millisecond that carries nothing but one copy.
class Link {
  public:
    explicit Link(double bytesPerMs) : m_bytesPerMs(bytesPerMs) {}
    void run(std::chrono::milliseconds span, bool roundUnderWay) {
        for (const auto end = now + span; now < end; now += SendPace::interval) {
            const int chunks = pace.chunks(now, static_cast<qint64>(undelivered), roundUnderWay);
            mostAtOnce = std::max(mostAtOnce, chunks);
            undelivered += chunks * static_cast<double>(stateChunkBytes);
            mostUndelivered = std::max(mostUndelivered, undelivered);
            const double gone = std::min(undelivered, m_bytesPerMs * static_cast<double>(SendPace::interval.count()));
            undelivered -= gone;
            delivered += gone;
        }
    }
    SendPace pace;
    SendPace::Time now{1h};
    double undelivered = 0, delivered = 0, mostUndelivered = 0;
    int mostAtOnce = 0;

  private:
    double m_bytesPerMs;
};

}  // namespace

class SendPaceTest : public QObject {
    Q_OBJECT

  private Q_SLOTS:
    void nothingFollowsWhileMuchIsUnderWay() {
        SendPace pace;
        const SendPace::Time now{1h};
        QCOMPARE(pace.chunks(now, SendPace::quietBytes + 1, false), 0);
        QCOMPARE(pace.chunks(now, SendPace::quietBytes, false), 1);
    }

    void withoutARoundACopyHasAllOfTheLink_data() {
        QTest::addColumn<double>("bytesPerMs");
        QTest::newRow("10 Mbit/s") << 1250.0;
        QTest::newRow("100 Mbit/s") << 12500.0;
        QTest::newRow("1 Gbit/s") << 125000.0;
    }
    void withoutARoundACopyHasAllOfTheLink() {
        QFETCH(double, bytesPerMs);
        Link link(bytesPerMs);
        link.run(1s, false);
        link.delivered = 0;
        link.run(10s, false);
        QVERIFY2(link.delivered > 0.8 * 10000 * bytesPerMs, qPrintable(QString::number(link.delivered)));
        // The first tensor of a round waits no longer than for what is sent at a time.
        const double burst = bytesPerMs * 2 * std::chrono::duration<double, std::milli>(SendPace::burstTime).count();
        QVERIFY(link.mostUndelivered <= SendPace::quietBytes + std::max<double>(stateChunkBytes, 2 * burst));
    }

    void duringARoundChunksGoOneAtATimeAndRestOnASlowLink() {
        constexpr double bytesPerMs = 1250;
        Link link(bytesPerMs);
        link.run(1s, false);
        link.delivered = 0;
        link.mostAtOnce = 0;
        link.run(10s, true);
        QCOMPARE(link.mostAtOnce, 1);
        QVERIFY2(link.delivered < 0.4 * 10000 * bytesPerMs, qPrintable(QString::number(link.delivered)));
        QVERIFY(link.delivered > 0.2 * 10000 * bytesPerMs);
    }

    void duringARoundACopyIsSpreadAsWished() {
        Link link(125000);
        link.pace.setLeastPause(50ms);
        link.run(5s, true);
        // A chunk every 50 ms; the link is looked at every 2 ms.
        QVERIFY2(link.delivered <= 101 * stateChunkBytes && link.delivered >= 95 * stateChunkBytes,
                 qPrintable(QString::number(link.delivered / stateChunkBytes)));
        link.delivered = 0;
        link.run(1s, false);
        QVERIFY(link.delivered > 0.8 * 1000 * 125000);
    }

    void whoWaitsSleeps() {
        SendPace pace;
        const SendPace::Time now{1h};
        pace.setLeastPause(40ms);
        QCOMPARE(pace.chunks(now, 0, true), 1);
        QCOMPARE(pace.wait(now, true), SendPace::Time::duration(10ms));  // until it is delivered
        QCOMPARE(pace.chunks(now + 2ms, 0, true), 0);
        QCOMPARE(pace.wait(now + 2ms, true), SendPace::Time::duration(38ms));
        QCOMPARE(pace.wait(now + 2ms, false), SendPace::Time::duration(SendPace::interval));
        QCOMPARE(pace.wait(now + 60ms, true), SendPace::Time::duration(10ms));
        pace.setLeastPause(10s);
        (void)pace.chunks(now + 60ms, 0, true);
        QCOMPARE(pace.wait(now + 60ms, true), SendPace::Time::duration(SendPace::longestWait));
    }

    void aRestEndsWithTheRound() {
        Link link(1250);
        link.run(54ms, true);  // the first chunk was just delivered
        QCOMPARE(link.pace.chunks(link.now, 0, true), 0);
        QCOMPARE(link.pace.chunks(link.now, 0, false), 1);
    }

    void whatIsSentAtATimeShrinksAgainWhereTheLinkHasBecomeSlow() {
        SendPace pace;
        SendPace::Time now{1h};
        for (int i = 0; i < 10; ++i)
            (void)pace.chunks(now += 1ms, 0, false);
        QCOMPARE(pace.chunks(now += 1ms, 0, false), SendPace::mostAtOnce);
        for (int i = 0; i < 10; ++i)
            (void)pace.chunks(now += 1s, 0, false);
        QCOMPARE(pace.chunks(now += 1s, 0, false), 1);
    }
};

QTEST_APPLESS_MAIN(SendPaceTest)
#include "send_pace_test.moc"
