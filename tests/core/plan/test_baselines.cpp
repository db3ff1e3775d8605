// The planners that Hearth is compared with: each finds the optimum of its own published objective, found here by
// enumeration with the formulas of the papers written down once more.
#include <QtTest>
#include <functional>

#include "core/base/at.h"
#include "core/plan/evaluate.h"
#include "core/plan/planner.h"
#include "core/plan/planners/tools.h"
#include "tests/core/plan/random_problem.h"

using namespace hearth;

namespace {

struct Stage {
    int first = 0;
    int last = 0;
    int members = 0;
};
using Stages = std::vector<Stage>;

/// A home of mean devices and mean links.
struct Mean {
    explicit Mean(const PlanningProblem &given) : problem(given), costs(given.times), links(given) {
        double sum = 0;
        int count = 0;
        const int devices = static_cast<int>(given.devices.size());
        for (int i = 0; i < devices; ++i) {
            memory +=
                static_cast<double>(given.devices[at(i)].memoryBytes - given.devices[at(i)].runtimeBytes) / devices;
            for (int j = 0; j < devices; ++j) {
                sum += i != j ? links.bytesPerSecond(i, j) : 0;
                count += i != j;
            }
        }
        rate = count ? sum / count : 1;
    }
    LayerSeconds seconds(int first, int last, int samples) const {
        LayerSeconds sum;
        const int devices = static_cast<int>(problem.devices.size());
        for (int device = 0; device < devices; ++device) {
            for (int l = first; l < last; ++l) {
                sum.forward += costs.seconds(device, l, samples).forward / devices;
                sum.backward += costs.seconds(device, l, samples).backward / devices;
            }
        }
        return sum;
    }
    double both(int first, int last, int samples) const {
        const LayerSeconds own = seconds(first, last, samples);
        return own.forward + own.backward;
    }
    double weights(int first, int last) const {
        double sum = 0;
        for (int l = first; l < last; ++l)
            sum += static_cast<double>(problem.layers[at(l)].trainableBytes);
        return sum;
    }
    double output(int layer) const { return static_cast<double>(problem.layers[at(layer - 1)].outputBytes); }

    const PlanningProblem &problem;
    MeasuredCosts costs;
    LinkTable links;
    double rate = 0, memory = 0;
};

/// Every way to cut the layers into stages and to give all devices to them.
void forEachSplit(int layers, int devices, const std::function<void(const Stages &)> &visit) {
    Stages stages;
    const std::function<void(int, int)> extend = [&](int layer, int left) {
        if (layer == layers && left == 0)
            visit(stages);
        for (int last = layer + 1; last <= layers; ++last) {
            for (int members = 1; members <= left; ++members) {
                stages.push_back({layer, last, members});
                extend(last, left - members);
                stages.pop_back();
            }
        }
    };
    extend(0, devices);
}

using Objective = std::function<double(const Stages &)>;

double least(int layers, int devices, const Objective &objective) {
    double best = std::numeric_limits<double>::infinity();
    forEachSplit(layers, devices, [&](const Stages &stages) { best = std::min(best, objective(stages)); });
    return best;
}

Stages stagesOf(const Plan &plan) {
    Stages stages;
    for (const PlanStage &stage : plan.stages)
        stages.push_back({stage.firstLayer, stage.lastLayer, static_cast<int>(stage.shares.size())});
    return stages;
}

/// PipeDream: T(i..j, m) = (C + 4(m-1)W / (bw m)) / m, transfers 2a / (bw m'), all of one micro-batch.
double pipedream(const Mean &mean, int microBatch, const Stages &stages) {
    double slowest = 0;
    for (const Stage &own : stages) {
        const double synchronizing =
            4.0 * (own.members - 1) * mean.weights(own.first, own.last) / mean.rate / own.members;
        slowest = std::max(slowest, (mean.both(own.first, own.last, microBatch) + synchronizing) / own.members);
        if (own.first > 0)
            slowest = std::max(slowest, 2 * microBatch * mean.output(own.first) / mean.rate / own.members);
    }
    return slowest;
}

/// DAPPLE's round with its pivot, which Asteroid's Eq. 4 to 6 states for transfers as steps of their own.
double dapple(const Mean &mean, int microBatch, const Stages &stages) {
    std::vector<StepTimes> steps;
    for (std::size_t s = 0; s < stages.size(); ++s) {
        const Stage &own = stages[s];
        if (s > 0) {
            const int fewest = std::min(own.members, stages[s - 1].members);
            const double once = (microBatch + fewest - 1) / fewest * mean.output(own.first) / mean.rate;
            steps.push_back(StepTimes::transfer(once, once, Duplex::Half));
        }
        const LayerSeconds once = mean.seconds(own.first, own.last, (microBatch + own.members - 1) / own.members);
        steps.push_back(StepTimes::execution(
            once.forward, once.backward,
            2.0 * (own.members - 1) * mean.weights(own.first, own.last) / mean.rate / own.members));
    }
    return asteroidLatency(steps, mean.problem.batch / microBatch).seconds;
}

/// Alpa: sum of t + (M-1) max t, with mem_stage + s · mem_act within the mean memory.
double alpa(const Mean &mean, int microBatch, const Stages &stages) {
    const MemoryModel memory(mean.problem);
    const int rounds = mean.problem.batch / microBatch;
    double sum = 0, slowest = 0;
    for (std::size_t s = 0; s < stages.size(); ++s) {
        const Stage &own = stages[s];
        const int share = (microBatch + own.members - 1) / own.members;
        const int inFlight = std::min(static_cast<int>(stages.size() - s), rounds);
        if (memory.stageBytes({own.first, own.last, share, inFlight, false}) > mean.memory)
            return std::numeric_limits<double>::infinity();
        const double reduce = 2.0 * (own.members - 1) * mean.weights(own.first, own.last) / mean.rate / own.members;
        const double once = mean.both(own.first, own.last, share) + reduce / rounds;
        sum += once;
        slowest = std::max(slowest, once);
    }
    return sum + (rounds - 1) * slowest;
}

/// GPipe: the slowest stage, one device each, transfers left out.
double gpipe(const Mean &mean, int microBatch, const Stages &stages) {
    double slowest = 0;
    for (const Stage &own : stages)
        slowest = std::max(slowest, own.members > 1 ? std::numeric_limits<double>::infinity()
                                                    : mean.both(own.first, own.last, microBatch));
    return slowest;
}

/// FTPipeHD: D(L, N) of the chain in device order.
double ftpipehd(const Mean &mean, int microBatch, const Stages &stages) {
    const auto seconds = [&](int device, int first, int last) {
        double sum = 0;
        for (int l = first; l < last; ++l) {
            const LayerSeconds own = mean.costs.seconds(device, l, microBatch);
            sum += own.forward + own.backward;
        }
        return sum;
    };
    const int layers = static_cast<int>(mean.problem.layers.size());
    double slowest = 0;
    for (int n = 0; n < static_cast<int>(stages.size()); ++n) {
        const Stage &own = stages[at(n)];
        if (own.members > 1)
            return std::numeric_limits<double>::infinity();
        const double capacity = seconds(n, 0, layers) / seconds(0, 0, layers);
        slowest = std::max(slowest, capacity * seconds(0, own.first, own.last));
        if (n > 0) {
            const double bytes = microBatch * mean.output(own.first);
            slowest = std::max(
                slowest, bytes / mean.links.bytesPerSecond(n - 1, n) + bytes / mean.links.bytesPerSecond(n, n - 1));
        }
    }
    return slowest;
}

}  // namespace

class TestBaselines : public QObject {
    Q_OBJECT
  private Q_SLOTS:
    void findTheOptimumOfTheirOwnObjective_data() {
        QTest::addColumn<QString>("planner");
        for (const char *name : {"pipedream", "dapple", "alpa", "gpipe", "pp-1f1b", "ftpipehd"})
            QTest::newRow(name) << QString::fromLatin1(name);
    }

    void findTheOptimumOfTheirOwnObjective() {
        QFETCH(QString, planner);
        const bool chain = planner == QLatin1String("gpipe") || planner == QLatin1String("pp-1f1b") ||
                           planner == QLatin1String("ftpipehd");
        const auto objective = planner == QLatin1String("pipedream")  ? pipedream
                               : planner == QLatin1String("dapple")   ? dapple
                               : planner == QLatin1String("alpa")     ? alpa
                               : planner == QLatin1String("ftpipehd") ? ftpipehd
                                                                      : gpipe;
        std::mt19937 random(71);
        int replicated = 0, deep = 0;
        for (int i = 0; i < 600; ++i) {
            const int devices = 1 + static_cast<int>(random() % 4);
            const int layers = chain ? devices + static_cast<int>(random() % 4) : 1 + static_cast<int>(random() % 8);
            test::RandomShape shape{layers, devices, 16};
            shape.ownPairs = random() % 2;
            PlanningProblem problem = test::randomProblem(random, shape);
            problem.microBatch = random() % 2 ? 4 : 8;
            const Mean mean(problem);
            const Objective own = [&](const Stages &stages) { return objective(mean, *problem.microBatch, stages); };
            const auto plan = makePlan(planner, problem);
            QVERIFY2(plan, plan ? "" : qPrintable(plan.error().toString()));
            const Stages found = stagesOf(*plan);
            const double best = least(layers, devices, own);
            QVERIFY2(own(found) <= best * (1 + 1e-9),
                     qPrintable(QStringLiteral("case %1: %2 instead of %3").arg(i).arg(own(found)).arg(best)));
            deep += found.size() > 1;
            for (const Stage &stage : found)
                replicated += stage.members > 1;
        }
        QVERIFY(deep > 10);
        QVERIFY(chain ? replicated == 0 : replicated > 10);
    }

    void chooseTheMicroBatchByTheirOwnRound_data() {
        QTest::addColumn<QString>("planner");
        QTest::newRow("dapple") << QStringLiteral("dapple");
        QTest::newRow("alpa") << QStringLiteral("alpa");
    }

    void chooseTheMicroBatchByTheirOwnRound() {
        QFETCH(QString, planner);
        const auto objective = planner == QLatin1String("dapple") ? dapple : alpa;
        std::mt19937 random(73);
        QSet<int> chosen;
        for (int i = 0; i < 30; ++i) {
            const PlanningProblem problem = test::randomProblem(random, {4, 3, 24});
            const Mean mean(problem);
            double best = std::numeric_limits<double>::infinity();
            for (const int size : microBatchChoices(problem)) {
                best = std::min(best, least(4, 3, [&](const Stages &stages) {
                                    for (const Stage &stage : stages) {
                                        if (stage.members > size)
                                            return std::numeric_limits<double>::infinity();
                                    }
                                    return objective(mean, size, stages);
                                }));
            }
            const auto plan = makePlan(planner, problem);
            QVERIFY(plan);
            QVERIFY(objective(mean, plan->microBatch, stagesOf(*plan)) <= best * (1 + 1e-9));
            chosen.insert(plan->microBatch);
        }
        QVERIFY(chosen.size() > 1);
    }

    void alpaKeepsToTheMeanMemory() {
        std::mt19937 random(79);
        int changed = 0, refused = 0;
        for (int i = 0; i < 60; ++i) {
            PlanningProblem problem = test::randomProblem(random, {5, 3, 16});
            problem.microBatch = 4;
            const auto free = makePlan(QStringLiteral("alpa"), problem);
            QVERIFY(free);
            for (auto &device : problem.devices)
                device.memoryBytes = 6'000'000 + static_cast<qint64>(random() % 15'000'000);
            const Mean mean(problem);
            const Objective own = [&](const Stages &stages) { return alpa(mean, 4, stages); };
            const double best = least(5, 3, own);
            const auto plan = makePlan(QStringLiteral("alpa"), problem);
            QCOMPARE(plan.has_value(), std::isfinite(best));
            refused += !plan;
            if (!plan)
                continue;
            QVERIFY(own(stagesOf(*plan)) <= best * (1 + 1e-9));
            changed += plan->stages != free->stages;
        }
        QVERIFY2(changed > 5 && refused > 0, qPrintable(QStringLiteral("%1 %2").arg(changed).arg(refused)));
    }
};

QTEST_GUILESS_MAIN(TestBaselines)
#include "test_baselines.moc"
