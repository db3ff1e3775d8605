// Pipelines side by side: how a plan of several is judged, and that one of them is the plan of its stages.
#include <QtTest>

#include "core/plan/evaluate.h"
#include "core/plan/explain/explain.h"
#include "core/plan/side_by_side.h"
#include "tests/core/plan/random_problem.h"

using namespace hearth;

namespace {

QString dev(int i) {
    return QStringLiteral("dev%1").arg(i);
}

/// Two layers of 3000 and 900 bytes, a cut of 1000 bytes forward and 500 backward per sample, links of 1 kB/s; a layer
/// takes 1 s per sample forward and 2 s backward on every device.
PlanningProblem byHand(int devices) {
    PlanningProblem problem;
    problem.batch = 8;
    problem.optimizerStateFactor = 0;
    LayerFacts first, second;
    first.outputBytes = 1000;
    first.gradientBytes = 500;
    first.parameterBytes = first.trainableBytes = 3000;
    second.parameterBytes = second.trainableBytes = 900;
    problem.layers = {first, second};
    for (int d = 0; d < devices; ++d) {
        problem.devices.push_back({dev(d), 100'000, 0});
        problem.times.push_back({{1, 2}, {{1, 2}, {1, 2}}, {{2, 4}, {2, 4}}});
    }
    problem.links.fallback = LinkProfile::Link{1000, 0, Duplex::Full};
    return problem;
}

Plan frame(int batch, int microBatch) {
    Plan plan;
    plan.layerCount = 2;
    plan.batch = batch;
    plan.microBatch = microBatch;
    return plan;
}

/// Each device alone with the whole model.
Plan::Pipeline alone(int device, int samples, int microBatch) {
    return {samples, {{0, 2, {{dev(device), microBatch}}, 1}}};
}

/// One layer on each of two devices.
Plan::Pipeline chain(int first, int second, int samples, int microBatch) {
    return {samples, {{0, 1, {{dev(first), microBatch}}, 2}, {1, 2, {{dev(second), microBatch}}, 1}}};
}

}  // namespace

class TestSideBySide : public QObject {
    Q_OBJECT
  private Q_SLOTS:
    void onePipelineIsThePlanOfItsStages() {
        std::mt19937 random(5);
        for (int i = 0; i < 20; ++i) {
            PlanningProblem problem = test::randomProblem(random, {4, 3, 16});
            problem.dataDevice = dev(2);
            problem.inputBytes = 5000;
            Plan stages = frame(16, 4);
            stages.layerCount = 4;
            stages.stages = {{0, 1, {{dev(0), 3}, {dev(1), 1}}, 3}, {1, 4, {{dev(2), 4}}, 1}};
            Plan one = stages;
            one.stages.clear();
            one.pipelines = {{16, stages.stages}};
            const auto left = evaluate(problem, stages, {true});
            const auto right = evaluate(problem, one, {true});
            QVERIFY(left && right);
            QCOMPARE(right->toJson(), left->toJson());
            QCOMPARE(one.stageCount(), std::size_t{2});
            QCOMPARE(one.deviceCount(), std::size_t{3});
        }
    }

    void twoEqualHalvesTakeHalfTheRoundAndTheExchange() {
        const PlanningProblem problem = byHand(2);
        Plan plan = frame(8, 2);
        plan.pipelines = {alone(0, 4, 2), alone(1, 4, 2)};
        const auto judged = evaluate(problem, plan);
        QVERIFY2(judged, judged ? "" : qPrintable(judged.error().toString()));
        // 4 samples × 2 layers × 3 s, then 2 (V-1) W / (V bw) = 3900 / 1000
        QCOMPARE(judged->roundSeconds, 24 + 3.9);
        QCOMPARE(judged->modelRoundSeconds, 24 + 3.9);
        QCOMPARE(judged->samplesPerSecond, 8 / 27.9);
        QCOMPARE(judged->roundBytes.value(QStringLiteral("dev0>dev1")), 3900);
        QCOMPARE(judged->roundBytes.value(QStringLiteral("dev1>dev0")), 3900);
        // The same work as a group of two: the same round.
        Plan group = frame(8, 4);
        group.stages = {{0, 2, {{dev(0), 2}, {dev(1), 2}}, 1}};
        QCOMPARE(evaluate(problem, group)->roundSeconds, judged->roundSeconds);
    }

    void theSlowestPipelineEndsTheRound() {
        const PlanningProblem problem = byHand(3);
        Plan plan = frame(8, 2);
        plan.pipelines = {alone(0, 2, 2), chain(1, 2, 6, 2)};
        const auto judged = evaluate(problem, plan, {true});
        QVERIFY(judged);
        Plan slow = frame(6, 2);
        slow.stages = plan.pipelines[1].stages;
        PlanningProblem six = problem;
        six.batch = 6;
        const auto own = evaluate(six, slow);
        QVERIFY(own);
        QVERIFY(own->roundSeconds > 12);
        QCOMPARE(judged->roundSeconds, own->roundSeconds + 3.9);
        QCOMPARE(judged->dominantStep, own->dominantStep + 2);  // after the first pipeline's one stage
        // Layer by layer: dev0 owns both, dev1 the first, dev2 the second.
        QCOMPARE(judged->roundBytes.value(QStringLiteral("dev0>dev1")), 3000);
        QCOMPARE(judged->roundBytes.value(QStringLiteral("dev0>dev2")), 900);
        QCOMPARE(judged->roundBytes.value(QStringLiteral("dev1>dev0")), 3000);
        QCOMPARE(judged->roundBytes.value(QStringLiteral("dev1>dev2")), 3 * 2 * 1000);
        QCOMPARE(judged->roundBytes.value(QStringLiteral("dev2>dev1")), 3 * 2 * 500);
    }

    void groupsExchangeTheirPartsOfTheWeights() {
        const PlanningProblem problem = byHand(4);
        Plan plan = frame(8, 2);
        plan.pipelines = {{4, {{0, 2, {{dev(0), 1}, {dev(1), 1}}, 1}}}, alone(2, 2, 2), alone(3, 2, 2)};
        const auto judged = evaluate(problem, plan);
        QVERIFY(judged);
        // a ring of three: each sends 2 · 2/3 · 3900 = 5200 to the next
        QCOMPARE(judged->roundBytes.value(QStringLiteral("dev0>dev2")), 2600);
        QCOMPARE(judged->roundBytes.value(QStringLiteral("dev1>dev2")), 2600);
        QCOMPARE(judged->roundBytes.value(QStringLiteral("dev2>dev3")), 5200);
        QCOMPARE(judged->roundBytes.value(QStringLiteral("dev3>dev0")), 2600);
        QVERIFY(!judged->roundBytes.contains(QStringLiteral("dev2>dev0")));
        // 2 micro-batches × 2 layers × 3 s, the group's own AllReduce, then the exchange; the others: 12 s
        QCOMPARE(judged->roundSeconds, 12 + 3.9 + 5.2);
    }

    void memoryCountsThePipelinesOwnMicroBatches() {
        PlanningProblem problem = byHand(4);
        for (LayerFacts &layer : problem.layers)
            layer.savedBytes = 1000;
        problem.devices[2].memoryBytes = 5000;
        Plan plan = frame(8, 2);
        plan.pipelines = {chain(0, 1, 2, 2), chain(2, 3, 6, 2)};
        const auto judged = evaluate(problem, plan);
        QVERIFY(judged);
        // 2·3000 of weights and gradients, and 2 samples × 1000 for each micro-batch in flight: one, or two
        QCOMPARE(judged->memoryBytes.value(dev(0)), 8000);
        QCOMPARE(judged->memoryBytes.value(dev(2)), 10000);
        QVERIFY(!judged->fits);
        QCOMPARE(judged->violations.size(), std::size_t{1});
        QCOMPARE(judged->violations[0].device, dev(2));
    }

    void oneCardServesAllPipelines() {
        PlanningProblem problem = byHand(3);
        problem.dataDevice = dev(2);
        problem.inputBytes = 10'000;
        Plan plan = frame(8, 2);
        plan.pipelines = {alone(0, 4, 2), alone(1, 4, 2)};
        // each takes in 40 kB at 1 kB/s, but both come out of one card
        QCOMPARE(evaluate(problem, plan)->roundSeconds, 80 + 3.9);
    }

    void oneMediumCarriesAllPipelines() {
        PlanningProblem problem = byHand(4);
        problem.layers[0].outputBytes = 10'000;
        problem.layers[0].gradientBytes = 10'000;
        Plan plan = frame(8, 2);
        plan.pipelines = {chain(0, 1, 4, 2), chain(2, 3, 4, 2)};
        problem.links.media = {{QStringLiteral("air"), 1000}};
        for (int d = 0; d < 4; ++d)
            problem.links.nics.push_back({dev(d), std::nullopt, std::nullopt, std::nullopt, QStringLiteral("air")});
        // 8 samples × 20 kB through the air at 1 kB/s, then all that both rings send: 2 × 3900
        QCOMPARE(evaluate(problem, plan)->roundSeconds, 160 + 7.8);
    }

    void theScheduleJoinsTheLanes() {
        const PlanningProblem problem = byHand(3);
        Plan plan = frame(8, 2);
        plan.pipelines = {alone(0, 2, 2), chain(1, 2, 6, 2)};
        const auto judged = evaluate(problem, plan, {true});
        QVERIFY(judged);
        double end = 0, last = 0;
        int updates = 0, exchanges = 0, tasks = 0;
        for (const ScheduledTask &task : judged->schedule) {
            QVERIFY(task.startSeconds >= last);
            last = task.startSeconds;
            end = std::max(end, task.endSeconds);
            ++tasks;
            if (task.kind == ScheduledTask::Kind::Update) {
                QCOMPARE(task.startSeconds, judged->roundSeconds);
                ++updates;
            }
            if (task.kind == ScheduledTask::Kind::AllReduce) {
                QCOMPARE(task.endSeconds, judged->roundSeconds);
                QCOMPARE(task.bytes, task.stage == 0 && task.lane.endsWith(dev(2)) ? 900
                                     : task.stage == 2                             ? 900
                                                                                   : 3000);
                ++exchanges;
            }
            if (task.lane == dev(0))
                QCOMPARE(task.stage, 0);
            if (task.lane == dev(2)) {
                QCOMPARE(task.stage, 2);
                QVERIFY(task.microBatch >= 1 && task.microBatch <= 3);
            }
        }
        QCOMPARE(end, judged->roundSeconds);
        QCOMPARE(updates, 3);
        QCOMPARE(exchanges, 4);
        QCOMPARE(tasks, 2 + 3 * (4 + 2) + 3 + 4);
    }

    void whoCannotExchangeIsNamed() {
        PlanningProblem problem = byHand(3);
        problem.links.pairs = {{dev(2), dev(0), 0, std::nullopt}};
        Plan plan = frame(8, 2);
        plan.pipelines = {alone(0, 2, 2), chain(1, 2, 6, 2)};
        const auto judged = evaluate(problem, plan);
        QVERIFY(!judged);
        QCOMPARE(judged.error().code, QStringLiteral("plan.unreachable"));
        QVERIFY(judged.error().cause.contains(QStringLiteral("dev2 cannot reach dev0")));
        problem.layers[1].trainableBytes = 0;  // nothing to exchange between them
        QVERIFY(evaluate(problem, plan));
    }

    void explanationsNameTheStageOfItsPipeline() {
        const PlanningProblem problem = byHand(3);
        const MeasuredCosts costs(problem.times);
        const CostModel model(problem, costs);
        Plan plan = frame(8, 2);
        plan.pipelines = {alone(0, 6, 2), chain(1, 2, 2, 2)};
        plan.prediction = *evaluate(problem, plan);
        const QStringList lines = explain(model, plan);
        QVERIFY2(lines.first().contains(QStringLiteral("stage 1 (layers 0 to 1 on dev0)")), qPrintable(lines.first()));
        QVERIFY(lines.join(QLatin1Char('\n')).contains(QStringLiteral("dev0 at twice its speed")));
    }
};

QTEST_GUILESS_MAIN(TestSideBySide)
#include "test_side_by_side.moc"
