// Memory (§2.1) and Algorithm 1 (oracle 5).
#include <QtTest>
#include <functional>
#include <limits>
#include <numeric>

#include "core/plan/allocation.h"
#include "tests/core/plan/random_problem.h"

using namespace hearth;

namespace {

double slowest(const CostModel &model, const AllocationRequest &request, const Group &group) {
    double most = 0;
    for (const MemberShare &member : group) {
        const LayerSeconds own =
            model.stageSeconds(member.device, request.firstLayer, request.lastLayer, member.samples);
        most = std::max(most, own.forward + own.backward);
    }
    return most;
}

int sum(const Group &group) {
    return std::accumulate(group.begin(), group.end(), 0, [](int s, const MemberShare &m) { return s + m.samples; });
}

/// The time of the slowest member when samples go one by one to whom the next one makes least slow: the least there is,
/// times never falling with samples.
double leastSlowest(const CostModel &model, const AllocationRequest &request, const std::function<int(int)> &cap) {
    Group group;
    for (const int device : request.devices)
        group.push_back({device, 0});
    for (int left = request.microBatch; left > 0; --left) {
        MemberShare *next = nullptr;
        double least = std::numeric_limits<double>::infinity();
        for (MemberShare &member : group) {
            const double seconds = slowest(model, request, {{member.device, member.samples + 1}});
            if (member.samples < cap(member.device) && seconds < least) {
                least = seconds;
                next = &member;
            }
        }
        ++next->samples;
    }
    std::erase_if(group, [](const MemberShare &member) { return member.samples == 0; });
    return slowest(model, request, group);
}

}  // namespace

class TestAllocation : public QObject {
    Q_OBJECT
  private Q_SLOTS:
    void memoryAddsUpAsEquation3Says() {
        std::mt19937 random(1);
        PlanningProblem problem = test::randomProblem(random, {3, 1, 16});
        problem.layers = {{QStringLiteral("a"), 100, 100, 1000, 7, 50, 40, 3, 1},
                          {QStringLiteral("b"), 200, 200, 2000, 9, 60, 60, 4, 1},
                          {QStringLiteral("c"), 300, 300, 3000, 8, 70, 70, 5, 2}};
        problem.devices[0] = {QStringLiteral("d"), 30000, 500};
        problem.optimizerStateFactor = 2;
        const MemoryModel memory(problem);
        // weights 130 + gradients 130 + buffers 9 + state 260; 3 × 4 × (5000 saved + 100 in) + 4 × 9 + 2 × 4 × 100
        const StagePlace place{1, 3, 4, 3, false};
        QCOMPARE(memory.stageBytes(place), 130.0 + 130 + 9 + 260 + 12 * 5100 + 36 + 800);
        QCOMPARE(memory.deviceBytes(0, place), memory.stageBytes(place) + 500);
        QVERIFY(!memory.fits(0, place));
        const StagePlace again{1, 3, 4, 3, true};
        QCOMPARE(memory.stageBytes(again), 529.0 + 3 * 4 * 100 + 4 * 5000 + 36 + 800);
        QCOMPARE(memory.minimumSamples(0, 2), 1);
        QCOMPARE(memory.minimumSamples(0, 3), 2);
        for (int limit = 0; limit < 20; ++limit) {
            int expected = 0;
            for (int y = 1; y <= limit; ++y)
                expected = memory.fits(0, {1, 3, y, 1, false}) ? y : expected;
            QCOMPARE(memory.largestShare(0, {1, 3, 0, 1, false}, limit), expected);
        }
    }

    void sharesSumStayBelowTheirCapsAndComeNearTheLeast() {
        std::mt19937 random(7);
        int feasible = 0;
        double mean = 0, worst = 0;
        for (int i = 0; i < 1500; ++i) {
            test::RandomShape shape{1 + static_cast<int>(random() % 5), 1 + static_cast<int>(random() % 6), 48};
            shape.tightMemory = random() % 2;
            const PlanningProblem problem = test::randomProblem(random, shape);
            const MeasuredCosts costs(problem.times);
            const CostModel model(problem, costs);
            std::vector<int> devices(static_cast<std::size_t>(shape.devices));
            std::iota(devices.begin(), devices.end(), 0);
            const int inFlight = 1 + static_cast<int>(random() % 5);
            AllocationRequest request{0, shape.layers, devices, 1 + static_cast<int>(random() % 48), inFlight};
            const auto caps = [&](int d) {
                return model.memory().largestShare(d, {0, shape.layers, 0, inFlight, false}, request.microBatch);
            };
            int capacity = 0;
            for (const int d : devices)
                capacity += caps(d);
            const auto group = allocate(model, request);
            QCOMPARE(group.has_value(), capacity >= request.microBatch);
            if (!group)
                continue;
            ++feasible;
            QCOMPARE(sum(*group), request.microBatch);
            for (const MemberShare &member : *group)
                QVERIFY(member.samples >= 1 && member.samples <= caps(member.device));
            const double over = slowest(model, request, *group) / leastSlowest(model, request, caps);
            QVERIFY(over >= 1 - 1e-12);
            worst = std::max(worst, over);
            mean += over;
        }
        QVERIFY(feasible > 500);
        mean /= feasible;
        qInfo("slowest member over the least possible: mean %.4f, worst %.4f", mean, worst);
        QVERIFY(mean <= 1.15);
    }

    void identicalDevicesDifferByAtMostOne() {
        std::mt19937 random(9);
        PlanningProblem problem = test::randomProblem(random, {4, 5, 64});
        for (auto &table : problem.times)
            table = problem.times[0];
        const MeasuredCosts costs(problem.times);
        const CostModel model(problem, costs);
        const std::vector<int> devices{0, 1, 2, 3, 4};
        for (int microBatch = 5; microBatch <= 64; ++microBatch) {
            const auto group = allocate(model, {0, 4, devices, microBatch, 3});
            QVERIFY(group);
            const auto [low, high] =
                std::minmax_element(group->begin(), group->end(),
                                    [](const MemberShare &a, const MemberShare &b) { return a.samples < b.samples; });
            QVERIFY(high->samples - low->samples <= 1);
        }
    }

    void aDeviceWithoutMemoryIsLeftOut() {
        std::mt19937 random(11);
        PlanningProblem problem = test::randomProblem(random, {3, 3, 16});
        problem.devices[1].memoryBytes = 10;
        const MeasuredCosts costs(problem.times);
        const CostModel model(problem, costs);
        const std::vector<int> devices{0, 1, 2};
        const auto group = allocate(model, {0, 3, devices, 16, 1});
        QVERIFY(group);
        for (const MemberShare &member : *group)
            QVERIFY(member.device != 1);
        const std::vector<int> alone{1};
        QVERIFY(!allocate(model, {0, 3, alone, 16, 1}));
    }

    void nobodyGetsFewerThanALayerNeeds() {
        std::mt19937 random(13);
        PlanningProblem problem = test::randomProblem(random, {3, 4, 16});
        problem.layers[1].minimumSamples = 3;
        const MeasuredCosts costs(problem.times);
        const CostModel model(problem, costs);
        const std::vector<int> devices{0, 1, 2, 3};
        for (int microBatch = 3; microBatch <= 16; ++microBatch) {
            const auto group = allocate(model, {0, 3, devices, microBatch, 1});
            QVERIFY(group);
            QCOMPARE(sum(*group), microBatch);
            for (const MemberShare &member : *group)
                QVERIFY(member.samples >= 3);
        }
        QVERIFY(!allocate(model, {0, 3, devices, 2, 1}));
    }
};

QTEST_GUILESS_MAIN(TestAllocation)
#include "test_allocation.moc"
