// When a silent link is cut, on a clock of the test's own.
#include <QTest>
#include <optional>

#include "core/home/link_watch.h"

using namespace hearth;
using namespace std::chrono_literals;

namespace {

/// One end of a link whose other end lives, stalls or is gone as the test says.
class End {
  public:
    /// Lets `span` go by with checks in time; every `arrival` some bytes come (none: silence). Stops at a cut.
    void run(std::chrono::milliseconds span, std::optional<std::chrono::milliseconds> arrival) {
        const auto end = now + span;
        auto next = arrival ? now + *arrival : end + 1h;
        while (now < end && !cut) {
            now += interval();
            for (; next <= now; next += arrival.value_or(1h)) {
                bytes += 40;
                lastArrival = next;
            }
            check();
        }
    }
    /// This end does nothing for `span`; what the other end sent meanwhile waits in the kernel.
    void sleep(std::chrono::milliseconds span, quint64 arrived) {
        now += span;
        bytes += arrived;
        if (arrived > 0)
            lastArrival = now;
        check();
    }
    std::chrono::milliseconds interval() const {
        return pace.beat == LinkWatch::calm.beat && watch.isCalm() ? pace.beat : LinkWatch::tick;
    }
    void check() {
        ++checks;
        const LinkWatch::Signs signs{bytes, delivered, roundTrip, [this] { return fromHost; },
                                     std::chrono::duration_cast<std::chrono::milliseconds>(now - lastArrival)};
        switch (watch.check(now, signs, interval())) {
            case LinkWatch::Order::Wait:
                break;
            case LinkWatch::Order::Beat:
                ++beats;
                break;
            case LinkWatch::Order::Probe:
                ++probes;
                break;
            case LinkWatch::Order::Cut:
                cut = now;
                break;
        }
    }

    explicit End(LinkWatch::Pace chosen = LinkWatch::close) : pace(chosen), watch(now, chosen) {}

    LinkWatch::Time now{std::chrono::hours(1)};
    LinkWatch::Pace pace;
    LinkWatch watch;
    LinkWatch::Time lastArrival = now;
    quint64 bytes = 0;
    bool delivered = true;  // the other machine's kernel lives and can be reached
    std::chrono::milliseconds roundTrip{1};
    std::optional<quint64> fromHost = 5;  // over other connections
    bool restful = false;                 // checks a calm link at every beat only
    int checks = 0;
    int beats = 0;
    int probes = 0;
    std::optional<LinkWatch::Time> cut;
};

}  // namespace

class LinkWatchTest : public QObject {
    Q_OBJECT

  private Q_SLOTS:
    void aLiveLinkIsKeptAndBeats() {
        End end;
        end.run(60s, LinkWatch::close.beat);
        QVERIFY(!end.cut);
        QCOMPARE(end.probes, 0);
        QCOMPARE(end.beats, 240);
    }

    void aCalmLinkIsCheckedForItsBeatsOnly() {
        End end(LinkWatch::calm);
        end.run(60s, LinkWatch::calm.beat);
        QVERIFY(!end.cut);
        QCOMPARE(end.probes, 0);
        QVERIFY2(end.beats >= 119 && end.checks <= 124, qPrintable(QString::number(end.checks)));
    }

    void aTimerThatIsALittleEarlySkipsNoBeat() {
        End end;
        for (int i = 0; i < 240; ++i) {
            end.now += LinkWatch::close.beat - 1ms;
            end.bytes += 40;
            end.check();
        }
        QCOMPARE(end.beats, 240);
    }

    void aDeviceThatIsGoneIsNoticedWithinTwoSeconds_data() {
        QTest::addColumn<bool>("isCalm");
        QTest::addColumn<int>("phase");
        for (const bool isCalm : {false, true}) {
            for (const int phase : {0, 1, 100, 200, 300, 499})
                QTest::addRow("%s, %d ms after a beat", isCalm ? "at rest" : "in a run", phase) << isCalm << phase;
        }
    }
    void aDeviceThatIsGoneIsNoticedWithinTwoSeconds() {
        QFETCH(bool, isCalm);
        QFETCH(int, phase);
        End end(isCalm ? LinkWatch::calm : LinkWatch::close);
        end.now += std::chrono::milliseconds(phase);  // the checks', against the beats that come
        end.check();
        end.run(10s, end.pace.beat);
        const auto gone = end.lastArrival;
        end.run(60s, std::nullopt);
        QVERIFY(end.cut);
        QVERIFY(*end.cut - gone <= 2s);
        QVERIFY(*end.cut - gone >= LinkWatch::suspectAfter + LinkWatch::probePatience);
        QCOMPARE(end.probes, 1);
        QVERIFY(end.watch.silence() >= LinkWatch::suspectAfter + LinkWatch::probePatience);
    }

    void theOtherEndMayStall_data() {
        QTest::addColumn<int>("stall");
        QTest::newRow("for less than anybody notices") << 500;
        QTest::newRow("for a second") << 1000;
        QTest::newRow("until it answers the probe") << 1250;
    }
    void theOtherEndMayStall() {
        QFETCH(int, stall);
        End end;
        end.run(10s, LinkWatch::close.beat);
        end.run(std::chrono::milliseconds(stall), std::nullopt);
        end.run(10s, LinkWatch::close.beat);
        QVERIFY(!end.cut);
        QVERIFY(!end.watch.isSuspect());
    }

    void afterAStallOfItsOwnTheSilenceCountsAnew() {
        End end;
        end.run(10s, LinkWatch::close.beat);
        end.sleep(30s, 0);
        QVERIFY(!end.cut);
        end.run(LinkWatch::suspectAfter - LinkWatch::tick, std::nullopt);
        QVERIFY(!end.watch.isSuspect());
        end.run(10s, std::nullopt);
        QVERIFY(end.cut);  // and yet the other end is gone
    }

    void aStallOfItsOwnWhileItWaitsForAnAnswerCutsNothing() {
        End end;
        end.run(1100ms, std::nullopt);
        QVERIFY(end.watch.isSuspect());
        end.sleep(1s, 0);
        QVERIFY(!end.cut);
        QVERIFY(!end.watch.isSuspect());
    }

    void aSmallDelayOfItsOwnIsNoExcuseForTheOther() {
        End end;
        while (!end.cut && end.now < LinkWatch::Time(2h))
            end.sleep(LinkWatch::tick + LinkWatch::lateness, 0);
        QVERIFY(end.cut);
    }

    void anyBytesAreLife() {
        End end;
        // A long message over 100 kbit/s that others use, too: a packet now and then, and no beat before its end.
        end.run(60s, 900ms);
        QVERIFY(!end.cut);
    }

    void anUnpluggedDeviceIsNoticedWithinTwoSeconds_data() {
        QTest::addColumn<bool>("told");
        QTest::newRow("where the kernel tells of other connections") << true;
        QTest::newRow("where it does not") << false;
    }
    void anUnpluggedDeviceIsNoticedWithinTwoSeconds() {
        QFETCH(bool, told);
        End end;
        end.run(10s, LinkWatch::close.beat);
        const auto gone = end.now;
        end.delivered = false;
        if (!told)
            end.fromHost.reset();
        end.run(60s, std::nullopt);
        QVERIFY(end.cut);
        QVERIFY(*end.cut - gone <= 2s);
    }

    void beatsThatWaitInAFullQueueAreWaitedFor() {
        End end;
        end.run(10s, LinkWatch::close.beat);
        end.delivered = false;
        for (int i = 0; i < 100 && !end.cut; ++i) {
            *end.fromHost += 1;  // the bulk that fills the way
            end.run(400ms, std::nullopt);
        }
        QVERIFY(!end.cut);
        // When that ends as well, the device is gone, after as much patience as TCP may need.
        const auto gone = end.now;
        end.run(60s, std::nullopt);
        QVERIFY(end.cut);
        QVERIFY(*end.cut - gone <= LinkWatch::longestPatience + 2s);
    }

    void aPauseOfTcpAfterALossIsWaitedFor() {
        End end;
        end.run(10s, LinkWatch::close.beat);
        end.delivered = false;
        for (int i = 0; i < 6; ++i) {
            *end.fromHost += 1;  // 2.4 s of a queue that drains
            end.run(400ms, std::nullopt);
        }
        end.run(1600ms, std::nullopt);  // until the next attempt
        QVERIFY(!end.cut);
        end.run(10s, LinkWatch::close.beat);
        QVERIFY(!end.cut);
    }

    void whatCameBeforeTheDeviceWasUnpluggedBuysNoTime() {
        End end;
        end.delivered = false;
        for (int i = 0; i < 100; ++i) {
            *end.fromHost += 1;
            end.run(250ms, LinkWatch::close.beat);
        }
        const auto gone = end.now;
        end.run(60s, std::nullopt);
        QVERIFY(end.cut);
        QVERIFY(*end.cut - gone <= 2s);
    }

    void connectionsThatEndAreNoSignOfLife() {
        End end;
        end.run(10s, LinkWatch::close.beat);
        const auto gone = end.now;
        end.delivered = false;
        *end.fromHost = 1000;
        for (int i = 0; i < 10; ++i) {
            end.run(250ms, std::nullopt);
            *end.fromHost -= 50;  // workers notice it, too, and close
        }
        QVERIFY(end.cut);
        QVERIFY(*end.cut - gone <= 2s);
    }

    void aFrozenAgentIsGoneThoughItsWorkersAreNot() {
        End end;
        end.run(10s, LinkWatch::close.beat);
        const auto gone = end.now;
        for (int i = 0; i < 100 && !end.cut; ++i) {
            *end.fromHost += 1;
            end.run(400ms, std::nullopt);
        }
        QVERIFY(end.cut);
        QVERIFY(*end.cut - gone <= 2s);
    }

    void aProbeThatArrivesLateMayStillBeAnswered() {
        End end;
        end.run(10s, LinkWatch::close.beat);
        end.delivered = false;
        for (int i = 0; i < 20; ++i) {
            *end.fromHost += 1;
            end.run(400ms, std::nullopt);
        }
        end.delivered = true;
        end.run(500ms, std::nullopt);
        QVERIFY(!end.cut);
        end.run(10s, LinkWatch::close.beat);
        QVERIFY(!end.cut);
    }

    void aSlowWayThereAndBackIsWaitedFor() {
        End end;
        end.delivered = false;
        end.roundTrip = 2s;
        end.run(5500ms, std::nullopt);
        QVERIFY(!end.cut);
        QVERIFY(end.watch.isSuspect());
        end.run(10s, std::nullopt);
        QVERIFY(end.cut);
    }

    void anAbsurdRoundTripDoesNotKeepADeadLink() {
        End end;
        end.delivered = false;
        end.roundTrip = 10min;
        end.run(15s, std::nullopt);
        QVERIFY(end.cut);
    }
};

QTEST_APPLESS_MAIN(LinkWatchTest)
#include "link_watch_test.moc"
