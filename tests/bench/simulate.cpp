// Microseconds of one simulated round, and of planning, printed for the manual.
#include <QElapsedTimer>
#include <cstdio>

#include "core/plan/planner.h"
#include "core/plan/simulator.h"
#include "tests/core/plan/random_problem.h"

using namespace hearth;

namespace {

enum class Links { FullDuplex, HalfDuplex, OneMedium };

std::vector<SimulatedStep> pipeline(std::mt19937 &random, int stages, int microBatches, Links links) {
    std::uniform_real_distribution<double> unit(0.5, 1.5);
    std::vector<SimulatedStep> steps;
    for (int s = 0; s < 2 * stages - 1; ++s) {
        SimulatedStep step{unit(random), 2 * unit(random), 0, std::min(2 * (stages - s / 2) - 1, microBatches), -1};
        if (s % 2 == 1) {
            step.backward = step.forward = 0.3 * step.forward;
            step.channel = links == Links::FullDuplex ? -1 : links == Links::HalfDuplex ? s / 2 : 0;
        }
        steps.push_back(step);
    }
    return steps;
}

/// Of rounds that all differ, as in a search: the same one again and again would be learnt by the branch predictor.
double microseconds(int stages, int microBatches, Links links, std::size_t rounds) {
    std::mt19937 random(1);
    std::vector<std::vector<SimulatedStep>> pipelines(rounds);
    for (auto &steps : pipelines)
        steps = pipeline(random, stages, microBatches, links);
    Simulator simulator;
    double sum = 0, best = 1e9;
    for (int part = 0; part < 10; ++part) {  // the best of ten: other programs use this machine too
        QElapsedTimer timer;
        timer.start();
        for (const auto &steps : pipelines)
            sum += simulator.run(steps, microBatches, Schedule::OneForwardOneBackward);
        best = std::min(best, static_cast<double>(timer.nsecsElapsed()) / 1e3 / static_cast<double>(rounds));
    }
    return sum > 0 ? best : 0;
}

}  // namespace

int main() {
    for (const auto &[name, links] :
         {std::pair{"full duplex", Links::FullDuplex}, std::pair{"half duplex", Links::HalfDuplex},
          std::pair{"one medium ", Links::OneMedium}}) {
        std::printf("simulate  2 stages x   8 micro-batches, %s: %7.2f us\n", name, microseconds(2, 8, links, 20000));
        std::printf("simulate  8 stages x  16 micro-batches, %s: %7.2f us\n", name, microseconds(8, 16, links, 5000));
        std::printf("simulate 64 stages x 128 micro-batches, %s: %7.0f us\n", name, microseconds(64, 128, links, 20));
    }
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
