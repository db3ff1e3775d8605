// What annealing begins from, and the bounds it turns rows down by.
#include <QtTest>
#include <numeric>

#include "core/base/at.h"
#include "core/plan/search/annealing.h"
#include "core/plan/seconds.h"
#include "tests/core/plan/home_rows.h"
#include "tests/core/plan/search_desk.h"
#include "tests/core/plan/varied_problem.h"

using namespace hearth;

namespace {

PlanningProblem variedProblem(std::mt19937 &random, test::Home home, int layers, int devices) {
    test::VariedShape shape{layers, devices, 16};
    shape.home = home;
    return test::VariedProblem(random).make(shape);
}

}  // namespace

class TestAnnealing : public QObject {
    Q_OBJECT
  private Q_SLOTS:
    void everyDeviceMayStandInSingleFile() {
        std::mt19937 random(5);
        for (const int devices : {1, 4, 12}) {
            test::SearchDesk desk(variedProblem(random, test::Home::Switched, 30, devices), 1);
            Annealing annealing(desk.home.model, desk.types, desk.clock, random, {});
            int found = 0;
            for (const int microBatch : annealing.microBatches()) {
                const auto row = annealing.inSingleFile(microBatch);
                if (!row)
                    continue;
                ++found;
                QVERIFY(std::isfinite(row->seconds) && row->seconds > 0);
                QCOMPARE(row->placement.microBatch, microBatch);
                QCOMPARE(row->placement.stages.size(), at(devices));
                QCOMPARE(row->placement.stages.back().lastLayer, 30);
                for (const StagePlacement &stage : row->placement.stages)
                    QCOMPARE(stage.group.size(), std::size_t{1});
            }
            QVERIFY2(found > 0, qPrintable(QString::number(devices)));
        }
    }

    void moreDevicesThanLayersStandIdle() {
        std::mt19937 random(6);
        test::SearchDesk desk(variedProblem(random, test::Home::Switched, 3, 5), 1);
        Annealing annealing(desk.home.model, desk.types, desk.clock, random, {});
        const auto row = annealing.inSingleFile(1);
        QVERIFY(row);
        QCOMPARE(row->placement.stages.size(), std::size_t{3});
    }

    void noBoundIsAboveTheRound_data() { test::addHomes(); }
    void noBoundIsAboveTheRound() {
        QFETCH(int, home);
        std::mt19937 random(700 + static_cast<unsigned>(home));
        int rows = 0;
        double nearest = 0;
        for (int i = 0; i < 60; ++i) {
            test::SearchDesk desk(variedProblem(random, static_cast<test::Home>(home), 8, 6), 4);
            PlacementJudge judge(desk.home.model, true);
            for (int tries = 0; tries < 30; ++tries) {
                const StageRow row = anyRow(random, desk.numbers, 8, 6);
                const double bound = desk.fit.bound(desk.costs, row);
                if (!std::isfinite(bound))
                    continue;
                Placement placement = placementOf(desk.costs, row);
                const double seconds = judge.judge(placement, never);
                ++rows;
                nearest = std::max(nearest, bound / seconds);
                QVERIFY2(bound <= seconds * (1 + 1e-9), qPrintable(QStringLiteral("%1 > %2").arg(bound).arg(seconds)));
            }
        }
        qInfo("%d rows, bounds up to %.4f of the round", rows, nearest);
        QVERIFY(rows > 100);
    }

  private:
    /// Two to four stages of one or two devices each.
    static StageRow anyRow(std::mt19937 &random, GroupNumbers &numbers, int layers, int devices) {
        std::vector<int> order(at(devices));
        std::iota(order.begin(), order.end(), 0);
        std::shuffle(order.begin(), order.end(), random);
        const int stages = 2 + static_cast<int>(random() % 3);
        StageRow row;
        row.borders = {0};
        int used = 0;
        for (int s = 0; s < stages; ++s) {
            std::vector<int> group{order[at(used++)]};
            if (devices - used > stages - 1 - s && random() % 2 == 0)
                group.push_back(order[at(used++)]);
            row.groups.push_back(numbers.of(std::move(group)));
            const int left = stages - 1 - s, first = row.borders.back();
            row.borders.push_back(left == 0 ? layers
                                            : first + 1 + static_cast<int>(random() % at(layers - left - first)));
        }
        return row;
    }
};

QTEST_GUILESS_MAIN(TestAnnealing)
#include "test_annealing.moc"
