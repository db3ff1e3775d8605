#include <QTest>
#include <numeric>
#include <random>

#include "core/plan/evaluate.h"
#include "core/plan/plan_memory.h"
#include "core/plan/replay/replay.h"
#include "core/run/recovery_choice.h"
#include "core/run/replication_interval.h"
#include "tests/core/plan/random_plan.h"
#include "tests/core/plan/random_problem.h"
#include "tests/core/plan/replay_home.h"

using namespace hearth;
using namespace hearth::test;

namespace {

constexpr qint64 MB = 1'000'000;

/// Who sends copies to whom: "nx0>nx1 0-2".
QStringList linesOf(const ReplicationPlan &replication) {
    QStringList lines;
    for (const Deployment::Backup &backup : replication.backups) {
        lines << QStringLiteral("%1>%2 %3-%4").arg(backup.from, backup.to).arg(backup.firstLayer).arg(backup.lastLayer);
    }
    return lines;
}

}  // namespace

/// Who keeps copies of whose states.
class TestReplicationHolders : public QObject {
    Q_OBJECT
  private Q_SLOTS:
    void modesHaveNames();
    void copiesGoWhereTheModeSays_data();
    void copiesGoWhereTheModeSays();
    void theCentralDeviceHoldsTheData();
    void whoCannotBeReachedKeepsNoCopy();
    void memoryIsTold();
    void oneDeviceHasNoCopies();
    void whoRestsKeepsCopiesWhereNobodyElseCan();
    void factsComeFromTheProblem();
    void whatCutsTakeOfTheDevicesIsComputing();
    void randomPlansAreProtected();
    void anyLossOfOneIsSurvived();
};

void TestReplicationHolders::modesHaveNames() {
    for (const char *name : {"topology", "chain", "global", "off"})
        QCOMPARE(replicationModeName(*replicationModeFromName(QString::fromLatin1(name))), QString::fromLatin1(name));
    QVERIFY(!replicationModeFromName(QStringLiteral("Chain")));
    QVERIFY(!replicationModeFromName(QString()));
}

void TestReplicationHolders::copiesGoWhereTheModeSays_data() {
    QTest::addColumn<int>("mode");
    QTest::addColumn<QStringList>("lines");
    QTest::addColumn<QStringList>("unprotected");
    const auto row = [](ReplicationMode mode, const QStringList &lines, const QStringList &unprotected) {
        QTest::newRow(qPrintable(replicationModeName(mode))) << static_cast<int>(mode) << lines << unprotected;
    };
    // Stages of nx0; nx1 and nx2, which has more memory; nx3.
    const QString first = QStringLiteral("nx0>nx1 0-2"), roomy = QStringLiteral("nx0>nx2 0-2"),
                  group = QStringLiteral("nx1>nx3 2-4"), home = QStringLiteral("nx1>nx0 2-4"),
                  last = QStringLiteral("nx3>nx0 4-6");
    row(ReplicationMode::Topology, {roomy, last}, {});
    row(ReplicationMode::Chain, {first, group, last}, {});
    row(ReplicationMode::Global, {home, last}, {id(0)});
    row(ReplicationMode::Off, {}, {id(0), id(3)});
}

void TestReplicationHolders::copiesGoWhereTheModeSays() {
    QFETCH(int, mode);
    QFETCH(QStringList, lines);
    QFETCH(QStringList, unprotected);
    PlanningProblem problem = smallHome(6, 4);
    problem.devices[2].memoryBytes += 1000;
    const MeasuredHome home(problem);
    const auto replication =
        replicationFor(home.model, planOfStages(problem, {{2, 1}, {2, 2}, {2, 1}}), static_cast<ReplicationMode>(mode));
    QCOMPARE(linesOf(replication), lines);
    QCOMPARE(replication.unprotected, unprotected);
    QVERIFY(replication.shortOfMemory.isEmpty());
}

void TestReplicationHolders::theCentralDeviceHoldsTheData() {
    PlanningProblem problem = smallHome(6, 4);
    problem.dataDevice = id(2);
    const MeasuredHome home(problem);
    const Plan plan = planOfStages(problem, {{2, 1}, {2, 2}, {2, 1}});
    // Its own group need not send to it.
    const QStringList lines{QStringLiteral("nx0>nx2 0-2"), QStringLiteral("nx3>nx2 4-6")};
    QCOMPARE(linesOf(replicationFor(home.model, plan, ReplicationMode::Global)), lines);
}

void TestReplicationHolders::whoCannotBeReachedKeepsNoCopy() {
    // The last device reaches the middle one alone, as in a row of cables.
    PlanningProblem problem = smallHome(3, 3);
    problem.links.pairs = {{id(2), id(0), 0, {}}, {id(0), id(2), 0, {}}};
    const MeasuredHome row(problem);
    const Plan plan = planOfStages(problem, {{1, 1}, {1, 1}, {1, 1}});
    const QStringList lines{QStringLiteral("nx0>nx1 0-1"), QStringLiteral("nx1>nx2 1-2"),
                            QStringLiteral("nx2>nx1 2-3")};
    for (const ReplicationMode mode : {ReplicationMode::Topology, ReplicationMode::Chain}) {
        const auto replication = replicationFor(row.model, plan, mode);
        QCOMPARE(linesOf(replication), lines);
        QVERIFY(replication.unprotected.isEmpty());
    }
    // It reaches nobody.
    problem.links.pairs.push_back({id(2), id(1), 0, {}});
    const MeasuredHome cut(problem);
    const auto replication = replicationFor(cut.model, plan, ReplicationMode::Topology);
    QCOMPARE(linesOf(replication), lines.mid(0, 2));
    QCOMPARE(replication.unprotected, QStringList{id(2)});
}

void TestReplicationHolders::memoryIsTold() {
    PlanningProblem problem = smallHome(6, 3);  // 200 kB of state per layer
    const Plan plan = planOfStages(problem, {{1, 1}, {2, 1}, {3, 1}});
    Prediction prediction;
    {
        const MeasuredHome home(problem);
        judgeMemory(home.model, plan, &prediction);
    }
    // The second keeps two of the first one's copies, has room for the next, and for five snapshots of its own.
    problem.devices[1].memoryBytes = prediction.memoryBytes[id(1)] + 600'000 + 2'000'000;
    const MeasuredHome just(problem);
    auto replication = replicationFor(just.model, plan, ReplicationMode::Topology);
    QCOMPARE(replication.holderBytes,
             (QMap<QString, qint64>{{id(0), 1'800'000}, {id(1), 600'000}, {id(2), 1'200'000}}));
    QCOMPARE(replication.snapshotBytes,
             (QMap<QString, qint64>{{id(0), 1'000'000}, {id(1), 2'000'000}, {id(2), 3'000'000}}));
    QVERIFY(replication.shortOfMemory.isEmpty());
    // What the problem counts of them is not wanted twice.
    problem.keptStates = 4;
    problem.keptCopies = 2;
    const MeasuredHome counting(problem);
    QVERIFY(replicationFor(counting.model, plan, ReplicationMode::Topology).shortOfMemory.isEmpty());
    --problem.devices[1].memoryBytes;
    for (const auto &[states, copies] : {std::pair(4, 2), {4, 0}, {0, 0}}) {
        problem.keptStates = states;
        problem.keptCopies = copies;
        const MeasuredHome tight(problem);
        QCOMPARE(replicationFor(tight.model, plan, ReplicationMode::Topology).shortOfMemory, QStringList{id(1)});
    }
}

void TestReplicationHolders::oneDeviceHasNoCopies() {
    const MeasuredHome single(smallHome(3, 1)), home(smallHome(3, 2));
    for (const ReplicationMode mode : {ReplicationMode::Topology, ReplicationMode::Chain, ReplicationMode::Global}) {
        const auto alone = replicationFor(single.model, planOfStages(single.problem, {{3, 1}}), mode);
        QVERIFY(alone.backups.empty());
        QCOMPARE(alone.unprotected, QStringList{id(0)});
        const auto group = replicationFor(home.model, planOfStages(home.problem, {{3, 2}}), mode);
        QVERIFY(group.backups.empty());
        QVERIFY(group.unprotected.isEmpty());
    }
    // A stage without state has nothing to lose.
    PlanningProblem problem = smallHome(2, 2);
    problem.layers[1].parameterBytes = problem.layers[1].trainableBytes = 0;
    const MeasuredHome empty(problem);
    const auto replication =
        replicationFor(empty.model, planOfStages(problem, {{1, 1}, {1, 1}}), ReplicationMode::Topology);
    QCOMPARE(linesOf(replication), QStringList{QStringLiteral("nx0>nx1 0-1")});
    QVERIFY(replication.unprotected.isEmpty());
}

void TestReplicationHolders::whoRestsKeepsCopiesWhereNobodyElseCan() {
    PlanningProblem problem = smallHome(3, 4);
    problem.devices[2].memoryBytes += 1000;
    const MeasuredHome home(problem);
    const auto alone = replicationFor(home.model, planOfStages(problem, {{3, 1}}), ReplicationMode::Topology);
    QCOMPARE(linesOf(alone), QStringList{QStringLiteral("nx0>nx2 0-3")});
    QVERIFY(alone.unprotected.isEmpty());
    // Its link is cut: the next one.
    problem.links.pairs = {{id(0), id(2), 0, {}}, {id(2), id(0), 0, {}}};
    const MeasuredHome cut(problem);
    QCOMPARE(linesOf(replicationFor(cut.model, planOfStages(problem, {{3, 1}}), ReplicationMode::Topology)),
             QStringList{QStringLiteral("nx0>nx1 0-3")});
    // Who has layers goes first: the link is there anyway.
    const auto two = replicationFor(home.model, planOfStages(problem, {{1, 1}, {2, 1}}), ReplicationMode::Topology);
    QCOMPARE(linesOf(two), (QStringList{QStringLiteral("nx0>nx1 0-1"), QStringLiteral("nx1>nx0 1-3")}));
}

void TestReplicationHolders::factsComeFromTheProblem() {
    PlanningProblem problem = smallHome(4, 3);
    problem.links.fallback->duplex = Duplex::Half;
    const MeasuredHome home(problem);
    Plan plan = planOfStages(problem, {{1, 1}, {3, 2}});
    plan.stages[0].recompute = true;
    const auto replication = replicationFor(home.model, plan, ReplicationMode::Topology);
    const auto facts = replicationFacts(home.model, plan, replication);
    QCOMPARE(facts.ownedBytes, (std::vector<qint64>{200'000, 600'000, 600'000}));
    QCOMPARE(facts.links.size(), std::size_t(1));
    QCOMPARE(facts.links[0].bytes, 200'000);
    QCOMPARE(facts.links[0].bytesPerSecond, 1e6);
    // 100 bytes each way for the half of 16 samples that cross to that device, over one wire.
    QCOMPARE(facts.links[0].busySeconds, 2 * 8 * 100 / 1e6);
    // 16 samples: 0.04 s each in the first stage, which computes twice; 0.09 s in the other.
    QVERIFY(std::abs(facts.computeSeconds - (16 * 0.04 + 16 * 0.09)) < 1e-9);
    QCOMPARE(facts.roundSeconds, evaluate(home.model, plan)->roundSeconds);
    plan.prediction = Prediction();
    plan.prediction->roundSeconds = 77;
    QCOMPARE(replicationFacts(home.model, plan, replication).roundSeconds, 77.0);
}

void TestReplicationHolders::whatCutsTakeOfTheDevicesIsComputing() {
    PlanningProblem problem = smallHome(4, 3);
    const Plan plan = planOfStages(problem, {{1, 1}, {3, 2}});
    const auto secondsOf = [&plan](const PlanningProblem &given) {
        const MeasuredHome home(given);
        return replicationFacts(home.model, plan, {}).computeSeconds;
    };
    const double layers = secondsOf(problem);
    for (PlanningProblem::Device &device : problem.devices)
        device.codecs.measured[QStringLiteral("none")] = {1e-4, 2e-4};
    // 16 samples: 100 bytes of activations and of gradients, each copied off one card and onto another.
    QVERIFY(std::abs(secondsOf(problem) - layers - 16 * 200 * 3e-4) < 1e-9);
}

void TestReplicationHolders::randomPlansAreProtected() {
    std::mt19937 random(9);
    int backups = 0;
    for (int i = 0; i < 200; ++i) {
        const MeasuredHome home(randomProblem(random, RandomShape{6, 5, 32}));
        const auto plan = randomPlan(random, home.model, 8);
        if (!plan)
            continue;
        for (const ReplicationMode mode :
             {ReplicationMode::Topology, ReplicationMode::Chain, ReplicationMode::Global}) {
            const auto replication = replicationFor(home.model, *plan, mode);
            for (const Deployment::Backup &backup : replication.backups) {
                for (int l = backup.firstLayer; l < backup.lastLayer; ++l) {
                    QVERIFY(ownersOf(*plan, l).contains(backup.from));
                    QVERIFY(!ownersOf(*plan, l).contains(backup.to));
                }
                QVERIFY(replication.holderBytes.value(backup.to) > 0);
                ++backups;
            }
            for (const PlanStage &stage : plan->stages) {
                const bool copied = std::any_of(replication.backups.begin(), replication.backups.end(),
                                                [&](const auto &each) { return each.firstLayer == stage.firstLayer; });
                const bool lone = stage.shares.size() == 1;
                if (mode == ReplicationMode::Topology)
                    QCOMPARE(copied, lone && home.problem.devices.size() > 1);
                if (lone)
                    QCOMPARE(replication.unprotected.contains(stage.shares[0].device), !copied);
            }
            const auto facts = replicationFacts(home.model, *plan, replication);
            QCOMPARE(facts.links.size(), replication.backups.size());
            QVERIFY(facts.computeSeconds > 0 && facts.roundSeconds > 0);
        }
    }
    QVERIFY(backups > 200);
}

void TestReplicationHolders::anyLossOfOneIsSurvived() {
    std::mt19937 random(10);
    int losses = 0;
    for (int i = 0; i < 200; ++i) {
        const MeasuredHome home(randomProblem(random, RandomShape{6, 5, 32}));
        const auto plan = randomPlan(random, home.model, 8);
        if (!plan || plan->deviceCount() < 2)
            continue;
        StateLayers layers;
        for (int l = 0; l < home.model.layerCount(); ++l)
            layers.push_back({QString(), stateBytes(home.problem, l)});
        // Own snapshots of 20 and 18, copies of 18: what 19 rounds and two intervals leave.
        HeldByDevice held;
        for (const PlanStage &stage : plan->stages) {
            for (const Share &share : stage.shares) {
                addHeld(&held, share.device, {20, stage.firstLayer, stage.lastLayer});
                addHeld(&held, share.device, {18, stage.firstLayer, stage.lastLayer});
            }
        }
        const auto replication = replicationFor(home.model, *plan, ReplicationMode::Topology);
        QVERIFY(replication.unprotected.isEmpty());
        for (const Deployment::Backup &backup : replication.backups)
            addHeld(&held, backup.to, {18, backup.firstLayer, backup.lastLayer});
        for (const QString &device : held.keys()) {
            HeldByDevice left = held;
            left.remove(device);
            const auto version = newestCompleteVersion(layers, left, {});
            QVERIFY2(version, qPrintable(version ? QString() : version.error().toString()));
            const bool alone = std::any_of(plan->stages.begin(), plan->stages.end(), [&](const PlanStage &stage) {
                return stage.shares.size() == 1 && stage.shares[0].device == device;
            });
            QCOMPARE(*version, (RecoveryVersion{alone ? quint64(18) : quint64(20), false}));
            ReplayRequest request;
            request.lost = {device};
            request.copies = defaultCopies(home.model, *plan);
            const auto replay = lightweightReplay(home.model, *plan, request);
            if (!replay)
                continue;  // the survivors have too little memory, or it was the one with the data
            const auto stages = deploymentStages(replay->plan);
            QVERIFY(movesFor(layers, version->version, stages, left, {}));
            ++losses;
        }
    }
    QVERIFY2(losses > 200, qPrintable(QString::number(losses)));
}

QTEST_GUILESS_MAIN(TestReplicationHolders)
#include "test_replication_holders.moc"
