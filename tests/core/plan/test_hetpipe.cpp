// HetPipe's planner: virtual workers cut within memory, made of what fits together, fed by their speed.
#include <QtTest>

#include "core/base/at.h"
#include "core/plan/evaluate.h"
#include "core/plan/planner.h"
#include "tests/core/plan/hand_problem.h"
#include "tests/core/plan/random_problem.h"

using namespace hearth;
using test::byHand;

namespace {

/// Three devices in a chain, cut at two layers: the slowest stage for one micro-batch of 8 samples, with what arrives
/// there; infinite where a device's memory does not do.
double slowestStage(const PlanningProblem &problem, const std::vector<int> &order, int cut, int next) {
    const MeasuredCosts costs(problem.times);
    const MemoryModel memory(problem);
    const int ends[4] = {0, cut, next, static_cast<int>(problem.layers.size())};
    const auto crossing = [&](int layer) {
        return 8 * static_cast<double>(problem.layers[at(layer - 1)].outputBytes) /
               problem.links.fallback->bytesPerSecond;
    };
    double slowest = 0;
    for (int p = 0; p < 3; ++p) {
        const int device = order[at(p)];
        if (!memory.fits(device, {ends[p], ends[p + 1], 8, 1, false}))
            return std::numeric_limits<double>::infinity();
        double seconds = (p > 0 ? crossing(ends[p]) : 0) + (p < 2 ? crossing(ends[p + 1]) : 0);
        for (int l = ends[p]; l < ends[p + 1]; ++l) {
            const LayerSeconds once = costs.seconds(device, l, 8);
            seconds += once.forward + once.backward;
        }
        slowest = std::max(slowest, seconds);
    }
    return slowest;
}

}  // namespace

class TestHetpipe : public QObject {
    Q_OBJECT
  private Q_SLOTS:
    void oneWorkerIsCutForItsSlowestStageWithinMemory() {
        std::mt19937 random(83);
        int refused = 0;
        for (int i = 0; i < 60; ++i) {
            PlanningProblem problem = test::randomProblem(random, {6, 3, 8});
            problem.microBatch = 8;  // one micro-batch, so one virtual worker
            for (auto &device : problem.devices)
                device.memoryBytes = 8'000'000 + static_cast<qint64>(random() % 12'000'000);
            std::vector<int> order{0, 1, 2};
            std::stable_sort(order.begin(), order.end(), [&](int a, int b) {
                return problem.devices[at(a)].memoryBytes > problem.devices[at(b)].memoryBytes;
            });
            double best = std::numeric_limits<double>::infinity();
            for (int cut = 1; cut < 5; ++cut) {
                for (int next = cut + 1; next < 6; ++next)
                    best = std::min(best, slowestStage(problem, order, cut, next));
            }
            const auto plan = makePlan(QStringLiteral("hetpipe"), problem);
            QCOMPARE(plan.has_value(), std::isfinite(best));
            refused += !plan;
            if (!plan)
                continue;
            QVERIFY(plan->prediction->fits);
            QCOMPARE(plan->pipelines.size(), std::size_t{1});
            const Plan alone = plan->sideBySide().front();
            QCOMPARE(alone.stages.size(), std::size_t{3});
            for (std::size_t p = 0; p < 3; ++p) {
                QCOMPARE(alone.stages[p].shares[0].device, problem.devices[at(order[p])].id);
                QCOMPARE(alone.stages[p].inFlight, 1);
            }
            QVERIFY(slowestStage(problem, order, alone.stages[0].lastLayer, alone.stages[1].lastLayer) <=
                    best * (1 + 1e-9));
            // V = 1 is its own pipeline.
            QCOMPARE(evaluate(problem, alone)->roundSeconds, plan->prediction->roundSeconds);
        }
        QVERIFY(refused > 0 && refused < 50);
    }

    void hetpipeHalvesTheRoundOfTwoEqualDevices() {
        PlanningProblem problem = byHand(2, {1, 1}, 8);
        problem.layers[0].outputBytes = problem.layers[0].gradientBytes = 1'000'000'000;  // a second per sample
        problem.microBatch = 2;
        const auto plan = makePlan(QStringLiteral("hetpipe"), problem);
        QVERIFY(plan);
        QCOMPARE(plan->pipelines.size(), std::size_t{2});
        QCOMPARE(plan->pipelines[0].samples, 4);
        QCOMPARE(plan->pipelines[1].samples, 4);
        // 4 samples × 2 layers × 3 s, and 2 bytes exchanged at 1 GB/s
        QVERIFY(qAbs(plan->prediction->roundSeconds - (24 + 2e-9)) < 1e-12);
    }

    void hetpipeDealsOutTheBatchBySpeed() {
        PlanningProblem problem = byHand(2, {1, 3}, 16);
        problem.microBatch = 2;
        problem.layers[0].outputBytes = problem.layers[0].gradientBytes = 100'000'000'000;
        const auto plan = makePlan(QStringLiteral("hetpipe"), problem);
        QVERIFY(plan);
        QCOMPARE(plan->pipelines.size(), std::size_t{2});
        QCOMPARE(plan->pipelines[0].samples, 4);
        QCOMPARE(plan->pipelines[1].samples, 12);
    }

    void hetpipePairsFastWithSlowDevices() {
        PlanningProblem problem = byHand(4, {1, 1, 3, 3}, 16);
        problem.microBatch = 2;
        for (auto &device : problem.devices)
            device.memoryBytes = 7;  // weights and gradients of three layers, so nobody is a worker alone
        for (LayerFacts &layer : problem.layers)
            layer.outputBytes = layer.gradientBytes = 0;
        const auto plan = makePlan(QStringLiteral("hetpipe"), problem);
        QVERIFY2(plan, plan ? "" : qPrintable(plan.error().toString()));
        QVERIFY(plan->prediction->fits);
        // One layer on a slow and three on a fast device, 6 s each: 12 s + 3 × 6 s. Alike with alike, 36 s.
        QCOMPARE(plan->pipelines.size(), std::size_t{2});
        for (const Plan::Pipeline &pipeline : plan->pipelines) {
            QCOMPARE(pipeline.samples, 8);
            QCOMPARE(pipeline.stages.size(), std::size_t{2});
            QCOMPARE(pipeline.stages[0].lastLayer, 1);
        }
        QVERIFY(qAbs(plan->prediction->roundSeconds - 30) < 1e-6);
    }
};

QTEST_GUILESS_MAIN(TestHetpipe)
#include "test_hetpipe.moc"
