#include "core/plan/planners/tools.h"

#include <cmath>
#include <numeric>

#include "core/base/number_text.h"
#include "core/plan/plan_memory.h"
#include "core/plan/search/cut_points.h"
#include "core/plan/side_by_side.h"

namespace hearth {

PlanStage stageOf(const PlanningProblem &problem, int firstLayer, int lastLayer, const Group &group, int inFlight) {
    return stageOf(problem, StagePlacement{firstLayer, lastLayer, group, inFlight, false});
}

Plan planOf(const PlanningProblem &problem, const QString &planner, int microBatch, std::vector<PlanStage> stages) {
    Plan plan = planFor(problem, planner, microBatch);
    plan.stages = std::move(stages);
    return plan;
}

std::vector<int> devicesInOrder(const CostModel &model) {
    std::vector<int> devices(static_cast<std::size_t>(model.deviceCount()));
    std::iota(devices.begin(), devices.end(), 0);
    return devices;
}

std::vector<int> affordableCuts(const CostModel &model, double pairs) {
    return cutPoints(model, std::max(2, static_cast<int>(std::sqrt(2 * pairs))));
}

void BestPlan::offer(Plan plan) {
    Prediction memory;
    judgeMemory(m_model, plan, &memory);
    if (m_plan && m_fits && !memory.fits)
        return;
    double excess = 0;
    for (const Violation &violation : memory.violations)
        excess += static_cast<double>(violation.neededBytes - violation.availableBytes);
    const double seconds = simulatedSeconds(m_simulator, m_model, plan);
    if (!std::isfinite(seconds)) {
        if (!m_unreachable)
            m_unreachable = std::move(plan);
        return;
    }
    const bool better =
        !m_plan || (memory.fits && !m_fits) ||
        (memory.fits ? seconds < m_seconds : excess < m_excess || (excess <= m_excess && seconds < m_seconds));
    if (!better)
        return;
    m_plan = std::move(plan);
    m_fits = memory.fits;
    m_excess = excess;
    m_seconds = seconds;
}

tl::unexpected<Error> noShares(const CostModel &model) {
    const PlanningProblem &problem = model.problem();
    return fail(QStringLiteral("plan.no-plan"), sentence("No micro-batch can be shared as this planner does it."),
                sentence("A micro-batch has at most %1 {1|sample|samples}; a layer needs %2 on each of its devices.")
                    .arg(problem.microBatch.value_or(problem.batch))
                    .arg(model.memory().minimumSamples(0, model.layerCount())),
                sentence("Give a larger batch or micro-batch, or choose another planner."));
}

tl::unexpected<Error> noPlan(const CostModel &model, bool stopped) {
    const PlanningProblem &problem = model.problem();
    const int samplesNeeded = model.memory().minimumSamples(0, model.layerCount());
    if (const int most = problem.microBatch.value_or(problem.batch); samplesNeeded > most) {
        return fail(QStringLiteral("plan.minimum-samples"), sentence("No micro-batch is large enough."),
                    sentence("A layer trains on %1 samples or more; micro-batches have at most %2.")
                        .arg(samplesNeeded)
                        .arg(most),
                    sentence("Choose a larger batch."));
    }
    // The least that any layer asks for with one sample under way, and the most that any device has.
    double largestLayer = 0, all = 0, available = 0, most = 0;
    for (int l = 0; l < model.layerCount(); ++l) {
        const int samples = model.memory().minimumSamples(l, l + 1);
        const double need = model.memory().stageBytes({l, l + 1, samples, 1, false});
        largestLayer = std::max(largestLayer, need);
        all += need;
    }
    for (const auto &device : problem.devices) {
        const double usable = std::max<double>(0, static_cast<double>(device.memoryBytes - device.runtimeBytes));
        available += usable;
        most = std::max(most, usable);
    }
    const Sentence advice = sentence("Add a device or memory, or choose a smaller batch or model.");
    if (largestLayer > most) {
        return fail(QStringLiteral("plan.memory"), sentence("No plan fits the memory of these devices."),
                    sentence("One layer alone needs %1 (%2 bytes); the largest device has %3 (%4 bytes) for it.")
                        .arg(bytesText(largestLayer))
                        .arg(countText(std::llround(largestLayer)))
                        .arg(bytesText(most))
                        .arg(countText(std::llround(most))),
                    advice);
    }
    if (stopped) {
        return fail(QStringLiteral("plan.stopped"), sentence("The search was stopped before it found a plan."),
                    sentence("No device fits the model alone, and no group by sharing samples."),
                    sentence("Give it more time or steps, or add memory."));
    }
    return fail(QStringLiteral("plan.no-plan"), sentence("No plan fits these devices and links."),
                sentence("With one sample under way the layers need %1 (%2 bytes) in all; the devices have %3 "
                         "(%4 bytes) for them.")
                    .arg(bytesText(all))
                    .arg(countText(std::llround(all)))
                    .arg(bytesText(available))
                    .arg(countText(std::llround(available))),
                advice);
}

}  // namespace hearth
