// Microseconds of one simulated round, and of planning, printed for the README.
#include <QElapsedTimer>
#include <cstdio>

#include "core/plan/planner.h"
#include "core/plan/simulator.h"
#include "tests/core/plan/random_problem.h"

using namespace hearth;

namespace {

double microseconds(int stages, int microBatches, bool half) {
    std::vector<SimulatedStep> steps;
    std::mt19937 random(1);
    std::uniform_real_distribution<double> unit(0.5, 1.5);
    for (int s = 0; s < 2 * stages - 1; ++s) {
        SimulatedStep step{unit(random), 2 * unit(random), 0, std::min(2 * (stages - s / 2) - 1, microBatches), -1};
        if (s % 2 == 1) {
            step.backward = step.forward = 0.3 * step.forward;
            step.channel = half ? s / 2 : -1;
        }
        steps.push_back(step);
    }
    Simulator simulator;
    constexpr int runs = 20000;
    double sum = 0;
    QElapsedTimer timer;
    timer.start();
    for (int i = 0; i < runs; ++i)
        sum += simulator.run(steps, microBatches, Schedule::OneForwardOneBackward);
    const double each = static_cast<double>(timer.nsecsElapsed()) / 1e3 / runs;
    return sum > 0 ? each : 0;
}

}  // namespace

int main() {
    std::printf("simulate  8 stages x 16 micro-batches, full duplex: %7.2f us\n", microseconds(8, 16, false));
    std::printf("simulate  8 stages x 16 micro-batches, half duplex: %7.2f us\n", microseconds(8, 16, true));
    std::printf("simulate 64 stages x 128 micro-batches, full duplex: %6.0f us\n", microseconds(64, 128, false));
    std::mt19937 random(2);
    for (const auto &[layers, devices] : {std::pair{20, 3}, std::pair{50, 8}, std::pair{100, 16}, std::pair{200, 64}}) {
        for (const bool ownPairs : {false, true}) {
            test::RandomShape shape{layers, devices, 64};
            shape.ownPairs = ownPairs;
            const PlanningProblem problem = test::randomProblem(random, shape);
            const auto plan = makePlan(QStringLiteral("asteroid"), problem);
            std::printf("asteroid %3d layers %2d devices, %s: %7.3f s\n", layers, devices,
                        ownPairs ? "own rate of each pair" : "equal links         ",
                        plan ? plan->prediction->planningSeconds.value_or(0) : -1);
            std::fflush(stdout);
        }
    }
    return 0;
}
