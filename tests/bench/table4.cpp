// Asteroid's Table 4 with our planner, as Markdown: ours / the paper's.
#include <cstdio>

#include "tests/core/plan/table4.h"

using namespace hearth;

int main() {
    std::printf(
        "| network | home | planner %s: s per round | over one device | over data parallelism | over a pipeline |\n",
        qPrintable(defaultPlanner()));
    std::printf("|---|---|---|---|---|---|\n");
    for (const test::Table4Row &row : test::table4) {
        const test::Table4Times times = test::timesOf(row);
        std::printf("| %s | %s, %g Mbit/s | %.2f | %.1f / %.1f | %.1f / %.1f | %.1f / %.1f |\n", row.workload,
                    row.environment, row.linkMbitPerSecond, times.best, times.device / times.best, row.overDevice,
                    times.dataParallel / times.best, row.overDataParallel, times.pipeline / times.best,
                    row.overPipeline);
        std::fflush(stdout);
    }
    return 0;
}
