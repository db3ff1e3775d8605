// Answers to every single loss, known before they are needed.
#include <QtTest>

#include "core/base/priority.h"
#include "core/plan/replay/replay_table.h"
#include "tests/core/base/thread_nice.h"
#include "tests/core/plan/replay_home.h"

using namespace hearth;
using namespace hearth::test;

class TestReplayTable : public QObject {
    Q_OBJECT
  private Q_SLOTS:
    void theTableAnswersAsAskingDoes() {
        PlanningProblem problem = smallHome(8, 4);
        problem.dataDevice = id(0);
        Loss home(problem, {{3, 1}, {3, 1}, {2, 1}}, {});
        ReplayTable table(QStringLiteral("asteroid"));
        QVERIFY(table.complete());
        QVERIFY(!table.answer(id(1)));
        table.update(problem, home.plan, home.request);
        table.waitUntilComplete();
        QVERIFY(table.complete());
        for (const auto &device : problem.devices) {
            home.request.lost = {device.id};
            const auto asked = recover(home.model, home.plan, home.request, QStringLiteral("asteroid"));
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
            request.copies = defaultCopies(model, plan);
            table.update(problem, plan, request);
        }
        table.waitUntilComplete();
        const Plan newest = planOfStages(problem, {{6, 1}, {1, 1}, {1, 1}});
        request.copies = defaultCopies(model, newest);
        request.lost = {id(3)};
        const auto rested = table.answer(id(3));
        QVERIFY(rested && *rested);
        QVERIFY((**rested).plan.stages == newest.stages);
    }

    void theTableIsMadeBehindOthers() {
        ReplayTable table(QStringLiteral("asteroid"));
        const Loss home(smallHome(8, 4), {{3, 1}, {3, 1}, {2, 1}}, {});
        table.update(home.model.problem(), home.plan, home.request);
        table.waitUntilComplete();
        QCOMPARE(niceOfThreads().count(backgroundNice), 1);
    }

    void workThatNobodyWantsEndsEarly() {
        Loss home(smallHome(8, 4), {{3, 1}, {3, 1}, {2, 1}}, {});
        int answers = 0;
        home.request.planning.cancelled = [&answers] { return answers >= 2; };
        const auto some = answersToSingleLosses(home.model, home.plan, home.request, QStringLiteral("asteroid"),
                                                [&answers](const QString &, const Result<Replay> &) { ++answers; });
        QCOMPARE(some.size(), 2);
    }
};

QTEST_GUILESS_MAIN(TestReplayTable)
#include "test_replay_table.moc"
