#include <QTest>
#include <vector>

#include "core/base/block_codecs.h"
#include "core/plan/evaluate.h"
#include "core/run/learned_packing.h"
#include "tests/core/plan/replay_home.h"

using namespace hearth;
using test::id;
using test::planOfStages;
using test::smallHome;

namespace {

const QString none = QStringLiteral("none");

CutPacking packed(double part, CutWay way = CutWay::Forward, const Codec &codec = noCodec(), int cut = 0) {
    constexpr qint64 encoded = 100'000;
    return {cut, way, &codec, encoded, qRound64(part * encoded)};
}

/// A pipeline of three devices, four layers each. At links of 1 MB/s a round waits for its first cut.
struct Cuts {
    PlanningProblem problem = smallHome(12, 3);
    Plan plan;
    LearnedPacking packing;

    Cuts() {
        problem.layers[3].outputBytes = problem.layers[3].gradientBytes = 2'000'000;
        problem.layers[3].packed[none] = {0.7, 0.8, 0.6};
        plan = planOfStages(problem, {{4, 1}, {4, 1}, {4, 1}});
        packing.planned(plan);
    }
    /// So many rounds in a row. True: the last one was news.
    bool take(int rounds, const std::vector<CutPacking> &round) {
        bool isNews = false;
        for (int i = 0; i < rounds; ++i)
            isNews = packing.take(round);
        return isNews;
    }
    PackedParts parts(std::size_t layer = 3, const QString &codec = none) const {
        return packing.corrected(problem).layers[layer].packed.value(codec);
    }
};

}  // namespace

/// What the rounds of a run tell of packing.
class TestLearnedPacking : public QObject {
    Q_OBJECT
  private Q_SLOTS:
    void whatRoundsAgreeOnIsBelieved_data() {
        QTest::addColumn<QList<double>>("rounds");  // which part packing leaves; 0: nobody tried
        QTest::addColumn<int>("news");
        QTest::addColumn<double>("believed");
        const double asMeasured = 0.7;
        QTest::newRow("three rounds are enough") << QList<double>{0.5, 0.5, 0.5} << 1 << 0.5;
        QTest::newRow("two are not") << QList<double>{0.5, 0.5} << 0 << asMeasured;
        QTest::newRow("they may differ by a tenth") << QList<double>{0.5, 0.54, 0.52} << 1 << 0.52;
        QTest::newRow("by more they do not agree") << QList<double>{0.5, 0.58, 0.52} << 0 << asMeasured;
        QTest::newRow("a disturbed one is passed over") << QList<double>{0.5, 0.9, 0.5, 0.5, 0.5} << 1 << 0.5;
        QTest::newRow("those in which nobody tried say nothing") << QList<double>{0.5, 0, 0.5, 0, 0.5} << 1 << 0.5;
        QTest::newRow("a small change is no news") << QList<double>{0.5, 0.5, 0.5, 0.52, 0.52, 0.52} << 1 << 0.5;
        QTest::newRow("a large one is") << QList<double>{0.5, 0.5, 0.5, 0.4, 0.4, 0.4} << 2 << 0.4;
        QTest::newRow("one of a few bytes is no news") << QList<double>{0.1, 0.1, 0.1, 0.115, 0.115, 0.115} << 1 << 0.1;
        QTest::newRow("nor do a few bytes keep rounds from agreeing") << QList<double>{0.1, 0.115, 0.115} << 1 << 0.11;
        QTest::newRow("it is where data do not pack any more") << QList<double>{0.3, 0.3, 0.3, 1., 1., 1.} << 2 << 1.;
    }
    void whatRoundsAgreeOnIsBelieved() {
        QFETCH(QList<double>, rounds);
        QFETCH(int, news);
        QFETCH(double, believed);
        Cuts run;
        int told = 0;
        for (const double part : rounds)
            told += run.packing.take(part > 0 ? std::vector{packed(part)} : std::vector<CutPacking>()) ? 1 : 0;
        QCOMPARE(told, news);
        QCOMPARE(run.packing.isEmpty(), news == 0);
        QCOMPARE(run.parts().forward, believed);
    }

    void whatIsLearnedIsOfItsWayAlone_data() {
        QTest::addColumn<CutWay>("way");
        QTest::addColumn<double>("part");
        QTest::addColumn<QList<double>>("after");  // forward, backward, active: 0.7, 0.8 and 0.6 before
        QTest::newRow("activations") << CutWay::Forward << 0.3 << QList<double>{0.3, 0.8, 0.6};
        QTest::newRow("gradients, more") << CutWay::Backward << 0.9 << QList<double>{0.7, 0.9, 0.6};
        QTest::newRow("gradients, so little that nothing need be left out")
            << CutWay::Backward << 0.5 << QList<double>{0.7, 0.5, 0.5};
        QTest::newRow("gradients of active values") << CutWay::Active << 0.4 << QList<double>{0.7, 0.8, 0.4};
        QTest::newRow("gradients of active values, so much that others are no less")
            << CutWay::Active << 0.9 << QList<double>{0.7, 0.9, 0.9};
    }
    void whatIsLearnedIsOfItsWayAlone() {
        QFETCH(CutWay, way);
        QFETCH(double, part);
        QFETCH(QList<double>, after);
        Cuts run;
        QVERIFY(run.take(3, {packed(part, way)}));
        const PackedParts parts = run.parts();
        QCOMPARE(parts.forward, after[0]);
        QCOMPARE(parts.backward, after[1]);
        QCOMPARE(parts.active, after[2]);
        // All but packing is as it was measured.
        PlanningProblem corrected = run.packing.corrected(run.problem), measured = run.problem;
        QVERIFY(corrected.validate());
        for (PlanningProblem *each : {&corrected, &measured}) {
            for (LayerFacts &layer : each->layers)
                layer.packed.clear();
        }
        QVERIFY(corrected == measured);
    }

    /// So that plans with other cuts are compared with the one in force.
    void otherCutsDifferAsMuchFromWhatWasMeasured_data() {
        QTest::addColumn<QList<double>>("learned");  // of the cuts behind layers 3 and 7: 0.7 and all bytes measured
        QTest::addColumn<double>("measured");
        QTest::addColumn<double>("expected");
        QTest::newRow("where data pack better") << QList<double>{0.35} << 0.8 << 0.4;
        QTest::newRow("where they pack worse") << QList<double>{0.84} << 0.5 << 0.6;
        QTest::newRow("in the mean of all cuts that the run has had") << QList<double>{0.35, 0.9} << 0.5 << 0.35;
        QTest::newRow("all bytes are the most") << QList<double>{0.84} << 0.9 << 1.;
        QTest::newRow("nothing at all is never left") << QList<double>{0.07} << 0.005 << 0.001;
    }
    void otherCutsDifferAsMuchFromWhatWasMeasured() {
        QFETCH(QList<double>, learned);
        QFETCH(double, measured);
        QFETCH(double, expected);
        Cuts run;
        const QString other = QStringLiteral("bf16");
        run.problem.layers[5].packed[none] = {measured, 0.9, 0.5};
        run.problem.layers[5].packed[other] = {0.6, 0.6, 0.6};
        std::vector<CutPacking> round;
        for (qsizetype cut = 0; cut < learned.size(); ++cut)
            round.push_back(packed(learned[cut], CutWay::Forward, noCodec(), static_cast<int>(cut)));
        QVERIFY(run.take(3, round));
        QCOMPARE(run.parts(5).forward, expected);
        QCOMPARE(run.parts().forward, learned[0]);
        // Nothing is known of the other way, and nothing of another codec.
        QCOMPARE(run.parts(5).backward, 0.9);
        QCOMPARE(run.parts(5).active, 0.5);
        QVERIFY(run.parts(5, other) == run.problem.layers[5].packed[other]);
    }

    void gradientsOfActiveValuesAreNeverMoreThanOthers() {
        Cuts run;
        run.problem.layers[5].packed[none] = {0.7, 0.8, 0.7};
        QVERIFY(run.take(3, {packed(0.75, CutWay::Active)}));  // 0.6 was measured
        QCOMPARE(run.parts(5).active, 0.875);
        QCOMPARE(run.parts(5).backward, 0.875);
        QVERIFY(run.take(3, {packed(0.4, CutWay::Backward, noCodec(), 1)}));  // all bytes were
        QCOMPARE(run.parts(5).active, 0.875);
        QCOMPARE(run.parts(5).backward, 0.875);
        QVERIFY(run.packing.corrected(run.problem).validate());
    }

    void eachCodecIsLearnedByItself() {
        Cuts run;
        QVERIFY(!run.take(2, {packed(0.5, CutWay::Forward, bf16Codec)}));
        QVERIFY(run.take(3, {packed(0.9, CutWay::Forward, bfp8Codec)}));
        QCOMPARE(run.parts(3, QStringLiteral("bfp8")).forward, 0.9);
        QCOMPARE(run.parts(3, QStringLiteral("bf16")).forward, 1.0);
        QCOMPARE(run.parts().forward, 0.7);
        QVERIFY(run.take(1, {packed(0.5, CutWay::Forward, bf16Codec)}));
        QCOMPARE(run.parts(3, QStringLiteral("bf16")).forward, 0.5);
    }

    void theMembersOfAGroupCountByTheirBytes() {
        Cuts run;
        const std::vector<CutPacking> round{{0, CutWay::Forward, &noCodec(), 1000, 100},
                                            {0, CutWay::Forward, &noCodec(), 3000, 1700}};
        QVERIFY(run.take(3, round));
        QCOMPARE(run.parts().forward, 0.45);
    }

    void underAnotherPlanItIsOfTheCutsOfThat() {
        Cuts run;
        QVERIFY(run.take(3, {packed(0.3)}));
        QVERIFY(!run.take(2, {packed(0.5, CutWay::Forward, noCodec(), 1)}));
        run.plan = planOfStages(run.problem, {{2, 1}, {5, 1}, {5, 1}});
        run.packing.planned(run.plan);
        QVERIFY(!run.take(2, {packed(0.5), packed(0.6, CutWay::Forward, noCodec(), 2)}));
        QVERIFY(run.take(1, {packed(0.5)}));
        QCOMPARE(run.parts(1).forward, 0.5);
        QCOMPARE(run.parts(3).forward, 0.3);  // it stays known
        const double others = (0.3 / 0.7 + 0.5) / 2;
        QCOMPARE(run.parts(7).forward, others);   // two rounds are not enough
        QCOMPARE(run.parts(11).forward, others);  // there is no third cut
    }

    void predictionsFollowWherePackingPays_data() {
        QTest::addColumn<double>("linkRate");
        QTest::addColumn<bool>("sharesAir");
        QTest::addColumn<bool>("isGroup");
        QTest::addColumn<bool>("follows");
        QTest::newRow("over slow links") << 1e6 << false << false << true;
        QTest::newRow("over a medium that all share") << 1e6 << true << false << true;
        QTest::newRow("to a group") << 1e6 << false << true << true;
        QTest::newRow("not over fast links") << 1e9 << false << false << false;
    }
    void predictionsFollowWherePackingPays() {
        QFETCH(double, linkRate);
        QFETCH(bool, sharesAir);
        QFETCH(bool, isGroup);
        QFETCH(bool, follows);
        Cuts run;
        run.problem.links.fallback->bytesPerSecond = linkRate;
        if (sharesAir) {
            const QString air = QStringLiteral("air");
            run.problem.links.media.push_back({air, linkRate});
            for (int device = 0; device < 3; ++device) {
                LinkProfile::Nic card;
                card.id = id(device);
                card.medium = air;
                run.problem.links.nics.push_back(card);
            }
        }
        if (isGroup) {
            run.plan = planOfStages(run.problem, {{4, 1}, {8, 2}});
            run.packing.planned(run.plan);
        }
        QVERIFY(run.take(3, {packed(0.3), packed(0.2, CutWay::Active)}));
        const auto before = evaluate(run.problem, run.plan);
        const auto after = evaluate(run.packing.corrected(run.problem), run.plan);
        QVERIFY(before && after);
        QCOMPARE(after->roundSeconds < 0.8 * before->roundSeconds, follows);
        QCOMPARE(after->roundSeconds == before->roundSeconds, !follows);
    }
};

QTEST_GUILESS_MAIN(TestLearnedPacking)
#include "test_learned_packing.moc"
