// The planner `hearth` against every plan there is, and what must hold of its answers.
#include <QtTest>

#include "core/plan/search/search.h"
#include "tests/core/plan/exhaustive.h"
#include "tests/core/plan/home_rows.h"
#include "tests/core/plan/plain_stages.h"
#include "tests/core/plan/varied_problem.h"

using namespace hearth;

namespace {

constexpr quint64 steps = 3'000'000;
/// What may be lost where a search ended without its proof.
constexpr double unproved = 0.005;

SearchSettings fixedLimits() {
    return {.freeLimits = false, .mayRecompute = false, .polish = false};
}

using Searched = tl::expected<SearchResult, NothingFound>;

Searched search(const PlanningProblem &problem, const SearchSettings &settings) {
    const MeasuredCosts costs(problem.times);
    PlannerOptions options;
    options.stepLimit = steps;
    return searchPlans(CostModel(problem, costs), options, settings);
}

/// One in fifty is as large as exhaustive search can do, with one size of micro-batches.
PlanningProblem smallProblem(std::mt19937 &random, test::Home home, int number) {
    const bool largest = number % 50 == 49;
    test::VariedShape shape;
    shape.layers = largest ? 9 : 2 + static_cast<int>(random() % 6);
    shape.devices = largest ? 5 : 1 + static_cast<int>(random() % 4);
    shape.batch = random() % 3 == 0 ? 12 : 16;
    shape.home = home;
    shape.types = static_cast<int>(random() % 3);
    shape.tightMemory = random() % 2;
    shape.halves = number % 2 == 0;
    shape.packed = number % 3 == 1;
    PlanningProblem problem = test::VariedProblem(random).make(shape);
    if (largest || random() % 3 == 0)
        problem.microBatch = 1 << (random() % 3);
    return problem;
}

struct Gaps {
    int cases = 0, proved = 0, impossible = 0;
    double worst = 0, worstProved = 0;
    quint64 plans = 0;
};

}  // namespace

class TestExact : public QObject {
    Q_OBJECT
  private Q_SLOTS:
    void noPlanIsBetter_data() { test::addHomes(); }
    void noPlanIsBetter() {
        QFETCH(int, home);
        std::mt19937 random(300 + static_cast<unsigned>(home));
        Gaps gaps;
        for (int i = 0; i < 60; ++i) {
            const PlanningProblem problem = smallProblem(random, static_cast<test::Home>(home), i);
            const MeasuredCosts costs(problem.times);
            const test::PlainJudge judge(problem, costs);
            const test::ExhaustiveBest best = test::exhaustiveBest(judge);
            const auto found = search(problem, fixedLimits());
            const QByteArray name = QByteArray::number(i);
            QVERIFY2(found.has_value() == std::isfinite(best.seconds), name.constData());
            ++gaps.cases;
            gaps.plans += best.plans;
            gaps.impossible += found ? 0 : 1;
            if (!found)
                continue;
            const double judged = judge.seconds(test::plainStages(found->placement), found->placement.microBatch);
            QVERIFY2(std::abs(judged - found->seconds) <= 1e-9 * judged,
                     qPrintable(QStringLiteral("case %1: %2 s, judged %3 s").arg(i).arg(found->seconds).arg(judged)));
            const double gap = found->seconds / best.seconds - 1;
            gaps.worst = std::max(gaps.worst, gap);
            if (found->proved) {
                ++gaps.proved;
                gaps.worstProved = std::max(gaps.worstProved, gap);
            }
            QVERIFY2(gap >= -1e-6, qPrintable(QStringLiteral("case %1: better than all plans by %2").arg(i).arg(-gap)));
            QVERIFY2(
                gap <= (found->proved ? 1e-6 : unproved),
                qPrintable(
                    QStringLiteral("case %1: %2 s, the best is %3 s").arg(i).arg(found->seconds).arg(best.seconds)));
            QVERIFY2(found->lowerBound <= best.seconds * (1 + 1e-9), name.constData());
        }
        qInfo("%d cases, %llu plans: %d proved, %d impossible, worst gap %.2e, where proved %.2e", gaps.cases,
              gaps.plans, gaps.proved, gaps.impossible, gaps.worst, gaps.worstProved);
        QVERIFY(gaps.proved > gaps.cases / 2);
    }

    void recomputingIsSearchedToo() {
        std::mt19937 random(400);
        int used = 0, cases = 0;
        for (int i = 0; i < 40; ++i) {
            test::VariedShape shape{2 + static_cast<int>(random() % 3), 1 + static_cast<int>(random() % 3), 8};
            shape.tightMemory = true;
            shape.home = static_cast<test::Home>(i % test::homeCount);
            PlanningProblem problem = test::VariedProblem(random).make(shape);
            for (LayerFacts &layer : problem.layers)
                layer.savedBytes *= 6;
            const MeasuredCosts costs(problem.times);
            const test::PlainJudge judge(problem, costs);
            const double with = test::exhaustiveBest(judge, true).seconds;
            const double without = test::exhaustiveBest(judge, false).seconds;
            auto settings = fixedLimits();
            settings.mayRecompute = true;
            const auto found = search(problem, settings);
            QCOMPARE(found.has_value(), std::isfinite(with));
            if (!found)
                continue;
            ++cases;
            used += with < without ? 1 : 0;
            // The search recomputes only where memory binds; what it finds is a plan like any other.
            QVERIFY(found->seconds >= with * (1 - 1e-9));
            QVERIFY2(found->seconds <= with * 1.02,
                     qPrintable(QStringLiteral("case %1: %2, the best is %3, %4 without recomputing")
                                    .arg(i)
                                    .arg(found->seconds)
                                    .arg(with)
                                    .arg(without)));
            QVERIFY(found->seconds <= without * (1 + (found->proved ? 1e-6 : unproved)));
        }
        qInfo("recomputing helps in %d of %d cases", used, cases);
        QVERIFY(used > 0);
    }

    void moreFreedomIsNeverWorse_data() { test::addHomes(); }
    void moreFreedomIsNeverWorse() {
        QFETCH(int, home);
        std::mt19937 random(500 + static_cast<unsigned>(home));
        double gain = 0;
        for (int i = 0; i < 15; ++i) {
            const PlanningProblem problem = smallProblem(random, static_cast<test::Home>(home), i);
            const auto fixed = search(problem, fixedLimits());
            const auto free = search(problem, {});
            if (!fixed)
                continue;
            QVERIFY(free);
            const double allowed = fixed->proved && free->proved ? 1e-9 : unproved;
            QVERIFY2(free->seconds <= fixed->seconds * (1 + allowed),
                     qPrintable(QStringLiteral("case %1: %2 > %3").arg(i).arg(free->seconds).arg(fixed->seconds)));
            gain = std::max(gain, 1 - free->seconds / fixed->seconds);
        }
        qInfo("free limits, recomputing and polish save up to %.1f %%", 100 * gain);
    }

    void moreDevicesOrMemoryAreNeverWorse_data() { test::addHomes(); }
    void moreDevicesOrMemoryAreNeverWorse() {
        QFETCH(int, home);
        std::mt19937 random(600 + static_cast<unsigned>(home));
        for (int i = 0; i < 15; ++i) {
            test::VariedShape shape{3 + static_cast<int>(random() % 8), 2 + static_cast<int>(random() % 4), 16};
            shape.home = static_cast<test::Home>(home);
            shape.types = static_cast<int>(random() % 3);
            shape.tightMemory = true;
            PlanningProblem problem = test::VariedProblem(random).make(shape);
            problem.dataDevice.clear();
            PlanningProblem fewer = problem;
            const QString gone = fewer.devices.back().id;
            fewer.devices.pop_back();
            fewer.times.pop_back();
            std::erase_if(fewer.links.nics, [&](const auto &nic) { return nic.id == gone; });
            std::erase_if(fewer.links.pairs, [&](const auto &pair) { return pair.from == gone || pair.to == gone; });
            // A card is as fast as its fastest pair: the one that goes must not take others' speed with it.
            if (problem.links.pairs.empty())
                compare(search(fewer, fixedLimits()), search(problem, fixedLimits()), i, "a device");
            PlanningProblem larger = problem;
            for (auto &device : larger.devices)
                device.memoryBytes += device.memoryBytes / 3;
            compare(search(problem, fixedLimits()), search(larger, fixedLimits()), i, "memory");
        }
    }

    void moreBandwidthIsHardlyEverWorse_data() { test::addHomes(); }
    void moreBandwidthIsHardlyEverWorse() {
        QFETCH(int, home);
        std::mt19937 random(700 + static_cast<unsigned>(home));
        for (int i = 0; i < 15; ++i) {
            PlanningProblem problem = smallProblem(random, static_cast<test::Home>(home), i);
            for (LayerFacts &layer : problem.layers)
                layer.packed.clear();  // a link that is too fast to be packed for may take longer than a slower one
            PlanningProblem faster = problem;
            faster.links.fallback->bytesPerSecond *= 1.7;
            for (auto &nic : faster.links.nics) {
                if (nic.upBytesPerSecond)
                    nic.upBytesPerSecond = *nic.upBytesPerSecond * 1.7;
                if (nic.downBytesPerSecond)
                    nic.downBytesPerSecond = *nic.downBytesPerSecond * 1.7;
            }
            for (auto &medium : faster.links.media)
                medium.bytesPerSecond *= 1.7;
            for (auto &pair : faster.links.pairs)
                pair.bytesPerSecond *= 1.7;
            const auto slow = search(problem, fixedLimits()), fast = search(faster, fixedLimits());
            QCOMPARE(slow.has_value(), fast.has_value());
            if (slow)
                QVERIFY(fast->seconds <= slow->seconds * 1.02);
        }
    }

  private:
    static void compare(const Searched &less, const Searched &more, int number, const char *what) {
        if (!less)
            return;
        QVERIFY(more);
        // Equal devices are told apart by memory: shares may differ at equal cost, and with them what a cut takes.
        const double allowed = less->proved && more->proved ? 1e-6 : unproved;
        QVERIFY2(more->seconds <= less->seconds * (1 + allowed), qPrintable(QStringLiteral("case %1, %2 more: %3 > %4")
                                                                                .arg(number)
                                                                                .arg(QLatin1String(what))
                                                                                .arg(more->seconds)
                                                                                .arg(less->seconds)));
    }
};

QTEST_GUILESS_MAIN(TestExact)
#include "test_exact.moc"
