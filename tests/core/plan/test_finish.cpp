// "Plan the rest": the locks hold, and what is free gets better.
#include <QtTest>

#include "core/plan/edit/finish.h"
#include "core/plan/plan_memory.h"
#include "tests/core/plan/random_plan.h"
#include "tests/core/plan/random_problem.h"
#include "tests/core/plan/replay_home.h"

using namespace hearth;
using test::below;

namespace {

struct Seat {
    int firstLayer = -1;
    int lastLayer = -1;
    int samples = 0;
};

Seat seatOf(const Plan &plan, const QString &device) {
    for (const PlanStage &stage : plan.stages) {
        for (const Share &share : stage.shares) {
            if (share.device == device)
                return {stage.firstLayer, stage.lastLayer, share.samples};
        }
    }
    return {};
}

QSet<QString> devicesOf(const PlanStage &stage) {
    QSet<QString> devices;
    for (const Share &share : stage.shares)
        devices.insert(share.device);
    return devices;
}

/// Written apart from core/plan/locks.cpp: what a person means by each lock.
bool keeps(const Plan &before, const Plan &after, const PlanLocks &locks) {
    for (const PlanStage &stage : before.stages) {
        const auto same = std::find_if(after.stages.begin(), after.stages.end(),
                                       [&](const PlanStage &other) { return other.firstLayer == stage.firstLayer; });
        if (locks.borders.contains(stage.firstLayer) && same == after.stages.end())
            return false;
        if (locks.stages.contains(stage.firstLayer) &&
            (same == after.stages.end() || same->lastLayer != stage.lastLayer || devicesOf(*same) != devicesOf(stage)))
            return false;
    }
    for (const QString &device : locks.devices) {
        const Seat old = seatOf(before, device), now = seatOf(after, device);
        const bool overlap = old.firstLayer < now.lastLayer && now.firstLayer < old.lastLayer;
        if ((old.samples == 0) != (now.samples == 0) || (old.samples > 0 && !overlap))
            return false;
    }
    for (const QString &device : locks.shares) {
        const int old = seatOf(before, device).samples;
        if (old > 0 && seatOf(after, device).samples != old)
            return false;
    }
    return !locks.microBatch || before.microBatch == after.microBatch;
}

PlanLocks randomLocks(std::mt19937 &random, const PlanningProblem &problem, const Plan &plan) {
    PlanLocks locks;
    for (const PlanStage &stage : plan.stages) {
        if (below(random, 3) == 0)
            locks.borders.insert(stage.firstLayer);
        if (below(random, 4) == 0)
            locks.stages.insert(stage.firstLayer);
    }
    for (const auto &device : problem.devices) {
        if (below(random, 4) == 0)
            locks.devices.insert(device.id);
        if (below(random, 6) == 0)
            locks.shares.insert(device.id);
    }
    locks.microBatch = below(random, 2) == 0;
    return locks;
}

}  // namespace

class TestFinish : public QObject {
    Q_OBJECT
  private Q_SLOTS:
    void locksHoldAndThePlanIsNeverSlower() {
        std::mt19937 random(41);
        PlannerOptions options;
        options.stepLimit = 60'000;
        int finished = 0, better = 0, locked = 0;
        for (int i = 0; i < 420; ++i) {
            test::RandomShape shape{2 + below(random, 9), 2 + below(random, 5), 24};
            shape.tightMemory = i % 2 == 0;
            shape.ownPairs = below(random, 2) == 0;
            PlanningProblem problem = test::randomProblem(random, shape);
            if (i % 5 == 0)
                problem.layers[0].minimumSamples = 2;
            const MeasuredCosts costs(problem.times);
            const CostModel model(problem, costs);
            std::optional<Plan> plan;
            for (int attempt = 0; attempt < 20 && !plan; ++attempt)
                plan = test::randomPlan(random, model, 8);
            if (!plan)
                continue;
            const PlanLocks locks = randomLocks(random, problem, *plan);
            const auto result = finishTheRest(model, *plan, locks, options);
            QVERIFY2(result, result ? "" : qPrintable(result.error().toString()));
            ++finished;
            QVERIFY(result->plan.validateFor(problem));
            QVERIFY(keeps(*plan, result->plan, locks));
            const CostModel fresh(problem, costs);
            const auto before = evaluate(fresh, *plan), after = evaluate(fresh, result->plan);
            QVERIFY(before && after && after->fits);
            QCOMPARE(result->estimate.modelRoundSeconds, after->modelRoundSeconds);
            QVERIFY(after->roundSeconds <= before->roundSeconds);
            better += after->roundSeconds < 0.99 * before->roundSeconds ? 1 : 0;
            locked += locks.isEmpty() ? 0 : 1;
        }
        qInfo("%d finished, %d with locks, %d faster by 1 %% or more", finished, locked, better);
        QVERIFY(finished >= 300 && locked >= 250 && better >= 150);
    }

    void whereRoundsHaveNoEndThoseAreCompared_data() {
        QTest::addColumn<bool>("verticalSync");
        QTest::newRow("stages with delays of their own") << false;
        QTest::newRow("stages with the delay of the first one") << true;
    }
    void whereRoundsHaveNoEndThoseAreCompared() {
        QFETCH(bool, verticalSync);
        std::mt19937 random(47);
        PlannerOptions options;
        options.stepLimit = 20'000;
        int finished = 0;
        for (int i = 0; i < 40; ++i) {
            test::RandomShape shape{2 + below(random, 7), 2 + below(random, 3), 16};
            shape.ownPairs = below(random, 2) == 0;
            PlanningProblem problem = test::randomProblem(random, shape);
            problem.asynchronous = Asynchrony{};
            problem.asynchronous->verticalSync = verticalSync;
            const MeasuredCosts costs(problem.times);
            const CostModel model(problem, costs);
            const auto plan = test::randomPlan(random, model, 4);
            if (!plan)
                continue;
            const PlanLocks locks = randomLocks(random, problem, *plan);
            const auto result = finishTheRest(model, *plan, locks, options);
            QVERIFY2(result, result ? "" : qPrintable(result.error().toString()));
            ++finished;
            QVERIFY(keeps(*plan, result->plan, locks));
            const CostModel fresh(problem, costs);
            const auto before = evaluate(fresh, *plan), after = evaluate(fresh, result->plan);
            QVERIFY(before && after && after->fits);
            QVERIFY(after->roundSeconds <= before->roundSeconds * (1 + 1e-9));
        }
        QVERIFY(finished >= 30);
    }

    void withLocalStepsAPlanStaysOneStage() {
        std::mt19937 random(48);
        for (int i = 0; i < 10; ++i) {
            PlanningProblem problem = test::randomProblem(random, {6, 3, 32});
            problem.microBatch = 8;
            problem.localSteps = {4, 1};
            const MeasuredCosts costs(problem.times);
            const CostModel model(problem, costs);
            const Placement even{8, Schedule::OneForwardOneBackward, {{0, 6, {{0, 4}, {1, 4}}, 1, false}}};
            const Plan plan = planOf(problem, QStringLiteral("test"), even);
            const auto result = finishTheRest(model, plan, {});
            QVERIFY2(result, result ? "" : qPrintable(result.error().toString()));
            QVERIFY(result->plan.validateFor(problem));
            QCOMPARE(result->plan.stages.size(), std::size_t(1));
            QVERIFY(evaluate(model, result->plan)->roundSeconds <= evaluate(model, plan)->roundSeconds);
        }
    }

    void withoutLocksItComesNearTheExactPlan() {
        std::mt19937 random(46);
        double own = 0, exact = 0;
        for (int i = 0; i < 12; ++i) {
            PlanningProblem problem = test::randomProblem(random, {6, 4, 16});
            problem.microBatch = 4;
            const MeasuredCosts costs(problem.times);
            const CostModel model(problem, costs);
            const auto plan = test::randomPlan(random, model, 4);
            QVERIFY(plan);
            const auto result = finishTheRest(model, *plan, {});
            const auto best = makePlan(QStringLiteral("hearth"), problem);
            QVERIFY(result && best);
            own += evaluate(model, result->plan)->roundSeconds;
            exact += best->prediction->roundSeconds;
        }
        qInfo("rounds of twelve homes: %.2f %% longer than of the exact plans", 100 * (own / exact - 1));
        QVERIFY(own <= 1.05 * exact);
    }

    void whatIsLockedEntirelyStaysEntirely() {
        std::mt19937 random(42);
        const PlanningProblem problem = test::randomProblem(random, {8, 4, 16});
        const MeasuredCosts costs(problem.times);
        const CostModel model(problem, costs);
        const auto plan = test::randomPlan(random, model, 8);
        QVERIFY(plan);
        PlanLocks locks;
        for (const PlanStage &stage : plan->stages)
            locks.stages.insert(stage.firstLayer);
        for (const auto &device : problem.devices)
            locks.shares.insert(device.id);
        const auto result = finishTheRest(model, *plan, locks);
        QVERIFY(result);
        QCOMPARE(result->plan.stages.size(), plan->stages.size());
        for (std::size_t s = 0; s < plan->stages.size(); ++s) {
            QVERIFY(result->plan.stages[s].shares == plan->stages[s].shares);
            QCOMPARE(result->plan.stages[s].lastLayer, plan->stages[s].lastLayer);
        }
    }

    void aSlowDeviceThatIsLockedStaysAtWork() {
        std::mt19937 random(43);
        PlanningProblem problem = test::randomProblem(random, {6, 3, 16});
        problem.microBatch = 8;
        for (auto *rows : {&problem.times[1].forward, &problem.times[1].backward}) {
            for (auto &row : *rows) {
                for (double &seconds : row)
                    seconds *= 500;
            }
        }
        const MeasuredCosts costs(problem.times);
        const CostModel model(problem, costs);
        Placement placement{8, Schedule::OneForwardOneBackward, {}};
        placement.stages.push_back({0, 3, {{0, 4}, {1, 4}}, 3, false});
        placement.stages.push_back({3, 6, {{2, 8}}, 1, false});
        const Plan plan = planOf(problem, QStringLiteral("test"), placement);
        const QString slow = problem.devices[1].id;
        const auto freely = finishTheRest(model, plan, {});
        QVERIFY(freely);
        QCOMPARE(seatOf(freely->plan, slow).samples, 0);
        PlanLocks locks;
        locks.devices.insert(slow);
        const auto held = finishTheRest(model, plan, locks);
        QVERIFY(held);
        QCOMPARE(seatOf(held->plan, slow).samples, 1);
        locks = {};
        locks.shares.insert(slow);
        const auto pinned = finishTheRest(model, plan, locks);
        QVERIFY(pinned);
        QCOMPARE(seatOf(pinned->plan, slow).samples, 4);
    }

    void aPlanThatDoesNotFitIsReplacedOrRefused() {
        std::mt19937 random(44);
        PlanningProblem problem = test::randomProblem(random, {6, 3, 16});
        problem.devices[0].memoryBytes = 1'100'000;  // hardly more than its runtime
        const MeasuredCosts costs(problem.times);
        const CostModel model(problem, costs);
        Placement placement{8, Schedule::OneForwardOneBackward, {}};
        placement.stages.push_back({0, 3, {{0, 8}}, 3, false});
        placement.stages.push_back({3, 6, {{2, 8}}, 1, false});
        const Plan plan = planOf(problem, QStringLiteral("test"), placement);
        QVERIFY(!evaluate(model, plan)->fits);
        const auto result = finishTheRest(model, plan, {});
        QVERIFY(result && result->estimate.fits);
        PlanLocks locks;
        locks.devices.insert(problem.devices[0].id);
        const auto refused = finishTheRest(model, plan, locks);
        QVERIFY(!refused);
        QCOMPARE(refused.error().code, QStringLiteral("finish.no-plan"));
        QVERIFY(!refused.error().cause.isEmpty());
    }

    void theRestHasRoomForCopiesOfStatesWhereThereIsOne() {
        const test::MeasuredHome home(test::tightHome());
        const Plan plan = test::planOfStages(home.problem, {{2, 1}, {1, 1}});
        QVERIFY(!fitsWholly(home.model, plan));
        const auto result = finishTheRest(home.model, plan, {});
        QVERIFY(result && result->estimate.fits);
        QVERIFY(fitsWholly(home.model, result->plan));
    }

    void whereNoPlanHasRoomForThemTheRestIsPlannedAsARunTakesIt() {
        PlanningProblem problem = test::smallHome(2, 2);
        problem.keptStates = 4;
        problem.keptCopies = 2;
        for (PlanningProblem::Device &device : problem.devices)
            device.memoryBytes = 400'000;  // a layer of 300 kB, and no state more
        const test::MeasuredHome home(problem);
        const auto result = finishTheRest(home.model, test::planOfStages(problem, {{1, 1}, {1, 1}}), {});
        QVERIFY2(result, result ? "" : qPrintable(result.error().toString()));
        QVERIFY(result->estimate.fits && result->estimate.violations.empty());
    }

    void theSameQuestionHasTheSameAnswer() {
        std::mt19937 random(45);
        const PlanningProblem problem = test::randomProblem(random, {10, 5, 24});
        const MeasuredCosts costs(problem.times);
        const CostModel one(problem, costs), other(problem, costs);
        const auto plan = test::randomPlan(random, one, 8);
        QVERIFY(plan);
        PlanLocks locks;
        locks.borders.insert(plan->stages.back().firstLayer);
        const auto first = finishTheRest(one, *plan, locks), again = finishTheRest(other, *plan, locks);
        QVERIFY(first && again);
        QCOMPARE(first->plan.toJson(), again->plan.toJson());
    }
};

QTEST_GUILESS_MAIN(TestFinish)
#include "test_finish.moc"
