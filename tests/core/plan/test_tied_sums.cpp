// Tensors that several layers have: once in a device's memory, and summed over all stages that a plan gives them to.
#include <QtTest>

#include "core/plan/evaluate.h"
#include "core/plan/explain/explain.h"
#include "core/plan/planner.h"
#include "tests/core/plan/hand_problem.h"

using namespace hearth;
using test::dev;

namespace {

constexpr double shared = 6e8;

/// Four layers of 1 GB each; the first and the last have 0.6 GB in common. Links carry 1 GB/s; memory is ample.
PlanningProblem tiedHome(int devices) {
    PlanningProblem problem = test::byHand(4, std::vector<double>(static_cast<std::size_t>(devices), 1.0), 4);
    for (LayerFacts &layer : problem.layers)
        layer.parameterBytes = layer.trainableBytes = 1'000'000'000;
    problem.layers[3].tied = {{0, 0, static_cast<qint64>(shared), true}};
    for (PlanningProblem::Device &device : problem.devices)
        device.memoryBytes = 1'000'000'000'000;
    return problem;
}

Plan planFor(const PlanningProblem &problem, std::vector<PlanStage> stages) {
    Plan plan;
    plan.layerCount = static_cast<int>(problem.layers.size());
    plan.batch = problem.batch;
    plan.microBatch = 4;
    plan.stages = std::move(stages);
    return plan;
}

Plan twoStages(const PlanningProblem &problem) {
    return planFor(problem, {{0, 2, {{dev(0), 4}}, 1}, {2, 4, {{dev(1), 4}}, 1}});
}

PlanningProblem untied(PlanningProblem problem) {
    for (LayerFacts &layer : problem.layers)
        layer.tied.clear();
    return problem;
}

}  // namespace

class TestTiedSums : public QObject {
    Q_OBJECT
  private Q_SLOTS:
    void aDeviceWithBothLayersHoldsTheTensorOnce() {
        PlanningProblem problem = tiedHome(1);
        const auto bytes = [&](const PlanningProblem &of, int first, int last) {
            return MemoryModel(of).stageBytes({first, last, 4, 1, false});
        };
        const PlanningProblem plain = untied(problem);
        QCOMPARE(bytes(problem, 0, 3), bytes(plain, 0, 3));
        QCOMPARE(bytes(problem, 1, 4), bytes(plain, 1, 4));
        QCOMPARE(bytes(plain, 0, 4) - bytes(problem, 0, 4), 2 * shared);  // weights and gradients
        problem.optimizerStateFactor = 2;
        QCOMPARE(bytes(untied(problem), 0, 4) - bytes(problem, 0, 4), 4 * shared);
        // Kept states hold it for each of their layers.
        problem.keptStates = 3;
        QCOMPARE(bytes(untied(problem), 0, 4) - bytes(problem, 0, 4), 4 * shared);
        problem.layers[3].tied[0].isTrainable = false;
        QCOMPARE(bytes(untied(problem), 0, 4) - bytes(problem, 0, 4), shared);
        QCOMPARE(MemoryModel(problem).trainableBytes(0, 4), 4e9);
    }

    void groupsSumWhatIsTheirsAlone() {
        const PlanningProblem problem = tiedHome(2);
        const CostModel model(problem);
        const Group both{{0, 2}, {1, 2}};
        QCOMPARE(model.memory().summedBytes(0, 4), 4e9 - shared);
        QCOMPARE(model.memory().summedBytes(0, 2), 2e9 - shared);
        QCOMPARE(model.memory().summedBytes(1, 3), 2e9);
        QCOMPARE(model.allReduceSeconds(0, 4, both), (4e9 - shared) / 1e9);
        QCOMPARE(model.allReduceSeconds(0, 2, both), (2e9 - shared) / 1e9);
    }

    /// Two devices: each sends its gradients of the tensor once, 0.6 s, when the first stage has ended.
    void aCutTensorCostsItsSum() {
        const PlanningProblem problem = tiedHome(2);
        const Plan plan = twoStages(problem);
        const auto tied = evaluate(problem, plan, {.playTasks = 100}), plain = evaluate(untied(problem), plan);
        QVERIFY(tied && plain);
        QCOMPARE(tied->roundSeconds, plain->roundSeconds + shared / 1e9);
        QCOMPARE(tied->modelRoundSeconds, plain->modelRoundSeconds + shared / 1e9);
        QCOMPARE(*tied->playedRoundSeconds, tied->roundSeconds);
        for (const char *lane : {"dev0>dev1", "dev1>dev0"}) {
            QCOMPARE(tied->roundBytes[QLatin1String(lane)],
                     plain->roundBytes[QLatin1String(lane)] + static_cast<qint64>(shared));
        }
        QCOMPARE(tied->memoryBytes, plain->memoryBytes);
        const Plan whole = planFor(problem, {{0, 4, {{dev(0), 4}}, 1}});
        QCOMPARE(evaluate(problem, whole)->roundSeconds, evaluate(untied(problem), whole)->roundSeconds);
        QVERIFY(evaluate(problem, whole)->memoryBytes[dev(0)] < evaluate(untied(problem), whole)->memoryBytes[dev(0)]);
    }

    void theScheduleShowsTheSumBeforeTheUpdate() {
        const PlanningProblem problem = tiedHome(2);
        const auto prediction = evaluate(problem, twoStages(problem), {.withSchedule = true});
        QVERIFY(prediction);
        int sums = 0, updates = 0;
        for (const ScheduledTask &task : prediction->schedule) {
            if (task.kind == ScheduledTask::Kind::AllReduce) {
                ++sums;
                QCOMPARE(task.endSeconds, prediction->roundSeconds);
                QCOMPARE(task.bytes, static_cast<qint64>(shared));
            } else if (task.kind == ScheduledTask::Kind::Update) {
                ++updates;
                QCOMPARE(task.startSeconds, prediction->roundSeconds);
            }
        }
        QCOMPARE(sums, 2);
        QCOMPARE(updates, 2);
    }

    void stagesThatShareATensorMustReachEachOther() {
        PlanningProblem problem = tiedHome(3);
        const Plan plan =
            planFor(problem, {{0, 1, {{dev(0), 4}}, 1}, {1, 3, {{dev(1), 4}}, 1}, {3, 4, {{dev(2), 4}}, 1}});
        QVERIFY(evaluate(problem, plan));
        problem.links.pairs = {{dev(2), dev(0), 0, std::nullopt}};
        QVERIFY(evaluate(untied(problem), plan));
        const auto apart = evaluate(problem, plan);
        QVERIFY(!apart);
        QCOMPARE(apart.error().code, QStringLiteral("plan.unreachable"));
        // The planner finds a plan without them.
        const auto other = makePlan(QStringLiteral("hearth"), problem);
        QVERIFY2(other, qPrintable(other ? QString() : other.error().toString()));
        QVERIFY(evaluate(problem, *other));
    }

    /// Compute is cheap enough for a pipeline, were it not for the sum of what a cut parts.
    void thePlannerWeighsTheCut() {
        PlanningProblem problem = tiedHome(2);
        problem.layers[3].tied[0].bytes = 1'000'000'000;
        problem.links.fallback->bytesPerSecond = 1e6;  // 1000 s for the sum
        const auto plan = makePlan(QStringLiteral("hearth"), problem);
        QVERIFY(plan);
        const auto alone = makePlan(QStringLiteral("single"), problem);
        QVERIFY(evaluate(problem, *plan)->roundSeconds <= evaluate(problem, *alone)->roundSeconds);
        const auto plain = makePlan(QStringLiteral("hearth"), untied(problem));
        QCOMPARE(plain->stages.size(), std::size_t{2});
        QCOMPARE(plan->stages.size(), std::size_t{1});
    }

    void theFormatKeepsThem() {
        const PlanningProblem problem = tiedHome(2);
        const auto again = PlanningProblem::fromJson(problem.toJson(), QStringLiteral("p.json"));
        QVERIFY2(again, qPrintable(again ? QString() : again.error().toString()));
        QCOMPARE(again->layers[3].tied, problem.layers[3].tied);
        QVERIFY(!problem.toJson()[QStringLiteral("layers")].toArray()[0].toObject().contains(QStringLiteral("tied")));
    }

    void whatIsNoTieIsRefused_data() {
        QTest::addColumn<int>("layer");
        QTest::addColumn<qint64>("bytes");
        QTest::newRow("to itself") << 3 << qint64{1};
        QTest::newRow("to a layer that comes later") << 4 << qint64{1};
        QTest::newRow("of more bytes than the layer has") << 0 << qint64{1'000'000'001};
    }
    void whatIsNoTieIsRefused() {
        QFETCH(int, layer);
        QFETCH(qint64, bytes);
        PlanningProblem problem = tiedHome(1);
        problem.layers[3].tied = {{layer, 0, bytes, true}};
        const auto read = PlanningProblem::fromJson(problem.toJson(), QStringLiteral("p.json"));
        QVERIFY(!read);
        QVERIFY(read.error().toString().contains(QLatin1String("/layers/3/tied/0")));
    }
};

QTEST_GUILESS_MAIN(TestTiedSums)
#include "test_tied_sums.moc"
