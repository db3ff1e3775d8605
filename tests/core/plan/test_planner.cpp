// The planners: against exhaustive enumeration, against each other, and at their limits (oracles 4 and 6).
#include <QtTest>
#include <functional>
#include <numeric>
#include <utility>

#include "core/plan/allocation.h"
#include "core/plan/evaluate.h"
#include "core/plan/plan_memory.h"
#include "core/plan/planner.h"
#include "core/plan/planners/tools.h"
#include "tests/core/plan/random_problem.h"
#include "tests/core/plan/replay_home.h"

using namespace hearth;

namespace {

struct Best {
    double closedForm = std::numeric_limits<double>::infinity();
    double simulated = std::numeric_limits<double>::infinity();
};

/// Every cut of layers and devices, in memory order, over every prefix: Algorithm 1's shares, K = 2(P-p)-1.
Best enumerate(const CostModel &model, int microBatch) {
    const PlanningProblem &problem = model.problem();
    const int layers = model.layerCount();
    std::vector<int> order(problem.devices.size());
    std::iota(order.begin(), order.end(), 0);
    std::stable_sort(order.begin(), order.end(), [&](int a, int b) {
        return problem.devices[static_cast<std::size_t>(a)].memoryBytes >
               problem.devices[static_cast<std::size_t>(b)].memoryBytes;
    });
    Best best;
    Simulator simulator;
    const int rounds = problem.batch / microBatch;
    std::vector<std::pair<int, int>> ends;  // layer and device at which each stage ends
    std::function<void(int, int, int)> extend = [&](int layer, int device, int prefix) {
        if (layer == layers && device == prefix) {
            std::vector<PlanStage> stages;
            int firstLayer = 0, firstDevice = 0;
            for (std::size_t s = 0; s < ends.size(); ++s) {
                const int k = std::min(2 * static_cast<int>(ends.size() - s) - 1, rounds);
                const std::span<const int> group(order.data() + firstDevice,
                                                 static_cast<std::size_t>(ends[s].second - firstDevice));
                const auto shares = allocate(model, {firstLayer, ends[s].first, group, microBatch, k});
                if (!shares)
                    return;
                stages.push_back(stageOf(problem, firstLayer, ends[s].first, *shares, k));
                firstLayer = ends[s].first;
                firstDevice = ends[s].second;
            }
            const Plan plan = planOf(problem, QStringLiteral("enumeration"), microBatch, stages);
            const PlanSteps steps = stepsOf(model, plan);
            best.closedForm = std::min(best.closedForm, closedFormLatency(steps.times, rounds).seconds);
            best.simulated = std::min(best.simulated, simulatedSeconds(simulator, steps, plan));
            return;
        }
        for (int l = layer + 1; l <= layers; ++l) {
            for (int d = device + 1; d <= prefix; ++d) {
                if ((l == layers) != (d == prefix))
                    continue;
                ends.push_back({l, d});
                extend(l, d, prefix);
                ends.pop_back();
            }
        }
    };
    for (int prefix = 1; prefix <= model.deviceCount(); ++prefix)
        extend(0, 0, prefix);
    return best;
}

}  // namespace

class TestPlanner : public QObject {
    Q_OBJECT
  private Q_SLOTS:
    void asteroidIsWithinTenPercentOfEnumeration() {
        std::mt19937 random(21);
        double worst = 0, sum = 0;
        int cases = 0;
        for (int i = 0; i < 120; ++i) {
            test::RandomShape shape{2 + static_cast<int>(random() % 6), 1 + static_cast<int>(random() % 4), 16};
            shape.tightMemory = random() % 2;
            shape.ownPairs = random() % 3 == 0;
            shape.duplex = random() % 2 ? Duplex::Full : Duplex::Half;
            PlanningProblem problem = test::randomProblem(random, shape);
            problem.microBatch = 4;
            QVERIFY(problem.validate());
            const MeasuredCosts costs(problem.times);
            const CostModel model(problem, costs);
            const Best best = enumerate(model, 4);
            const auto plan = makePlan(QStringLiteral("asteroid"), problem);
            QCOMPARE(plan.has_value(), std::isfinite(best.closedForm));
            if (!plan)
                continue;
            QVERIFY(plan->validateFor(problem).has_value());
            QVERIFY(plan->prediction->fits);
            const double over = plan->prediction->roundSeconds / best.simulated;
            QVERIFY2(over <= 1.10, qPrintable(QStringLiteral("case %1: %2").arg(i).arg(over)));
            QVERIFY(over >= 1 - 1e-9);
            worst = std::max(worst, over);
            sum += over;
            ++cases;
        }
        qInfo("asteroid / enumeration: mean %.4f, worst %.4f over %d cases", sum / cases, worst, cases);
    }

    void everyPlannerAnswersWithAValidJudgedPlan() {
        std::mt19937 random(31);
        for (int i = 0; i < 60; ++i) {
            const PlanningProblem problem = test::randomProblem(
                random, {3 + static_cast<int>(random() % 10), 1 + static_cast<int>(random() % 6), 32});
            for (const QString &name : plannerNames()) {
                const auto plan = makePlan(name, problem);
                QVERIFY2(plan, qPrintable(name));
                QCOMPARE(plan->planner, name);
                QVERIFY(plan->validateFor(problem).has_value());
                const auto again = evaluate(problem, *plan);
                QVERIFY(again);
                QCOMPARE(again->roundSeconds, plan->prediction->roundSeconds);
                QVERIFY(plan->prediction->planningSeconds.has_value());
            }
        }
    }

    void aProofLeavesNoGap() {
        std::mt19937 random(37);
        int proved = 0, open = 0;
        for (int i = 0; i < 30; ++i) {
            const PlanningProblem problem = test::randomProblem(random, {8, 3, 16});
            PlannerOptions options;
            options.stepLimit = i % 2 == 0 ? 1'000'000 : 200;
            const auto plan = makePlan(QStringLiteral("hearth"), problem, options);
            QVERIFY(plan);
            const Prediction &known = *plan->prediction;
            QVERIFY(known.gap.has_value() && *known.gap >= 0 && *known.gap < 1);
            if (known.provedOptimal)
                QCOMPARE(*known.gap, 0.0);
            ++(known.provedOptimal ? proved : open);
        }
        QVERIFY2(proved > 5 && open > 5, qPrintable(QStringLiteral("%1 proved, %2 open").arg(proved).arg(open)));
    }

    void whatWasStoppedTooSoonSaysSo() {
        std::mt19937 random(39);
        PlanningProblem problem = test::randomProblem(random, {8, 3, 16});
        // Each device holds about half of the model.
        double all = 0;
        const MemoryModel memory(problem);
        for (int l = 0; l < 8; ++l)
            all += memory.stageBytes({l, l + 1, 1, 1, false});
        for (auto &device : problem.devices)
            device.memoryBytes = device.runtimeBytes + static_cast<qint64>(all / 2);
        PlannerOptions options;
        options.stepLimit = 0;
        const auto stopped = makePlan(QStringLiteral("hearth"), problem, options);
        QVERIFY(!stopped);
        QCOMPARE(stopped.error().code, QStringLiteral("plan.stopped"));
        QVERIFY(makePlan(QStringLiteral("hearth"), problem));
    }

    void oneDeviceEqualsOnDevice() {
        std::mt19937 random(41);
        const PlanningProblem problem = test::randomProblem(random, {6, 1, 32});
        const auto alone = makePlan(QStringLiteral("single"), problem);
        const auto asteroid = makePlan(QStringLiteral("asteroid"), problem);
        QVERIFY(alone && asteroid);
        QCOMPARE(asteroid->prediction->roundSeconds, alone->prediction->roundSeconds);
        // P = 1: M × E, no AllReduce.
        const MeasuredCosts costs(problem.times);
        const CostModel model(problem, costs);
        const LayerSeconds once = model.stageSeconds(0, 0, 6, alone->microBatch);
        QVERIFY(qAbs(alone->prediction->roundSeconds - alone->microBatches() * (once.forward + once.backward)) < 1e-12);
    }

    void withFreeLinksAsteroidIsNoWorseThanDataParallel() {
        std::mt19937 random(43);
        PlanningProblem problem = test::randomProblem(random, {6, 4, 32});
        for (auto &table : problem.times)
            table = problem.times[0];
        problem.links.fallback = LinkProfile::Link{1e15, 0, Duplex::Full};
        const auto dp = makePlan(QStringLiteral("dp"), problem);
        const auto asteroid = makePlan(QStringLiteral("asteroid"), problem);
        QVERIFY(dp && asteroid);
        QVERIFY(asteroid->prediction->roundSeconds <= dp->prediction->roundSeconds * (1 + 1e-6));
    }

    void withDeadSlowLinksOneDeviceWins() {
        std::mt19937 random(47);
        PlanningProblem problem = test::randomProblem(random, {6, 4, 32});
        problem.links.fallback->bytesPerSecond = 10;
        const auto asteroid = makePlan(QStringLiteral("asteroid"), problem);
        QVERIFY(asteroid);
        QCOMPARE(asteroid->stages.size(), std::size_t{1});
        QCOMPARE(asteroid->stages[0].shares.size(), std::size_t{1});
    }

    void unreachablePairsAreAvoided() {
        std::mt19937 random(53);
        PlanningProblem problem = test::randomProblem(random, {6, 3, 32});
        problem.links.pairs = {{QStringLiteral("dev0"), QStringLiteral("dev1"), 0, std::nullopt},
                               {QStringLiteral("dev1"), QStringLiteral("dev0"), 0, std::nullopt}};
        const auto asteroid = makePlan(QStringLiteral("asteroid"), problem);
        QVERIFY(asteroid);
        QVERIFY(asteroid->prediction->roundBytes.value(QStringLiteral("dev0>dev1")) == 0);
        problem.links.fallback.reset();
        problem.links.pairs.clear();
        const auto alone = makePlan(QStringLiteral("asteroid"), problem);
        QVERIFY(alone);
        QCOMPARE(alone->stages.size(), std::size_t{1});
        QVERIFY(!makePlan(QStringLiteral("dp"), problem));
    }

    void tooLittleMemoryNamesBytesNeededAndAvailable() {
        std::mt19937 random(59);
        PlanningProblem problem = test::randomProblem(random, {4, 2, 16});
        for (auto &device : problem.devices)
            device.memoryBytes = 1001000;
        const auto plan = makePlan(QStringLiteral("asteroid"), problem);
        QVERIFY(!plan);
        QCOMPARE(plan.error().code, QStringLiteral("plan.memory"));
        QVERIFY2(plan.error().cause.contains(QStringLiteral("(1,000 bytes)")), qPrintable(plan.error().cause));
        const auto single = makePlan(QStringLiteral("single"), problem);
        QVERIFY(single);
        QVERIFY(!single->prediction->fits);
        QCOMPARE(single->prediction->violations.size(), std::size_t{1});
        QCOMPARE(single->prediction->violations[0].availableBytes, 1001000);
    }

    void aDeviceWithoutRoomForTheStatesThatItKeepsGetsFewerLayers() {
        PlanningProblem problem = test::smallHome(6, 2);
        problem.microBatch = 4;
        problem.devices[1].memoryBytes = 2'000'000;
        const QString tight = test::id(1);
        const auto layersThere = [&](const Plan &plan) {
            int layers = 0;
            for (int l = 0; l < plan.layerCount; ++l)
                layers += test::ownersOf(plan, l).contains(tight) ? 1 : 0;
            return layers;
        };
        const auto bare = makePlan(defaultPlanner(), problem);
        QVERIFY(bare);
        QCOMPARE(layersThere(*bare), 3);
        // Three times 300 kB of weights, gradients and momentum; of the states, 200 kB each, four more.
        problem.keptStates = 4;
        Prediction judged;
        judgeMemory(CostModel(problem), *bare, &judged);
        QCOMPARE(judged.memoryBytes.value(tight), bare->prediction->memoryBytes.value(tight) + 3 * 4 * 200'000);
        QVERIFY(!judged.fits);
        const auto plan = makePlan(defaultPlanner(), problem);
        QVERIFY(plan);
        QVERIFY(plan->prediction->fits);
        QCOMPARE(layersThere(*plan), 1);
    }

    void aPlanHasRoomForCopiesOfStatesWhereThereIsOne() {
        PlanningProblem problem = test::tightHome();
        const auto layersOfTheFast = [](const Plan &plan) {
            int layers = 0;
            for (int l = 0; l < plan.layerCount; ++l)
                layers += test::ownersOf(plan, l).contains(test::id(0)) ? 1 : 0;
            return layers;
        };
        const int copies = std::exchange(problem.keptCopies, 0);
        const auto quickest = makePlan(defaultPlanner(), problem);
        QVERIFY(quickest);
        QCOMPARE(layersOfTheFast(*quickest), 2);
        problem.keptCopies = copies;
        QVERIFY(!fitsWholly(CostModel(problem), *quickest));
        const auto plan = makePlan(defaultPlanner(), problem);
        QVERIFY(plan);
        QCOMPARE(layersOfTheFast(*plan), 1);
        QVERIFY(plan->prediction->fits);
        QVERIFY(fitsWholly(CostModel(problem), *plan));
    }

    void whereNoPlanHasRoomForThemOneIsFoundThatARunTakes_data() {
        QTest::addColumn<int>("states");
        QTest::newRow("for copies") << 0;
        QTest::newRow("for any state") << 4;
    }
    void whereNoPlanHasRoomForThemOneIsFoundThatARunTakes() {
        QFETCH(int, states);
        PlanningProblem problem = test::smallHome(2, 2);
        for (PlanningProblem::Device &device : problem.devices)
            device.memoryBytes = 400'000;  // a layer of 300 kB, and less than two copies of another one's state
        const auto bare = makePlan(defaultPlanner(), problem);
        QVERIFY(bare);
        QCOMPARE(bare->stages.size(), std::size_t(2));
        problem.keptStates = states;
        problem.keptCopies = 2;
        const auto plan = makePlan(defaultPlanner(), problem);
        QVERIFY2(plan, plan ? "" : qPrintable(plan.error().toString()));
        QVERIFY(!fitsWholly(CostModel(problem), *plan));
        QVERIFY(plan->prediction->fits && plan->prediction->violations.empty());
        QCOMPARE(plan->prediction->memoryBytes, bare->prediction->memoryBytes);
    }

    void peopleHaveANameOfItsOwnForEachPlanner() {
        QSet<QString> titles;
        for (const auto &planner : planners()) {
            const PlannerSource source = planner->source();
            QVERIFY2(!source.title.isEmpty(), qPrintable(planner->name()));
            QVERIFY2(source.paper.isEmpty() == (source.year == 0), qPrintable(planner->name()));
            titles << source.title;
        }
        QCOMPARE(titles.size(), static_cast<qsizetype>(planners().size()));
    }

    void unknownPlannersNameTheNearest() {
        const auto found = findPlanner(QStringLiteral("asteriod"));
        QVERIFY(!found);
        QVERIFY(found.error().advice.contains(QStringLiteral("\"asteroid\"")));
        QVERIFY(found.error().advice.contains(QStringLiteral("single")));
    }
};

QTEST_GUILESS_MAIN(TestPlanner)
#include "test_planner.moc"
