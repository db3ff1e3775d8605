// Whether rounds last as long as predicted when every device acts for itself. The prediction takes cuts apart: where a
// card in the middle of a pipeline carries two busy cuts, or a medium's turns fall unluckily, the round is longer.
#include <QtTest>

#include "core/base/median.h"
#include "core/plan/evaluate.h"
#include "core/plan/planner.h"
#include "tests/core/plan/device_simulator.h"
#include "tests/core/plan/home_rows.h"
#include "tests/core/plan/plain_stages.h"
#include "tests/core/plan/random_plan.h"
#include "tests/core/plan/varied_problem.h"

using namespace hearth;

namespace {

PlanningProblem anyProblem(std::mt19937 &random, test::Home home, bool halves) {
    test::VariedShape shape{4 + test::below(random, 12), 2 + test::below(random, 5), 32};
    shape.home = home;
    shape.halves = halves;
    shape.types = test::below(random, 3);
    PlanningProblem problem = test::VariedProblem(random).make(shape);
    problem.dataDevice.clear();  // inputs come ahead of need
    return problem;
}

/// True seconds over predicted ones, less 1: of the simulator, and of the round that is played beside it.
struct Errors {
    std::vector<double> all;
    double worstPlayed = 0;

    void add(const PlanningProblem &problem, const Plan &plan, test::Sharing sharing) {
        const MeasuredCosts costs(problem.times);
        const test::PlainJudge judge(problem, costs);
        const auto predicted = evaluate(problem, plan, {.playTasks = playableTasks});
        const double lasts = test::DeviceSimulator(judge, test::plainStages(problem, plan), plan.microBatch, sharing,
                                                   test::plainSchedule(plan.schedule))
                                 .run();
        all.push_back(lasts / predicted->roundSeconds - 1);
        // An interleaved plan is predicted by playing it, and whose turn it is matters more to it.
        if (sharing == test::Sharing::Fair || !plan.isInterleaved())
            worstPlayed = std::max(worstPlayed, std::abs(lasts / predicted->playedRoundSeconds.value() - 1));
    }
    /// Part of the plans that are within 10 % of their prediction.
    double honest() const {
        const auto good = std::count_if(all.begin(), all.end(), [](double error) { return std::abs(error) <= 0.1; });
        return static_cast<double>(good) / static_cast<double>(all.size());
    }
    double median() const { return medianOf(all); }
    double worst() const {
        double most = 0;
        for (const double error : all)
            most = std::max(most, std::abs(error));
        return most;
    }
    QByteArray text() {
        std::sort(all.begin(), all.end());
        const auto part = [&](double at) { return 100 * all[static_cast<std::size_t>(at * double(all.size() - 1))]; };
        return QByteArray::number(all.size()) + " plans: " +
               QStringLiteral(
                   "least %1 %, 5 % below %2 %, median %3 %, 5 % above %4 %, most %5 %; played: %6 % at most")
                   .arg(part(0), 0, 'f', 1)
                   .arg(part(0.05), 0, 'f', 1)
                   .arg(part(0.5), 0, 'f', 1)
                   .arg(part(0.95), 0, 'f', 1)
                   .arg(part(1), 0, 'f', 1)
                   .arg(100 * worstPlayed, 0, 'f', 1)
                   .toUtf8();
    }
};

}  // namespace

class TestHonest : public QObject {
    Q_OBJECT
  private Q_SLOTS:
    void plannedRoundsLastAsPredicted_data() { test::addHomes(); }
    void plannedRoundsLastAsPredicted() {
        QFETCH(int, home);
        for (const QString &planner : {QStringLiteral("hearth"), QStringLiteral("asteroid")}) {
            std::mt19937 random(900 + static_cast<unsigned>(home));
            Errors fair, inOrder;
            PlannerOptions options;
            options.stepLimit = 100'000;
            for (int i = 0; i < 40; ++i) {
                const PlanningProblem problem = anyProblem(random, static_cast<test::Home>(home), false);
                const auto plan = makePlan(planner, problem, options);
                if (!plan || plan->schedule == Schedule::FillDrain)
                    continue;  // devices begin backward passes as early as they can here
                fair.add(problem, *plan, test::Sharing::Fair);
                inOrder.add(problem, *plan, test::Sharing::InOrder);
            }
            QVERIFY(fair.all.size() > 20);
            qInfo("%s, fair: %s", qPrintable(planner), fair.text().constData());
            qInfo("%s, in order: %s", qPrintable(planner), inOrder.text().constData());
            for (Errors *errors : {&fair, &inOrder}) {
                QVERIFY(std::abs(errors->median()) <= 0.02);
                QVERIFY(errors->honest() >= 0.9);
                QVERIFY(errors->worst() <= (planner == QLatin1String("hearth") ? 0.4 : 0.5));
            }
            QVERIFY(fair.worstPlayed <= 0.1);
            QVERIFY(inOrder.worstPlayed <= 0.2);
        }
    }

    void anyRoundsLastAsPredicted_data() { test::addHomes(); }
    void anyRoundsLastAsPredicted() {
        QFETCH(int, home);
        std::mt19937 random(950 + static_cast<unsigned>(home));
        Errors fair, inOrder;
        for (int i = 0; i < 200; ++i) {
            const PlanningProblem problem = anyProblem(random, static_cast<test::Home>(home), i % 2 == 1);
            const MeasuredCosts costs(problem.times);
            const CostModel model(problem, costs);
            const auto plan = test::randomPlan(random, model, 1 << test::below(random, 4));
            if (!plan || !evaluate(model, *plan))
                continue;
            fair.add(problem, *plan, test::Sharing::Fair);
            inOrder.add(problem, *plan, test::Sharing::InOrder);
        }
        qInfo("fair: %s", fair.text().constData());
        qInfo("in order: %s", inOrder.text().constData());
        for (Errors *errors : {&fair, &inOrder}) {
            QVERIFY(std::abs(errors->median()) <= 0.02);
            QVERIFY(errors->honest() >= 0.85);
        }
        QVERIFY(fair.worstPlayed <= 0.1);
    }
};

QTEST_GUILESS_MAIN(TestHonest)
#include "test_honest.moc"
