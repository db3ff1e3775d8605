// Seconds that each planner takes, and what its plan is worth, on random homes from small to far too large.
#include <cstdio>

#include "core/plan/planner.h"
#include "tests/core/plan/random_problem.h"

using namespace hearth;

int main(int argc, char **argv) {
    const QStringList names = argc > 1 ? QStringList(QString::fromLocal8Bit(argv[1])) : plannerNames();
    std::mt19937 random(3);
    struct Home {
        int layers, devices;
        int tight;  // what little memory is grows with the layers that a device holds
    };
    for (const auto &[layers, devices, times] : {Home{50, 8, 3}, Home{400, 64, 8}}) {
        for (const bool tight : {false, true}) {
            test::RandomShape shape{layers, devices, 128};
            shape.tightMemory = tight;
            PlanningProblem problem = test::randomProblem(random, shape);
            for (auto &device : problem.devices)
                device.memoryBytes *= tight ? times : 1;
            std::printf("%d layers, %d devices%s\n", layers, devices, tight ? ", little memory" : "");
            for (const QString &name : names) {
                const auto plan = makePlan(name, problem);
                if (!plan) {
                    std::printf("  %-10s %s\n", qPrintable(name), qPrintable(plan.error().toString()));
                    continue;
                }
                std::printf("  %-10s %7.3f s  round %8.3f s, %3zu stages, %3zu devices, micro-batch %3d%s\n",
                            qPrintable(name), plan->prediction->planningSeconds.value_or(0),
                            plan->prediction->roundSeconds, plan->stageCount(), plan->deviceCount(), plan->microBatch,
                            plan->prediction->fits ? "" : ", does not fit");
                std::fflush(stdout);
            }
        }
    }
    return 0;
}
