// Schedules side by side: what each row says is what the judge says of its plan.
#include <QtTest>
#include <random>

#include "core/plan/evaluate.h"
#include "core/plan/explain/schedule_comparison.h"
#include "tests/core/plan/measured_home.h"
#include "tests/core/plan/random_problem.h"

using namespace hearth;

namespace {

PlanningProblem slowHome() {
    std::mt19937 random(12);
    PlanningProblem problem = test::randomProblem(random, {8, 3, 16});
    problem.microBatch = 4;
    return test::withHalves(problem);
}

Plan ofTwoStages(const PlanningProblem &problem) {
    Plan plan;
    plan.layerCount = static_cast<int>(problem.layers.size());
    plan.planner = QStringLiteral("hearth");
    plan.batch = problem.batch;
    plan.microBatch = *problem.microBatch;
    plan.stages = {{0, 4, {{QStringLiteral("dev0"), 4}}, 3}, {4, 8, {{QStringLiteral("dev1"), 4}}, 1}};
    return plan;
}

}  // namespace

class TestScheduleComparison : public QObject {
    Q_OBJECT
  private Q_SLOTS:
    void eachRowIsWhatTheJudgeSaysOfItsPlan() {
        const test::MeasuredHome home(slowHome());
        const auto rows = compareSchedules(home.model, ofTwoStages(home.problem));
        QStringList names;
        for (const ScheduleRow &row : rows) {
            names << row.name;
            if (row.changes == ScheduleRow::Changes::Nothing) {
                const auto judged = evaluate(home.problem, row.plan);
                QVERIFY(judged);
                QCOMPARE(row.batchSeconds, judged->roundSeconds);
                QVERIFY(judged->fits);
                if (row.plan.isInterleaved())
                    continue;
                QCOMPARE(row.plan.schedule.name(), row.name);
                QCOMPARE(row.plan.stages.size(), std::size_t{2});
            }
        }
        names.sort();
        QCOMPARE(names,
                 QStringLiteral("1f1b asynchronous fill-drain interleaved local-steps zero-bubble zero-bubble-eager")
                     .split(QLatin1Char(' ')));
        QVERIFY(std::ranges::is_sorted(rows, {}, &ScheduleRow::batchSeconds));
    }

    void whatChangesTheMathematicsSaysByHowMuch() {
        const test::MeasuredHome home(slowHome());
        double synchronous = 0, asynchronous = 0;
        for (const ScheduleRow &row : compareSchedules(home.model, ofTwoStages(home.problem), {}, 8)) {
            if (row.name == QStringLiteral("1f1b"))
                synchronous = row.batchSeconds;
            if (row.name == QStringLiteral("asynchronous")) {
                asynchronous = row.batchSeconds;
                QVERIFY(row.changes == ScheduleRow::Changes::Staleness);
                QCOMPARE(row.amount, 1);
            }
            if (row.name == QStringLiteral("local-steps")) {
                QVERIFY(row.changes == ScheduleRow::Changes::Averaging);
                QCOMPARE(row.amount, 8);
                QCOMPARE(row.plan.batch, 8 * home.problem.batch);
                QCOMPARE(row.batchSeconds, row.plan.prediction->roundSeconds / 8);
            }
        }
        QVERIFY(asynchronous > 0 && asynchronous <= synchronous);
    }

    void oneStageHasOneSchedule() {
        const test::MeasuredHome home(slowHome());
        Plan plan = ofTwoStages(home.problem);
        plan.stages = {{0, 8, {{QStringLiteral("dev0"), 4}}, 1}};
        QStringList names;
        for (const ScheduleRow &row : compareSchedules(home.model, plan))
            names << row.name;
        names.sort();
        QCOMPARE(names, QStringLiteral("1f1b local-steps").split(QLatin1Char(' ')));
    }

    void whatDoesNotFitComesLast() {
        PlanningProblem problem = slowHome();
        const auto needed = evaluate(problem, ofTwoStages(problem));
        QVERIFY(needed);
        // Room for what 1F1B holds, and not for all micro-batches at once.
        problem.devices[1].memoryBytes = needed->memoryBytes.value(QStringLiteral("dev1"));
        const test::MeasuredHome home(problem);
        const auto rows = compareSchedules(home.model, ofTwoStages(problem));
        bool fits = true;
        for (const ScheduleRow &row : rows) {
            QVERIFY(fits || !row.plan.prediction->fits);
            fits = row.plan.prediction->fits;
            if (row.name == QStringLiteral("fill-drain"))
                QVERIFY(!fits);
            if (row.name == QStringLiteral("1f1b"))
                QVERIFY(fits);
        }
        QVERIFY(!fits);
    }
};

QTEST_GUILESS_MAIN(TestScheduleComparison)
#include "test_schedule_comparison.moc"
