// The judge: transfers, memory, bytes, schedules, presets.
#include <QtTest>

#include "core/base/block_codecs.h"
#include "core/model/catalogue.h"
#include "core/plan/evaluate.h"
#include "core/plan/explain/explain.h"
#include "core/plan/homes/presets.h"
#include "core/plan/planner.h"
#include "tests/core/plan/random_problem.h"

using namespace hearth;

namespace {

PlanningProblem twoLayers(int devices) {
    std::mt19937 random(1);
    PlanningProblem problem = test::randomProblem(random, {2, devices, 8});
    problem.layers[0].outputBytes = 1000;
    problem.layers[0].gradientBytes = 500;
    problem.layers[0].trainableBytes = problem.layers[0].parameterBytes = 3000;
    problem.layers[1].trainableBytes = problem.layers[1].parameterBytes = 900;
    problem.links.fallback = LinkProfile::Link{1000, 0, Duplex::Full};
    return problem;
}

Plan plan(const PlanningProblem &problem, std::vector<PlanStage> stages) {
    Plan result;
    result.layerCount = 2;
    result.batch = problem.batch;
    result.microBatch = 4;
    result.stages = std::move(stages);
    return result;
}

QString dev(int i) {
    return QStringLiteral("dev%1").arg(i);
}

}  // namespace

class TestEvaluate : public QObject {
    Q_OBJECT
  private Q_SLOTS:
    void overlapsFollowTheIntervals() {
        const auto pieces = overlaps({{0, 5}, {1, 3}}, {{2, 2}, {3, 6}});
        QCOMPARE(pieces.size(), std::size_t{3});
        QCOMPARE(pieces[0].samples, 2);
        QCOMPARE(pieces[1].samples, 3);
        QCOMPARE(pieces[1].firstSample, 2);
        QCOMPARE(pieces[2].samples, 3);
        QCOMPARE(pieces[2].from, 1);
        QCOMPARE(pieces[2].to, 1);
    }

    void aRoundIsPlayedWhereThatIsAskedForAndIsNotTooMuch() {
        PlanningProblem problem = twoLayers(2);
        problem.dataDevice.clear();
        const Plan two = plan(problem, {{0, 1, {{dev(0), 4}}, 3}, {1, 2, {{dev(1), 4}}, 1}});
        QVERIFY(!evaluate(problem, two)->playedRoundSeconds);
        const auto played = evaluate(problem, two, {.playTasks = 12});  // 2 x (4 computations and 2 transfers)
        QVERIFY(played->playedRoundSeconds);
        QVERIFY(!evaluate(problem, two, {.playTasks = 11})->playedRoundSeconds);
        // One device in each stage, a cut of its own: nothing that the simulator simplifies.
        QCOMPARE(*played->playedRoundSeconds, played->roundSeconds);
        QVERIFY(!played->playedLonger());
    }

    void playedRoundsWaitForTheDataDeviceToo() {
        PlanningProblem problem = twoLayers(3);
        problem.inputBytes = 1'000'000;  // a thousand seconds each
        problem.dataDevice = dev(2);
        const Plan two = plan(problem, {{0, 1, {{dev(0), 4}}, 3}, {1, 2, {{dev(1), 4}}, 1}});
        const auto played = evaluate(problem, two, {.playTasks = 100});
        QVERIFY(*played->playedRoundSeconds >= 8000);
        QCOMPARE(*played->playedRoundSeconds, played->roundSeconds);
    }

    void onlyADifferenceThatMattersIsNews() {
        Prediction prediction;
        prediction.roundSeconds = 2;
        QVERIFY(!prediction.playedLonger());
        prediction.playedRoundSeconds = 2.09;
        QVERIFY(!prediction.playedLonger());
        prediction.playedRoundSeconds = 2.5;
        QCOMPARE(prediction.playedLonger().value(), 0.25);
        prediction.playedRoundSeconds = 1.5;
        QCOMPARE(prediction.playedLonger().value(), -0.25);
    }

    void transfersAreBoundByTheBusiestCardPairOrMedium() {
        PlanningProblem problem = twoLayers(4);
        const MeasuredCosts costs(problem.times);
        const Group from{{0, 5}, {1, 3}}, to{{2, 2}, {3, 6}};
        const auto cut = [&] { return CostModel(problem, costs).transfer(1, from, to); };
        QCOMPARE(cut().forward, 6.0);  // dev3 takes in 6 kB at 1 kB/s
        QCOMPARE(cut().backward, 3.0);
        QCOMPARE(cut().occupied, 6.0);
        QCOMPARE(CostModel(problem, costs).uniformTransfer(1, 6).forward, 6.0);
        problem.links.fallback->latencySeconds = 0.25;
        QCOMPARE(cut().forward, 6.25);
        problem.links.fallback->latencySeconds = 0;
        problem.links.fallback->duplex = Duplex::Half;
        QCOMPARE(cut().occupied, 9.0);
        problem.links.pairs = {{dev(0), dev(3), 250, std::nullopt}};
        QCOMPARE(cut().forward, 12.0);  // 3 kB over a slow pair
        problem.links.pairs.clear();
        problem.links.nics = {{dev(0), 500.0, std::nullopt, std::nullopt, QString()}};
        QCOMPARE(cut().forward, 10.0);  // 5 kB out of a slow card
        problem.links.nics = {{dev(0), std::nullopt, std::nullopt, std::nullopt, QStringLiteral("air")},
                              {dev(2), std::nullopt, std::nullopt, std::nullopt, QStringLiteral("air")}};
        problem.links.media = {{QStringLiteral("air"), 800}};
        QCOMPARE(cut().forward, 6.25);  // the air carries dev0's 5 kB
        problem.links.pairs = {{dev(1), dev(3), 0, std::nullopt}};
        QVERIFY(std::isinf(cut().forward));
    }

    void allReduceIsEquation5() {
        const PlanningProblem problem = twoLayers(3);
        const MeasuredCosts costs(problem.times);
        const CostModel model(problem, costs);
        QCOMPARE(model.allReduceSeconds(0, 2, {{0, 2}, {1, 2}, {2, 4}}), 2.0 * 2 * 3900 / (3 * 1000));
        QCOMPARE(model.allReduceSeconds(0, 2, {{0, 8}}), 0.0);
    }

    /// Every member sends what it rounded to each other one, and every 16th time all of it.
    void roundedGradientsCostTheirOwnBytesAndSeconds() {
        PlanningProblem problem = twoLayers(5);
        problem.gradientCodec = &bfp8Codec;
        for (PlanningProblem::Device &device : problem.devices)
            device.codecs.measured.insert(QStringLiteral("bfp8"), {2e-4, 1e-4});
        const CostModel model(problem);
        const double rounded = 15 * 66 + 17;  // of 975 numbers
        const double mean = rounded + (3900 - rounded) / 16;
        QCOMPARE(model.allReduceBytes(0, 2, 1), 0.0);
        QCOMPARE(model.allReduceBytes(0, 2, 2), mean);
        QCOMPARE(model.allReduceBytes(0, 2, 3), 2 * mean);
        // Of eight updates in a round one is exact in every 16th round.
        QCOMPARE(model.allReduceBytes(0, 2, 2, 8), rounded + (3900 - rounded) / (16 * 8));
        QCOMPARE(model.allReduceSeconds(0, 2, {{0, 2}, {1, 2}, {2, 4}}, 8),
                 2 * model.allReduceBytes(0, 2, 2, 8) / 1000 + 3900 * 5e-4);
        QCOMPARE(model.allReduceBytes(0, 2, 5), 2.0 * 4 / 5 * 3900);
        QCOMPARE(model.allReduceSeconds(0, 2, {{0, 2}, {1, 2}, {2, 4}}), 2 * mean / 1000 + 3900 * 5e-4);
        QCOMPARE(model.allReduceSeconds(0, 2, {{0, 8}}), 0.0);
        PlanningProblem exact = problem;
        exact.gradientCodec = &noCodec();
        const StagePlace place{0, 2, 4, 1, false};
        QCOMPARE(model.memory().stageBytes(place), CostModel(exact).memory().stageBytes(place) + 2 * 3900);
        const auto again = PlanningProblem::fromJson(problem.toJson(), QStringLiteral("the test"));
        QVERIFY(again);
        QCOMPARE(again->gradientCodec, &bfp8Codec);
    }

    void bytesOfARoundAreCountedPerDirectedPair() {
        PlanningProblem problem = twoLayers(3);
        problem.dataDevice = dev(2);
        problem.inputBytes = 10;
        problem.labelBytes = 8;
        const auto judged =
            evaluate(problem, plan(problem, {{0, 1, {{dev(0), 3}, {dev(1), 1}}, 2}, {1, 2, {{dev(2), 4}}, 1}}));
        QVERIFY(judged);
        QCOMPARE(judged->roundBytes.value(QStringLiteral("dev0>dev2")), 2 * 3 * 1000);
        QCOMPARE(judged->roundBytes.value(QStringLiteral("dev2>dev0")), 2 * 3 * 500 + 2 * 3 * 10);
        QCOMPARE(judged->roundBytes.value(QStringLiteral("dev0>dev1")), 3000);
        QCOMPARE(judged->roundBytes.value(QStringLiteral("dev1>dev0")), 3000);
        QVERIFY(!judged->roundBytes.contains(QStringLiteral("dev2>dev2")));
    }

    void servingInputsBoundsTheRound() {
        PlanningProblem problem = twoLayers(2);
        const Plan alone = plan(problem, {{0, 2, {{dev(0), 4}}, 1}});
        problem.dataDevice = dev(1);
        problem.inputBytes = 1000000;
        QCOMPARE(evaluate(problem, alone)->roundSeconds, 8000.0);
    }

    void inputsAndGradientsShareTheCardOfTheDataDevice() {
        PlanningProblem problem = twoLayers(2);
        problem.dataDevice = dev(1);
        problem.inputBytes = 1000000;
        problem.links.pairs = {{dev(0), dev(1), 1000, 0}, {dev(1), dev(0), 1000, 0}};
        problem.links.nics = {{dev(0), std::nullopt, std::nullopt, Duplex::Full, {}},
                              {dev(1), std::nullopt, std::nullopt, Duplex::Full, {}}};
        const auto judged = evaluate(problem, plan(problem, {{0, 1, {{dev(0), 4}}, 2}, {1, 2, {{dev(1), 4}}, 1}}));
        QVERIFY(judged);
        QCOMPARE(judged->roundSeconds, 8000.0 + 8 * 0.5);
    }

    void inputsThatGoThroughOneAirTakeTurns() {
        PlanningProblem problem = twoLayers(3);
        const Plan group = plan(problem, {{0, 2, {{dev(0), 2}, {dev(1), 2}}, 1}});
        problem.dataDevice = dev(2);
        problem.inputBytes = 1000000;
        QCOMPARE(evaluate(problem, group)->roundSeconds, 8000.0);
        problem.links.media = {{QStringLiteral("air"), 1000}};
        problem.links.nics = {{dev(0), std::nullopt, std::nullopt, std::nullopt, QStringLiteral("air")},
                              {dev(1), std::nullopt, std::nullopt, std::nullopt, QStringLiteral("air")},
                              {dev(2), 1e6, std::nullopt, std::nullopt, {}}};
        problem.links.fallback->bytesPerSecond = 1e6;
        // The card of the data device could send a thousand times as fast.
        QCOMPARE(evaluate(problem, group)->roundSeconds, 8000.0);
    }

    void whatDoesNotFitIsSaidAndNotRefused() {
        PlanningProblem problem = twoLayers(2);
        problem.devices[1].memoryBytes = 5000;
        const auto judged = evaluate(problem, plan(problem, {{0, 1, {{dev(0), 4}}, 2}, {1, 2, {{dev(1), 4}}, 1}}));
        QVERIFY(judged);
        QVERIFY(!judged->fits);
        QCOMPARE(judged->violations.size(), std::size_t{1});
        QCOMPARE(judged->violations[0].device, dev(1));
        QCOMPARE(judged->violations[0].availableBytes, 5000);
        QCOMPARE(judged->violations[0].neededBytes, judged->memoryBytes.value(dev(1)));
    }

    void unreachablePairsAreNamed() {
        PlanningProblem problem = twoLayers(2);
        problem.links.pairs = {{dev(1), dev(0), 0, std::nullopt}};
        const auto judged = evaluate(problem, plan(problem, {{0, 1, {{dev(0), 4}}, 2}, {1, 2, {{dev(1), 4}}, 1}}));
        QVERIFY(!judged);
        QCOMPARE(judged.error().code, QStringLiteral("plan.unreachable"));
        QVERIFY(judged.error().cause.contains(QStringLiteral("dev1 cannot reach dev0")));
    }

    void theScheduleEndsWithTheRound() {
        const PlanningProblem problem = twoLayers(3);
        const auto judged =
            evaluate(problem, plan(problem, {{0, 1, {{dev(0), 3}, {dev(1), 1}}, 2}, {1, 2, {{dev(2), 4}}, 1}}), {true});
        QVERIFY(judged);
        double end = 0;
        int tasks = 0;
        for (const ScheduledTask &task : judged->schedule) {
            QVERIFY(task.endSeconds >= task.startSeconds);
            end = std::max(end, task.endSeconds);
            ++tasks;
        }
        QCOMPARE(end, judged->roundSeconds);
        // per micro-batch 3 devices × 2 and 2 pairs × 2 directions; then 2 AllReduce edges and 3 updates
        QCOMPARE(tasks, 2 * (6 + 4) + 2 + 3);
    }

    void sharedAirSlowsPipelinesThatSendAtOnce() {
        std::mt19937 random(2);
        PlanningProblem problem = test::randomProblem(random, {3, 3, 16});
        Plan chain;
        chain.layerCount = 3;
        chain.batch = 16;
        chain.microBatch = 2;
        for (int s = 0; s < 3; ++s)
            chain.stages.push_back({s, s + 1, {{dev(s), 2}}, 5 - 2 * s});
        problem.links.fallback = LinkProfile::Link{1e6, 0, Duplex::Half};
        const double own = evaluate(problem, chain)->roundSeconds;
        problem.links.media = {{QStringLiteral("air"), 1e6}};
        for (int d = 0; d < 3; ++d)
            problem.links.nics.push_back({dev(d), std::nullopt, std::nullopt, std::nullopt, QStringLiteral("air")});
        QVERIFY(evaluate(problem, chain)->roundSeconds > own * 1.2);
    }

    void aDeviceThatWasMeasuredHasOneCardForAllThatItSends() {
        std::mt19937 random(2);
        PlanningProblem problem = test::randomProblem(random, {3, 3, 16});
        problem.dataDevice.clear();
        Plan chain;
        chain.layerCount = 3;
        chain.batch = 16;
        chain.microBatch = 2;
        for (int s = 0; s < 3; ++s)
            chain.stages.push_back({s, s + 1, {{dev(s), 2}}, 5 - 2 * s});
        problem.links.fallback = LinkProfile::Link{1e5, 0, Duplex::Full};
        const double wires = evaluate(problem, chain)->roundSeconds;
        for (int from = 0; from < 3; ++from) {
            for (int to = 0; to < 3; ++to) {
                if (from != to)
                    problem.links.pairs.push_back({dev(from), dev(to), 1e5, std::nullopt});
            }
        }
        // The middle one sends results on and gradients back.
        const double sent =
            8 * 2 * static_cast<double>(problem.layers[1].outputBytes + problem.layers[0].gradientBytes) / 1e5;
        const auto measured = evaluate(problem, chain, {.playTasks = 1000});
        QVERIFY(measured->roundSeconds > sent);
        QVERIFY(measured->roundSeconds > 1.2 * wires);
        QVERIFY(*measured->playedRoundSeconds >= measured->roundSeconds);
        QVERIFY(*measured->playedRoundSeconds < 1.1 * measured->roundSeconds);
    }

    void environmentsArePlannedAndExplained() {
        const auto model = loadModel(QStringLiteral("mobilenetv2-cifar"));
        QVERIFY2(model, model ? "" : qPrintable(model.error().toString()));
        for (const QString &name : environmentNames()) {
            const auto problem = environmentProblem(name, *model, {100, 64, 1});
            QVERIFY(problem);
            const auto single = makePlan(QStringLiteral("single"), *problem);
            const auto asteroid = makePlan(QStringLiteral("asteroid"), *problem);
            QVERIFY(single && asteroid);
            QVERIFY(asteroid->prediction->fits);
            QVERIFY(asteroid->prediction->roundSeconds < single->prediction->roundSeconds);
            const MeasuredCosts costs(problem->times);
            QVERIFY(explain(CostModel(*problem, costs), *asteroid).size() >= 2);
        }
        // An epoch of 50 000 samples takes a Nano 22 minutes: the anchor of the presets.
        const auto nano = environmentProblem(QStringLiteral("A"), *model, {100, 128, 1});
        const auto alone = makePlan(QStringLiteral("single"), *nano);
        const double epoch = 50000 / alone->prediction->samplesPerSecond / 60;
        QVERIFY2(epoch > 18 && epoch < 27, qPrintable(QString::number(epoch)));
        QVERIFY(!environmentProblem(QStringLiteral("Z"), *model));
    }
};

QTEST_GUILESS_MAIN(TestEvaluate)
#include "test_evaluate.moc"
