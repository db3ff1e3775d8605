// Planners choose how each cut is written: what that makes of rounds, bounds, edits and replays.
#include <QtTest>

#include "core/base/codec_choice.h"
#include "core/plan/cut_levels.h"
#include "core/plan/edit/finish.h"
#include "core/plan/explain/codec_gain.h"
#include "core/plan/planner.h"
#include "tests/core/plan/exhaustive.h"
#include "tests/core/plan/home_rows.h"
#include "tests/core/plan/replay_home.h"

using namespace hearth;
using namespace hearth::test;

namespace {

/// Free of charge, so that the fewest bytes are always the quickest.
constexpr Codec half{.name = "half", .number = 210, .encodedBytes = [](DType, quint64 raw) { return raw / 2; }};
constexpr Codec quarter{.name = "quarter", .number = 211, .encodedBytes = [](DType, quint64 raw) { return raw / 4; }};
/// Takes as long as 100 MB/s each way.
constexpr Codec tedious{
    .name = "tedious", .number = 212, .usual = {1e-8, 1e-8}, .encodedBytes = [](DType, quint64 raw) {
        return raw / 4;
    }};

constexpr quint64 steps = 1'000'000;

/// Two devices, each with memory for less than all layers, over a link of so many bytes a second.
PlanningProblem twoDevices(double bytesPerSecond, std::vector<const Codec *> levels) {
    PlanningProblem problem = smallHome(4, 2);
    for (LayerFacts &layer : problem.layers)
        layer.outputBytes = layer.gradientBytes = 100'000;
    problem.links.fallback = LinkProfile::Link{bytesPerSecond, 0, Duplex::Half};
    problem.levels = std::move(levels);
    return problem;
}

Plan planned(const PlanningProblem &problem) {
    PlannerOptions options;
    options.stepLimit = steps;
    auto plan = makePlan(QStringLiteral("hearth"), problem, options);
    return plan ? *plan : Plan();
}

QList<const Codec *> levelsIn(const Plan &plan) {
    QList<const Codec *> found;
    for (std::size_t s = 0; s + 1 < plan.stages.size(); ++s)
        found << plan.stages[s].codec.forward << plan.stages[s].codec.backward;
    return found;
}

double roundOf(const CostModel &model, const Plan &plan) {
    const auto judged = evaluate(model, plan);
    return judged ? judged->roundSeconds : -1;
}

/// The shortest round of all cuts and levels: every direction of every cut takes the bytes of every level in turn.
double exhaustiveRound(const PlanningProblem &problem) {
    std::vector<const Codec *> all{&noCodec()};
    all.insert(all.end(), problem.levels.begin(), problem.levels.end());
    const std::size_t ways = 2 * (problem.layers.size() - 1);
    std::vector<std::size_t> choice(ways, 0);
    double best = std::numeric_limits<double>::infinity();
    for (;;) {
        PlanningProblem own = problem;
        own.levels.clear();
        for (std::size_t way = 0; way < ways; ++way) {
            LayerFacts &layer = own.layers[way / 2];
            qint64 &bytes = way % 2 == 0 ? layer.outputBytes : layer.gradientBytes;
            bytes = static_cast<qint64>(all[choice[way]]->encodedBytes(DType::Float32, static_cast<quint64>(bytes)));
        }
        for (std::size_t l = 0; 2 * l < ways; ++l) {
            const auto partsOf = [&](std::size_t level) {
                return problem.layers[l].packed.value(QString::fromLatin1(all[level]->name));
            };
            const std::size_t there = choice[2 * l], back = choice[2 * l + 1];
            PackedParts parts = partsOf(back);
            parts.forward = partsOf(there).forward;
            // The first level rounds nothing.
            if (there != 0 || back != 0)
                parts.active = parts.backward;
            own.layers[l].packed[QStringLiteral("none")] = parts;
        }
        best = std::min(best, exhaustiveBest(PlainJudge(own, *own.costs())).seconds);
        std::size_t way = 0;
        while (way < ways && ++choice[way] == all.size())
            choice[way++] = 0;
        if (way == ways)
            return best;
    }
}

}  // namespace

class TestCutLevels : public QObject {
    Q_OBJECT
  private Q_SLOTS:
    void slowLinksAreCompressedAndFastOnesNot_data() {
        QTest::addColumn<double>("bytesPerSecond");
        QTest::addColumn<bool>("compressed");
        QTest::newRow("a slow link sends a quarter") << 2e6 << true;
        QTest::newRow("a fast link sends tensors as they are") << 1e10 << false;
    }
    void slowLinksAreCompressedAndFastOnesNot() {
        QFETCH(double, bytesPerSecond);
        QFETCH(bool, compressed);
        const PlanningProblem problem = twoDevices(bytesPerSecond, {&half, &quarter});
        const CostModel model(problem);
        Plan plan = planOfStages(problem, {{2, 1}, {2, 1}});
        chooseLevels(model, plan);
        const Codec *expected = compressed ? &quarter : &noCodec();
        QCOMPARE(levelsIn(plan), (QList<const Codec *>{expected, expected}));
        QCOMPARE(isLossy(plan), compressed);
    }

    void eachCutRelaxesToTheLeastLossyLevelWithinOnePercent() {
        // Cuts between three stages over links of all speeds: each relaxed level is looked at alone.
        int lossy = 0;
        for (const double rate : {1e6, 3e6, 6e6, 1e7, 3e7, 1e8}) {
            PlanningProblem problem = smallHome(6, 3);
            for (std::size_t l = 0; l < problem.layers.size(); ++l) {
                problem.layers[l].outputBytes = 40'000 + 25'000 * static_cast<qint64>(l);
                problem.layers[l].gradientBytes = problem.layers[l].outputBytes / 2;
            }
            problem.links.fallback = LinkProfile::Link{rate, 0, Duplex::Full};
            problem.levels = {&half, &quarter};
            const CostModel model(problem);
            Plan plan = planOfStages(problem, {{2, 1}, {2, 1}, {2, 1}});
            Plan strongest = plan;
            for (std::size_t s = 0; s < 2; ++s)
                strongest.stages[s].codec = {&quarter, &quarter};
            const double exact = roundOf(model, plan);
            chooseLevels(model, plan);
            const double round = roundOf(model, plan), least = roundOf(model, strongest);
            if (!isLossy(plan)) {
                QVERIFY(least > exact * (1 - leastGain));
                continue;
            }
            ++lossy;
            QVERIFY(least <= exact * (1 - leastGain));
            QVERIFY(round <= least * (1 + relaxedPart) * (1 + 1e-9));
            for (std::size_t s = 0; s < 2; ++s) {
                for (const bool forward : {true, false}) {
                    Plan other = plan;
                    const Codec *&own = forward ? other.stages[s].codec.forward : other.stages[s].codec.backward;
                    if (own == &noCodec())
                        continue;
                    own = own == &quarter ? &half : &noCodec();
                    QVERIFY2(roundOf(model, other) > least * (1 + relaxedPart), qPrintable(QString::number(rate)));
                }
            }
        }
        QVERIFY(lossy > 0 && lossy < 6);
    }

    void encodingThatTakesLongerThanSendingIsNotDone() {
        const PlanningProblem problem = twoDevices(1.25e8, {&tedious});
        const CostModel model(problem);
        Plan plan = planOfStages(problem, {{2, 1}, {2, 1}});
        chooseLevels(model, plan);
        QVERIFY(!isLossy(plan));
        // A slower link is worth it.
        const PlanningProblem slow = twoDevices(1e6, {&tedious});
        const CostModel slowModel(slow);
        chooseLevels(slowModel, plan);
        QVERIFY(isLossy(plan));
    }

    void noPlanOfAnyCutsAndLevelsIsShorter_data() { addHomes(); }
    void noPlanOfAnyCutsAndLevelsIsShorter() {
        QFETCH(int, home);
        std::mt19937 random(static_cast<unsigned>(home) + 7);
        int compared = 0, lossy = 0;
        for (int i = 0; i < 25; ++i) {
            VariedShape shape;
            shape.layers = 3;
            shape.devices = 2 + static_cast<int>(random() % 2);
            shape.batch = 8;
            shape.home = static_cast<Home>(home);
            shape.packed = i % 2 == 1;
            PlanningProblem problem = VariedProblem(random).make(shape);
            for (LayerFacts &layer : problem.layers) {
                if (!shape.packed)
                    continue;
                layer.packed[QString::fromLatin1(half.name)] = {0.8, 0.9, 0.9};
                layer.packed[QString::fromLatin1(quarter.name)] = {0.95, 0.85, 0.85};
            }
            problem.microBatch = 1 << (1 + random() % 2);
            problem.levels = {&half, &quarter};
            const double best = exhaustiveRound(problem);
            const Plan plan = planned(problem);
            if (!plan.prediction) {
                QVERIFY(std::isinf(best));
                continue;
            }
            ++compared;
            lossy += isLossy(plan) ? 1 : 0;
            const Prediction &own = *plan.prediction;
            // Compressed only where that gains enough, then as good as any but for relaxing.
            PlanningProblem bare = problem;
            bare.levels.clear();
            const double exact = exhaustiveBest(PlainJudge(bare, *bare.costs())).seconds;
            const double relaxed = 1 + relaxedPart;
            const double limit = isLossy(plan) ? std::min(best, exact * (1 - leastGain)) * relaxed
                                               : std::clamp(exact, best * relaxed, best / (1 - leastGain) * relaxed);
            QVERIFY2(own.roundSeconds <= limit * (1 + 1e-9), qPrintable(QString::number(i)));
            // And what is claimed to be lost at most.
            QVERIFY2(own.gap && own.roundSeconds * (1 - *own.gap) <= best * (1 + 1e-9), qPrintable(QString::number(i)));
        }
        QVERIFY(compared > 0);
        QVERIFY(lossy > 0);
    }

    void aRoundIsCompressedOnlyWhereItGainsMuch() {
        // Gigabit, where encoding takes about as long as it saves.
        for (const double encode : {1e-10, 1e-9, 4e-9, 1e-8}) {
            PlanningProblem problem = twoDevices(1.25e8, {});
            for (LayerFacts &layer : problem.layers)
                layer.outputBytes = layer.gradientBytes = 2'000'000;
            const double without = planned(problem).prediction->roundSeconds;
            problem.levels = {&half, &tedious};
            for (PlanningProblem::Device &device : problem.devices) {
                device.codecs.measured[QStringLiteral("half")] = {encode, encode};
                device.codecs.measured[QStringLiteral("tedious")] = {encode, encode};
            }
            const Plan plan = planned(problem);
            const double most = without * (isLossy(plan) ? 1 - leastGain : 1) * (1 + 1e-9);
            QVERIFY2(plan.prediction->roundSeconds <= most, qPrintable(QString::number(encode)));
        }
    }

    void otherPlannersGetLevelsForTheirCuts() {
        const PlanningProblem problem = twoDevices(2e6, {&half, &quarter});
        const auto plan = makePlan(QStringLiteral("gpipe"), problem);
        QVERIFY(plan);
        QVERIFY(plan->stages.size() < 2 || isLossy(*plan));
        QCOMPARE(plan->prediction->roundSeconds, roundOf(CostModel(problem), *plan));
    }

    void aPersonSetsTheLevelOfACut() {
        const PlanningProblem problem = twoDevices(2e6, {});
        const CostModel model(problem);
        const Plan plan = planOfStages(problem, {{2, 1}, {2, 1}});
        const PlanEditor editor(model);
        const auto edited = editor.setCodec(plan, 0, {&quarter, &half});
        QVERIFY(edited);
        QCOMPARE(levelsIn(edited->plan), (QList<const Codec *>{&quarter, &half}));
        QVERIFY(edited->estimate.roundSeconds < roundOf(model, plan));
        QCOMPARE(editor.setCodec(plan, 1, {&half, &half}).error().code, QStringLiteral("edit.stage"));
        QCOMPARE(editor.setCodec(plan, -1, {&half, &half}).error().code, QStringLiteral("edit.stage"));
    }

    void planningTheRestChoosesLevelsWhereTheProblemHasThem() {
        const PlanningProblem problem = twoDevices(2e6, {&half, &quarter});
        const CostModel model(problem);
        PlanLocks locks;
        locks.borders = {2};
        const Plan plan = planOfStages(problem, {{2, 1}, {2, 1}});
        const auto finished = finishTheRest(model, plan, locks);
        QVERIFY(finished);
        QVERIFY(isLossy(finished->plan));
        QVERIFY(roundOf(model, finished->plan) < roundOf(model, plan));
    }

    void aReplayedPlanHasLevelsForItsNewCuts() {
        PlanningProblem problem = smallHome(9, 4);
        for (LayerFacts &layer : problem.layers)
            layer.outputBytes = layer.gradientBytes = 100'000;
        problem.levels = {&half, &quarter};
        const Loss loss(problem, {{3, 1}, {3, 1}, {3, 1}}, {id(1)});
        const auto replay = lightweightReplay(loss.model, loss.plan, loss.request);
        QVERIFY(replay);
        QVERIFY(isLossy(replay->plan));
        QCOMPARE(replay->plan.prediction->roundSeconds, roundOf(loss.model, replay->plan));
    }

    void whatPlansWithoutLevelsCouldGainIsTold() {
        PlanningProblem problem = twoDevices(5e5, {});
        for (PlanningProblem::Device &device : problem.devices)
            device.memoryBytes = 1'150'000;  // not for all layers
        const CostModel model(problem);
        Plan plan = planned(problem);
        QVERIFY(plan.stages.size() == 2);
        const auto gain = codecGain(model, plan);
        QVERIFY(gain);
        QVERIFY(*gain > 2);
        problem.links.fallback->bytesPerSecond = 1e10;
        const CostModel fast(problem);
        plan.prediction = *evaluate(fast, plan);
        QVERIFY(!codecGain(fast, plan));
        // A person's plan is not told of what another one would be better by.
        problem.links.fallback->bytesPerSecond = 1e9;
        const CostModel quick(problem);
        plan = planOfStages(problem, {{1, 1}, {3, 1}});
        plan.prediction = *evaluate(quick, plan);
        QVERIFY(!codecGain(quick, plan, {{}, 0, {}}));
    }

    void problemsTellTheirLevelsAndWhatCodecsTake() {
        PlanningProblem problem = smallHome(2, 2);
        problem.devices[0].codecs.measured[QStringLiteral("bfp8")] = {2e-10, 3e-10};
        problem.levels = levelsOf(CodecChoice::Auto);
        const auto again = PlanningProblem::fromJson(problem.toJson(), QStringLiteral("p"));
        QVERIFY2(again, again ? "" : qPrintable(again.error().toString()));
        QVERIFY(*again == problem);
        QJsonObject wrong = problem.toJson();
        wrong[QStringLiteral("levels")] = QJsonArray{QStringLiteral("zip")};
        const auto refused = PlanningProblem::fromJson(wrong, QStringLiteral("p"));
        QVERIFY(!refused);
        QVERIFY(refused.error().toString().contains(QStringLiteral("/levels/0")));
    }
};

QTEST_GUILESS_MAIN(TestCutLevels)
#include "test_cut_levels.moc"
