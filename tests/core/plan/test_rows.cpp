// Rows of groups by dynamic programming over sets of devices: against every row there is.
#include <QtTest>
#include <set>

#include "core/base/at.h"
#include "core/plan/search/row_search.h"
#include "core/plan/seconds.h"
#include "tests/core/plan/home_rows.h"
#include "tests/core/plan/search_desk.h"
#include "tests/core/plan/varied_problem.h"

using namespace hearth;

namespace {

struct Desk : test::SearchDesk {
    PlacementJudge judge{home.model, true};

    using SearchDesk::SearchDesk;

    double secondsOf(const StageRow &row) {
        Placement placement = placementOf(costs, row);
        if (placement.stages.empty())
            return never;
        return judge.judge(placement);
    }
};

/// Every row of single devices, any of them at rest.
template <class Each>
void forEachRow(Desk &desk, StageRow &row, unsigned used, Each each) {
    const int layers = desk.home.model.layerCount(), first = row.borders.back();
    if (first == layers)
        return each(row);
    for (int device = 0; device < desk.home.model.deviceCount(); ++device) {
        if (used >> device & 1)
            continue;
        row.groups.push_back(desk.numbers.of({device}));
        for (int last = first + 1; last <= layers; ++last) {
            row.borders.push_back(last);
            forEachRow(desk, row, used | 1u << device, each);
            row.borders.pop_back();
        }
        row.groups.pop_back();
    }
}

PlanningProblem problemOf(std::mt19937 &random, int home, int layers, int devices, bool tightMemory = false,
                          int types = 0, bool halves = false) {
    test::VariedShape shape{layers, devices, 16};
    shape.home = static_cast<test::Home>(home);
    shape.tightMemory = tightMemory;
    shape.types = types;
    shape.halves = halves;
    shape.packed = layers % 2 == 1;
    return test::VariedProblem(random).make(shape);
}

struct Found {
    bool all = false;
    Placement placement;
    double seconds = never;
};

Found searched(const CostModel &model, RowSearch::Task task) {
    const std::vector<int> types = deviceTypes(model);
    PlannerOptions options;
    SearchClock clock(options);
    RowSearch search(model, types, clock, {});
    Found found;
    found.all = search.run(
        task, [] { return false; },
        [&](const Placement &placement, double seconds) {
            if (seconds >= found.seconds)
                return;
            found.placement = placement;
            found.seconds = seconds;
        });
    return found;
}

}  // namespace

class TestRows : public QObject {
    Q_OBJECT
  private Q_SLOTS:
    void noRowIsBelowWhatTheTableSays_data() { test::addHomes(); }
    void noRowIsBelowWhatTheTableSays() {
        QFETCH(int, home);
        std::mt19937 random(40 + static_cast<unsigned>(home));
        double nearest = 0;
        for (int i = 0; i < 20; ++i) {
            Desk desk(problemOf(random, home, 6, 4, false, 0, i % 2 == 1), 2);
            const RowGroups groups = rowGroups(desk.home.model, desk.costs, desk.numbers, {0, 1, 2, 3}, 1);
            const RowTable table(desk.home.model, desk.costs, groups, 1e9, desk.clock, [] { return false; });
            QVERIFY(table.complete());
            StageRow row{{}, {0}};
            forEachRow(desk, row, 0, [&](const StageRow &own) {
                const double bound = desk.fit.bound(desk.costs, own);
                const double least = table.drained(table.all(), own.groups.front(), 0);
                if (!std::isfinite(bound))
                    return;
                nearest = std::max(nearest, least / bound);
                QVERIFY2(least <= bound * (1 + 1e-5), qPrintable(QStringLiteral("%1 > %2").arg(least).arg(bound)));
            });
        }
        qInfo("up to %.4f of the bound", nearest);
        QVERIFY(nearest > 0.9);
    }

    void itComesToTheBestOfAllRowsOfSingleDevices_data() { test::addHomes(); }
    void itComesToTheBestOfAllRowsOfSingleDevices() {
        QFETCH(int, home);
        std::mt19937 random(50 + static_cast<unsigned>(home));
        int fit = 0;
        for (int i = 0; i < 60; ++i) {
            const int microBatch = 1 << (i % 3 + 1);
            PlanningProblem problem = problemOf(random, home, 6, 4, i % 2 == 0, i % 5 == 0 ? 2 : 0, i % 3 == 0);
            // A stage behind it may fit less than one that begins sooner.
            if (i % 4 == 0)
                problem.layers[at(i % 5)].outputBytes = 1'500'000;
            Desk desk(std::move(problem), microBatch);
            double best = never;
            StageRow row{{}, {0}};
            forEachRow(desk, row, 0, [&](const StageRow &own) { best = std::min(best, desk.secondsOf(own)); });
            // All that cannot be below the limit is left out.
            for (const double limit : {never, best * 1.0005}) {
                const Found found = searched(desk.home.model, {microBatch, 1, 0, limit});
                QVERIFY(found.all);
                QCOMPARE(std::isfinite(found.seconds), std::isfinite(best));
                QVERIFY2(!std::isfinite(best) || std::abs(found.seconds / best - 1) < 1e-6,
                         qPrintable(QStringLiteral("%1, not %2").arg(found.seconds).arg(best)));
            }
            fit += std::isfinite(best);
        }
        qInfo("%d homes", fit);
        QVERIFY(fit >= 30);
    }

    void largerGroupsOnlyAddRows_data() { test::addHomes(); }
    void largerGroupsOnlyAddRows() {
        QFETCH(int, home);
        std::mt19937 random(60 + static_cast<unsigned>(home));
        int better = 0;
        for (int i = 0; i < 20; ++i) {
            const test::MeasuredHome own(problemOf(random, home, 8, 5, i % 3 == 0));
            const Found single = searched(own.model, {4, 1, 0, never}), larger = searched(own.model, {4, 3, 0, never});
            QVERIFY(larger.all);
            QVERIFY(larger.seconds <= single.seconds * (1 + 1e-6));
            better += larger.seconds < single.seconds * (1 - 1e-6);
            // Those that are known need not be judged again.
            const Found others = searched(own.model, {4, 3, 1, single.seconds});
            QCOMPARE(std::min(others.seconds, single.seconds), larger.seconds);
            if (!std::isfinite(larger.seconds))
                continue;
            PlacementJudge judge(own.model, true);
            QVERIFY(judge.fits(larger.placement));
            QCOMPARE(larger.placement.stages.front().firstLayer, 0);
            QCOMPARE(larger.placement.stages.back().lastLayer, 8);
            std::set<int> devices;
            for (const StagePlacement &stage : larger.placement.stages) {
                for (const MemberShare &member : stage.group)
                    QVERIFY2(devices.insert(member.device).second, "no device stands twice");
            }
        }
        qInfo("better in %d of 20", better);
        QVERIFY(better > 0);
    }

    void equalDevicesAreTriedOnce() {
        std::mt19937 random(7);
        Desk desk(problemOf(random, static_cast<int>(test::Home::Switched), 30, 16, false, 2), 4);
        QVERIFY(RowSearch(desk.home.model, desk.types, desk.clock, {}).may());
        const Found found = searched(desk.home.model, {2, 1, 0, never});
        QVERIFY(std::isfinite(found.seconds));
        // Rows use them in their order, so of equal pairs only neighbours.
        const RowGroups groups = rowGroups(desk.home.model, desk.costs, desk.numbers, desk.types, 2);
        QVERIFY(groups.groups.size() > 16 && groups.groups.size() < 16 + 120);
        for (const RowGroup &group : groups.groups)
            QVERIFY(groups.neighbours(group.devices));
        QVERIFY(groups.neighbours(0b0101) && !groups.neighbours(0b10001) && groups.neighbours(0b11));
    }

    void tooManyDevicesAreNotTried() {
        std::mt19937 random(8);
        for (const int devices : {17, 21, 64}) {
            Desk desk(problemOf(random, static_cast<int>(test::Home::Switched), 30, devices), 4);
            QVERIFY(!RowSearch(desk.home.model, desk.types, desk.clock, {}).may());
        }
    }

    void oneDeviceAndOneLayerAreEnough() {
        std::mt19937 random(9);
        for (const auto &[layers, devices] : {std::pair(1, 1), std::pair(1, 3), std::pair(4, 1)}) {
            const test::MeasuredHome own(problemOf(random, static_cast<int>(test::Home::Switched), layers, devices));
            const Found found = searched(own.model, {2, 4, 0, never});
            QVERIFY(found.all && std::isfinite(found.seconds));
            QCOMPARE(found.placement.stages.back().lastLayer, layers);
        }
    }

    void aSearchThatIsToldToEndDoes() {
        std::mt19937 random(10);
        Desk desk(problemOf(random, static_cast<int>(test::Home::OwnPairs), 40, 12), 4);
        RowSearch search(desk.home.model, desk.types, desk.clock, {});
        int better = 0;
        const auto count = [&](const Placement &, double) { ++better; };
        QVERIFY(!search.run(
            {4, 2, 0, never}, [] { return true; }, count));
        QCOMPARE(better, 0);
        int asked = 0;
        QVERIFY(!search.run(
            {4, 1, 0, never}, [&] { return ++asked > 200; }, count));
        QVERIFY(better > 0);
    }
};

QTEST_GUILESS_MAIN(TestRows)
#include "test_rows.moc"
