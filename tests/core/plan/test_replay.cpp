// Recovery plans after losses (oracle 8).
#include <QtTest>
#include <cmath>

#include "core/plan/evaluate.h"
#include "core/plan/planner.h"
#include "core/plan/replay/replay_table.h"
#include "core/plan/replay/survivors.h"
#include "tests/core/plan/random_plan.h"
#include "tests/core/plan/random_problem.h"

using namespace hearth;
using test::below;

namespace {

QString id(int device) {
    return QStringLiteral("nx%1").arg(device);
}

/// Layers of 100 kB of weights with momentum (200 kB of state) and devices of equal speed; links of 1 MB/s.
PlanningProblem smallHome(int layers, int devices) {
    PlanningProblem problem;
    problem.batch = 16;
    problem.optimizerStateFactor = 1;
    for (int l = 0; l < layers; ++l)
        problem.layers.push_back({QStringLiteral("conv%1").arg(l), 100, 100, 1000, 0, 100000, 100000, 0, 1});
    for (int d = 0; d < devices; ++d) {
        problem.devices.push_back({id(d), 1'000'000'000, 0});
        TimeTable table{{1, 8}, {}, {}};
        for (int l = 0; l < layers; ++l) {
            table.forward.push_back({0.01, 0.08});
            table.backward.push_back({0.02, 0.16});
        }
        problem.times.push_back(table);
    }
    problem.links.fallback = LinkProfile::Link{1e6, 0, Duplex::Full};
    return problem;
}

/// Stages of so many layers each; a group of n takes the next n devices, with even shares.
Plan planOfStages(const PlanningProblem &problem, const QList<std::pair<int, int>> &layersAndDevices) {
    Placement placement{4, Schedule::OneForwardOneBackward, {}};
    int layer = 0, device = 0;
    const auto count = static_cast<int>(layersAndDevices.size());
    for (const auto &[layers, devices] : layersAndDevices) {
        const int place = static_cast<int>(placement.stages.size());
        StagePlacement stage{layer, layer + layers, {}, std::min(2 * (count - place) - 1, problem.batch / 4), false};
        for (int i = 0; i < devices; ++i)
            stage.group.push_back({device++, 4 / devices});
        layer += layers;
        placement.stages.push_back(stage);
    }
    return planOf(problem, QStringLiteral("test"), placement);
}

QSet<QString> ownersOf(const Plan &plan, int layer) {
    QSet<QString> owners;
    for (const PlanStage &stage : plan.stages) {
        if (layer < stage.firstLayer || layer >= stage.lastLayer)
            continue;
        for (const Share &share : stage.shares)
            owners.insert(share.device);
    }
    return owners;
}

QList<int> bordersOf(const Plan &plan) {
    QList<int> borders;
    for (const PlanStage &stage : plan.stages)
        borders << stage.lastLayer;
    return borders;
}

QStringList devicesOf(const Plan &plan) {
    QStringList devices;
    for (const PlanStage &stage : plan.stages) {
        for (const Share &share : stage.shares)
            devices << share.device;
    }
    return devices;
}

/// Every new owner gets each layer that it lacks once, from an owner where one lives, and nothing else moves.
bool movesAreExact(const PlanningProblem &problem, const Plan &before, const Replay &replay, const QSet<QString> &lost,
                   const ReplicaHolders &replicas) {
    qint64 expected = 0;
    qsizetype count = 0;
    for (int l = 0; l < before.layerCount; ++l) {
        const QSet<QString> old = ownersOf(before, l) - lost;
        const QStringList copies = replicas.value(l);
        for (const QString &owner : ownersOf(replay.plan, l)) {
            const auto matches = std::count_if(replay.moves.begin(), replay.moves.end(), [&](const LayerMove &move) {
                const bool source =
                    old.isEmpty() ? copies.contains(move.from) && !lost.contains(move.from) : old.contains(move.from);
                return move.layer == l && move.to == owner && source && move.bytes == stateBytes(problem, l);
            });
            const bool needed = !old.contains(owner) && !copies.contains(owner);
            if (matches != (needed ? 1 : 0))
                return false;
            count += matches;
            expected += needed ? stateBytes(problem, l) : 0;
        }
    }
    return count == static_cast<qsizetype>(replay.moves.size()) && expected == movedBytes(replay.moves);
}

struct Statistics {
    std::vector<double> values;
    void add(double value) { values.push_back(value); }
    double mean() const {
        return std::accumulate(values.begin(), values.end(), 0.0) / static_cast<double>(values.size());
    }
    QString text() {
        std::sort(values.begin(), values.end());
        return QStringLiteral("mean %1, median %2, max %3")
            .arg(mean(), 0, 'f', 3)
            .arg(values[values.size() / 2], 0, 'f', 3)
            .arg(values.back(), 0, 'f', 3);
    }
};

}  // namespace

class TestReplay : public QObject {
    Q_OBJECT
  private Q_SLOTS:
    void afterAnySingleLossEveryLayerHasOneGroupAndASource() {
        std::mt19937 random(31);
        int problems = 0, recovered = 0, refused = 0;
        for (int i = 0; i < 450; ++i) {
            test::RandomShape shape{2 + below(random, 10), 2 + below(random, 5), 48};
            shape.tightMemory = i % 3 == 0;
            shape.ownPairs = below(random, 2) == 0;
            const PlanningProblem problem = test::randomProblem(random, shape);
            const MeasuredCosts costs(problem.times);
            const CostModel model(problem, costs);
            std::optional<Plan> plan;
            for (int attempt = 0; attempt < 10 && !plan; ++attempt)
                plan = test::randomPlan(random, model, 12);
            if (!plan)
                continue;
            ++problems;
            ReplayRequest request;
            request.replicas = defaultReplicaHolders(model, *plan);
            for (const QString &device : devicesOf(*plan)) {
                request.lost = {device};
                const auto replay = lightweightReplay(model, *plan, request);
                if (!replay) {
                    ++refused;
                    const QString &code = replay.error().code;
                    QVERIFY2(code == QLatin1String("replay.memory") || code == QLatin1String("replay.no-source"),
                             qPrintable(replay.error().toString()));
                    QVERIFY(!replay.error().cause.isEmpty() && !replay.error().advice.isEmpty());
                    // Without a source only where one device held everything.
                    QVERIFY(code != QLatin1String("replay.no-source") || devicesOf(*plan).size() == 1);
                    continue;
                }
                ++recovered;
                QVERIFY(replay->plan.validateFor(problem));
                QVERIFY(!devicesOf(replay->plan).contains(device));
                const CostModel fresh(problem, costs);
                const auto judged = evaluate(fresh, replay->plan);
                QVERIFY(judged && judged->fits);
                QCOMPARE(replay->plan.prediction->roundSeconds, judged->roundSeconds);
                QVERIFY(movesAreExact(problem, *plan, *replay, request.lost, request.replicas));
            }
        }
        QVERIFY(problems >= 300);
        QVERIFY(recovered >= 500 && refused >= 20);
    }

    void severalLossesAtOnceKeepTheSameRules() {
        std::mt19937 random(32);
        int recovered = 0, gone = 0;
        for (int i = 0; i < 300; ++i) {
            const PlanningProblem problem = test::randomProblem(random, {3 + below(random, 9), 6, 48});
            const MeasuredCosts costs(problem.times);
            const CostModel model(problem, costs);
            const auto plan = test::randomPlan(random, model, 12);
            if (!plan)
                continue;
            ReplayRequest request;
            request.replicas = defaultReplicaHolders(model, *plan);
            for (const auto &device : problem.devices) {
                if (below(random, 3) == 0)
                    request.lost.insert(device.id);
            }
            const auto replay = lightweightReplay(model, *plan, request);
            bool sources = true;
            for (int l = 0; l < plan->layerCount; ++l) {
                const QStringList copies = request.replicas.value(l);
                sources = sources &&
                          !(ownersOf(*plan, l) + QSet<QString>(copies.begin(), copies.end()) - request.lost).isEmpty();
            }
            QCOMPARE(replay.has_value(), sources);
            if (!replay) {
                ++gone;
                QCOMPARE(replay.error().code, QStringLiteral("replay.no-source"));
                continue;
            }
            ++recovered;
            QVERIFY(movesAreExact(problem, *plan, *replay, request.lost, request.replicas));
        }
        QVERIFY(recovered >= 100 && gone >= 20);
    }

    void lightweightComparesWithPlanningAnew_data() {
        QTest::addColumn<QString>("planner");
        QTest::newRow("by Asteroid's Algorithm 2") << QStringLiteral("asteroid");
        QTest::newRow("by the exact search") << QStringLiteral("hearth");
    }
    void lightweightComparesWithPlanningAnew() {
        QFETCH(QString, planner);
        PlannerOptions limits;
        limits.stepLimit = 200'000;
        std::mt19937 random(33);
        Statistics climbed, published, dropped, bytesToReplan, bytesToHeavy;
        double light = 0, byFlops = 0, lightBytes = 0, heavyBytes = 0;
        double lightSeconds = 0, heavySeconds = 0;
        while (climbed.values.size() < 200) {
            test::RandomShape shape{8 + below(random, 9), 5, 64};
            shape.ownPairs = below(random, 2) == 0;
            PlanningProblem problem = test::randomProblem(random, shape);
            problem.microBatch = 8;
            const auto first = makePlan(planner, problem, limits);
            QVERIFY(first);
            const MeasuredCosts costs(problem.times);
            const CostModel model(problem, costs);
            ReplayRequest request;
            request.planning = limits;
            request.replicas = defaultReplicaHolders(model, *first);
            const QStringList used = devicesOf(*first);
            request.lost = {used[below(random, static_cast<int>(used.size()))]};
            if (used.size() < 2)
                continue;
            const auto own = lightweightReplay(model, *first, request);
            request.climb = false;
            const auto flops = lightweightReplay(model, *first, request);
            const auto heavy = heavyRescheduling(model, *first, request, planner);
            const auto drop = withoutRescheduling(model, *first, request);
            QVERIFY(own && flops && heavy && drop);
            const auto direct = movesBetween(model, *first, heavy->plan, request.lost, request.replicas);
            QVERIFY(direct);
            const double full = heavy->plan.prediction->roundSeconds;
            climbed.add(own->plan.prediction->roundSeconds / full);
            published.add(flops->plan.prediction->roundSeconds / full);
            dropped.add(drop->plan.prediction->roundSeconds / full);
            if (movedBytes(*direct) > 0)
                bytesToReplan.add(static_cast<double>(movedBytes(own->moves)) /
                                  static_cast<double>(movedBytes(*direct)));
            bytesToHeavy.add(static_cast<double>(movedBytes(own->moves)) /
                             static_cast<double>(movedBytes(heavy->moves)));
            light += own->plan.prediction->roundSeconds;
            byFlops += flops->plan.prediction->roundSeconds;
            lightBytes += static_cast<double>(movedBytes(own->moves));
            heavyBytes += static_cast<double>(movedBytes(heavy->moves));
            lightSeconds += own->seconds.plan + own->seconds.move;
            heavySeconds += heavy->seconds.plan + heavy->seconds.move;
        }
        qInfo().noquote() << "200 losses of one of five devices; round time over that of planning anew with" << planner;
        qInfo().noquote() << "  lightweight:" << climbed.text();
        qInfo().noquote() << "  cuts by speed alone:" << published.text();
        qInfo().noquote() << "  without rescheduling:" << dropped.text();
        qInfo().noquote() << "moved bytes of lightweight over those of planning anew, moved directly:"
                          << bytesToReplan.text();
        qInfo().noquote() << "  over those of heavy rescheduling:" << bytesToHeavy.text();
        qInfo("planning and moving: heavy rescheduling takes %.1f times as long", heavySeconds / lightSeconds);
        QVERIFY(light <= byFlops);
        QVERIFY(climbed.mean() <= published.mean());
        QVERIFY(lightBytes < heavyBytes);
    }

    void twoAdjacentLossesWithoutCopiesNameTheLayers() {
        const PlanningProblem problem = smallHome(6, 3);
        const MeasuredCosts costs(problem.times);
        const CostModel model(problem, costs);
        const Plan plan = planOfStages(problem, {{2, 1}, {2, 1}, {2, 1}});
        ReplayRequest request;
        request.lost = {id(1), id(2)};
        request.replicas = defaultReplicaHolders(model, plan);
        const auto gone = lightweightReplay(model, plan, request);
        QVERIFY(!gone);
        QCOMPARE(gone.error().code, QStringLiteral("replay.no-source"));
        QCOMPARE(gone.error().what, QStringLiteral("Nobody has the state of conv2, conv3."));
        QVERIFY(gone.error().advice.contains(QStringLiteral("checkpoint")));
        for (int l = 0; l < 6; ++l)
            request.replicas[l] << id(0);
        const auto global = lightweightReplay(model, plan, request);
        QVERIFY(global);
        QCOMPARE(devicesOf(global->plan), QStringList{id(0)});
        QVERIFY(global->moves.empty());
    }

    void layersWithoutStateNeedNoSource() {
        PlanningProblem problem = smallHome(4, 2);
        problem.layers[3].parameterBytes = problem.layers[3].trainableBytes = 0;
        const MeasuredCosts costs(problem.times);
        const CostModel model(problem, costs);
        const Plan plan = planOfStages(problem, {{3, 1}, {1, 1}});
        ReplayRequest request;
        request.lost = {id(1)};
        const auto replay = lightweightReplay(model, plan, request);
        QVERIFY(replay);
        QVERIFY(replay->moves.empty());
    }

    void copiesLieOnTheRoomiestDeviceOfTheNextStage() {
        PlanningProblem problem = smallHome(6, 4);
        problem.devices[2].memoryBytes += 1000;
        const MeasuredCosts costs(problem.times);
        const CostModel model(problem, costs);
        const ReplicaHolders holders = defaultReplicaHolders(model, planOfStages(problem, {{2, 1}, {2, 2}, {2, 1}}));
        const ReplicaHolders expected{
            {0, {id(2)}},
            {1, {id(2)}},
            {4, {id(0)}},
            {5, {id(0)}},
        };
        QCOMPARE(holders, expected);
        QVERIFY(defaultReplicaHolders(model, planOfStages(problem, {{6, 1}})).isEmpty());
    }

    void movesTakeAsLongAsTheBusiestLink_data() {
        QTest::addColumn<LinkProfile>("links");
        QTest::addColumn<double>("seconds");
        // nx0 sends 3 MB to nx1 and 1 MB to nx2; nx1 sends 2 MB to nx0.
        LinkProfile links;
        links.fallback = LinkProfile::Link{1e6, 0.5, Duplex::Full};
        QTest::newRow("equal links of 1 MB/s, which are each card's rate, too") << links << 4.5;
        links.fallback->duplex = Duplex::Half;
        links.nics = {{id(0), 1e7, 1e7, std::nullopt, {}}};
        QTest::newRow("half duplex adds both directions of a pair") << links << 5.5;
        links.fallback->duplex = Duplex::Full;
        QTest::newRow("a faster card leaves the slowest pair") << links << 3.5;
        links.nics = {{id(0), 5e5, 1e7, std::nullopt, {}}};
        QTest::newRow("a slow card carries all that its device sends") << links << 8.5;
        links.nics = {{id(0), {}, {}, {}, QStringLiteral("air")}, {id(1), {}, {}, {}, QStringLiteral("air")}};
        links.media = {{QStringLiteral("air"), 2.5e5}};
        QTest::newRow("shared air carries everything") << links << 24.5;
        links = {};
        links.fallback = LinkProfile::Link{1e7, 0.5, Duplex::Full};
        links.pairs = {{id(0), id(2), 1e5, 0.25}};
        QTest::newRow("a slow pair takes longest") << links << 10.5;
    }
    void movesTakeAsLongAsTheBusiestLink() {
        QFETCH(LinkProfile, links);
        QFETCH(double, seconds);
        PlanningProblem problem = smallHome(3, 3);
        problem.links = links;
        QVERIFY(problem.validate());
        const MeasuredCosts costs(problem.times);
        const CostModel model(problem, costs);
        QCOMPARE(moveSeconds(
                     model, {{0, id(0), id(1), 3'000'000}, {1, id(0), id(2), 1'000'000}, {2, id(1), id(0), 2'000'000}}),
                 seconds);
        QCOMPARE(moveSeconds(model, {}), 0.0);
    }

    void theTimesOfARecoveryAddUp() {
        const PlanningProblem problem = smallHome(6, 3);
        const MeasuredCosts costs(problem.times);
        const CostModel model(problem, costs);
        const Plan plan = planOfStages(problem, {{2, 1}, {2, 1}, {2, 1}});
        ReplayRequest request;
        request.lost = {id(1)};
        request.replicas = defaultReplicaHolders(model, plan);
        request.detectSeconds = 1.5;
        request.rebuildSeconds = 0.25;
        request.lostRounds = 3;
        const auto replay = lightweightReplay(model, plan, request);
        QVERIFY(replay);
        // conv2 goes from the copy on nx2 to nx0: 200 kB at 1 MB/s.
        QCOMPARE(bordersOf(replay->plan), (QList<int>{3, 6}));
        QCOMPARE(replay->moves, (std::vector<LayerMove>{{2, id(2), id(0), 200000}}));
        QCOMPARE(replay->seconds.move, 0.2);
        QCOMPARE(replay->seconds.detect, 1.5);
        QCOMPARE(replay->seconds.rebuild, 0.25);
        QCOMPARE(replay->seconds.replay, 3 * replay->plan.prediction->roundSeconds);
        QVERIFY(replay->seconds.plan > 0);
        QCOMPARE(replay->seconds.total(), 1.5 + replay->seconds.plan + 0.2 + 0.25 + replay->seconds.replay);
        QCOMPARE(replayMethodName(replay->method), QStringLiteral("lightweight"));

        const auto heavy = heavyRescheduling(model, plan, request, QStringLiteral("asteroid"));
        QVERIFY(heavy);
        QCOMPARE(replayMethodName(heavy->method), QStringLiteral("heavy"));
        QVERIFY(!devicesOf(heavy->plan).contains(id(1)));
        // nx0 lacks the middle stage alone, as it holds the last one's copy; then every layer of another owner leaves
        // it.
        qint64 scattered = 0;
        for (int l = 0; l < 6; ++l)
            scattered += 200000 * (ownersOf(heavy->plan, l) - QSet<QString>{id(0)}).size();
        QCOMPARE(movedBytes(heavy->moves), 2 * 200000 + scattered);
    }

    void withoutReschedulingBordersStay() {
        const PlanningProblem problem = smallHome(9, 4);
        const MeasuredCosts costs(problem.times);
        const CostModel model(problem, costs);
        const Plan plan = planOfStages(problem, {{6, 2}, {2, 1}, {1, 1}});
        ReplayRequest request;
        request.replicas = defaultReplicaHolders(model, plan);
        request.lost = {id(0)};
        const auto group = withoutRescheduling(model, plan, request);
        QVERIFY(group);
        QCOMPARE(bordersOf(group->plan), (QList<int>{6, 8, 9}));
        QCOMPARE(group->plan.stages[0].shares, (std::vector<Share>{{id(1), 4}}));
        QVERIFY(group->moves.empty());
        request.lost = {id(2)};
        const auto stage = withoutRescheduling(model, plan, request);
        QVERIFY(stage);
        QCOMPARE(bordersOf(stage->plan), (QList<int>{6, 9}));
        QVERIFY(stage->moves.empty());  // the copy lies on nx3
    }

    void aDeviceAtRestIsNotMissed() {
        const PlanningProblem problem = smallHome(4, 3);
        const MeasuredCosts costs(problem.times);
        const CostModel model(problem, costs);
        const Plan plan = planOfStages(problem, {{1, 1}, {3, 1}});
        ReplayRequest request;
        request.lost = {id(2)};
        const auto replay = lightweightReplay(model, plan, request);
        QVERIFY(replay);
        QVERIFY(replay->plan.stages == plan.stages);
        QVERIFY(replay->moves.empty());
    }

    void memoryIsRepairedTowardsTheRoomiestNeighbor() {
        PlanningProblem problem = smallHome(8, 4);
        // Equal speeds want 2 or 3 layers each of three; nx1 has memory for one.
        problem.devices[1].memoryBytes = 350000;
        problem.devices[3].memoryBytes = 2'000'000'000;
        const MeasuredCosts costs(problem.times);
        const CostModel model(problem, costs);
        const Plan plan = planOfStages(problem, {{3, 1}, {1, 1}, {2, 1}, {2, 1}});
        QVERIFY(evaluate(model, plan)->fits);
        ReplayRequest request;
        request.lost = {id(2)};
        request.replicas = defaultReplicaHolders(model, plan);
        request.climb = false;
        const auto replay = lightweightReplay(model, plan, request);
        QVERIFY(replay && replay->plan.prediction->fits);
        QCOMPARE(replay->plan.stages[1].lastLayer - replay->plan.stages[1].firstLayer, 1);
        QCOMPARE(bordersOf(replay->plan), (QList<int>{3, 4, 8}));
    }

    void whatBordersCannotRepairIsPlannedAnew() {
        PlanningProblem problem = smallHome(4, 3);
        problem.devices[0].memoryBytes = 1'000'000;
        problem.devices[1].memoryBytes = 700'000;
        const MeasuredCosts costs(problem.times);
        const CostModel model(problem, costs);
        const Plan plan = planOfStages(problem, {{2, 1}, {2, 1}});
        ReplayRequest request;
        request.lost = {id(0)};
        request.replicas = defaultReplicaHolders(model, plan);
        const auto light = lightweightReplay(model, plan, request);
        QVERIFY(!light);
        QCOMPARE(light.error().code, QStringLiteral("replay.memory"));
        QVERIFY(light.error().cause.startsWith(QStringLiteral("nx1 would need")));
        const auto anew = recover(model, plan, request, QStringLiteral("asteroid"));
        QVERIFY(anew);
        QCOMPARE(anew->method, ReplayMethod::Heavy);
        QVERIFY(devicesOf(anew->plan).contains(id(2)));
        request.lost = {id(0), id(1)};
        for (int l = 0; l < 4; ++l)
            request.replicas[l] = {id(2)};
        QCOMPARE(lightweightReplay(model, plan, request).error().code, QStringLiteral("replay.no-devices"));
        QVERIFY(recover(model, plan, request, QStringLiteral("asteroid")));
    }

    void whoCannotBeReachedIsNamed() {
        PlanningProblem problem = smallHome(6, 4);
        // nx0 holds the copy of the last stage and cannot reach the lone devices behind it.
        problem.links.pairs = {{id(0), id(2), 0, std::nullopt}, {id(2), id(0), 0, std::nullopt}};
        const MeasuredCosts costs(problem.times);
        const CostModel model(problem, costs);
        const Plan plan = planOfStages(problem, {{2, 1}, {2, 1}, {2, 1}});
        ReplayRequest request;
        request.lost = {id(1)};
        request.replicas = defaultReplicaHolders(model, plan);
        const auto apart = lightweightReplay(model, plan, request);
        QVERIFY(!apart);
        QCOMPARE(apart.error().code, QStringLiteral("plan.unreachable"));
        QVERIFY(!withoutRescheduling(model, plan, request));
        QVERIFY(!recover(model, plan, request, QStringLiteral("asteroid")));  // nx0 cannot gather everything
        request.coordinator = id(3);
        const auto anew = recover(model, plan, request, QStringLiteral("asteroid"));
        QVERIFY(anew);
        QCOMPARE(anew->method, ReplayMethod::Heavy);
        QSet<QString> lost{id(1)};
        Plan swapped = plan;
        swapped.stages[0].shares[0].device = id(2);
        swapped.stages[2].shares[0].device = id(0);
        const auto moves = movesBetween(model, plan, swapped, lost, request.replicas);
        QVERIFY(!moves);
        QCOMPARE(moves.error().code, QStringLiteral("replay.unreachable"));
        QCOMPARE(moves.error().what, QStringLiteral("nx2 cannot get conv0."));
    }

    void refusals_data() {
        QTest::addColumn<QStringList>("lost");
        QTest::addColumn<QString>("code");
        QTest::addColumn<QString>("what");
        QTest::newRow("the data are lost with their device") << QStringList{id(0)} << QStringLiteral("replay.data")
                                                             << QStringLiteral("Training cannot go on without nx0.");
        QTest::newRow("an unknown device is named") << QStringList{id(7)} << QStringLiteral("replay.device")
                                                    << QStringLiteral("There is no device \"nx7\" to lose.");
    }
    void refusals() {
        QFETCH(QStringList, lost);
        QFETCH(QString, code);
        QFETCH(QString, what);
        PlanningProblem problem = smallHome(4, 2);
        problem.dataDevice = id(0);
        const MeasuredCosts costs(problem.times);
        const CostModel model(problem, costs);
        const Plan plan = planOfStages(problem, {{2, 1}, {2, 1}});
        ReplayRequest request;
        request.lost = QSet<QString>(lost.begin(), lost.end());
        request.replicas = defaultReplicaHolders(model, plan);
        for (const auto &answer : {lightweightReplay(model, plan, request), withoutRescheduling(model, plan, request),
                                   heavyRescheduling(model, plan, request, QStringLiteral("asteroid"))}) {
            QVERIFY(!answer);
            QCOMPARE(answer.error().code, code);
            QCOMPARE(answer.error().what, what);
            QVERIFY(!answer.error().cause.isEmpty());
        }
    }

    void theTableAnswersAsAskingDoes() {
        PlanningProblem problem = smallHome(8, 4);
        problem.dataDevice = id(0);
        const MeasuredCosts costs(problem.times);
        const CostModel model(problem, costs);
        const Plan plan = planOfStages(problem, {{3, 1}, {3, 1}, {2, 1}});
        ReplayRequest request;
        request.replicas = defaultReplicaHolders(model, plan);
        ReplayTable table(QStringLiteral("asteroid"));
        QVERIFY(table.complete());
        QVERIFY(!table.answer(id(1)));
        table.update(problem, plan, request);
        table.waitUntilComplete();
        QVERIFY(table.complete());
        for (const auto &device : problem.devices) {
            request.lost = {device.id};
            const auto asked = recover(model, plan, request, QStringLiteral("asteroid"));
            const auto known = table.answer(device.id);
            QVERIFY(known);
            QCOMPARE(known->has_value(), asked.has_value());
            if (!asked) {
                QCOMPARE(device.id, id(0));
                QVERIFY(known->error() == asked.error());
                continue;
            }
            QVERIFY((*known)->plan.stages == asked->plan.stages);
            QVERIFY((*known)->moves == asked->moves);
        }
        QVERIFY(!table.answer(QStringLiteral("nobody")));
    }

    void theTableKnowsTheNewestPlanOnly() {
        const PlanningProblem problem = smallHome(8, 4);
        const MeasuredCosts costs(problem.times);
        const CostModel model(problem, costs);
        ReplayTable table(QStringLiteral("asteroid"));
        ReplayRequest request;
        for (int first = 1; first <= 6; ++first) {
            const Plan plan = planOfStages(problem, {{first, 1}, {7 - first, 1}, {1, 1}});
            request.replicas = defaultReplicaHolders(model, plan);
            table.update(problem, plan, request);
        }
        table.waitUntilComplete();
        const Plan newest = planOfStages(problem, {{6, 1}, {1, 1}, {1, 1}});
        request.replicas = defaultReplicaHolders(model, newest);
        request.lost = {id(3)};
        const auto rested = table.answer(id(3));
        QVERIFY(rested && *rested);
        QVERIFY((**rested).plan.stages == newest.stages);
    }

    void workThatNobodyWantsEndsEarly() {
        const PlanningProblem problem = smallHome(8, 4);
        const MeasuredCosts costs(problem.times);
        const CostModel model(problem, costs);
        const Plan plan = planOfStages(problem, {{3, 1}, {3, 1}, {2, 1}});
        ReplayRequest request;
        request.replicas = defaultReplicaHolders(model, plan);
        int answers = 0;
        request.planning.cancelled = [&answers] { return answers >= 2; };
        const auto some = answersToSingleLosses(model, plan, request, QStringLiteral("asteroid"),
                                                [&answers](const QString &, const Result<Replay> &) { ++answers; });
        QCOMPARE(some.size(), 2);
    }

    void aProblemWithoutADeviceIsStillValid() {
        std::mt19937 random(34);
        test::RandomShape shape{5, 4, 16};
        shape.ownPairs = true;
        PlanningProblem problem = test::randomProblem(random, shape);
        problem.links.nics = {{problem.devices[1].id, 1e6, 1e6, std::nullopt, {}}};
        const MeasuredCosts costs(problem.times);
        const CostModel model(problem, costs);
        const QSet<QString> lost{problem.devices[1].id};
        const PlanningProblem left = problemWithout(problem, lost);
        QVERIFY(left.validate());
        QCOMPARE(left.devices.size(), std::size_t{3});
        const SurvivorCosts survivors(model, lost);
        QCOMPARE(survivors.seconds(1, 2, 4).forward, costs.seconds(2, 2, 4).forward);
        QCOMPARE(survivors.seconds(0, 2, 4).backward, costs.seconds(0, 2, 4).backward);
    }
};

QTEST_GUILESS_MAIN(TestReplay)
#include "test_replay.moc"
