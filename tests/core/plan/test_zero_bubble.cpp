// Gradients of weights that fill the waiting: what the planner makes of them.
#include <QtTest>
#include <random>

#include "core/plan/evaluate.h"
#include "core/plan/planner.h"
#include "core/plan/search/placement_judge.h"
#include "core/plan/search/search.h"
#include "tests/core/plan/measured_home.h"
#include "tests/core/plan/random_problem.h"

using namespace hearth;

namespace {

/// Devices of the same speed and layers of the same work, with four micro-batches.
PlanningProblem equalDevices(int devices) {
    std::mt19937 random(4);
    PlanningProblem problem = test::randomProblem(random, {4 * devices, devices, 16});
    problem.microBatch = 4;
    for (TimeTable &table : problem.times) {
        for (std::size_t l = 0; l < problem.layers.size(); ++l) {
            for (std::size_t i = 0; i < table.batch.size(); ++i) {
                table.forward[l][i] = 0.01 * table.batch[i];
                table.backward[l][i] = 0.02 * table.batch[i];
            }
        }
    }
    for (LayerFacts &layer : problem.layers)
        layer.parameterBytes = layer.trainableBytes = 100'000'000;  // so that no group is worth its sum
    problem.links.fallback = LinkProfile::Link{1e9, 0, Duplex::Full};
    return test::withHalves(problem);
}

double withoutPuttingOff(const CostModel &model, Placement placement) {
    placement.schedule = Schedule::OneForwardOneBackward;
    PlacementJudge judge(model, false);
    double best = std::numeric_limits<double>::infinity();
    const int count = static_cast<int>(placement.stages.size());
    for (const int more : {-1, 1, 64}) {
        for (int s = 0; s < count; ++s)
            placement.stages[static_cast<std::size_t>(s)].inFlight = 2 * (count - s) + more;
        best = std::min(best, judge.judge(placement));
    }
    return best;
}

}  // namespace

class TestZeroBubble : public QObject {
    Q_OBJECT
  private Q_SLOTS:
    void equalDevicesPutGradientsOfWeightsOff_data() {
        QTest::addColumn<int>("devices");
        QTest::addColumn<double>("gain");
        QTest::newRow("two devices") << 2 << 1.07;
        QTest::newRow("four devices") << 4 << 1.12;
    }
    /// With four micro-batches and next to nothing to send ZB-H1 takes 3M + P-1 units; a stage that does not know what
    /// is about to come may be one unit later.
    void equalDevicesPutGradientsOfWeightsOff() {
        QFETCH(int, devices);
        QFETCH(double, gain);
        const test::MeasuredHome home(equalDevices(devices));
        const auto found = searchPlans(home.model, {});
        QVERIFY(found);
        QVERIFY(found->placement.schedule.putsOffWeights());
        QCOMPARE(found->placement.stages.size(), static_cast<std::size_t>(devices));
        const double unit = 4 * 4 * 0.01;  // a pass of four layers over four samples
        QVERIFY2(found->seconds <= (3 * 4 + devices - 1 + (devices > 2 ? 1 : 0)) * unit * 1.01,
                 qPrintable(QString::number(found->seconds)));
        QVERIFY(withoutPuttingOff(home.model, found->placement) / found->seconds >= gain);
    }

    void gradientsAreOnlyPutOffWhereThatIsFaster() {
        std::mt19937 random(8);
        int put = 0;
        for (int i = 0; i < 40; ++i) {
            const Duplex duplex = i % 2 ? Duplex::Half : Duplex::Full;
            const test::MeasuredHome home(
                test::withHalves(test::randomProblem(random, {8, 2 + i % 3, 16, i % 4 == 0, i % 3 == 0, duplex})));
            PlannerOptions options;
            options.stepLimit = 300'000;
            const auto found = searchPlans(home.model, options);
            if (!found)
                continue;
            put += found->placement.schedule.putsOffWeights() ? 1 : 0;
            if (found->placement.schedule.putsOffWeights())
                QVERIFY(found->seconds < withoutPuttingOff(home.model, found->placement));
            // It is what it is said to be, and in the memory that there is.
            const Plan plan = planOf(home.problem, QStringLiteral("hearth"), found->placement);
            const auto prediction = evaluate(home.model, plan, {});
            QVERIFY(prediction);
            QVERIFY(prediction->fits);
            QVERIFY(std::abs(prediction->roundSeconds - found->seconds) <= 1e-9 * found->seconds);
        }
        qInfo("gradients of weights are put off in %d plans", put);
        QVERIFY(put > 5);
    }

    void noMoreStaysInFlightThanTheRoundHasUseFor() {
        PlanningProblem problem = equalDevices(2);
        problem.batch = 64;
        const test::MeasuredHome home(problem);
        const auto found = searchPlans(home.model, {});
        QVERIFY(found);
        QVERIFY(found->placement.schedule.putsOffWeights());
        PlacementJudge judge(home.model, false);
        Placement all = found->placement;
        for (const StagePlacement &stage : found->placement.stages)
            QVERIFY2(stage.inFlight <= 4, qPrintable(QString::number(stage.inFlight)));
        for (StagePlacement &stage : all.stages)
            stage.inFlight = 16;
        QVERIFY(judge.judge(all) >= found->seconds);
    }

    void noRoundIsShorterThanItsBound() {
        std::mt19937 random(6);
        std::uniform_real_distribution<double> unit(0, 1);
        Simulator simulator;
        for (int i = 0; i < 2000; ++i) {
            const int stages = 1 + static_cast<int>(random() % 6), microBatches = 1 + static_cast<int>(random() % 12);
            std::vector<StepTimes> times;
            std::vector<SimulatedStep> steps;
            for (int s = 0; s < 2 * stages - 1; ++s) {
                const bool transfer = s % 2 == 1;
                const LayerSeconds once{unit(random), 1 + unit(random), unit(random)};
                times.push_back(transfer ? StepTimes::transfer(unit(random), unit(random), Duplex::Full)
                                         : StepTimes::execution(once, unit(random)));
                const StepTimes &own = times.back();
                steps.push_back({own.forward, own.backward, own.allReduce,
                                 1 + static_cast<int>(random() % static_cast<unsigned>(microBatches)), -1,
                                 own.weights});
            }
            const double bound = strictLowerBound(times, microBatches);
            QVERIFY(simulator.run(steps, microBatches, Schedule::ZeroBubble) >= bound * (1 - 1e-12));
        }
    }

    void theScheduleIsDrawnWithTheHalvesApart() {
        const test::MeasuredHome home(equalDevices(2));
        const auto found = searchPlans(home.model, {});
        QVERIFY(found);
        const auto drawn = evaluate(home.model, planOf(home.problem, QStringLiteral("hearth"), found->placement),
                                    {.withSchedule = true});
        QVERIFY(drawn);
        std::map<QString, double> busyUntil;
        int weights = 0;
        for (const ScheduledTask &task : drawn->schedule) {
            weights += task.kind == ScheduledTask::Kind::Weights ? 1 : 0;
            if (task.lane.contains(QLatin1Char('>')))
                continue;
            double &until = busyUntil[task.lane];
            QVERIFY2(task.startSeconds >= until - 1e-9, "a device does two things at once");
            until = std::max(until, task.endSeconds);
        }
        QCOMPARE(weights, 2 * 4);
        const auto read = Prediction::fromJson(drawn->toJson(), QStringLiteral("the test"), {});
        QVERIFY(read);
        QCOMPARE(read->schedule, drawn->schedule);
    }
};

QTEST_GUILESS_MAIN(TestZeroBubble)
#include "test_zero_bubble.moc"
