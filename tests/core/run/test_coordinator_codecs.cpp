#include <QJsonArray>
#include <QTest>
#include <algorithm>

#include "core/base/block_codecs.h"
#include "core/run/codec_raises.h"
#include "core/run/recovery_tries.h"
#include "recovery_checks.h"

using namespace hearth;
using namespace hearth::fake;

namespace {

const CutCodec half{&bf16Codec, &bf16Codec}, eight{&bfp8Codec, &bfp8Codec}, raised{&bf16Codec, &bfp8Codec};
const CutCodec two{&bfp2Codec, &bfp2Codec};

/// One cut, written by that codec.
QJsonObject compressed(const Home &home, const CutCodec &codec = eight) {
    QJsonObject plan = home.plan();
    QJsonArray stages = plan[QStringLiteral("stages")].toArray();
    QJsonObject first = stages[0].toObject();
    first[QStringLiteral("codec")] = codec.toJson();
    stages[0] = first;
    plan[QStringLiteral("stages")] = stages;
    return plan;
}

}  // namespace

/// The guard of a run whose workers say what cuts lost.
class TestCoordinatorCodecs : public QObject {
    Q_OBJECT
  private Q_SLOTS:
    void theFirstRoundsAreGentleAndTheRestIsThePlans() {
        Home home(3);
        home.request.plan = compressed(home);
        makeEndless(home);
        home.lostPart = 0.006;
        QVERIFY(trains(home, 160));
        const Deployment &deployed = *home.worker(1)->deployment;
        QCOMPARE(deployed.codecAfter(0, 50), half);
        QCOMPARE(deployed.codecAfter(0, 51), eight);
        QCOMPARE(count(home, "codec"), std::size_t(0));
        QCOMPARE(count(home, "codec-check"), std::size_t(2));
        const auto check = lastEvent<event::CodecCheck>(home, "codec-check");
        QCOMPARE(check.round, qint64(151));
        QCOMPARE(check.cuts.size(), std::size_t(1));
        QCOMPARE(check.cuts[0].forward, QStringLiteral("bfp8"));
        QCOMPARE(check.cuts[0].forwardError, 0.006);
        QCOMPARE(count(home, "plan"), std::size_t(1));
        // Half the bytes take longer than a quarter.
        const double gentle = eventOf<event::Round>(home, "round", 48).predictedRoundS;
        QVERIFY(gentle > lastEvent<event::Round>(home, "round").predictedRoundS);
        stop(home);
    }

    void aRaisedCutSurvivesWhatever_data() {
        QTest::addColumn<QString>("what");
        QTest::newRow("nothing happens") << "";
        QTest::newRow("a worker is lost") << "loss";
        QTest::newRow("the coordinator is another one") << "take over";
        QTest::newRow("a pause") << "pause";
    }

    void aRaisedCutSurvivesWhatever() {
        QFETCH(QString, what);
        Home home(3);
        home.request.plan = compressed(home);
        makeEndless(home);
        home.lostPart = 0.02;
        QVERIFY(trains(home, 60));
        QCOMPARE(count(home, "codec"), std::size_t(1));
        const auto told = lastEvent<event::Codec>(home, "codec");
        QCOMPARE(told.cut, 0);
        QCOMPARE(told.forward, QStringLiteral("bf16"));
        QCOMPARE(told.backward, QStringLiteral("bfp8"));
        QVERIFY(told.round > 51);
        for (int number = 1; number <= 3; ++number)
            QVERIFY(home.worker(number)->begunBeforeCodecs < told.round);
        if (what == QLatin1String("loss")) {
            home.worker(2)->die();
            QVERIFY(comes([&] { return count(home, "recovered") >= 1; }));
        } else if (what == QLatin1String("take over")) {
            home.request.again = true;
            startAgain(home);
            QVERIFY(comes([&] { return count(home, "recovered") >= 1; }));
        } else if (what == QLatin1String("pause")) {
            home.command("pause");
            QVERIFY(reaches(home, RunState::Paused));
            home.command("resume");
        }
        const auto rounds = count(home, "round");
        QVERIFY(comes([&] { return count(home, "round") > rounds + 5; }));
        const Deployment &deployed = *home.worker(1)->deployment;
        if (what != QLatin1String("loss")) {  // it may have changed the cuts
            QCOMPARE(deployed.codecAfter(0, static_cast<quint32>(told.round)), raised);
            QCOMPARE(deployed.codecAfter(0, static_cast<quint32>(told.round + CodecRaises::raisedRounds) - 1), raised);
            QCOMPARE(deployed.codecAfter(0, static_cast<quint32>(told.round + CodecRaises::raisedRounds)), eight);
        }
        if (deployed.firstRound < told.round)
            QCOMPARE(deployed.codecAfter(0, static_cast<quint32>(told.round) - 1), eight);
        QCOMPARE(count(home, "codec"), std::size_t(1));
        stop(home);
    }

    void predictionsFollowWhatPackingLeaves_data() {
        QTest::addColumn<bool>("isLossy");
        QTest::newRow("of a cut that loses nothing") << false;
        QTest::newRow("of a cut that is compressed") << true;
    }

    void predictionsFollowWhatPackingLeaves() {
        QFETCH(bool, isLossy);
        Home home(3);
        home.request.plan = isLossy ? compressed(home) : home.plan();
        makeEndless(home);
        home.packedPart = 0.02;  // that pays on its links
        QVERIFY(trains(home, 6));
        QVERIFY(comes([&] { return count(home, "round") >= 6; }));
        const auto predicted = [&](std::size_t number) {
            return eventOf<event::Round>(home, "round", number).predictedRoundS;
        };
        const double planned = predicted(0);
        QCOMPARE(predicted(1), planned);
        QVERIFY(predicted(5) < planned);
        QCOMPARE(count(home, "plan"), std::size_t(1));
        // Packing that leaves so much does not pay there. The workers tell of it all the same.
        home.packedPart = 0.9;
        const auto before = static_cast<std::ptrdiff_t>(count(home, "round"));
        QVERIFY(comes([&] {
            const auto rounds = home.events(QStringLiteral("round"));
            return std::any_of(rounds.begin() + before, rounds.end(), [&](const RunEvent &event) {
                return qFuzzyCompare(std::get<event::Round>(event.body).predictedRoundS, planned);
            });
        }));
        stop(home);
    }

    void aWorkerThatCannotChangeIsTriedAgain() {
        Home home(3);
        home.request.plan = compressed(home);
        makeEndless(home);
        home.lostPart = 0.02;
        home.failsOnce[3] = QStringLiteral("codecs");
        QVERIFY(trains(home, 60));
        QVERIFY(count(home, "recovered") == 1);
        QCOMPARE(home.worker(3)->deployment->codecAfter(0, 60), raised);
        stop(home);
    }

    /// Each time rounds come in between.
    void aWorkerThatCanNeverChangeEndsNoRun() {
        Home home(3);
        home.request.plan = compressed(home, two);
        makeEndless(home);
        home.lostPart = 0.9;
        home.fails[3] = QStringLiteral("codecs");
        QVERIFY(trains(home, 260));
        QVERIFY(std::size_t(RecoveryTries::mostTries) <= count(home, "codec"));
        QCOMPARE(count(home, "recovered"), count(home, "codec"));
        QCOMPARE(count(home, "error"), std::size_t(0));
        QCOMPARE(home.worker(3)->deployment->codecAfter(0, 260).forward, &bf16Codec);
        stop(home);
    }

    /// It answers when what it computes just then is done.
    void aWorkerHasAsLongForItAsForAHalt() {
        Home home(3);
        home.request.plan = compressed(home);
        makeEndless(home);
        home.lostPart = 0.02;
        home.silent[3] = QStringLiteral("codecs");
        RunDeadlines deadlines = quick();
        deadlines.hello = std::chrono::hours(1);
        deadlines.halt = std::chrono::seconds(3);
        home.start(deadlines);
        QVERIFY(comes([&] { return home.worker(3) && home.worker(3)->deploying; }));
        home.silent.clear();
        QVERIFY(comes([&] { return count(home, "recovered") == 1; }));
        QCOMPARE(count(home, "lost"), std::size_t(0));
        stop(home);
    }

  private:
    static void stop(Home &home) {
        home.command("stop");
        QVERIFY(reaches(home, RunState::Stopped));
    }
};

QTEST_GUILESS_MAIN(TestCoordinatorCodecs)
#include "test_coordinator_codecs.moc"
