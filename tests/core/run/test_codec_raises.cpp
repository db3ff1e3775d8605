#include <QTest>
#include <cmath>
#include <limits>

#include "core/base/block_codecs.h"
#include "core/run/codec_raises.h"

using namespace hearth;

namespace {

/// Three stages, cut behind layers 2 and 5.
Plan planWith(const CutCodec &first, const CutCodec &second) {
    Plan plan;
    plan.stages = {{0, 2, {}, 1, false, first}, {2, 5, {}, 1, false, second}, {5, 8, {}, 1, false, {}}};
    return plan;
}

const CutCodec eight{&bfp8Codec, &bfp8Codec}, four{&bfp4Codec, &bfp4Codec}, half{&bf16Codec, &bf16Codec};

event::CodecCheck check(qint64 round, double loss, double rawLoss,
                        const std::vector<std::pair<double, double>> &errors) {
    event::CodecCheck made{round, loss, rawLoss, {}};
    for (const auto &[forward, backward] : errors)
        made.cuts.push_back({static_cast<int>(made.cuts.size()), {}, {}, forward, backward});
    return made;
}

}  // namespace

class TestCodecRaises : public QObject {
    Q_OBJECT
  private Q_SLOTS:
    void theFirstRoundsLoseNoMoreThanBf16() {
        const Plan plan = planWith(four, {});
        const CodecRaises raises;
        QCOMPARE(raises.codecsAt(plan, 1), (std::vector<CutCodec>{half, {}}));
        QCOMPARE(raises.codecsAt(plan, 50), (std::vector<CutCodec>{half, {}}));
        QCOMPARE(raises.codecsAt(plan, 51), (std::vector<CutCodec>{four, {}}));
        QCOMPARE(raises.changesAfter(plan, 1), (std::vector<CodecChange>{{51, {four, {}}}}));
        QVERIFY(raises.changesAfter(plan, 51).empty());
        QVERIFY(raises.changesAfter(planWith({}, half), 1).empty());  // nothing ever changes
    }

    void aCutThatLosesTooMuchIsRaised_data() {
        QTest::addColumn<QString>("codec");
        QTest::addColumn<double>("forward");
        QTest::addColumn<double>("backward");
        QTest::addColumn<QString>("then");  // forward, backward; empty: as before
        QTest::newRow("bfp8 within its bounds") << "bfp8" << 0.0149 << 0.0149 << "";
        QTest::newRow("activations of bfp8") << "bfp8" << 0.016 << 0.01 << "bf16 bfp8";
        QTest::newRow("gradients of bfp8") << "bfp8" << 0.01 << 0.016 << "bfp8 bf16";
        QTest::newRow("bfp4 within its bounds") << "bfp4" << 0.19 << 0.24 << "";
        QTest::newRow("activations of bfp4") << "bfp4" << 0.21 << 0.24 << "bfp8 bfp4";
        QTest::newRow("gradients of bfp4, rounded stochastically") << "bfp4" << 0.19 << 0.26 << "bfp4 bfp8";
        QTest::newRow("both ways of two bits") << "bfp2" << 0.6 << 0.6 << "bfp4 bfp4";
        QTest::newRow("an error that is no number")
            << "bfp8" << std::numeric_limits<double>::quiet_NaN() << 0.01 << "bf16 bfp8";
    }

    void aCutThatLosesTooMuchIsRaised() {
        QFETCH(QString, codec);
        QFETCH(double, forward);
        QFETCH(double, backward);
        QFETCH(QString, then);
        const CutCodec given{codecByName(codec), codecByName(codec)};
        const Plan plan = planWith(half, given);
        CodecRaises raises;
        const auto told = raises.take(check(151, 1, 1, {{0.5, 0.5}, {forward, backward}}), plan, 154);
        QCOMPARE(told.empty(), then.isEmpty());
        if (then.isEmpty()) {
            QVERIFY(raises.changesAfter(plan, 100).empty());
            return;
        }
        QCOMPARE(told.size(), std::size_t(1));
        QCOMPARE(told[0].cut, 1);
        QCOMPARE(told[0].round, qint64(154));
        QCOMPARE(told[0].forward + QLatin1Char(' ') + told[0].backward, then);
        const std::vector<Sentence> parts = told[0].reason.arguments();
        QVERIFY(!parts.empty());
        const Sentence reason = parts[0].kind() == Sentence::Kind::Source ? parts[0] : told[0].reason;
        // The window writes its numbers as its language does.
        QCOMPARE(reason.arguments()[0].kind(), Sentence::Kind::Quantity);
        const CutCodec raised{codecByName(told[0].forward), codecByName(told[0].backward)};
        const std::vector<CodecChange> expected{{154, {half, raised}}, {1154, {half, given}}};
        QCOMPARE(raises.changesAfter(plan, 100), expected);
        // The same check again, as after a loss, changes nothing that was decided.
        raises.take(check(151, 1, 1, {{0.5, 0.5}, {forward, backward}}), plan, 154);
        QCOMPARE(raises.changesAfter(plan, 100), expected);
    }

    void whatIsStillTooLossyIsRaisedOnceMore() {
        const Plan plan = planWith(four, {});
        CodecRaises raises;
        QCOMPARE(raises.take(check(51, 1, 1, {{0.3, 0.1}, {0, 0}}), plan, 54).size(), std::size_t(1));
        QCOMPARE(raises.take(check(151, 1, 1, {{0.02, 0.1}, {0, 0}}), plan, 154).size(), std::size_t(1));
        QCOMPARE(raises.codecsAt(plan, 60)[0].forward, &bfp8Codec);
        QCOMPARE(raises.codecsAt(plan, 160)[0].forward, &bf16Codec);
        QCOMPARE(raises.codecsAt(plan, 160)[0].backward, &bfp4Codec);
        QCOMPARE(raises.codecsAt(plan, 1153)[0].forward, &bf16Codec);
        QCOMPARE(raises.codecsAt(plan, 1154)[0].forward, &bfp4Codec);
    }

    void aLossThatDiffersTwiceRunningRaisesAllCuts() {
        const Plan plan = planWith(eight, half);
        const std::vector<std::pair<double, double>> fine{{0.006, 0.008}, {0.002, 0.002}};
        CodecRaises raises;
        QVERIFY(raises.take(check(51, 1.03, 1, fine), plan, 54).empty());
        QVERIFY(raises.take(check(151, 1.01, 1, fine), plan, 154).empty());  // not twice running
        QVERIFY(raises.take(check(251, 0.97, 1, fine), plan, 254).empty());
        const auto told = raises.take(check(351, 1.021, 1, fine), plan, 354);
        QCOMPARE(told.size(), std::size_t(2));
        QCOMPARE(raises.codecsAt(plan, 354),
                 (std::vector<CutCodec>{{&bf16Codec, &bfp8Codec}, {&noCodec(), &bf16Codec}}));
        QCOMPARE(raises.limitsAt(354).size(), std::size_t(2));
        QVERIFY(raises.limitsAt(1354).empty());
    }

    void aLossThatIsNoNumberIsFarOff() {
        const Plan plan = planWith(eight, {});
        const double none = std::numeric_limits<double>::quiet_NaN();
        CodecRaises raises;
        raises.take(check(51, none, 1, {{0, 0}, {0, 0}}), plan, 54);
        QCOMPARE(raises.take(check(151, none, 1, {{0, 0}, {0, 0}}), plan, 154).size(), std::size_t(1));
        // Where it is none without codecs either, they are not to blame.
        CodecRaises others;
        others.take(check(51, none, none, {{0, 0}, {0, 0}}), plan, 54);
        QVERIFY(others.take(check(151, none, none, {{0, 0}, {0, 0}}), plan, 154).empty());
    }

    void limitsStayWithLayersWhereStagesMove() {
        CodecRaises raises;
        raises.take(check(51, 1, 1, {{0.3, 0.1}, {0.1, 0.1}}), planWith(four, four), 54);
        Plan moved = planWith(four, four);
        moved.stages[0].lastLayer = moved.stages[1].firstLayer = 3;
        QCOMPARE(raises.codecsAt(moved, 60), (std::vector<CutCodec>{four, four}));
        moved.stages[0].lastLayer = moved.stages[1].firstLayer = 2;
        QCOMPARE(raises.codecsAt(moved, 60)[0].forward, &bfp8Codec);
    }

    void whatWasDecidedIsReadAsItWasWritten() {
        const Plan plan = planWith(four, eight);
        CodecRaises raises;
        raises.take(check(51, 1.1, 1, {{0.3, 0.3}, {0.02, 0.001}}), plan, 54);
        auto read = CodecRaises::fromJson(raises.toJson(), QStringLiteral("state.json"), QStringLiteral("/codecs"));
        QVERIFY(read);
        QCOMPARE(read->toJson(), raises.toJson());
        QCOMPARE(read->changesAfter(plan, 1), raises.changesAfter(plan, 1));
        // Also that its loss differed once.
        QVERIFY(!read->take(check(151, 1.1, 1, {{0.1, 0.1}, {0.001, 0.001}}), plan, 154).empty());
        QVERIFY(!CodecRaises::fromJson({{QStringLiteral("raises"), 1}}, {}, {}));
    }
};

QTEST_GUILESS_MAIN(TestCodecRaises)
#include "test_codec_raises.moc"
