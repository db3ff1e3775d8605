// What moves to whom after a loss, from which copy, and how long that takes.
#include <QtTest>

#include "core/plan/replay/layer_moves.h"
#include "core/plan/replay/survivors.h"
#include "tests/core/plan/random_problem.h"
#include "tests/core/plan/replay_home.h"

using namespace hearth;
using namespace hearth::test;

class TestLayerMoves : public QObject {
    Q_OBJECT
  private Q_SLOTS:
    void layersWithoutStateNeedNoSource() {
        PlanningProblem problem = smallHome(4, 2);
        problem.layers[3].parameterBytes = problem.layers[3].trainableBytes = 0;
        Loss home(problem, {{3, 1}, {1, 1}}, {id(1)});
        const auto replay = lightweightReplay(home.model, home.plan, home.request);
        QVERIFY(replay);
        QVERIFY(replay->moves.empty());
    }

    void copiesLieOnTheRoomiestDeviceOfTheNextStage() {
        PlanningProblem problem = smallHome(6, 4);
        problem.devices[2].memoryBytes += 1000;
        const MeasuredCosts costs(problem.times);
        const CostModel model(problem, costs);
        const StateHolders copies = defaultCopies(model, planOfStages(problem, {{2, 1}, {2, 2}, {2, 1}}));
        const QList<QStringList> expected{{id(2)}, {id(2)}, {}, {}, {id(0)}, {id(0)}};
        for (int l = 0; l < 6; ++l)
            QCOMPARE(copies.of(l), expected[l]);
        QVERIFY(defaultCopies(model, planOfStages(problem, {{6, 1}})).isEmpty());
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

QTEST_GUILESS_MAIN(TestLayerMoves)
#include "test_layer_moves.moc"
