// The closed form, the equations it comes from, and the simulator against them.
#include <QtTest>
#include <random>

#include "core/plan/latency.h"
#include "core/plan/simulator.h"

using namespace hearth;

namespace {

std::vector<StepTimes> randomSteps(std::mt19937 &random, Duplex duplex, bool withAllReduce, bool halves = false) {
    std::uniform_real_distribution<double> unit(0, 1);
    const int stages = 1 + static_cast<int>(random() % 6);
    std::vector<StepTimes> steps;
    for (int s = 0; s < 2 * stages - 1; ++s) {
        const double forward = 0.1 + unit(random), backward = 0.1 + 2 * unit(random);
        if (s % 2 == 0)
            steps.push_back(StepTimes::execution(LayerSeconds{forward, backward, halves ? backward * unit(random) : 0},
                                                 withAllReduce ? 3 * unit(random) : 0));
        else
            steps.push_back(StepTimes::transfer(forward, forward, duplex));
    }
    return steps;
}

std::vector<SimulatedStep> simulated(const std::vector<StepTimes> &steps, const std::vector<int> &limits,
                                     Duplex duplex) {
    std::vector<SimulatedStep> result;
    for (std::size_t s = 0; s < steps.size(); ++s) {
        SimulatedStep step{steps[s].forward, steps[s].backward, steps[s].allReduce, 1, -1, steps[s].weights};
        if (s % 2 == 0)
            step.inFlight = limits[s / 2];
        else if (duplex == Duplex::Half)
            step.channel = static_cast<int>(s / 2);
        result.push_back(step);
    }
    return result;
}

std::vector<int> asteroidLimits(std::size_t steps, int microBatches) {
    const int stages = static_cast<int>(steps / 2) + 1;
    std::vector<int> limits;
    for (int p = 0; p < stages; ++p)
        limits.push_back(std::min(2 * (stages - p) - 1, microBatches));
    return limits;
}

constexpr auto schedule1f1b = Schedule::OneForwardOneBackward;

}  // namespace

class TestLatency : public QObject {
    Q_OBJECT
  private Q_SLOTS:
    void equalStepsTakeMPlusSMinusOne() {
        for (const int microBatches : {1, 2, 7, 16}) {
            for (const int stages : {1, 2, 5}) {
                std::vector<StepTimes> steps;
                for (int s = 0; s < 2 * stages - 1; ++s)
                    steps.push_back(s % 2 == 0 ? StepTimes::execution(1, 2) : StepTimes::transfer(1, 2, Duplex::Half));
                const int count = 2 * stages - 1;
                const RoundLatency closed = closedFormLatency(steps, microBatches);
                QCOMPARE(closed.seconds, (microBatches + count - 1) * 3.0);
                QCOMPARE(closed.dominantStep, count - 1);
                QCOMPARE(asteroidLatency(steps, microBatches).dominantStep, count - 1);
            }
        }
    }

    void threeStepExampleOfTheSpecification() {
        const std::vector<StepTimes> steps{StepTimes::execution(1, 2), StepTimes::transfer(0.5, 0.5, Duplex::Half),
                                           StepTimes::execution(1, 2)};
        QCOMPARE(closedFormLatency(steps, 4).seconds, 16.0);
        QCOMPARE(closedFormLatency(steps, 4).dominantStep, 2);
        QCOMPARE(asteroidLatency(steps, 4).seconds, 16.0);
        QCOMPARE(asteroidLatency(steps, 4).dominantStep, 2);
        Simulator simulator;
        for (const Duplex duplex : {Duplex::Half, Duplex::Full}) {
            QCOMPARE(simulator.run(simulated(steps, {3, 1}, duplex), 4, schedule1f1b), 16.0);
            QCOMPARE(simulator.run(simulated(steps, {2, 1}, duplex), 4, schedule1f1b), 17.0);
            QCOMPARE(simulator.run(simulated(steps, {4, 4}, duplex), 4, schedule1f1b), 16.0);
        }
    }

    void closedFormEqualsEquations4To6() {
        std::mt19937 random(1);
        for (int i = 0; i < 5000; ++i) {
            const auto steps = randomSteps(random, Duplex::Half, true);
            const int microBatches = 1 + static_cast<int>(random() % 32);
            const RoundLatency closed = closedFormLatency(steps, microBatches);
            const RoundLatency published = asteroidLatency(steps, microBatches);
            QVERIFY(qAbs(closed.seconds - published.seconds) < 1e-9);
            QCOMPARE(closed.dominantStep, published.dominantStep);
        }
    }

    void simulatorNeverBeatsTheBounds() {
        std::mt19937 random(2);
        Simulator simulator;
        double ratio = 0;
        for (int i = 0; i < 4000; ++i) {
            const Duplex duplex = random() % 2 ? Duplex::Full : Duplex::Half;
            const bool withAllReduce = random() % 2, halves = i % 2 == 1;
            const auto steps = randomSteps(random, duplex, withAllReduce, halves);
            const int microBatches = 1 + static_cast<int>(random() % 32);
            auto limits = asteroidLimits(steps.size(), microBatches);
            if (random() % 3 == 0)
                limits.assign(limits.size(), 1 + static_cast<int>(random() % 5));
            const double seconds = simulator.run(simulated(steps, limits, duplex), microBatches, schedule1f1b);
            QVERIFY(seconds >= strictLowerBound(steps, microBatches) - 1e-9);
            if (!withAllReduce && !halves) {
                QVERIFY(seconds >= closedFormLatency(steps, microBatches).seconds - 1e-9);
                ratio = std::max(ratio, seconds / closedFormLatency(steps, microBatches).seconds);
            }
        }
        qInfo("largest simulated / closed form: %.2f", ratio);
    }

    void oneStageTakesMTimesItsWorkPlusAllReduce() {
        const std::vector<StepTimes> steps{StepTimes::execution(0.3, 0.7, 5)};
        Simulator simulator;
        QCOMPARE(closedFormLatency(steps, 10).seconds, 15.0);
        QVERIFY(qAbs(simulator.run(simulated(steps, {1}, Duplex::Full), 10, schedule1f1b) - 15.0) < 1e-12);
        QVERIFY(qAbs(strictLowerBound(steps, 10) - 15.0) < 1e-12);
    }

    void fillDrainRunsAllForwardsFirst() {
        const std::vector<StepTimes> steps{StepTimes::execution(1, 2), StepTimes::transfer(0, 0, Duplex::Full),
                                           StepTimes::execution(1, 2)};
        Simulator simulator;
        SimulatedTimes times;
        const double seconds = simulator.run(simulated(steps, {4, 4}, Duplex::Full), 4, Schedule::FillDrain, &times);
        // Stage 1 sees its last forward end at 5; its backwards then keep both stages busy: 5 + 2 × 4 + 2.
        QCOMPARE(seconds, 15.0);
        QCOMPARE(times.backwardStart[8], 5.0);
        for (int m = 0; m < 4; ++m)
            QVERIFY(times.forwardStart[static_cast<std::size_t>(m)] < times.backwardStart[0]);
    }

    void scheduleObeysLimitsAndResources() {
        std::mt19937 random(3);
        Simulator simulator;
        SimulatedTimes times;
        for (int i = 0; i < 300; ++i) {
            const Duplex duplex = random() % 2 ? Duplex::Full : Duplex::Half;
            const auto steps = randomSteps(random, duplex, false);
            const int count = 1 + static_cast<int>(random() % 12);
            const auto limits = asteroidLimits(steps.size(), count);
            auto plain = simulated(steps, limits, duplex);
            if (random() % 2) {  // all transfers share the air
                for (std::size_t s = 1; s < plain.size(); s += 2)
                    plain[s].channel = 0;
            }
            simulator.run(plain, count, schedule1f1b, &times);
            std::vector<std::pair<double, double>> air;
            for (std::size_t s = 0; s < steps.size(); ++s) {
                std::vector<std::pair<double, double>> busy;
                std::vector<std::pair<double, int>> level;
                for (int m = 0; m < count; ++m) {
                    const std::size_t at = s * static_cast<std::size_t>(count) + static_cast<std::size_t>(m);
                    busy.push_back({times.forwardStart[at], times.forwardStart[at] + steps[s].forward});
                    busy.push_back({times.backwardStart[at], times.backwardStart[at] + steps[s].backward});
                    level.push_back({times.forwardStart[at], 1});
                    level.push_back({times.backwardStart[at] + steps[s].backward, -1});
                    if (s > 0)
                        QVERIFY(times.forwardStart[at] >= times.forwardStart[at - static_cast<std::size_t>(count)] +
                                                              steps[s - 1].forward - 1e-12);
                }
                if (plain[s].channel == 0 && s % 2 == 1)
                    air.insert(air.end(), busy.begin(), busy.end());
                if (s % 2 == 0) {
                    std::sort(busy.begin(), busy.end());
                    for (std::size_t k = 1; k < busy.size(); ++k)
                        QVERIFY(busy[k].first >= busy[k - 1].second - 1e-12);
                    std::sort(level.begin(), level.end());
                    int underWay = 0;
                    for (const auto &[when, change] : level) {
                        underWay += change;
                        QVERIFY(underWay <= limits[s / 2]);
                    }
                }
            }
            std::sort(air.begin(), air.end());
            for (std::size_t k = 1; k < air.size(); ++k)
                QVERIFY(air[k].first >= air[k - 1].second - 1e-12);
        }
    }
};

QTEST_GUILESS_MAIN(TestLatency)
#include "test_latency.moc"
