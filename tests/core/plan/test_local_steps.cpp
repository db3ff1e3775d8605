// Plans of jobs whose devices average their weights now and then.
#include <QTest>
#include <cmath>
#include <functional>

#include "core/plan/evaluate.h"
#include "core/plan/explain/local_steps_gain.h"
#include "core/plan/planner.h"
#include "tests/core/plan/hand_problem.h"

using namespace hearth;
using namespace hearth::test;

namespace {

constexpr int every = 4;

/// Batches of `batch` over links of so many bytes a second.
PlanningProblem localProblem(const std::vector<double> &speeds, int batch, double rate) {
    PlanningProblem problem = byHand(3, speeds, batch * every);
    problem.microBatch = batch;
    problem.localSteps = {every, 2};
    problem.optimizerStateFactor = 1;
    for (LayerFacts &layer : problem.layers)
        layer.parameterBytes = layer.trainableBytes = 100;
    problem.links.fallback = LinkProfile::Link{rate, 0, Duplex::Full};
    return problem;
}

Plan planOf(const PlanningProblem &problem) {
    const auto plan = makePlan(defaultPlanner(), problem);
    if (!plan)
        qFatal("%s", qPrintable(plan.error().toString()));
    return *plan;
}

/// Of every set of devices and every way to share a batch among them.
double shortestRound(const PlanningProblem &problem) {
    Plan plan = planOf(problem);
    double best = INFINITY;
    std::vector<int> shares(problem.devices.size());
    const std::function<void(std::size_t, int)> give = [&](std::size_t device, int left) {
        if (device == shares.size()) {
            if (left > 0)
                return;
            plan.stages.front().shares.clear();
            for (std::size_t d = 0; d < shares.size(); ++d) {
                if (shares[d] > 0)
                    plan.stages.front().shares.push_back({problem.devices[d].id, shares[d]});
            }
            const auto judged = evaluate(problem, plan);
            if (judged && judged->fits)
                best = std::min(best, judged->roundSeconds);
            return;
        }
        for (int samples = 0; samples <= left; ++samples) {
            shares[device] = samples;
            give(device + 1, left - samples);
        }
    };
    give(0, *problem.microBatch);
    return best;
}

}  // namespace

class TestLocalSteps : public QObject {
    Q_OBJECT

  private Q_SLOTS:
    void noShareIsBetter_data() {
        QTest::addColumn<PlanningProblem>("problem");
        QTest::addColumn<int>("devices");
        QTest::newRow("two devices alike") << localProblem({1, 1}, 8, 1e6) << 2;
        QTest::newRow("three devices of unequal speed") << localProblem({1, 2, 5}, 10, 1e6) << 3;
        QTest::newRow("a sum that costs more than it brings") << localProblem({1, 1}, 8, 1) << 1;
        QTest::newRow("a device that would only be waited for") << localProblem({1, 100, 100}, 8, 1e6) << 2;
        PlanningProblem served = localProblem({1, 1}, 8, 1e6);
        served.dataDevice = dev(0);
        served.inputBytes = 1;
        served.links.fallback->bytesPerSecond = 1.0 / 12;  // a sample takes longer than its computation
        for (LayerFacts &layer : served.layers)
            layer.parameterBytes = layer.trainableBytes = 0;
        QTest::newRow("samples that come slowly") << served << 2;
        PlanningProblem tight = localProblem({1, 1}, 8, 1e6);
        for (LayerFacts &layer : tight.layers)
            layer.savedBytes = 1000;
        tight.devices[0].memoryBytes = 10'000;
        QTest::newRow("a device with memory for few samples") << tight << 2;
    }
    void noShareIsBetter() {
        QFETCH(PlanningProblem, problem);
        QFETCH(int, devices);
        QVERIFY(problem.validate());
        const Plan plan = planOf(problem);
        QCOMPARE(plan.stages.size(), std::size_t{1});
        QCOMPARE(plan.microBatches(), every);
        QCOMPARE(plan.deviceCount(), static_cast<std::size_t>(devices));
        QVERIFY(plan.prediction->fits);
        const double best = shortestRound(problem);
        QVERIFY2(plan.prediction->roundSeconds <= best * (1 + 1e-9),
                 qPrintable(QStringLiteral("%1, not %2").arg(plan.prediction->roundSeconds).arg(best)));
    }

    void tooLargeBatchesAreNamed() {
        PlanningProblem problem = localProblem({1, 1}, 8, 1e6);
        for (PlanningProblem::Device &device : problem.devices)
            device.memoryBytes = 1000;
        const auto plan = makePlan(defaultPlanner(), problem);
        QVERIFY(!plan);
        QVERIFY2(plan.error().toString().contains(QLatin1String("the whole network")),
                 qPrintable(plan.error().toString()));
    }

    /// Many devices: all that help take part.
    void largeHomesArePlannedToo() {
        const Plan plan = planOf(localProblem(std::vector<double>(12, 1), 24, 1e9));
        QCOMPARE(plan.deviceCount(), std::size_t{12});
        QVERIFY(std::abs(plan.prediction->roundSeconds - every * 2 * 9) <
                1e-3);  // two samples of three layers, 3 s each
    }

    /// In which looking at all of it would take minutes.
    void aSearchEndsWithItsSteps() {
        std::vector<double> speeds(60);
        for (int d = 0; d < 60; ++d)
            speeds[static_cast<std::size_t>(d)] = 1.0 + d % 7;
        const PlanningProblem problem = localProblem(speeds, 1024, 1e6);
        PlannerOptions options;
        options.stepLimit = 100'000;
        const auto few = makePlan(defaultPlanner(), problem, options);
        QVERIFY(few);
        const auto single = makePlan(QStringLiteral("single"), problem);
        QVERIFY(single);
        QVERIFY(few->prediction->roundSeconds <= single->prediction->roundSeconds);
    }

    void everyDeviceHoldsTheWholeNetwork() {
        const PlanningProblem problem = localProblem({1, 1}, 8, 1e6);
        for (const QString &planner : plannerNames()) {
            const auto plan = makePlan(planner, problem);
            if (plan) {
                QCOMPARE(plan->stages.size(), std::size_t{1});
                continue;
            }
            QVERIFY2(plan.error().code == QLatin1String("planner.local-steps") &&
                         plan.error().toString().contains(QLatin1String("hearth, single")),
                     qPrintable(plan.error().toString()));
        }
        for (const char *name : {"hearth", "single", "dp", "eddl"})
            QVERIFY(makePlan(QString::fromLatin1(name), problem));
        Plan cut = planOf(problem);
        cut.stages = {{0, 1, {{dev(0), 8}}, 1}, {1, 3, {{dev(1), 8}}, 1}};
        const auto refused = cut.validateFor(problem);
        QVERIFY(!refused && refused.error().toString().contains(QLatin1String("whole network")));
        Plan drained = planOf(problem);
        drained.schedule = Schedule::FillDrain;
        QVERIFY(!drained.validateFor(problem));
    }

    /// Anchor and inner state of what is trained, and a round of inputs.
    void whatIsKeptIsCounted() {
        PlanningProblem problem = localProblem({1}, 8, 1e6);
        problem.inputBytes = 7;
        PlanningProblem plain = problem;
        plain.localSteps = {};
        const StagePlace place{0, 3, 2, 1, false};
        QCOMPARE(MemoryModel(problem).stageBytes(place) - MemoryModel(plain).stageBytes(place),
                 2 * 300.0 + every * 2 * 7.0);
    }

    /// Two devices alike and so slow a link that a batch is trained by one of them alone.
    void whatTheyWouldBringIsTold() {
        PlanningProblem problem = byHand(3, {1, 1}, 8);
        for (LayerFacts &layer : problem.layers) {
            layer.parameterBytes = layer.trainableBytes = 1000;
            layer.outputBytes = layer.gradientBytes = 1000;
        }
        problem.links.fallback = LinkProfile::Link{20, 0, Duplex::Full};  // 150 s for all weights, 72 s for a batch
        const auto gainOf = [](const PlanningProblem &given) {
            const CostModel model(given);
            return localStepsGain(model, planOf(given));
        };
        const auto gain = gainOf(problem);
        QVERIFY(gain);
        QCOMPARE(gain->every, 32);
        const auto changed = withLocalSteps(problem, gain->every);
        QVERIFY(changed && changed->validate());
        const double factor = planOf(problem).prediction->roundSeconds * 32 / planOf(*changed).prediction->roundSeconds;
        QVERIFY(std::abs(gain->factor - factor) < 1e-9 && factor > 1.7 && factor < 2);
        QCOMPARE(gainOf(*changed), std::nullopt);  // it has them
        problem.links.fallback->bytesPerSecond = 1e9;
        QCOMPARE(gainOf(problem), std::nullopt);  // the plan is as good
        problem.links.fallback->bytesPerSecond = 0.01;
        QCOMPARE(gainOf(problem), std::nullopt);  // nothing helps
        problem.links.fallback->bytesPerSecond = 20;
        for (PlanningProblem::Device &device : problem.devices)
            device.memoryBytes = 6000;  // not for all layers
        QCOMPARE(gainOf(problem), std::nullopt);
    }

    void theOfferSurvivesJson() {
        Plan plan = planOf(localProblem({1, 1}, 8, 1e6));
        plan.prediction->localStepsGain = LocalStepsGain{32, 2.5};
        const auto again = Plan::fromJson(plan.toJson(), QStringLiteral("again"));
        QVERIFY(again);
        QCOMPARE(again->prediction->localStepsGain, plan.prediction->localStepsGain);
    }

    void problemsSurviveJson() {
        const PlanningProblem problem = localProblem({1, 2}, 8, 1e6);
        const auto again = PlanningProblem::fromJson(problem.toJson(), QStringLiteral("again"));
        QVERIFY2(again, again ? "" : qPrintable(again.error().toString()));
        QCOMPARE(again->localSteps, problem.localSteps);
        QCOMPARE(again->toJson(), problem.toJson());
    }

    void wrongProblemsAreRefused_data() {
        QTest::addColumn<QString>("key");
        QTest::addColumn<QJsonValue>("value");
        const auto steps = [](int perRound, int copies) {
            return QJsonObject{{QStringLiteral("every"), perRound}, {QStringLiteral("copies"), copies}};
        };
        QTest::newRow("other steps than the batch has micro-batches")
            << QStringLiteral("local_steps") << QJsonValue(steps(5, 2));
        QTest::newRow("one step") << QStringLiteral("local_steps") << QJsonValue(steps(1, 2));
        QTest::newRow("no copy of the beginning") << QStringLiteral("local_steps") << QJsonValue(steps(every, 0));
        QTest::newRow("an unknown key") << QStringLiteral("local_steps")
                                        << QJsonValue(QJsonObject{{QStringLiteral("evry"), 4}});
        QTest::newRow("micro-batches that the planner would choose") << QStringLiteral("micro_batch") << QJsonValue();
    }
    void wrongProblemsAreRefused() {
        QFETCH(QString, key);
        QFETCH(QJsonValue, value);
        QJsonObject json = localProblem({1, 2}, 8, 1e6).toJson();
        json[key] = value;
        const auto problem = PlanningProblem::fromJson(json, QStringLiteral("home.json"));
        QVERIFY(!problem);
        QVERIFY2(problem.error().toString().contains(QLatin1String("/local_steps")),
                 qPrintable(problem.error().toString()));
    }
};

QTEST_GUILESS_MAIN(TestLocalSteps)
#include "test_local_steps.moc"
