// Devices with several stages: what such plans may be, what their rounds take, and when they pay.
#include <QtTest>

#include "core/plan/edit/edit.h"
#include "core/plan/edit/finish.h"
#include "core/plan/explain/schedule_comparison.h"
#include "core/plan/planner.h"
#include "core/plan/planners/interleaved.h"
#include "core/plan/replay/replay.h"
#include "tests/core/plan/hand_problem.h"
#include "tests/core/plan/measured_home.h"

using namespace hearth;
using test::byHand;
using test::dev;

namespace {

/// Four layers of 1 s forward and 2 s back for a micro-batch of one sample, on two devices.
PlanningProblem twoAlike(int microBatches) {
    PlanningProblem problem = byHand(4, {1, 1}, microBatches);
    problem.microBatch = 1;
    for (LayerFacts &layer : problem.layers)
        layer.outputBytes = layer.gradientBytes = 0;  // what is sent is there at once
    return problem;
}

/// A layer for each stage, of these devices.
Plan inTurns(const PlanningProblem &problem, const std::vector<int> &devices, Schedule schedule) {
    Placement placement{1, schedule, {}};
    for (int s = 0; s < static_cast<int>(devices.size()); ++s)
        placement.stages.push_back({s, s + 1, {{devices[static_cast<std::size_t>(s)], 1}}, problem.batch});
    return planOf(problem, QStringLiteral("test"), placement);
}

Plan inTurns(const PlanningProblem &problem, Schedule schedule = Schedule::OneForwardOneBackward) {
    return inTurns(problem, {0, 1, 0, 1}, schedule);
}

/// Half of each backward pass is for weights.
PlanningProblem inHalves(PlanningProblem problem) {
    for (TimeTable &table : problem.times) {
        table.weights = table.backward;
        for (auto &row : table.weights) {
            for (double &seconds : row)
                seconds /= 2;
        }
    }
    return problem;
}

/// Many layers alike on four devices alike, four micro-batches.
PlanningProblem fourAlike(double bytesPerSecond) {
    PlanningProblem problem = byHand(32, {1, 1, 1, 1}, 4);
    problem.microBatch = 1;
    for (LayerFacts &layer : problem.layers)
        layer.parameterBytes = layer.trainableBytes = 10'000;  // so that no group is worth its sum
    problem.links.fallback = LinkProfile::Link{bytesPerSecond, 0, Duplex::Full};
    return problem;
}

}  // namespace

class TestInterleaved : public QObject {
    Q_OBJECT
  private Q_SLOTS:
    void aDeviceMayHaveSeveralStages() {
        const PlanningProblem problem = twoAlike(2);
        const Plan plan = inTurns(problem);
        QVERIFY(plan.validateFor(problem));
        QVERIFY(plan.isInterleaved());
        QCOMPARE(plan.deviceCount(), std::size_t{2});
        QVERIFY(!inTurns(byHand(4, {1, 1, 1, 1}, 2), {0, 1, 2, 3}, Schedule::ZeroBubble).isInterleaved());
        const auto again = Plan::fromJson(plan.toJson(), QStringLiteral("the test"));
        QVERIFY(again);
        QCOMPARE(again->stages, plan.stages);
    }

    void whatCannotBeIsRefused_data() {
        QTest::addColumn<Plan>("plan");
        QTest::addColumn<PlanningProblem>("problem");
        QTest::addColumn<QString>("says");
        const PlanningProblem problem = twoAlike(2);
        QTest::newRow("neighbors of one device") << inTurns(problem, {0, 1, 1, 0}, Schedule::OneForwardOneBackward)
                                                 << problem << QStringLiteral("of the same device");
        Plan withGroup = inTurns(problem);
        withGroup.microBatch = withGroup.batch;
        withGroup.stages.front().shares = {{dev(0), 1}, {dev(1), 1}};
        PlanningProblem whole = problem;
        whole.microBatch = 2;
        QTest::newRow("a group among them") << withGroup << whole << QStringLiteral("used twice");
        PlanningProblem asynchronous = problem;
        asynchronous.asynchronous.emplace();
        QTest::newRow("asynchronous training") << inTurns(problem) << asynchronous << QStringLiteral("asynchronously");
        PlanningProblem tied = problem;
        tied.layers[2].tied = {{0, 0, 1, true}};
        QTest::newRow("weights tied between stages of one device")
            << inTurns(problem) << tied << QStringLiteral("tied weights");
    }
    void whatCannotBeIsRefused() {
        QFETCH(Plan, plan);
        QFETCH(PlanningProblem, problem);
        QFETCH(QString, says);
        const auto valid = plan.validateFor(problem);
        QVERIFY(!valid);
        QVERIFY2(valid.error().toString().contains(says), qPrintable(valid.error().toString()));
    }

    void tiesBetweenDevicesAreAllowed() {
        PlanningProblem problem = twoAlike(2);
        problem.layers[3].tied = {{0, 0, 1, true}};
        QVERIFY(inTurns(problem).validateFor(problem));
    }

    void roundsLastAsCountedByHand_data() {
        QTest::addColumn<int>("microBatches");
        QTest::addColumn<bool>("halves");
        QTest::addColumn<double>("seconds");
        // One after the other: four forward and four backward passes.
        QTest::newRow("one micro-batch") << 1 << false << 12.0;
        // A device has 12 s of work; it waits 1 s for its first input, and 2 s for the last gradient.
        QTest::newRow("two micro-batches") << 2 << false << 15.0;
        QTest::newRow("two micro-batches, weights put off") << 2 << true << 13.0;
        // One stage for each device would take 30 and 26 s.
        QTest::newRow("four micro-batches") << 4 << false << 28.0;
        QTest::newRow("four micro-batches, weights put off") << 4 << true << 25.0;
    }
    void roundsLastAsCountedByHand() {
        QFETCH(int, microBatches);
        QFETCH(bool, halves);
        QFETCH(double, seconds);
        const PlanningProblem problem = halves ? inHalves(twoAlike(microBatches)) : twoAlike(microBatches);
        const Plan plan = inTurns(problem, halves ? Schedule::ZeroBubbleEager : Schedule::OneForwardOneBackward);
        const auto judged = evaluate(problem, plan, {.withSchedule = true});
        QVERIFY2(judged, judged ? "" : qPrintable(judged.error().toString()));
        QVERIFY2(std::abs(judged->roundSeconds - seconds) < 1e-6, qPrintable(QString::number(judged->roundSeconds)));
        QCOMPARE(judged->modelRoundSeconds, judged->roundSeconds);
        // Drawn: nobody does two things at once, and each pass once for each layer and micro-batch.
        std::map<QString, double> busyUntil;
        std::map<ScheduledTask::Kind, int> tasks;
        double last = 0;
        for (const ScheduledTask &task : judged->schedule) {
            ++tasks[task.kind];
            last = std::max(last, task.endSeconds);
            if (task.lane.contains(QLatin1Char('>')) || task.endSeconds <= task.startSeconds)
                continue;
            double &until = busyUntil[task.lane];
            QVERIFY2(task.startSeconds >= until - 1e-9,
                     qPrintable(QStringLiteral("%1: %2 of stage %3 begins at %4, before %5")
                                    .arg(task.lane, taskKindName(task.kind))
                                    .arg(task.stage)
                                    .arg(task.startSeconds)
                                    .arg(until)));
            until = std::max(until, task.endSeconds);
        }
        QVERIFY(std::abs(last - seconds) < 1e-6);
        QCOMPARE(tasks[ScheduledTask::Kind::Forward], 4 * microBatches);
        QCOMPARE(tasks[ScheduledTask::Kind::Backward], 4 * microBatches);
        QCOMPARE(tasks[ScheduledTask::Kind::Weights], halves ? 4 * microBatches : 0);
        QCOMPARE(tasks[ScheduledTask::Kind::Transfer], 2 * 3 * microBatches);
    }

    void memoryIsThatOfAllStages() {
        PlanningProblem problem = twoAlike(2);
        for (PlanningProblem::Device &device : problem.devices)
            device.runtimeBytes = 1000;
        const auto both = evaluate(problem, inTurns(problem));
        QVERIFY(both);
        const CostModel model(problem);
        const double one = model.memory().stageBytes({0, 1, 1, 2, false}),
                     three = model.memory().stageBytes({2, 3, 1, 2, false});
        QCOMPARE(both->memoryBytes.value(dev(0)), static_cast<qint64>(std::ceil(1000 + one + three)));
        problem.devices[0].memoryBytes = both->memoryBytes.value(dev(0)) - 1;
        const auto tight = evaluate(problem, inTurns(problem));
        QVERIFY(tight);
        QVERIFY(!tight->fits);
        QCOMPARE(tight->violations.size(), std::size_t{1});
    }

    void handsStayOffAndLossesArePlannedAnew() {
        const PlanningProblem problem = byHand(8, {1, 1, 1}, 4);
        Placement placement{1, Schedule::ZeroBubble, {}};
        for (int s = 0; s < 4; ++s)
            placement.stages.push_back({2 * s, 2 * s + 2, {{s % 2, 1}}, 4});
        const Plan plan = planOf(problem, QStringLiteral("hearth"), placement);
        const CostModel model(problem);
        const auto moved = PlanEditor(model).moveBorder(plan, 0, 1);
        QVERIFY(!moved);
        QCOMPARE(moved.error().code, QStringLiteral("edit.interleaved"));
        const auto finished = finishTheRest(model, plan, {});
        QVERIFY(!finished);
        QCOMPARE(finished.error().code, QStringLiteral("edit.interleaved"));
        ReplayRequest request;
        request.lost = {dev(1)};
        const auto light = lightweightReplay(model, plan, request);
        QVERIFY(!light);
        QCOMPARE(light.error().code, QStringLiteral("replay.interleaved"));
        const auto recovered = recover(model, plan, request, QStringLiteral("hearth"));
        QVERIFY2(recovered, recovered ? "" : qPrintable(recovered.error().toString()));
        QVERIFY(recovered->method == ReplayMethod::Heavy);
        // Who is not in the plan is no loss.
        request.lost = {dev(2)};
        const auto same = lightweightReplay(model, plan, request);
        QVERIFY(same);
        QCOMPARE(same->plan.stages, plan.stages);
    }

    void itIsChosenWhereItPays_data() {
        QTest::addColumn<double>("bytesPerSecond");
        QTest::addColumn<bool>("pays");
        QTest::newRow("fast links") << 1e6 << true;
        QTest::newRow("links that cost as much as a layer") << 0.5 << false;
    }
    void itIsChosenWhereItPays() {
        QFETCH(double, bytesPerSecond);
        QFETCH(bool, pays);
        const PlanningProblem problem = inHalves(fourAlike(bytesPerSecond));
        PlannerOptions options;
        options.stepLimit = 300'000;
        const auto plan = makePlan(QStringLiteral("hearth"), problem, options);
        QVERIFY2(plan, plan ? "" : qPrintable(plan.error().toString()));
        QCOMPARE(plan->isInterleaved(), pays);
        if (!pays)
            return;
        // Four micro-batches of 24 s of work for each device; one stage each would leave 3 bubbles of 8 s.
        QVERIFY2(plan->prediction->roundSeconds < 0.9 * (4 * 24 + 3 * 8),
                 qPrintable(QString::number(plan->prediction->roundSeconds)));
        QVERIFY(plan->prediction->fits);
        QVERIFY(!plan->prediction->provedOptimal);
        QVERIFY(plan->validateFor(problem));
    }

    void schedulesAreComparedWithIt() {
        const test::MeasuredHome home(inHalves(fourAlike(1e6)));
        Placement placement{1, Schedule::OneForwardOneBackward, {}};
        for (int s = 0; s < 4; ++s)
            placement.stages.push_back({8 * s, 8 * s + 8, {{s, 1}}, 4});
        const Plan plan = planOf(home.problem, QStringLiteral("hearth"), placement);
        const auto rows = compareSchedules(home.model, plan);
        const auto row = std::ranges::find(rows, QStringLiteral("interleaved"), &ScheduleRow::name);
        QVERIFY(row != rows.end());
        QVERIFY(row->plan.isInterleaved());
        QVERIFY(row->changes == ScheduleRow::Changes::Nothing);
        QCOMPARE(row->batchSeconds, evaluate(home.model, row->plan)->roundSeconds);
        // Of one that is interleaved its own row stands there, and no other schedule of its stages.
        const auto own = compareSchedules(home.model, row->plan);
        QVERIFY(std::ranges::count(own, QStringLiteral("interleaved"), &ScheduleRow::name) == 1);
        QVERIFY(std::ranges::count(own, QStringLiteral("1f1b"), &ScheduleRow::name) == 0);
    }
};

QTEST_GUILESS_MAIN(TestInterleaved)
#include "test_interleaved.moc"
