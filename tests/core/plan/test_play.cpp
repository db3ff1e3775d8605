// Rounds played device by device: against an independent program, and what can be told by hand.
#include <QtTest>
#include <algorithm>
#include <random>

#include "core/plan/evaluate.h"
#include "core/plan/play/round_player.h"
#include "tests/core/plan/device_simulator.h"
#include "tests/core/plan/home_rows.h"
#include "tests/core/plan/plain_stages.h"
#include "tests/core/plan/random_plan.h"
#include "tests/core/plan/varied_problem.h"

using namespace hearth;

namespace {

QString dev(int index) {
    return QStringLiteral("dev%1").arg(index);
}

/// One layer for each device; computing one sample takes a second each way, and passing it on so many bytes.
PlanningProblem chain(int devices, qint64 outputBytes, qint64 gradientBytes, double bytesPerSecond) {
    PlanningProblem problem;
    problem.batch = 4;
    TimeTable table;
    table.batch = {1, 2, 4};
    for (int d = 0; d < devices; ++d) {
        LayerFacts layer;
        layer.name = QStringLiteral("layer%1").arg(d);
        layer.outputBytes = outputBytes;
        layer.gradientBytes = gradientBytes;
        problem.layers.push_back(layer);
        problem.devices.push_back({dev(d), qint64{1} << 40, 0});
        table.forward.push_back({1, 2, 4});
        table.backward.push_back({1, 2, 4});
    }
    problem.times.assign(static_cast<std::size_t>(devices), table);
    problem.links.fallback = LinkProfile::Link{bytesPerSecond, 0, Duplex::Full};
    return problem;
}

/// Each device a stage of its own, in their order, micro-batches of one sample.
Placement oneEach(const PlanningProblem &problem, int inFlight) {
    Placement placement{1, Schedule::OneForwardOneBackward, {}};
    for (int d = 0; d < static_cast<int>(problem.devices.size()); ++d)
        placement.stages.push_back({d, d + 1, {{d, 1}}, inFlight, false});
    return placement;
}

/// A layer for each stage, of these devices, micro-batches of one sample, as many in flight as there are.
Placement takingTurns(const PlanningProblem &problem, const std::vector<int> &devices) {
    Placement placement{1, Schedule::OneForwardOneBackward, {}};
    for (int s = 0; s < static_cast<int>(devices.size()); ++s)
        placement.stages.push_back({s, s + 1, {{devices[static_cast<std::size_t>(s)], 1}}, problem.batch, false});
    return placement;
}

double play(const PlanningProblem &problem, const Placement &placement) {
    const MeasuredCosts costs(problem.times);
    const CostModel model(problem, costs);
    RoundPlayer player(model);
    player.add(placement, problem.batch / placement.microBatch);
    return player.play();
}

double simulate(const PlanningProblem &problem, const Placement &placement) {
    const MeasuredCosts costs(problem.times);
    const CostModel model(problem, costs);
    Simulator simulator;
    return simulatedSeconds(simulator, stepsOf(model, placement), problem.batch / placement.microBatch,
                            placement.schedule);
}

struct Pass {
    int flow;
    int place;
    double bytesPerSecond;
};
struct Sharing {
    std::vector<double> limits;  // by flow
    std::vector<Pass> passes;
    std::vector<double> rates;
};

}  // namespace

class TestPlay : public QObject {
    Q_OBJECT
  private Q_SLOTS:
    void flowsShareFairly_data() {
        QTest::addColumn<Sharing>("sharing");
        const auto row = [](const char *name, const Sharing &sharing) { QTest::newRow(name) << sharing; };
        row("one flow takes all that there is", {{100}, {{0, 0, 40}}, {40}});
        row("a flow is no faster than its pair of devices", {{10}, {{0, 0, 40}}, {10}});
        row("two flows halve a card", {{100, 100}, {{0, 0, 40}, {1, 0, 40}}, {20, 20}});
        row("what a slow pair leaves over goes to the others",
            {{4, 100, 100}, {{0, 0, 40}, {1, 0, 40}, {2, 0, 40}}, {4, 18, 18}});
        row("a flow held up elsewhere leaves room on the card",
            {{100, 100, 100}, {{0, 0, 40}, {1, 0, 40}, {1, 1, 10}, {2, 1, 10}}, {35, 5, 5}});
        row("sending and receiving share a half duplex card at the speed of each",
            {{100, 100}, {{0, 0, 20}, {1, 0, 60}}, {15, 15}});
        row("flows that share nothing do not feel each other", {{100, 100}, {{0, 0, 40}, {1, 1, 30}}, {40, 30}});
    }
    void flowsShareFairly() {
        QFETCH(Sharing, sharing);
        FairShare share;
        std::vector<int> flows;
        for (const double limit : sharing.limits)
            flows.push_back(share.addFlow(limit));
        share.addPlace();
        share.addPlace();
        for (const Pass &pass : sharing.passes)
            share.pass(pass.flow, pass.place, pass.bytesPerSecond);
        std::vector<double> rates;
        share.share(flows, &rates);
        for (std::size_t i = 0; i < flows.size(); ++i)
            QCOMPARE(rates[i], sharing.rates[i]);
        // A flow at rest takes nothing.
        share.share({flows.front()}, &rates);
        QVERIFY(rates.front() >= sharing.rates.front());
    }

    void aChainWithoutTransfersLastsAsSimulated() {
        const PlanningProblem problem = chain(3, 0, 0, 1);
        for (const int inFlight : {1, 2, 4})
            QCOMPARE(play(problem, oneEach(problem, inFlight)), simulate(problem, oneEach(problem, inFlight)));
    }

    void aGradientLeavesBeforeTheWeightsHalfOfItsPass() {
        PlanningProblem problem = chain(2, 0, 0, 1);
        for (TimeTable &table : problem.times) {
            table.backward = {{2, 4, 8}, {2, 4, 8}};
            table.weights = {{1, 2, 4}, {1, 2, 4}};
        }
        const Placement placement = oneEach(problem, 2);
        // The first stage waits for one forward and one input gradient, then has four passes of three seconds' work.
        QCOMPARE(play(problem, placement), 3.0 * 4 + 2);
        QCOMPARE(simulate(problem, placement), 3.0 * 4 + 2);
        for (TimeTable &table : problem.times)
            table.weights.clear();
        QCOMPARE(play(problem, placement), 3.0 * 4 + 3);
    }

    void fillDrainLastsAsSimulated() {
        const PlanningProblem problem = chain(3, 100, 0, 200);
        Placement placement = oneEach(problem, 1);
        placement.schedule = Schedule::FillDrain;
        QCOMPARE(play(problem, placement), simulate(problem, placement));
        // All forwards in a row, then all backwards: (4 + 2 steps) each way, two transfers of half a second.
        QCOMPARE(play(problem, placement), 6 + 2 * 0.5 + 6);
    }

    void recomputingAStageCostsItsForwardOnceMore() {
        const PlanningProblem problem = chain(1, 0, 0, 1);
        Placement placement = oneEach(problem, 1);
        QCOMPARE(play(problem, placement), 4.0 * 2);
        placement.stages[0].recompute = true;
        QCOMPARE(play(problem, placement), 4.0 * 3);
    }

    void aCardCarriesBothCutsOfItsDevice() {
        // Each piece takes five seconds, one direction at a time. Where every pair has a wire of its own, nothing waits
        // that the simulator would not let wait.
        PlanningProblem problem = chain(3, 100, 100, 20);
        problem.links.fallback->duplex = Duplex::Half;
        const Placement placement = oneEach(problem, 4);
        const double wires = play(problem, placement);
        QCOMPARE(wires, simulate(problem, placement));
        // One card for each device: that in the middle carries four pieces of each micro-batch.
        for (const auto &device : problem.devices)
            problem.links.nics.push_back({device.id, 20.0, 20.0, std::nullopt, QString()});
        QVERIFY(wires < 4 * 4 * 5);
        QVERIFY(play(problem, placement) >= 1 + 4 * 4 * 5 + 1);
        QVERIFY(simulate(problem, placement) >= 1 + 4 * 4 * 5 + 1);
        QVERIFY(simulate(problem, placement) <= play(problem, placement));
    }

    void whatADeviceSendsAnotherTravelsInTheOrderOfItsPasses() {
        // The first device sends over the first cut for 4 s, over the third for 2 s. What it sends there at 7 s waits
        // for the second micro-batch of the first cut, which arrives at 9 s as if nothing else were to be sent.
        PlanningProblem problem = chain(4, 0, 0, 100);
        problem.batch = 2;
        problem.layers[0].outputBytes = 400;
        problem.layers[2].outputBytes = 200;
        QCOMPARE(play(problem, takingTurns(problem, {0, 1, 0, 1})), 18.0);
    }

    void gradientsDoNotOvertakeActivations() {
        // At 8 s the first device has a gradient for the second one, and an activation on its way until 9 s and
        // another one until 13 s.
        PlanningProblem problem = chain(3, 0, 0, 100);
        problem.batch = 3;
        problem.layers[0].outputBytes = 400;
        problem.layers[1].gradientBytes = 200;
        QCOMPARE(play(problem, takingTurns(problem, {0, 1, 0})), 21.0);
    }

    void aMemberOfAGroupNeedNotWaitForTheSlowest() {
        // One is slower forward, the other backward: the simulator charges both for every micro-batch.
        PlanningProblem problem = chain(2, 0, 0, 1);
        problem.times[0].forward[0] = {1.5, 3, 6};
        problem.times[1].backward[0] = {1.5, 3, 6};
        Placement placement{2, Schedule::OneForwardOneBackward, {}};
        placement.stages.push_back({0, 2, {{0, 1}, {1, 1}}, 1, false});
        QCOMPARE(simulate(problem, placement), 2 * (2.5 + 2.5));
        QCOMPARE(play(problem, placement), 2 * (2.5 + 2));
    }

    void pipelinesSideBySideShareTheAir() {
        PlanningProblem problem = chain(4, 100, 100, 50);
        problem.links.media.push_back({QStringLiteral("air"), 50});
        for (const auto &device : problem.devices)
            problem.links.nics.push_back({device.id, std::nullopt, std::nullopt, std::nullopt, QStringLiteral("air")});
        const MeasuredCosts costs(problem.times);
        const CostModel model(problem, costs);
        const auto pair = [](int first) {
            Placement placement{1, Schedule::OneForwardOneBackward, {}};
            placement.stages.push_back({0, 2, {{first, 1}}, 3, false});
            placement.stages.push_back({2, 4, {{first + 1, 1}}, 1, false});
            return placement;
        };
        RoundPlayer alone(model);
        alone.add(pair(0), 2);
        RoundPlayer both(model);
        both.add(pair(0), 2);
        both.add(pair(2), 2);
        QCOMPARE(both.taskCount(), 2 * alone.taskCount());
        QCOMPARE(alone.taskCount(), 2 * (2 * 2 + 2));  // two computations each, two transfers
        // Alike and in step, both take twice as long for each transfer.
        QCOMPARE(alone.play(), 16.0);
        QCOMPARE(both.play(), 20.0);
    }

    void aRoundThatNeverEndsIsInfinite() {
        const PlanningProblem problem = chain(2, 0, 0, 1);
        Placement placement = oneEach(problem, 1);
        placement.schedule = Schedule::OneForwardOneBackward;
        placement.stages[0].inFlight = 0;
        QCOMPARE(play(problem, placement), std::numeric_limits<double>::infinity());
    }

    void equalsAnIndependentProgram_data() {
        QTest::addColumn<int>("home");
        QTest::addColumn<bool>("interleaved");
        for (int home = 0; home < test::homeCount; ++home) {
            QTest::newRow(test::homeNames[home]) << home << false;
            QTest::addRow("%s, devices with several stages", test::homeNames[home]) << home << true;
        }
    }
    void equalsAnIndependentProgram() {
        QFETCH(int, home);
        QFETCH(bool, interleaved);
        std::mt19937 random(300 + static_cast<unsigned>(home));
        const Schedule schedules[] = {Schedule::OneForwardOneBackward, Schedule::ZeroBubble, Schedule::ZeroBubbleEager};
        int plans = 0;
        double worst = 0;
        for (int i = 0; i < 300; ++i) {
            test::VariedShape shape{4 + test::below(random, 12), 2 + test::below(random, 6), 32};
            shape.home = static_cast<test::Home>(home);
            shape.types = test::below(random, 3);
            shape.halves = i % 2 == 1;
            shape.packed = i % 3 == 1;
            PlanningProblem problem = test::VariedProblem(random).make(shape);
            problem.dataDevice.clear();
            // Where two things end at once, rounding decides what a device with several stages does next.
            std::uniform_real_distribution<double> scatter(0.999, 1.001);
            for (TimeTable &times : problem.times) {
                for (auto *rows : {&times.forward, &times.backward}) {
                    for (std::vector<double> &row : *rows)
                        std::ranges::for_each(row, [&](double &seconds) { seconds *= scatter(random); });
                }
            }
            const MeasuredCosts costs(problem.times);
            const CostModel model(problem, costs);
            const int microBatch = 1 << test::below(random, 4);
            std::optional<Plan> plan = interleaved ? test::randomInterleavedPlan(random, model, microBatch)
                                                   : test::randomPlan(random, model, microBatch);
            if (!plan || !evaluate(model, *plan))
                continue;
            QCOMPARE(plan->isInterleaved(), interleaved);
            plan->schedule = schedules[test::below(random, 3)];
            for (PlanStage &stage : plan->stages) {
                stage.recompute = test::below(random, 4) == 0;
                stage.inFlight = 1 + test::below(random, plan->microBatches());
            }
            RoundPlayer player(model);
            player.add(placementOf(problem, *plan), plan->microBatches());
            const test::PlainJudge judge(problem, costs);
            test::DeviceSimulator other(judge, test::plainStages(problem, *plan), plan->microBatch, test::Sharing::Fair,
                                        test::plainSchedule(plan->schedule));
            const double seconds = other.run();
            QVERIFY(std::isfinite(seconds));
            worst = std::max(worst, std::abs(player.play() / seconds - 1));
            ++plans;
        }
        qInfo("%d plans, worst difference %.1e", plans, worst);
        QVERIFY(plans > 100);
        QVERIFY(worst < 1e-9);
    }
};

QTEST_GUILESS_MAIN(TestPlay)
#include "test_play.moc"
