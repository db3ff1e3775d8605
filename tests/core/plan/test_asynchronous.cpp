#include <QTest>

#include "core/plan/asynchronous_round.h"
#include "core/plan/evaluate.h"
#include "core/plan/planner.h"
#include "tests/core/plan/hand_problem.h"

using namespace hearth;
using namespace hearth::test;

namespace {

using Update = Asynchrony::Update;

/// Three stages of 1 s forward and 2 s back for each of four micro-batches of one sample.
PlanningProblem threeAlike(std::optional<Asynchrony> how) {
    PlanningProblem problem = byHand(3, {1, 1, 1}, 4);
    problem.microBatch = 1;
    problem.asynchronous = how;
    return problem;
}

Asynchrony seenAsTheyAre(Update update, bool verticalSync = false) {
    return {update, verticalSync, 0, true, 0};
}

Plan inThree(const PlanningProblem &problem, const std::vector<int> &inFlight) {
    Placement placement{1, Schedule::OneForwardOneBackward, {}};
    for (int s = 0; s < 3; ++s)
        placement.stages.push_back({s, s + 1, {{s, 1}}, inFlight[static_cast<std::size_t>(s)]});
    return planOf(problem, QStringLiteral("test"), placement);
}

}  // namespace

class TestAsynchronous : public QObject {
    Q_OBJECT

  private Q_SLOTS:
    void aRoundWithoutAnEndIsAsLongAsItsLongestStage() {
        const PlanningProblem waiting = threeAlike({}), flowing = threeAlike(Asynchrony{});
        const auto synchronous = evaluate(waiting, inThree(waiting, {4, 3, 1}));
        const auto asynchronous = evaluate(flowing, inThree(flowing, {4, 3, 1}));
        QVERIFY(synchronous && asynchronous);
        QVERIFY(std::abs(synchronous->roundSeconds - 18) < 1e-6);  // 4 · 3 in the first stage, 2 · 3 before and after
        QVERIFY(std::abs(asynchronous->roundSeconds - 12) < 1e-6);
        QVERIFY(std::abs(asynchronous->modelRoundSeconds - 12) < 1e-6);
        QVERIFY(synchronous->delays.empty());
        QCOMPARE(asynchronous->delays, (std::vector<int>{1, 1, 0}));
        const auto again = Prediction::fromJson(asynchronous->toJson(), QStringLiteral("the test"), QString());
        QVERIFY(again);
        QCOMPARE(again->delays, asynchronous->delays);
    }

    void fewInFlightKeepStagesWaitingAllTheSame() {
        const PlanningProblem problem = threeAlike(Asynchrony{});
        // A micro-batch comes back to the first stage after all three have had it.
        QVERIFY(std::abs(evaluate(problem, inThree(problem, {1, 1, 1}))->roundSeconds - 4 * 9) < 1e-6);
    }

    void aCardIsBusyWithWhatItCarriesAlone() {
        PlanningProblem problem = byHand(2, {1, 1}, 4);
        problem.microBatch = 1;
        problem.asynchronous = Asynchrony{};
        // What a micro-batch sends takes 3 s each way, as long as a stage has it. No round waits for the first one.
        problem.links.pairs = {{dev(0), dev(1), 1.0 / 3, 0.0}, {dev(1), dev(0), 1.0 / 3, 0.0}};
        const Placement two{1, Schedule::OneForwardOneBackward, {{0, 1, {{0, 1}}, 4}, {1, 2, {{1, 1}}, 4}}};
        const auto found = evaluate(problem, planOf(problem, QStringLiteral("test"), two));
        QVERIFY(found);
        QVERIFY2(std::abs(found->roundSeconds - 12) < 1e-6, qPrintable(QString::number(found->roundSeconds)));
    }

    void sumsCountAsWorkOfTheStage_data() {
        QTest::addColumn<Asynchrony>("how");
        QTest::addColumn<double>("seconds");
        QTest::newRow("once a round") << Asynchrony{Update::Round} << 4 * 3 + 2.0;
        QTest::newRow("once a micro-batch") << Asynchrony{Update::MicroBatch} << 4 * (3 + 2.0);
    }
    void sumsCountAsWorkOfTheStage() {
        QFETCH(Asynchrony, how);
        QFETCH(double, seconds);
        const PlanningProblem problem = threeAlike(how);
        const CostModel model(problem);
        PlanSteps steps = stepsOf(model, inThree(problem, {4, 3, 1}));
        steps.simulated[2].allReduce = 2;
        Simulator simulator;
        const double played = asynchronousSeconds(simulator, steps, 4, how);
        // Others may come a little late to a stage that was summing.
        QVERIFY2(played > seconds - 1e-6 && played < 1.1 * seconds, qPrintable(QString::number(played)));
        QVERIFY(std::abs(asynchronousBound(steps, 4, how).seconds - seconds) < 1e-6);
    }

    void everyUpdateSendsItsSums_data() {
        QTest::addColumn<Asynchrony>("how");
        QTest::addColumn<int>("sums");
        QTest::newRow("once a round") << Asynchrony{Update::Round} << 1;
        QTest::newRow("once a micro-batch") << Asynchrony{Update::MicroBatch} << 8;
    }
    void everyUpdateSendsItsSums() {
        QFETCH(Asynchrony, how);
        QFETCH(int, sums);
        PlanningProblem problem = byHand(2, {1, 1}, 16);
        problem.microBatch = 2;
        problem.asynchronous = how;
        for (LayerFacts &layer : problem.layers)
            layer.parameterBytes = layer.trainableBytes = 1000;
        const auto sent = [&problem](const Placement &placement) {
            const auto judged = evaluate(problem, planOf(problem, QStringLiteral("test"), placement));
            return judged ? judged->roundBytes.value(QStringLiteral("dev0>dev1")) : -1;
        };
        constexpr auto plain = Schedule::OneForwardOneBackward;
        // A group of two: each sends all of its gradients once for a sum.
        QCOMPARE(sent({2, plain, {{0, 2, {{0, 1}, {1, 1}}, 1}}}), qint64{sums * 2000});
        // What two stages have in common, beside a byte for each sample.
        problem.layers[1].tied = {{0, 0, 400, true}};
        QCOMPARE(sent({2, plain, {{0, 1, {{0, 2}}, 3}, {1, 2, {{1, 2}}, 1}}}), qint64{16 + sums * 400});
    }

    void versionsTakeMemory_data() {
        QTest::addColumn<Asynchrony>("how");
        QTest::addColumn<QList<int>>("more");  // bytes by device: every layer has one of weights
        QTest::newRow("by round") << seenAsTheyAre(Update::Round) << QList<int>{1, 1, 0};
        QTest::newRow("by round, predicted") << Asynchrony{Update::Round} << QList<int>{2, 2, 0};
        QTest::newRow("by round, vertical sync") << seenAsTheyAre(Update::Round, true) << QList<int>{1, 1, 1};
        // What the round began with, and as much of the optimizer.
        QTest::newRow("by micro-batch") << seenAsTheyAre(Update::MicroBatch) << QList<int>{3 + 2, 2 + 2, 0 + 2};
        QTest::newRow("by micro-batch, predicted")
            << Asynchrony{Update::MicroBatch} << QList<int>{3 + 1 + 2, 2 + 1 + 2, 0 + 2};
        QTest::newRow("by micro-batch, vertical sync")
            << seenAsTheyAre(Update::MicroBatch, true) << QList<int>{3 + 2, 3 + 2, 3 + 2};
    }
    void versionsTakeMemory() {
        QFETCH(Asynchrony, how);
        QFETCH(QList<int>, more);
        PlanningProblem waiting = threeAlike({}), flowing = threeAlike(how);
        waiting.optimizerStateFactor = flowing.optimizerStateFactor = 1;
        const auto synchronous = evaluate(waiting, inThree(waiting, {4, 3, 1}));
        const auto asynchronous = evaluate(flowing, inThree(flowing, {4, 3, 1}));
        for (int d = 0; d < 3; ++d)
            QCOMPARE(asynchronous->memoryBytes[dev(d)] - synchronous->memoryBytes[dev(d)], more[d]);
    }

    /// Searches judge stages one by one.
    void aStageCountsOnTheDelayOfThoseInFront_data() {
        QTest::addColumn<Asynchrony>("how");
        QTest::addColumn<int>("firstLayer");
        QTest::addColumn<std::optional<int>>("delay");
        QTest::addColumn<double>("more");  // bytes, beside those without vertical sync
        const std::optional<int> unknown, none = 0;
        QTest::newRow("the first stage follows nobody") << seenAsTheyAre(Update::Round, true) << 0 << unknown << 0.0;
        QTest::newRow("by round, a later one is one behind")
            << seenAsTheyAre(Update::Round, true) << 1 << unknown << 1.0;
        QTest::newRow("by micro-batch, a later one is one behind at least")
            << seenAsTheyAre(Update::MicroBatch, true) << 1 << unknown << 1.0;
        QTest::newRow("a delay that is known counts") << seenAsTheyAre(Update::Round, true) << 1 << none << 0.0;
    }
    void aStageCountsOnTheDelayOfThoseInFront() {
        QFETCH(Asynchrony, how);
        QFETCH(int, firstLayer);
        QFETCH(std::optional<int>, delay);
        QFETCH(double, more);
        const StagePlace place{firstLayer, firstLayer + 1, 1, 1, false, delay};
        const MemoryModel synced(threeAlike(how)), apart(threeAlike(seenAsTheyAre(how.update)));
        QCOMPARE(synced.stageBytes(place) - apart.stageBytes(place), more);
    }

    void limitsAreLoweredAsFarAsMemoryAsks_data() {
        QTest::addColumn<bool>("verticalSync");
        QTest::newRow("stages with delays of their own") << false;
        QTest::newRow("stages with the delay of the first one") << true;
    }
    void limitsAreLoweredAsFarAsMemoryAsks() {
        QFETCH(bool, verticalSync);
        PlanningProblem problem = threeAlike(seenAsTheyAre(Update::MicroBatch, verticalSync));
        const auto least = evaluate(problem, inThree(problem, {1, 1, 1}));
        QVERIFY(least);
        for (PlanningProblem::Device &device : problem.devices)
            device.memoryBytes = least->memoryBytes[device.id];
        const auto fitting = withAsynchronousLimits(CostModel(problem), inThree(problem, {4, 3, 1}));
        QVERIFY(fitting && fitting->prediction->fits);
        QCOMPARE(fitting->prediction->delays, (std::vector<int>{0, 0, 0}));
    }

    void theProblemSaysSo() {
        const PlanningProblem problem = threeAlike(Asynchrony{Update::MicroBatch, true, 5, true, 0});
        const auto again = PlanningProblem::fromJson(problem.toJson(), QStringLiteral("the test"));
        QVERIFY2(again, again ? "" : qPrintable(again.error().toString()));
        QCOMPARE(again->asynchronous, problem.asynchronous);
        QCOMPARE(PlanningProblem::fromJson(threeAlike({}).toJson(), QStringLiteral("the test"))->asynchronous,
                 std::optional<Asynchrony>());
    }

    /// One device is as fast as any pipeline with an end; without one the three have a third of the work each.
    void thePlannerLooksForTheSteadyState() {
        PlanningProblem problem = threeAlike(Asynchrony{});
        const auto plan = makePlan(defaultPlanner(), problem);
        QVERIFY2(plan, plan ? "" : qPrintable(plan.error().toString()));
        QCOMPARE(plan->planner, defaultPlanner());
        QVERIFY(plan->prediction->fits);
        QVERIFY2(std::abs(plan->prediction->roundSeconds - 12) < 1e-6,
                 qPrintable(QString::number(plan->prediction->roundSeconds)));
        QVERIFY(!plan->prediction->provedOptimal);
        QCOMPARE(plan->prediction->delays.size(), plan->stages.size());
    }
};

QTEST_GUILESS_MAIN(TestAsynchronous)
#include "test_asynchronous.moc"
