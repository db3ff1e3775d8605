// Recovery plans after losses: borders, memory, times, and what cannot be.
#include <QtTest>

#include "core/plan/asynchronous_round.h"
#include "core/plan/evaluate.h"
#include "core/plan/replay/layer_moves.h"
#include "tests/core/plan/replay_home.h"

using namespace hearth;
using namespace hearth::test;

class TestReplay : public QObject {
    Q_OBJECT
  private Q_SLOTS:
    void twoAdjacentLossesWithoutCopiesNameTheLayers() {
        Loss home(smallHome(6, 3), {{2, 1}, {2, 1}, {2, 1}}, {id(1), id(2)});
        const auto gone = lightweightReplay(home.model, home.plan, home.request);
        QVERIFY(!gone);
        QCOMPARE(gone.error().code, QStringLiteral("replay.no-source"));
        QCOMPARE(gone.error().what, QStringLiteral("Nobody has the state of conv2, conv3."));
        QVERIFY(gone.error().advice.contains(QStringLiteral("checkpoint")));
        for (int l = 0; l < 6; ++l)
            home.request.copies->add(l, id(0));
        const auto global = lightweightReplay(home.model, home.plan, home.request);
        QVERIFY(global);
        QCOMPARE(devicesOf(global->plan), QStringList{id(0)});
        QVERIFY(global->moves.empty());
    }

    void withoutAnEndOfRoundsLimitsSuitThat_data() {
        QTest::addColumn<bool>("verticalSync");
        QTest::newRow("stages with delays of their own") << false;
        QTest::newRow("stages with the delay of the first one") << true;
    }
    void withoutAnEndOfRoundsLimitsSuitThat() {
        QFETCH(bool, verticalSync);
        PlanningProblem problem = smallHome(8, 4);
        problem.asynchronous = Asynchrony{};
        problem.asynchronous->verticalSync = verticalSync;
        Loss home(problem, {{2, 1}, {2, 1}, {2, 1}, {2, 1}}, {id(1)});
        const auto replay = lightweightReplay(home.model, home.plan, home.request);
        QVERIFY2(replay, replay ? "" : qPrintable(replay.error().toString()));
        QVERIFY(replay->plan.prediction->fits);
        const auto again = withAsynchronousLimits(home.model, replay->plan);
        QVERIFY(again);
        QCOMPARE(again->stages, replay->plan.stages);
        // The same cuts under the least memory that keeps all stages busy.
        Plan least = replay->plan;
        for (std::size_t s = 0; s < least.stages.size(); ++s)
            least.stages[s].inFlight = static_cast<int>(least.stages.size() - s);
        QVERIFY(replay->plan.prediction->roundSeconds <= evaluate(home.model, least)->roundSeconds * (1 + 1e-9));
    }

    void theTimesOfARecoveryAddUp() {
        Loss home(smallHome(6, 3), {{2, 1}, {2, 1}, {2, 1}}, {id(1)});
        home.request.detectSeconds = 1.5;
        home.request.rebuildSeconds = 0.25;
        home.request.lostRounds = 3;
        const auto replay = lightweightReplay(home.model, home.plan, home.request);
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

        const auto heavy = heavyRescheduling(home.model, home.plan, home.request, QStringLiteral("asteroid"));
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

    void aDeviceAtRestIsNotMissed() {
        Loss home(smallHome(4, 3), {{1, 1}, {3, 1}}, {id(2)});
        const auto replay = lightweightReplay(home.model, home.plan, home.request);
        QVERIFY(replay);
        QVERIFY(replay->plan.stages == home.plan.stages);
        QVERIFY(replay->moves.empty());
    }

    void memoryIsRepairedTowardsTheRoomiestNeighbor() {
        PlanningProblem problem = smallHome(8, 4);
        // Equal speeds want 2 or 3 layers each of three; nx1 has memory for one.
        problem.devices[1].memoryBytes = 350000;
        problem.devices[3].memoryBytes = 2'000'000'000;
        Loss home(problem, {{3, 1}, {1, 1}, {2, 1}, {2, 1}}, {id(2)});
        QVERIFY(evaluate(home.model, home.plan)->fits);
        home.request.climb = false;
        const auto replay = lightweightReplay(home.model, home.plan, home.request);
        QVERIFY(replay && replay->plan.prediction->fits);
        QCOMPARE(replay->plan.stages[1].lastLayer - replay->plan.stages[1].firstLayer, 1);
        QCOMPARE(bordersOf(replay->plan), (QList<int>{3, 4, 8}));
    }

    void whatBordersCannotRepairIsPlannedAnew() {
        PlanningProblem problem = smallHome(4, 3);
        problem.devices[0].memoryBytes = 1'000'000;
        problem.devices[1].memoryBytes = 700'000;
        Loss home(problem, {{2, 1}, {2, 1}}, {id(0)});
        const auto light = lightweightReplay(home.model, home.plan, home.request);
        QVERIFY(!light);
        QCOMPARE(light.error().code, QStringLiteral("replay.memory"));
        QVERIFY(light.error().cause.startsWith(QStringLiteral("nx1 would need")));
        const auto anew = recover(home.model, home.plan, home.request, QStringLiteral("asteroid"));
        QVERIFY(anew);
        QCOMPARE(anew->method, ReplayMethod::Heavy);
        QVERIFY(devicesOf(anew->plan).contains(id(2)));
        home.request.lost = {id(0), id(1)};
        home.request.copies = StateHolders({{id(2), {{0, 0, 4}}}}, 0, 4);
        QCOMPARE(lightweightReplay(home.model, home.plan, home.request).error().code,
                 QStringLiteral("replay.no-devices"));
        QVERIFY(recover(home.model, home.plan, home.request, QStringLiteral("asteroid")));
    }

    void whoCannotBeReachedIsNamed() {
        PlanningProblem problem = smallHome(6, 4);
        // nx0 holds the copy of the last stage and cannot reach the lone devices behind it.
        problem.links.pairs = {{id(0), id(2), 0, std::nullopt}, {id(2), id(0), 0, std::nullopt}};
        Loss home(problem, {{2, 1}, {2, 1}, {2, 1}}, {id(1)});
        const auto apart = lightweightReplay(home.model, home.plan, home.request);
        QVERIFY(!apart);
        QCOMPARE(apart.error().code, QStringLiteral("plan.unreachable"));
        QVERIFY(
            !recover(home.model, home.plan, home.request, QStringLiteral("asteroid")));  // nx0 cannot gather everything
        // It has everything and cannot give all of it out; nx3 can.
        ReplayRequest copied = home.request;
        copied.copies = StateHolders({{id(0), {{0, 0, 6}}}, {id(3), {{0, 0, 6}}}}, 0, 6);
        const auto round = heavyRescheduling(home.model, home.plan, copied, QStringLiteral("asteroid"));
        QVERIFY2(round, round ? "" : qPrintable(round.error().toString()));
        for (const LayerMove &move : round->moves)
            QVERIFY(!(QSet<QString>{move.from, move.to} == QSet<QString>{id(0), id(2)}));
        home.request.coordinator = id(3);
        const auto anew = recover(home.model, home.plan, home.request, QStringLiteral("asteroid"));
        QVERIFY(anew);
        QCOMPARE(anew->method, ReplayMethod::Heavy);
        QSet<QString> lost{id(1)};
        Plan swapped = home.plan;
        swapped.stages[0].shares[0].device = id(2);
        swapped.stages[2].shares[0].device = id(0);
        const auto moves = movesBetween(home.model, home.plan, swapped, lost, *home.request.copies);
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
        Loss home(problem, {{2, 1}, {2, 1}}, QSet<QString>(lost.begin(), lost.end()));
        for (const auto &answer :
             {lightweightReplay(home.model, home.plan, home.request),
              heavyRescheduling(home.model, home.plan, home.request, QStringLiteral("asteroid"))}) {
            QVERIFY(!answer);
            QCOMPARE(answer.error().code, code);
            QCOMPARE(answer.error().what, what);
            QVERIFY(!answer.error().cause.isEmpty());
        }
    }
};

QTEST_GUILESS_MAIN(TestReplay)
#include "test_replay.moc"
