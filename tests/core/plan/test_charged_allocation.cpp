// The exact optimum of what a stage is charged (Asteroid, Eq. 8), against all share vectors.
#include <QtTest>
#include <functional>
#include <numeric>

#include "core/plan/charged_allocation.h"
#include "tests/core/plan/random_problem.h"

using namespace hearth;

namespace {

/// Forward and backward times that have nothing to do with each other, steps and plateaus included.
void scramble(PlanningProblem &problem, std::mt19937 &random) {
    std::uniform_real_distribution<double> unit(0, 1);
    for (TimeTable &table : problem.times) {
        for (auto *passes : {&table.forward, &table.backward}) {
            for (std::vector<double> &row : *passes) {
                double seconds = unit(random);
                for (double &each : row)
                    each = seconds += unit(random) < 0.3 ? 0 : unit(random);
            }
        }
    }
}

double charge(const CostModel &model, const ChargedRequest &request, const std::vector<int> &shares) {
    Group group;
    for (std::size_t i = 0; i < shares.size(); ++i)
        group.push_back({request.devices[i], shares[i]});
    return model.execution(request.firstLayer, request.lastLayer, group, request.recompute).occupied;
}

struct Best {
    double seconds = std::numeric_limits<double>::infinity();
    std::vector<int> shares;
};

bool better(const Best &best, double seconds, const std::vector<int> &shares) {
    if (std::abs(seconds - best.seconds) > 1e-12 * seconds)
        return seconds < best.seconds;
    const int largest = *std::max_element(shares.begin(), shares.end());
    const int known = *std::max_element(best.shares.begin(), best.shares.end());
    return largest != known ? largest < known : shares > best.shares;
}

Best enumerate(const CostModel &model, const ChargedRequest &request) {
    Best best;
    std::vector<int> shares(request.devices.size());
    const std::function<void(std::size_t, int)> fill = [&](std::size_t i, int left) {
        if (i + 1 == shares.size()) {
            shares[i] = left;
            if (left < request.least || left > request.caps[i])
                return;
            const double seconds = charge(model, request, shares);
            if (better(best, seconds, shares))
                best = {seconds, shares};
            return;
        }
        for (shares[i] = request.least; shares[i] <= std::min(left, request.caps[i]); ++shares[i]) {
            const int own = shares[i];
            fill(i + 1, left - own);
            shares[i] = own;
        }
    };
    fill(0, request.total);
    return best;
}

}  // namespace

class TestChargedAllocation : public QObject {
    Q_OBJECT
  private Q_SLOTS:
    void equalsEnumerationOfAllShares() {
        std::mt19937 random(3);
        int feasible = 0;
        for (int i = 0; i < 600; ++i) {
            const int count = 1 + static_cast<int>(random() % 4);
            PlanningProblem problem = test::randomProblem(random, {4, count, 16});
            if (i % 2 == 0)
                scramble(problem, random);
            if (i % 3 == 0 && count > 1)
                problem.times[1] = problem.times[0];
            const MeasuredCosts costs(problem.times);
            const CostModel model(problem, costs);
            std::vector<int> devices, caps;
            for (int d = 0; d < count; ++d) {
                devices.push_back(d);
                caps.push_back(2 + static_cast<int>(random() % 14));
            }
            const int first = static_cast<int>(random() % 4);
            const ChargedRequest request{first,
                                         4,
                                         i % 5 == 0,
                                         devices,
                                         caps,
                                         1 + static_cast<int>(random() % 2),
                                         3 + static_cast<int>(random() % 10)};
            std::vector<int> shares(devices.size());
            const bool found = chargedShares(model, request, shares);
            const Best best = enumerate(model, request);
            QCOMPARE(found, std::isfinite(best.seconds));
            if (!found)
                continue;
            ++feasible;
            const double seconds = charge(model, request, shares);
            QVERIFY2(std::abs(seconds - best.seconds) <= 1e-12 * best.seconds,
                     qPrintable(QStringLiteral("case %1: %2 against %3").arg(i).arg(seconds).arg(best.seconds)));
            QCOMPARE(shares, best.shares);
        }
        QVERIFY(feasible > 300);
    }

    void sharesSumEvenWhereRoundingLetsTimesFall() {
        // A flat stage of microseconds behind a long prefix: its times are differences of large sums.
        std::mt19937 random(6);
        std::uniform_real_distribution<double> unit(0.5, 1.5);
        for (int i = 0; i < 300; ++i) {
            PlanningProblem problem = test::randomProblem(random, {60, 3, 32});
            for (TimeTable &table : problem.times) {
                for (auto *pass : {&table.forward, &table.backward}) {
                    for (std::vector<double> &row : *pass) {
                        for (double &each : row)
                            each *= 1000 * unit(random);
                    }
                    std::fill(pass->back().begin(), pass->back().end(), 1e-5);
                }
            }
            const MeasuredCosts costs(problem.times);
            const CostModel model(problem, costs);
            const std::vector<int> devices{0, 1, 2}, caps(3, 32);
            std::vector<int> shares(3);
            QVERIFY(chargedShares(model, {59, 60, false, devices, caps, 1, 32}, shares));
            QCOMPARE(std::accumulate(shares.begin(), shares.end(), 0), 32);
        }
    }

    void manySamplesStillSumToTheTotal() {
        std::mt19937 random(4);
        PlanningProblem problem = test::randomProblem(random, {6, 8, 16});
        const MeasuredCosts costs(problem.times);
        const CostModel model(problem, costs);
        const std::vector<int> devices{0, 1, 2, 3, 4, 5, 6, 7}, caps(8, 4096);
        std::vector<int> shares(8);
        QVERIFY(chargedShares(model, {0, 6, false, devices, caps, 1, 4096}, shares));
        QCOMPARE(std::accumulate(shares.begin(), shares.end(), 0), 4096);
    }
};

QTEST_GUILESS_MAIN(TestChargedAllocation)
#include "test_charged_allocation.moc"
