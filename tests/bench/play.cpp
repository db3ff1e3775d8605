// What playing a round device by device costs beside simulating it, and how far apart the two are.
#include <QElapsedTimer>
#include <algorithm>
#include <cstdio>
#include <functional>

#include "core/plan/edit/settle.h"
#include "core/plan/evaluate.h"
#include "core/plan/play/round_player.h"
#include "tests/core/plan/varied_problem.h"

using namespace hearth;

namespace {

double fastestMilliseconds(const std::function<void()> &work) {
    double best = 1e9;
    for (int i = 0; i < 5; ++i) {
        QElapsedTimer timer;
        timer.start();
        work();
        best = std::min(best, static_cast<double>(timer.nsecsElapsed()) / 1e6);
    }
    return best;
}

struct Size {
    int layers, devices, batch, stages, microBatch;
};

void measure(const Size &size, Duplex duplex) {
    std::mt19937 random(7);
    PlanningProblem problem = test::VariedProblem(random).make({size.layers, size.devices, size.batch});
    problem.links.fallback->duplex = duplex;
    for (std::size_t d = 0; d < problem.devices.size(); ++d)
        problem.devices[d].id = QStringLiteral("dev%1").arg(d);
    problem.dataDevice.clear();
    const CostModel model(problem);
    const int microBatches = size.batch / size.microBatch;
    Placement placement{size.microBatch, Schedule::OneForwardOneBackward, {}};
    for (int s = 0; s < size.stages; ++s) {
        StagePlacement stage{s * size.layers / size.stages,
                             (s + 1) * size.layers / size.stages,
                             {},
                             std::min(2 * (size.stages - s) - 1, microBatches),
                             false};
        for (int d = s; d < size.devices; d += size.stages)
            stage.group.push_back({d, 0});
        auto settled = settleStage(model, {stage, {}, size.microBatch, microBatches, placement.schedule, true});
        if (!settled)
            return;
        placement.stages.push_back(std::move(*settled));
    }
    const PlanSteps steps = stepsOf(model, placement);
    Simulator simulator;
    double simulated = 0, played = 0;
    qint64 tasks = 0;
    const double simulating =
        fastestMilliseconds([&] { simulated = simulatedSeconds(simulator, steps, microBatches, placement.schedule); });
    const double playing = fastestMilliseconds([&] {
        RoundPlayer player(model);
        player.add(placement, microBatches);
        tasks = player.taskCount();
        played = player.play();
    });
    std::printf(
        "%3d layers %2d devices, %-11s: %2zu stages x %3d micro-batches, %6lld tasks; simulated in %7.3f ms, "
        "played in %8.3f ms: %4.0f x; round %+.1f %%\n",
        size.layers, size.devices, duplex == Duplex::Half ? "half duplex" : "full duplex", placement.stages.size(),
        microBatches, static_cast<long long>(tasks), simulating, playing, playing / simulating,
        100 * (played / simulated - 1));
    std::fflush(stdout);
}

}  // namespace

int main() {
    for (const Size &size :
         {Size{50, 8, 128, 8, 8}, Size{50, 16, 256, 4, 16}, Size{200, 64, 1024, 8, 16}, Size{400, 64, 1024, 64, 8}}) {
        for (const Duplex duplex : {Duplex::Full, Duplex::Half})
            measure(size, duplex);
    }
    return 0;
}
