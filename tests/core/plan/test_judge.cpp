// evaluate() against a cost model, a memory formula and a simulator that share no code with it.
#include <QtTest>
#include <algorithm>

#include "core/plan/charged_allocation.h"
#include "core/plan/evaluate.h"
#include "core/plan/plan_memory.h"
#include "tests/core/plan/exhaustive.h"
#include "tests/core/plan/home_rows.h"
#include "tests/core/plan/plain_stages.h"
#include "tests/core/plan/random_plan.h"
#include "tests/core/plan/varied_problem.h"

using namespace hearth;

namespace {

/// Any shares, limits and recompute flags, whether they fit or not.
Plan anyPlan(std::mt19937 &random, const PlanningProblem &problem) {
    const auto below = [&random](int count) { return static_cast<int>(random() % static_cast<unsigned>(count)); };
    const auto layers = static_cast<int>(problem.layers.size()), devices = static_cast<int>(problem.devices.size());
    Plan plan;
    plan.layerCount = layers;
    plan.batch = problem.batch;
    plan.microBatch = 1 << (1 + below(4));
    plan.schedule = below(4) == 0 ? Schedule::FillDrain : Schedule::OneForwardOneBackward;
    std::vector<int> free(static_cast<std::size_t>(devices));
    std::iota(free.begin(), free.end(), 0);
    std::shuffle(free.begin(), free.end(), random);
    for (int layer = 0; layer < layers && !free.empty();) {
        PlanStage stage;
        stage.firstLayer = layer;
        layer = free.size() == 1 ? layers : std::min(layers, layer + 1 + below(layers));
        stage.lastLayer = layer;
        int left = plan.microBatch;
        while (left > 0 && !free.empty()) {
            const bool last = free.size() == 1 || (layer < layers && free.size() == 2) || below(2) == 0;
            const int samples = last ? left : 1 + below(left);
            stage.shares.push_back({problem.devices[static_cast<std::size_t>(free.back())].id, samples});
            free.pop_back();
            left -= samples;
        }
        stage.sortShares();
        stage.inFlight = 1 + below(6);
        stage.recompute = below(4) == 0;
        plan.stages.push_back(std::move(stage));
    }
    return plan;
}

test::VariedShape anyShape(std::mt19937 &random) {
    test::VariedShape shape{2 + static_cast<int>(random() % 8), 1 + static_cast<int>(random() % 6), 16};
    shape.home = static_cast<test::Home>(random() % test::homeCount);
    shape.types = static_cast<int>(random() % 3);
    shape.tightMemory = random() % 2;
    return shape;
}

}  // namespace

class TestJudge : public QObject {
    Q_OBJECT

    static double plainBytes(const test::PlainJudge &judge, const std::vector<test::PlainStage> &stages,
                             const test::PlainStage &stage, const test::PlainMember &member, int microBatches) {
        return judge.memoryBytes(stage, member, microBatches) + judge.copyBytes(stages, member.device, microBatches);
    }
    static bool fitsPlainly(const test::PlainJudge &judge, const std::vector<test::PlainStage> &stages,
                            int microBatches) {
        return std::ranges::all_of(stages, [&](const test::PlainStage &stage) {
            return std::ranges::all_of(stage.members, [&](const test::PlainMember &member) {
                const auto &device = judge.problem().devices[static_cast<std::size_t>(member.device)];
                return plainBytes(judge, stages, stage, member, microBatches) <=
                       static_cast<double>(device.memoryBytes);
            });
        });
    }
    static void verifyMemory(const test::PlainJudge &judge, const std::vector<test::PlainStage> &stages,
                             int microBatches, const Prediction &judged) {
        for (const test::PlainStage &stage : stages) {
            for (const test::PlainMember &member : stage.members) {
                const auto &device = judge.problem().devices[static_cast<std::size_t>(member.device)];
                QCOMPARE(judged.memoryBytes.value(device.id),
                         static_cast<qint64>(std::ceil(plainBytes(judge, stages, stage, member, microBatches))));
            }
        }
        QCOMPARE(judged.fits, fitsPlainly(judge, stages, microBatches));
    }

  private Q_SLOTS:
    void everyPlanIsJudgedAlike_data() { test::addHomes(); }
    void everyPlanIsJudgedAlike() {
        QFETCH(int, home);
        std::mt19937 random(100 + static_cast<unsigned>(home));
        int valid = 0, unreachable = 0, fitting = 0, wholly = 0;
        for (int i = 0; i < 1500; ++i) {
            test::VariedShape shape = anyShape(random);
            shape.home = static_cast<test::Home>(home);
            shape.halves = i % 2 == 1;
            shape.packed = i % 3 == 1;
            PlanningProblem problem = test::VariedProblem(random).make(shape);
            problem.keptStates = i % 4;
            problem.keptCopies = i / 4 % 3;
            QVERIFY2(problem.validate(), qPrintable(problem.validate().error().toString()));
            const Plan plan = anyPlan(random, problem);
            if (!plan.validateFor(problem))
                continue;  // a share too small for a layer
            ++valid;
            const MeasuredCosts costs(problem.times);
            const auto judged = evaluate(problem, plan);
            const test::PlainJudge judge(problem, costs);
            const auto stages = test::plainStages(problem, plan);
            QCOMPARE(judged.has_value(), judge.reachable(stages));
            if (!judged) {
                ++unreachable;
                QCOMPARE(judged.error().code, QStringLiteral("plan.unreachable"));
                continue;
            }
            const bool fillDrain = plan.schedule == Schedule::FillDrain;
            const double expected = judge.seconds(stages, plan.microBatch, fillDrain);
            QVERIFY2(
                std::abs(judged->roundSeconds - expected) <= 1e-9 * expected,
                qPrintable(QStringLiteral("case %1: %2, expected %3").arg(i).arg(judged->roundSeconds).arg(expected)));
            auto held = stages;
            for (test::PlainStage &stage : held)
                stage.inFlight = fillDrain ? plan.microBatches() : stage.inFlight;
            Prediction whole;
            judgeMemory(CostModel(problem, costs), plan, &whole);
            verifyMemory(judge, held, plan.microBatches(), whole);
            wholly += whole.fits ? 1 : 0;
            // A run gives up copies, and then all states that are kept, where the plan has no room for them.
            PlanningProblem less = problem;
            while (!fitsPlainly(test::PlainJudge(less, costs), held, plan.microBatches()) && less.keepLess()) {
            }
            verifyMemory(test::PlainJudge(less, costs), held, plan.microBatches(), *judged);
            fitting += judged->fits ? 1 : 0;
        }
        qInfo("%d plans, %d of them fit, %d with all that is kept, %d cannot run", valid, fitting, wholly, unreachable);
        QVERIFY(valid > 900 && wholly > 300 && wholly < fitting && fitting < valid);
    }

    void sharesAreTheBestOfAll() {
        std::mt19937 random(200);
        int possible = 0;
        for (int i = 0; i < 3000; ++i) {
            test::VariedShape shape = anyShape(random);
            shape.devices = 1 + static_cast<int>(random() % 4);
            const PlanningProblem problem = test::VariedProblem(random).make(shape);
            const MeasuredCosts costs(problem.times);
            const CostModel model(problem, costs);
            const test::PlainJudge judge(problem, costs);
            const int first = static_cast<int>(random() % problem.layers.size());
            const int last =
                first + 1 + static_cast<int>(random() % (problem.layers.size() - static_cast<std::size_t>(first)));
            const int microBatch = 1 << (random() % 5);
            test::PlainStage stage{first, last, {}, 1 + static_cast<int>(random() % 5), random() % 2 == 0};
            std::vector<int> caps, shares(problem.devices.size());
            for (const int device : judge.order()) {
                stage.members.push_back({device, 0});
                int cap = 0;
                while (cap < microBatch && judge.fits(stage, {device, cap + 1}, 16 / microBatch))
                    ++cap;
                caps.push_back(cap);
            }
            const int least = judge.minimumSamples(first, last);
            const bool found =
                chargedShares(model, {first, last, stage.recompute, judge.order(), caps, least, microBatch}, shares);
            QCOMPARE(found, test::bestShares(judge, microBatch, stage));
            for (std::size_t d = 0; found && d < shares.size(); ++d)
                QCOMPARE(shares[d], stage.members[d].samples);
            possible += found ? 1 : 0;
        }
        QVERIFY(possible > 1000);
    }
};

QTEST_GUILESS_MAIN(TestJudge)
#include "test_judge.moc"
