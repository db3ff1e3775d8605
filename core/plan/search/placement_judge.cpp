#include "core/plan/search/placement_judge.h"

#include <cmath>
#include <limits>

namespace hearth {
namespace {

constexpr double never = std::numeric_limits<double>::infinity();

}  // namespace

int PlacementJudge::mostInFlight(const StagePlacement &stage, int microBatches) const {
    int most = microBatches;
    for (const MemberShare &member : stage.group) {
        const StagePlace place{stage.firstLayer, stage.lastLayer, member.samples, 0, stage.recompute};
        most = std::min(most, m_model.memory().mostInFlight(member.device, place, microBatches));
    }
    return most;
}

bool PlacementJudge::fits(const Placement &placement) const {
    const int microBatches = m_model.problem().batch / placement.microBatch;
    for (const StagePlacement &stage : placement.stages) {
        const int inFlight = placement.schedule.rules(stage.inFlight, microBatches).inFlight;
        if (mostInFlight(stage, microBatches) < inFlight)
            return false;
    }
    return true;
}

double PlacementJudge::judge(Placement &placement, double limit) {
    const int microBatches = m_model.problem().batch / placement.microBatch;
    const PlanSteps steps = stepsOf(m_model, placement);
    if (!(std::max(strictLowerBound(steps.times, microBatches), steps.leastSeconds()) < limit))
        return never;
    m_steps = steps.simulated;
    const auto simulate = [&](double giveUpAt) {
        ++m_simulations;
        return m_simulator.run(m_steps, microBatches, placement.schedule, nullptr, giveUpAt);
    };
    double best = simulate(limit);
    const int count = static_cast<int>(placement.stages.size());
    if (m_freeLimits && placement.schedule.hasLimits() && count > 1) {
        std::vector<int> most;
        for (const StagePlacement &stage : placement.stages)
            most.push_back(mostInFlight(stage, microBatches));
        const auto attempt = [&](auto limitOf) {
            bool changed = false;
            for (int s = 0; s < count; ++s) {
                int &inFlight = m_steps[static_cast<std::size_t>(2 * s)].inFlight;
                const int wanted = std::min(limitOf(s), most[static_cast<std::size_t>(s)]);
                changed = changed || wanted != inFlight;
                inFlight = wanted;
            }
            if (!changed)
                return;
            const double seconds = simulate(std::min(best, limit));
            if (!(seconds < best))
                return;
            best = seconds;
            for (int s = 0; s < count; ++s)
                placement.stages[static_cast<std::size_t>(s)].inFlight =
                    m_steps[static_cast<std::size_t>(2 * s)].inFlight;
        };
        attempt([&](int s) { return 2 * (count - s) - 1; });
        attempt([&](int s) { return 2 * (count - s) + 1; });
        attempt([&](int s) { return count - s; });
        attempt([&](int) { return microBatches; });
    }
    best = std::max(best, steps.leastSeconds());
    return best < limit ? best : never;
}

}  // namespace hearth
