// Recovery plans after losses in random homes (oracle 8), and against planning anew.
#include <QtTest>

#include "core/plan/evaluate.h"
#include "core/plan/planner.h"
#include "core/plan/replay/layer_moves.h"
#include "tests/core/plan/random_plan.h"
#include "tests/core/plan/random_problem.h"
#include "tests/core/plan/replay_home.h"

using namespace hearth;
using namespace hearth::test;

namespace {

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

class TestReplayRandom : public QObject {
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
            request.copies = defaultCopies(model, *plan);
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
                QVERIFY(movesAreExact(problem, *plan, *replay, request.lost, *request.copies));
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
            request.copies = defaultCopies(model, *plan);
            for (const auto &device : problem.devices) {
                if (below(random, 3) == 0)
                    request.lost.insert(device.id);
            }
            const auto replay = lightweightReplay(model, *plan, request);
            bool sources = true;
            for (int l = 0; l < plan->layerCount; ++l) {
                const QStringList copies = request.copies->of(l);
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
            QVERIFY(movesAreExact(problem, *plan, *replay, request.lost, *request.copies));
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
        Statistics climbed, published, bytesToReplan, bytesToHeavy;
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
            request.copies = defaultCopies(model, *first);
            const QStringList used = devicesOf(*first);
            request.lost = {used[below(random, static_cast<int>(used.size()))]};
            if (used.size() < 2)
                continue;
            const auto own = lightweightReplay(model, *first, request);
            request.climb = false;
            const auto flops = lightweightReplay(model, *first, request);
            const auto heavy = heavyRescheduling(model, *first, request, planner);
            QVERIFY(own && flops && heavy);
            const auto direct = movesBetween(model, *first, heavy->plan, request.lost, *request.copies);
            QVERIFY(direct);
            const double full = heavy->plan.prediction->roundSeconds;
            climbed.add(own->plan.prediction->roundSeconds / full);
            published.add(flops->plan.prediction->roundSeconds / full);
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
        qInfo().noquote() << "moved bytes of lightweight over those of planning anew, moved directly:"
                          << bytesToReplan.text();
        qInfo().noquote() << "  over those of heavy rescheduling:" << bytesToHeavy.text();
        qInfo("planning and moving: heavy rescheduling takes %.1f times as long", heavySeconds / lightSeconds);
        QVERIFY(light <= byFlops);
        QVERIFY(climbed.mean() <= published.mean());
        QVERIFY(lightBytes < heavyBytes);
    }
};

QTEST_GUILESS_MAIN(TestReplayRandom)
#include "test_replay_random.moc"
