// The parts of the exact search, and its manners: limits, cancelling, determinism, progress.
#include <QtTest>

#include "core/plan/evaluate.h"
#include "core/plan/search/bounds.h"
#include "core/plan/search/cut_points.h"
#include "core/plan/search/device_sets.h"
#include "core/plan/search/search.h"
#include "core/plan/search/work_bound.h"
#include "tests/core/plan/measured_home.h"
#include "tests/core/plan/random_problem.h"

using namespace hearth;

namespace {

std::vector<StepTimes> randomSteps(std::mt19937 &random, int stages) {
    std::uniform_real_distribution<double> unit(0, 1);
    std::vector<StepTimes> steps;
    for (int s = 0; s < 2 * stages - 1; ++s) {
        if (s % 2 == 0) {
            LayerSeconds once{unit(random), unit(random), 0};
            once.weights = random() % 2 ? once.backward * unit(random) : 0;
            steps.push_back(StepTimes::execution(once, random() % 2 ? unit(random) : 0));
        } else {
            steps.push_back(
                StepTimes::transfer(unit(random), unit(random), random() % 2 ? Duplex::Full : Duplex::Half));
        }
    }
    return steps;
}

PlanningProblem largeProblem() {
    std::mt19937 random(5);
    return test::randomProblem(random, {30, 7, 32});
}

}  // namespace

class TestSearch : public QObject {
    Q_OBJECT
  private Q_SLOTS:
    void prefixAndSuffixMeetInTheStrictBoundWhereverTheyAreSplit() {
        std::mt19937 random(1);
        for (int i = 0; i < 500; ++i) {
            const auto steps = randomSteps(random, 1 + static_cast<int>(random() % 6));
            const int microBatches = 1 + static_cast<int>(random() % 12);
            const double whole = strictLowerBound(steps, microBatches);
            for (std::size_t split = 0; split <= steps.size(); ++split) {
                PrefixBound prefix;
                for (std::size_t s = 0; s < split; ++s)
                    prefix = s % 2 == 0 ? prefix.withExecution(steps[s], microBatches)
                                        : prefix.withTransfer(steps[s], microBatches, false);
                SuffixBound suffix;
                for (std::size_t s = steps.size(); s-- > split;)
                    suffix = s % 2 == 0 ? suffix.afterExecution(steps[s], microBatches)
                                        : suffix.afterTransfer(steps[s], microBatches, false);
                const double met = split == steps.size() ? prefix.closed() : prefix.over(suffix);
                QVERIFY2(std::abs(met - whole) <= 1e-12 * whole, qPrintable(QString::number(met - whole)));
            }
        }
    }

    void theAirCannotCarryMoreThanItDoes() {
        const StepTimes stage = StepTimes::execution(0.01, 0.02);
        const StepTimes cut = StepTimes::transfer(1, 2, Duplex::Half);
        const SuffixBound two = SuffixBound{}.afterExecution(stage, 4).afterTransfer(cut, 4, true);
        const SuffixBound three = two.afterExecution(stage, 4).afterTransfer(cut, 4, true);
        QCOMPARE(two.air, 12.0);
        QCOMPARE(three.air, 24.0);
        QVERIFY(three.seconds() >= 24);
    }

    void equalDevicesAreOneTypeUnlessTheirLinksDiffer() {
        std::mt19937 random(2);
        PlanningProblem problem = test::randomProblem(random, {4, 5, 8});
        for (const std::size_t d : {2, 4}) {
            problem.times[d] = problem.times[1];
            problem.devices[d].memoryBytes = problem.devices[1].memoryBytes;
        }
        QCOMPARE(deviceTypes(test::MeasuredHome(problem).model), (std::vector<int>{0, 1, 1, 2, 1}));
        PlanningProblem own = problem;
        own.links.nics.push_back({QStringLiteral("dev4"), 1e6, 1e6, std::nullopt, QString()});
        QCOMPARE(deviceTypes(test::MeasuredHome(own).model), (std::vector<int>{0, 1, 1, 2, 3}));
        PlanningProblem alike = problem;  // at the rate of the links, but shared by all that passes
        const double rate = problem.links.fallback->bytesPerSecond;
        alike.links.nics.push_back({QStringLiteral("dev4"), rate, rate, std::nullopt, QString()});
        QCOMPARE(deviceTypes(test::MeasuredHome(alike).model), (std::vector<int>{0, 1, 1, 2, 3}));
        PlanningProblem coding = problem;  // what a group sums takes its own time to the host and back
        coding.devices[4].codecs.measured.insert(QStringLiteral("none"), {1e-9, 1e-9});
        QCOMPARE(deviceTypes(test::MeasuredHome(coding).model), (std::vector<int>{0, 1, 1, 2, 3}));
        PlanningProblem slow = problem;  // links slower than cards: who sends to whom counts
        for (const auto &device : slow.devices)
            slow.links.nics.push_back({device.id, 2 * rate, 2 * rate, std::nullopt, QString()});
        QCOMPARE(deviceTypes(test::MeasuredHome(slow).model), (std::vector<int>{0, 1, 2, 3, 4}));
        PlanningProblem data = problem;
        data.dataDevice = QStringLiteral("dev2");
        QCOMPARE(deviceTypes(test::MeasuredHome(data).model), (std::vector<int>{0, 1, 2, 3, 1}));
        PlanningProblem pairs = problem;
        pairs.links.pairs.push_back({QStringLiteral("dev0"), QStringLiteral("dev1"), 1e6, std::nullopt});
        QCOMPARE(deviceTypes(test::MeasuredHome(pairs).model), (std::vector<int>{0, 1, 2, 3, 4}));
    }

    void subsetsAreCountedByTypeAndGivenUpWhereTheyAreTooMany() {
        std::mt19937 random(2);
        PlanningProblem problem = test::randomProblem(random, {4, 5, 8});
        for (const std::size_t d : {1, 2, 3}) {
            problem.times[d] = problem.times[0];
            problem.devices[d].memoryBytes = problem.devices[0].memoryBytes;
        }
        const test::MeasuredHome searched(problem);
        const DeviceSets sets = subsetsOf(searched.model, 1000);
        QCOMPARE(sets.moves.size(), std::size_t{10});  // 0 to 4 of one type, 0 or 1 of the other
        QCOMPARE(sets.moveCount(), 15 * 3 - 10);       // pairs of a set and a part of it, without the empty part
        QCOMPARE(sets.groups[static_cast<std::size_t>(sets.full)].size(), std::size_t{5});
        for (std::size_t set = 0; set < sets.moves.size(); ++set) {
            for (const DeviceSets::Move &move : sets.moves[set]) {
                QCOMPARE(sets.groups[static_cast<std::size_t>(move.group)].size() +
                             static_cast<std::size_t>(sets.size[static_cast<std::size_t>(move.rest)]),
                         static_cast<std::size_t>(sets.size[set]));
            }
        }
        QVERIFY(subsetsOf(searched.model, 30).moves.empty());
    }

    void cutPointsAscendFromTheFirstLayerToTheLast() {
        const test::MeasuredHome searched(largeProblem());
        for (int parts = 1; parts <= 40; ++parts) {
            const std::vector<int> cuts = cutPoints(searched.model, parts);
            QCOMPARE(cuts.front(), 0);
            QCOMPARE(cuts.back(), 30);
            QVERIFY(std::adjacent_find(cuts.begin(), cuts.end(), std::greater_equal<>()) == cuts.end());
            QVERIFY(static_cast<int>(cuts.size()) <= std::min(parts, 30) + 1);
        }
    }

    void noRoundIsShorterThanItsWork() {
        std::mt19937 random(7);
        for (int i = 0; i < 40; ++i) {
            const test::MeasuredHome searched(test::randomProblem(random, {6, 3, 16}));
            SearchSettings settings;
            settings.polish = false;  // it may leave the space that the bound is about
            const auto found = searchPlans(searched.model, {}, settings);
            QVERIFY(found);
            QVERIFY(leastRoundSeconds(searched.model, found->placement.microBatch) <= found->seconds * (1 + 1e-9));
            QVERIFY(found->lowerBound <= found->seconds * (1 + 1e-9));
        }
    }

    void theSameStepsGiveTheSamePlan() {
        for (const quint64 steps : {10'000, 300'000}) {
            PlannerOptions options;
            options.stepLimit = steps;
            const test::MeasuredHome first(largeProblem()), second(largeProblem());
            const auto a = searchPlans(first.model, options), b = searchPlans(second.model, options);
            QVERIFY(a && b);
            QCOMPARE(a->seconds, b->seconds);
            QCOMPARE(a->steps, b->steps);
            QCOMPARE(planOf(first.problem, QString(), a->placement).toJson(),
                     planOf(second.problem, QString(), b->placement).toJson());
        }
    }

    void aSearchThatIsStoppedHoldsAValidPlanAndClaimsNothing_data() {
        QTest::addColumn<quint64>("steps");
        QTest::newRow("at once") << quint64{0};
        QTest::newRow("soon") << quint64{20'000};
        QTest::newRow("later") << quint64{500'000};
    }
    void aSearchThatIsStoppedHoldsAValidPlanAndClaimsNothing() {
        QFETCH(quint64, steps);
        const test::MeasuredHome searched(largeProblem());
        PlannerOptions options;
        options.stepLimit = steps;
        const auto found = searchPlans(searched.model, options);
        QVERIFY(found);
        QVERIFY(!found->proved);
        QVERIFY(found->lowerBound < found->seconds);
        const Plan plan = planOf(searched.problem, QStringLiteral("hearth"), found->placement);
        QVERIFY(plan.validateFor(searched.problem));
        const auto prediction = evaluate(searched.model, plan);
        QVERIFY(prediction && prediction->fits);
        QVERIFY(std::abs(prediction->roundSeconds - found->seconds) <= 1e-12 * found->seconds);
    }

    void cancellingEndsItWithTheBestPlanSoFar() {
        const test::MeasuredHome searched(largeProblem());
        PlannerOptions options;
        int asked = 0;
        options.cancelled = [&] { return ++asked > 3; };
        const auto found = searchPlans(searched.model, options);
        QVERIFY(found);
        QVERIFY(!found->proved);
        QVERIFY(asked <= 5);
    }

    void progressOnlyGetsBetter() {
        const test::MeasuredHome searched(largeProblem());
        PlannerOptions options;
        options.stepLimit = 2'000'000;
        double last = std::numeric_limits<double>::infinity();
        int reports = 0;
        options.progress = [&](const PlanningProgress &progress) {
            QVERIFY(progress.roundSeconds <= last);
            QVERIFY(progress.gap >= 0 && progress.gap < 1);
            last = progress.roundSeconds;
            ++reports;
        };
        const auto found = searchPlans(searched.model, options);
        QVERIFY(found && found->seconds <= last);
        QVERIFY(reports > 3);
    }

    /// It cools by what is left of its steps, so chance decides between plans that are about as good.
    void moreStepsAreNotWorseByMoreThanChance() {
        const test::MeasuredHome searched(largeProblem());
        double last = std::numeric_limits<double>::infinity();
        for (const quint64 steps : {10'000, 100'000, 1'000'000, 4'000'000}) {
            PlannerOptions options;
            options.stepLimit = steps;
            SearchSettings settings;
            settings.polish = false;
            const auto found = searchPlans(searched.model, options, settings);
            QVERIFY(found && found->seconds <= 1.005 * last);
            last = std::min(last, found->seconds);
        }
    }

    void withoutMemoryThereIsNoPlan() {
        PlanningProblem problem = largeProblem();
        for (auto &device : problem.devices)
            device.memoryBytes = 1000;
        QVERIFY(!searchPlans(test::MeasuredHome(problem).model, {}));
    }
};

QTEST_GUILESS_MAIN(TestSearch)
#include "test_search.moc"
