// Edits under the memory of devices: limits of micro-batches in flight, and when they give way.
#include <QtTest>

#include "core/plan/plan_memory.h"
#include "tests/core/plan/edit_cases.h"
#include "tests/core/plan/replay_home.h"

using namespace hearth;
using namespace hearth::test;

class TestEditMemory : public QObject {
    Q_OBJECT
  private Q_SLOTS:
    void memoryRefusesWithTheDeviceAndItsBytes() {
        // Five layers: 5 × 300 000 bytes of weights, gradients and momentum; 8 samples × 50 000 saved and 1000 in, and
        // two receive buffers of 1000.
        constexpr qint64 needed = 5 * 300'000 + 8 * (51'000 + 2000);
        PlanningProblem problem = smallHome();
        problem.devices[2].memoryBytes = needed - 1;
        const MeasuredHome tight(problem);
        const auto refused = PlanEditor(tight.model).moveBorder(smallPlan(problem), 0, 1);
        QVERIFY(!refused);
        QCOMPARE(refused.error().code, QStringLiteral("edit.memory"));
        QCOMPARE(refused.error().what, QStringLiteral("nx2 would need 1.9 MB and has 1.9 MB."));
        QVERIFY(refused.error().cause.contains(QStringLiteral("1,924,000 bytes; it may use 1,923,999 bytes")));
        problem.devices[2].memoryBytes = needed;
        const MeasuredHome enough(problem);
        QVERIFY(PlanEditor(enough.model).moveBorder(smallPlan(problem), 0, 1));
    }

    void inFlightLimitsFollowThePlansRule_data() {
        QTest::addColumn<QList<int>>("before");
        QTest::addColumn<QList<int>>("after");
        QTest::newRow("stages to the end") << QList<int>{2, 1} << QList<int>{3, 2, 1};
        QTest::newRow("early backward") << QList<int>{3, 1} << QList<int>{4, 3, 1};
        QTest::newRow("all of four micro-batches") << QList<int>{4, 4} << QList<int>{4, 4, 4};
    }
    void inFlightLimitsFollowThePlansRule() {
        QFETCH(QList<int>, before);
        QFETCH(QList<int>, after);
        const MeasuredHome home(smallHome());
        Plan plan = smallPlan(home.problem);
        plan.stages[0].inFlight = before[0];
        plan.stages[1].inFlight = before[1];
        const auto edited = PlanEditor(home.model).insertStage(plan, QStringLiteral("nx1"), 1);
        QVERIFY(edited);
        QList<int> limits;
        for (const PlanStage &stage : edited->plan.stages)
            limits << stage.inFlight;
        QCOMPARE(limits, after);
        QVERIFY(edited->lowered.empty());
    }

    void aLimitThatAPersonChoseStays() {
        const MeasuredHome home(smallHome());
        const PlanEditor editor(home.model);
        const auto chosen = editor.setInFlight(smallPlan(home.problem), 0, 2);
        QVERIFY(chosen);
        const auto moved = editor.moveBorder(chosen->plan, 0, 4);
        QVERIFY(moved);
        QCOMPARE(moved->plan.stages[0].inFlight, 2);
    }

    void memoryLowersALimitTellsItAndGivesItBack() {
        PlanningProblem problem = smallHome();
        // Four layers on nx0 and nx1 with 4 samples: 2 in flight fit, 3 do not.
        problem.devices[0].memoryBytes = problem.devices[1].memoryBytes = 4 * 300000 + 2 * 4 * 40000;
        const MeasuredHome home(problem);
        const PlanEditor editor(home.model);
        const auto larger = editor.moveBorder(smallPlan(home.problem), 0, 4);
        QVERIFY(larger);
        QCOMPARE(larger->plan.stages[0].inFlight, 2);
        QCOMPARE(larger->lowered.size(), std::size_t{1});
        QCOMPARE(larger->lowered[0].stage, 0);
        QCOMPARE(larger->lowered[0].inFlight, 2);
        QCOMPARE(larger->lowered[0].wanted, 3);
        const auto back = editor.moveBorder(larger->plan, 0, 3);
        QVERIFY(back);
        QCOMPARE(back->plan.stages[0].inFlight, 3);
        QVERIFY(!editor.setInFlight(larger->plan, 0, 3));
    }

    void aFillDrainPlanStaysOneAndHoldsAllMicroBatches() {
        PlanningProblem problem = smallHome();
        // Three layers of 300 000 bytes, and four micro-batches of 4 samples with 31 000 bytes each, fit; a fourth
        // layer does not, and there is no limit to lower.
        problem.devices[0].memoryBytes = problem.devices[1].memoryBytes = 3 * 300000 + 4 * 4 * 31000 + 4 * 2000;
        const MeasuredHome home(problem);
        Plan plan = smallPlan(home.problem);
        plan.schedule = Schedule::FillDrain;
        const PlanEditor editor(home.model);
        const auto less = editor.moveBorder(plan, 0, 2);
        QVERIFY(less);
        QCOMPARE(less->plan.schedule, Schedule::FillDrain);
        QVERIFY(less->lowered.empty());
        const auto more = editor.moveBorder(plan, 0, 4);
        QVERIFY(!more);
        QCOMPARE(more.error().code, QStringLiteral("edit.memory"));
        plan.schedule = Schedule::OneForwardOneBackward;
        QVERIFY(editor.moveBorder(plan, 0, 3));
    }

    void copiesOfOthersStatesRefuseNoEdit() {
        PlanningProblem problem = test::smallHome(4, 2);
        problem.keptCopies = 2;
        problem.devices[1].memoryBytes = 1'000'000;  // two layers of 300 kB, and no copies of two, of 200 kB each
        const MeasuredHome home(problem);
        const Plan plan = test::planOfStages(problem, {{3, 1}, {1, 1}});
        const auto moved = PlanEditor(home.model).moveBorder(plan, 0, 2);
        QVERIFY(moved);
        QVERIFY(!fitsWholly(home.model, moved->plan));
        QVERIFY(moved->estimate.fits && moved->estimate.violations.empty());
    }

    void aPlanThatDoesNotFitCanBeChangedTowardsFitting() {
        PlanningProblem problem = smallHome();
        problem.devices[0].memoryBytes = problem.devices[1].memoryBytes = 500000;
        const MeasuredHome home(problem);
        const PlanEditor editor(home.model);
        const Plan plan = smallPlan(home.problem);
        QVERIFY(!evaluate(home.model, plan)->fits);
        const auto better = editor.moveBorder(plan, 0, 2);
        QVERIFY(better);
        QVERIFY(!better->estimate.fits);
        const auto fitting = editor.moveBorder(better->plan, 0, 1);
        QVERIFY(fitting && fitting->estimate.fits);
        const auto worse = editor.moveBorder(plan, 0, 4);
        QVERIFY(!worse);
        QCOMPARE(worse.error().code, QStringLiteral("edit.memory"));
    }
};

QTEST_GUILESS_MAIN(TestEditMemory)
#include "test_edit_memory.moc"
