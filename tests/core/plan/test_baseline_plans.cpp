// The planners that Hearth is compared with: what their plans look like, and what they do at their limits.
#include <QJsonDocument>
#include <QtTest>

#include "core/plan/evaluate.h"
#include "core/plan/planner.h"
#include "core/plan/planners/tools.h"
#include "tests/core/plan/hand_problem.h"
#include "tests/core/plan/random_problem.h"

using namespace hearth;
using test::byHand;
using test::dev;

namespace {

const QStringList &names() {
    static const QStringList all{QStringLiteral("eddl"),   QStringLiteral("gpipe"),     QStringLiteral("pp-1f1b"),
                                 QStringLiteral("dapple"), QStringLiteral("pipedream"), QStringLiteral("hetpipe"),
                                 QStringLiteral("alpa"),   QStringLiteral("ftpipehd")};
    return all;
}

void addPlanners() {
    QTest::addColumn<QString>("planner");
    for (const QString &name : names())
        QTest::newRow(qPrintable(name)) << name;
}

int limit(const Plan &plan, std::size_t stage, int perStage, int more) {
    const int toEnd = static_cast<int>(plan.stages.size() - stage);
    return std::min(perStage * toEnd + more, plan.microBatches());
}

}  // namespace

class TestBaselinePlans : public QObject {
    Q_OBJECT
  private Q_SLOTS:
    void allAreRegisteredWithTheirPaper() {
        for (const QString &name : names()) {
            const auto found = findPlanner(name);
            QVERIFY2(found, qPrintable(name));
            QVERIFY2((*found)->source().year > 2000, qPrintable(name));
        }
    }

    void plansAreValidDeterministicAndSurviveTheirForm_data() { addPlanners(); }

    void plansAreValidDeterministicAndSurviveTheirForm() {
        QFETCH(QString, planner);
        std::mt19937 random(91);
        for (int i = 0; i < 40; ++i) {
            test::RandomShape shape{1 + static_cast<int>(random() % 9), 1 + static_cast<int>(random() % 7), 24};
            shape.ownPairs = random() % 2;
            shape.duplex = random() % 2 ? Duplex::Full : Duplex::Half;
            PlanningProblem problem = test::randomProblem(random, shape);
            if (random() % 3 == 0)
                problem.microBatch = 8;
            if (random() % 2)
                problem.layers[random() % problem.layers.size()].minimumSamples = 2;
            auto plan = makePlan(planner, problem);
            QVERIFY2(plan, plan ? "" : qPrintable(plan.error().toString()));
            QVERIFY(plan->validateFor(problem).has_value());
            QCOMPARE(plan->planner, planner);
            const auto again = Plan::fromJson(plan->toJson(), QStringLiteral("again"));
            QVERIFY2(again, again ? "" : qPrintable(again.error().toString()));
            QCOMPARE(again->toJson(), plan->toJson());
            auto second = makePlan(planner, problem);
            QVERIFY(second);
            plan->prediction->planningSeconds.reset();
            second->prediction->planningSeconds.reset();
            QCOMPARE(second->toJson(), plan->toJson());
        }
    }

    void chainsHaveOneDeviceForEachStageInTheGivenOrder_data() {
        QTest::addColumn<QString>("planner");
        QTest::addColumn<int>("layers");
        for (const char *name : {"gpipe", "pp-1f1b", "ftpipehd"}) {
            QTest::addRow("%s, all devices", name) << QString::fromLatin1(name) << 9;
            QTest::addRow("%s, fewer layers than devices", name) << QString::fromLatin1(name) << 3;
        }
    }

    void chainsHaveOneDeviceForEachStageInTheGivenOrder() {
        QFETCH(QString, planner);
        QFETCH(int, layers);
        std::mt19937 random(93);
        const PlanningProblem problem = test::randomProblem(random, {layers, 5, 16});
        const auto plan = makePlan(planner, problem);
        QVERIFY(plan);
        QCOMPARE(plan->stages.size(), static_cast<std::size_t>(std::min(layers, 5)));
        for (std::size_t p = 0; p < plan->stages.size(); ++p) {
            const PlanStage &stage = plan->stages[p];
            QCOMPARE(stage.shares.size(), std::size_t{1});
            QCOMPARE(stage.shares[0].device, dev(static_cast<int>(p)));
            QVERIFY(!stage.recompute);
            QCOMPARE(stage.inFlight, planner == QLatin1String("gpipe") ? plan->microBatches() : limit(*plan, p, 1, 0));
        }
        QCOMPARE(plan->schedule,
                 planner == QLatin1String("gpipe") ? Schedule::FillDrain : Schedule::OneForwardOneBackward);
    }

    void uniformPlannersFillEvenGroupsInTheOrderOfTheDevices_data() {
        QTest::addColumn<QString>("planner");
        for (const char *name : {"pipedream", "dapple", "alpa"})
            QTest::newRow(name) << QString::fromLatin1(name);
    }

    void uniformPlannersFillEvenGroupsInTheOrderOfTheDevices() {
        QFETCH(QString, planner);
        std::mt19937 random(95);
        for (int i = 0; i < 20; ++i) {
            const PlanningProblem problem = test::randomProblem(random, {7, 6, 24});
            const auto plan = makePlan(planner, problem);
            QVERIFY(plan);
            int device = 0;
            for (std::size_t p = 0; p < plan->stages.size(); ++p) {
                const PlanStage &stage = plan->stages[p];
                const int members = static_cast<int>(stage.shares.size());
                for (const Share &share : stage.shares) {
                    QCOMPARE(share.device, dev(device++));
                    QVERIFY(share.samples == plan->microBatch / members ||
                            share.samples == plan->microBatch / members + 1);
                }
                QCOMPARE(stage.inFlight,
                         planner == QLatin1String("dapple") ? limit(*plan, p, 2, -1) : limit(*plan, p, 1, 0));
            }
            QCOMPARE(device, 6);
        }
    }

    void eddlSharesBySpeed() {
        PlanningProblem problem = byHand(3, {1, 2, 5}, 16);
        problem.microBatch = 16;
        const auto plan = makePlan(QStringLiteral("eddl"), problem);
        QVERIFY(plan);
        QCOMPARE(plan->stages.size(), std::size_t{1});
        const std::vector<Share> expected{{dev(0), 2}, {dev(1), 4}, {dev(2), 10}};
        QCOMPARE(plan->stages[0].shares, expected);
        QCOMPARE(plan->stages[0].inFlight, 1);
        // Memory changes nothing but the verdict.
        problem.devices[2].memoryBytes = 5;
        const auto tight = makePlan(QStringLiteral("eddl"), problem);
        QVERIFY(tight);
        QCOMPARE(tight->stages, plan->stages);
        QVERIFY(!tight->prediction->fits);
        // A layer that needs three samples sends the slowest to rest.
        problem.layers[1].minimumSamples = 3;
        const auto fewer = makePlan(QStringLiteral("eddl"), problem);
        QVERIFY(fewer);
        const std::vector<Share> two{{dev(1), 5}, {dev(2), 11}};
        QCOMPARE(fewer->stages[0].shares, two);
    }

    void ftpipehdGivesSlowDevicesFewerLayers() {
        PlanningProblem problem = byHand(8, {1, 3}, 4);
        const auto plan = makePlan(QStringLiteral("ftpipehd"), problem);
        QVERIFY(plan);
        QCOMPARE(plan->stages[0].lastLayer, 2);  // 6 s against 6 layers in 6 s
    }

    void gpipeRecomputesWhereItDoesNotFit() {
        PlanningProblem problem = byHand(4, {1, 1}, 8);
        problem.microBatch = 1;
        for (LayerFacts &layer : problem.layers)
            layer.savedBytes = 100;
        for (auto &device : problem.devices)
            device.memoryBytes = 1000;  // eight times 200 bytes are too much, 200 and eight inputs are not
        const auto plan = makePlan(QStringLiteral("gpipe"), problem);
        QVERIFY(plan);
        QVERIFY(plan->prediction->fits);
        QVERIFY(plan->stages[0].recompute && plan->stages[1].recompute);
        for (auto &device : problem.devices)
            device.memoryBytes = 10'000;
        const auto roomy = makePlan(QStringLiteral("gpipe"), problem);
        QVERIFY(roomy);
        QVERIFY(!roomy->stages[0].recompute && roomy->prediction->fits);
        QVERIFY(roomy->prediction->roundSeconds < plan->prediction->roundSeconds);
    }

    void oneDeviceAndOneLayerAreEnough_data() { addPlanners(); }

    void oneDeviceAndOneLayerAreEnough() {
        QFETCH(QString, planner);
        const auto alone = makePlan(planner, byHand(3, {2}, 8));
        QVERIFY(alone);
        QCOMPARE(alone->stageCount(), std::size_t{1});
        QCOMPARE(alone->prediction->roundSeconds, 8 * 3 * 3 / 2.0);
        const auto flat = makePlan(planner, byHand(1, {1, 1, 1}, 12));
        QVERIFY2(flat, flat ? "" : qPrintable(flat.error().toString()));
        for (const PlanStage *stage : flat->allStages())
            QCOMPARE(stage->lastLayer, 1);
        QVERIFY(flat->prediction->roundSeconds <= 36 + 1e-6);
    }

    void aFixedMicroBatchIsKept_data() { addPlanners(); }

    void aFixedMicroBatchIsKept() {
        QFETCH(QString, planner);
        PlanningProblem problem = byHand(4, {1, 2, 3}, 16);
        problem.microBatch = 4;
        const auto plan = makePlan(planner, problem);
        QVERIFY(plan);
        QCOMPARE(plan->microBatch, 4);
        problem.layers[2].minimumSamples = 5;
        const auto none = makePlan(planner, problem);
        QVERIFY(!none);
        QVERIFY(!none.error().what.isEmpty() && !none.error().advice.isEmpty());
        if (planner != QLatin1String("alpa") && planner != QLatin1String("hetpipe"))
            QVERIFY2(none.error().cause.contains(QStringLiteral("at most 4 samples; a layer needs 5")),
                     qPrintable(none.error().cause));
    }

    void whatDoesNotFitIsReportedByThoseWithoutAMemoryTest_data() { addPlanners(); }

    void whatDoesNotFitIsReportedByThoseWithoutAMemoryTest() {
        QFETCH(QString, planner);
        PlanningProblem problem = byHand(4, {1, 1}, 8);
        for (auto &device : problem.devices)
            device.memoryBytes = 1;
        const auto plan = makePlan(planner, problem);
        if (planner == QLatin1String("alpa") || planner == QLatin1String("hetpipe")) {
            QVERIFY(!plan);
            QCOMPARE(plan.error().code, QStringLiteral("plan.memory"));
            return;
        }
        QVERIFY(plan);
        QVERIFY(!plan->prediction->fits);
        QCOMPARE(plan->prediction->violations.size(), std::size_t{2});
    }

    void devicesOutOfReachAreNamedOrAvoided_data() { addPlanners(); }

    void devicesOutOfReachAreNamedOrAvoided() {
        QFETCH(QString, planner);
        PlanningProblem problem = byHand(4, {1, 1}, 8);
        problem.links.pairs = {{dev(1), dev(0), 0, std::nullopt}};
        const auto plan = makePlan(planner, problem);
        QVERIFY(!plan);  // all of them use both devices, and the whole model has weights to exchange
        if (planner != QLatin1String("hetpipe"))
            QCOMPARE(plan.error().code, QStringLiteral("plan.unreachable"));
        if (plan.error().code == QLatin1String("plan.unreachable"))
            QVERIFY2(plan.error().cause.contains(QStringLiteral("dev1 cannot reach dev0")),
                     qPrintable(plan.error().cause));
    }

    void cancellingKeepsTheBestSoFar_data() { addPlanners(); }

    void cancellingKeepsTheBestSoFar() {
        QFETCH(QString, planner);
        std::mt19937 random(97);
        const PlanningProblem problem = test::randomProblem(random, {8, 4, 64});
        PlannerOptions options;
        int asked = 0;
        options.cancelled = [&asked] { return ++asked > 0; };
        const auto plan = makePlan(planner, problem, options);
        QVERIFY(plan);
        QVERIFY(plan->validateFor(problem).has_value());
        QVERIFY(asked > 0 && asked < 4);
    }

    void aTimeLimitEndsEveryPlannerAsCancellingDoes_data() {
        QTest::addColumn<QString>("planner");
        for (const QString &name : plannerNames())
            QTest::newRow(qPrintable(name)) << name;
    }

    void aTimeLimitEndsEveryPlannerAsCancellingDoes() {
        QFETCH(QString, planner);
        std::mt19937 random(97);
        const PlanningProblem problem = test::randomProblem(random, {8, 4, 64});
        PlannerOptions cancelled, late;
        cancelled.cancelled = [] { return true; };
        late.secondsLimit = 0;
        auto first = makePlan(planner, problem, cancelled), second = makePlan(planner, problem, late);
        QVERIFY(first && second);
        first->prediction->planningSeconds = second->prediction->planningSeconds;
        QCOMPARE(second->toJson(), first->toJson());
    }

    void aSearchThatNobodyWaitsForEndsOnItsWayToTheFirstPlan_data() {
        QTest::addColumn<QString>("planner");
        for (const char *name : {"asteroid", "gpipe", "pp-1f1b", "pipedream", "dapple", "hetpipe", "ftpipehd"})
            QTest::newRow(name) << QString::fromLatin1(name);
    }
    void aSearchThatNobodyWaitsForEndsOnItsWayToTheFirstPlan() {
        QFETCH(QString, planner);
        std::mt19937 random(97);
        PlanningProblem problem = test::randomProblem(random, {8, 4, 64});
        problem.microBatch = 16;  // so that there is nothing between the sizes
        QVERIFY(makePlan(planner, problem));
        PlannerOptions options;
        int asked = 0;
        options.abandoned = [&asked] { return ++asked > 3; };
        const auto plan = makePlan(planner, problem, options);
        QVERIFY(!plan);
        QCOMPARE(plan.error().code, QStringLiteral("plan.stopped"));
    }

    void asteroidIsTheBetterTheLaterItIsStopped() {
        std::mt19937 random(97);
        const PlanningProblem problem = test::randomProblem(random, {8, 4, 64});
        const auto searched = [&problem](int patience) {
            PlannerOptions options;
            options.cancelled = [&patience] { return --patience < 0; };
            return makePlan(QStringLiteral("asteroid"), problem, options)->prediction->roundSeconds;
        };
        const double whole = makePlan(QStringLiteral("asteroid"), problem)->prediction->roundSeconds;
        double last = std::numeric_limits<double>::infinity();
        for (int patience = 0; patience <= 1 << 12; patience = 2 * patience + 1) {
            const double seconds = searched(patience);
            QVERIFY(seconds <= last);
            last = seconds;
        }
        QVERIFY(searched(0) > whole);
        QCOMPARE(last, whole);
    }

    void strangeHomesArePlannedOrRefused_data() { addPlanners(); }

    void strangeHomesArePlannedOrRefused() {
        QFETCH(QString, planner);
        std::mt19937 random(103);
        const auto oneOf = [&random](std::initializer_list<double> values) {
            return *(values.begin() + random() % values.size());
        };
        int planned = 0, refused = 0;
        for (int i = 0; i < 150; ++i) {
            PlanningProblem problem = test::randomProblem(
                random, {1 + static_cast<int>(random() % 6), 1 + static_cast<int>(random() % 5), 12});
            for (LayerFacts &layer : problem.layers) {
                layer.outputBytes = static_cast<qint64>(oneOf({0, 1, 1e5, 4e12}));
                layer.gradientBytes = static_cast<qint64>(oneOf({0, 1, 1e5, 4e12}));
                layer.trainableBytes = layer.parameterBytes = static_cast<qint64>(oneOf({0, 1, 1e6, 4e12}));
                layer.minimumSamples = static_cast<int>(oneOf({1, 1, 1, 2, 7, 13}));
            }
            for (std::size_t d = 0; d < problem.devices.size(); ++d) {
                problem.devices[d].memoryBytes = static_cast<qint64>(oneOf({0, 1e7, 4e12}));
                const double scale = oneOf({0, 1, 1, 1e11});
                for (auto *rows : {&problem.times[d].forward, &problem.times[d].backward}) {
                    for (auto &row : *rows) {
                        for (double &seconds : row)
                            seconds = std::min(seconds * scale, 1e9);
                    }
                }
                problem.links.nics.push_back({problem.devices[d].id, oneOf({1, 1e6}), oneOf({1, 1e6}), Duplex::Half,
                                              random() % 2 ? QStringLiteral("air") : QString()});
            }
            problem.links.media = {{QStringLiteral("air"), oneOf({1, 1e7})}};
            if (problem.devices.size() > 1 && random() % 2)
                problem.links.pairs = {{dev(0), dev(1), 0, std::nullopt}};
            problem.dataDevice = dev(0);
            problem.inputBytes = static_cast<qint64>(oneOf({0, 1e3, 4e12}));
            QVERIFY(problem.validate());
            const auto plan = makePlan(planner, problem);
            ++(plan ? planned : refused);
            if (!plan) {
                QVERIFY(!plan.error().what.isEmpty() && !plan.error().cause.isEmpty() &&
                        !plan.error().advice.isEmpty());
                continue;
            }
            QVERIFY(plan->validateFor(problem).has_value());
            QVERIFY(std::isfinite(plan->prediction->roundSeconds) && plan->prediction->roundSeconds >= 0);
            QVERIFY(Plan::fromJson(plan->toJson(), QStringLiteral("again")));
        }
        QVERIFY2(planned > 5 && refused > 5, qPrintable(QStringLiteral("%1 %2").arg(planned).arg(refused)));
    }

    void manyDevicesAndLayersAreSearchedInPart_data() { addPlanners(); }

    void manyDevicesAndLayersAreSearchedInPart() {
        QFETCH(QString, planner);
        std::mt19937 random(99);
        PlanningProblem problem = test::randomProblem(random, {150, 40, 64});
        problem.microBatch = 64;
        const auto plan = makePlan(planner, problem);
        QVERIFY2(plan, plan ? "" : qPrintable(plan.error().toString()));
        QVERIFY(plan->deviceCount() > 20);
    }

    void comparisonOnRandomHomes() {
        std::mt19937 random(101);
        PlannerOptions options;
        options.stepLimit = 50000;  // for those that search as long as they are let
        for (const auto &[layers, devices] : {std::pair{12, 3}, std::pair{20, 5}, std::pair{30, 8}}) {
            for (const bool slow : {false, true}) {
                PlanningProblem problem = test::randomProblem(random, {layers, devices, 64});
                problem.links.fallback->bytesPerSecond = slow ? 5e6 : 1e8;
                std::vector<Plan> plans;
                for (const QString &name : plannerNames()) {
                    const auto plan = makePlan(name, problem, options);
                    QVERIFY2(plan, qPrintable(name));
                    plans.push_back(*plan);
                }
                sortByRoundTime(plans);
                QString table = QStringLiteral("%1 layers, %2 devices, links of %3 MB/s")
                                    .arg(layers)
                                    .arg(devices)
                                    .arg(problem.links.fallback->bytesPerSecond / 1e6);
                for (const Plan &plan : plans)
                    table += QStringLiteral("\n  %1 %2 s  %3 stages  %4 devices  micro-batch %5")
                                 .arg(plan.planner, -10)
                                 .arg(plan.prediction->roundSeconds, 8, 'f', 3)
                                 .arg(plan.stageCount())
                                 .arg(plan.deviceCount())
                                 .arg(plan.microBatch);
                qInfo().noquote() << table;
                // One device alone is a plan that Asteroid's search holds too.
                const auto round = [&](const QString &name) {
                    return std::find_if(plans.begin(), plans.end(), [&](const Plan &p) { return p.planner == name; })
                        ->prediction->roundSeconds;
                };
                QVERIFY(round(QStringLiteral("asteroid")) <= round(QStringLiteral("single")) * (1 + 1e-9));
            }
        }
    }
};

QTEST_GUILESS_MAIN(TestBaselinePlans)
#include "test_baseline_plans.moc"
