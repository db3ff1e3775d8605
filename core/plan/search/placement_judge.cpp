#include "core/plan/search/placement_judge.h"

#include <algorithm>
#include <cmath>
#include <iterator>
#include <utility>

#include "core/plan/seconds.h"

namespace hearth {
int PlacementJudge::mostInFlight(const StagePlacement &stage, int microBatches) const {
    int most = microBatches;
    for (const MemberShare &member : stage.group) {
        const StagePlace place{stage.firstLayer, stage.lastLayer, member.samples, 0, stage.recompute};
        most = std::min(most, m_model.memory().mostInFlight(member.device, place, microBatches));
    }
    return most;
}

void PlacementJudge::findMost(const Placement &placement) {
    m_most.clear();
    for (const StagePlacement &stage : placement.stages)
        m_most.push_back(mostInFlight(stage, m_model.problem().batch / placement.microBatch));
}

bool PlacementJudge::fits(const Placement &placement) const {
    const int microBatches = m_model.problem().batch / placement.microBatch;
    const auto inFlight = [&](const StagePlacement &stage) {
        return placement.schedule.mostInFlight(stage.inFlight, microBatches);
    };
    std::vector<int> delays;  // asked of every plan that is tried: empty, and without memory, where none are late
    if (const auto &how = m_model.problem().asynchronous) {
        std::vector<int> limits;
        std::ranges::transform(placement.stages, std::back_inserter(limits), inFlight);
        delays = how->delays(limits, microBatches);
    }
    for (std::size_t s = 0; s < placement.stages.size(); ++s) {
        const StagePlacement &stage = placement.stages[s];
        StagePlace place{stage.firstLayer, stage.lastLayer, 0, inFlight(stage), stage.recompute};
        if (!delays.empty())
            place.delay = delays[s];
        for (const MemberShare &member : stage.group) {
            place.samples = member.samples;
            if (!m_model.memory().fits(member.device, place))
                return false;
        }
    }
    return true;
}

double PlacementJudge::judge(Placement &placement, double limit) {
    const int microBatches = m_model.problem().batch / placement.microBatch;
    const PlanSteps steps = stepsOf(m_model, placement);
    if (!(std::max(strictLowerBound(steps.times, microBatches), steps.leastSeconds()) < limit))
        return never;
    m_steps = steps.simulated;
    ++m_simulations;
    double best = m_simulator.run(m_steps, microBatches, placement.schedule, nullptr, limit);
    if (m_freeLimits && placement.schedule.hasLimits() && placement.stages.size() > 1) {
        findMost(placement);
        const bool mayPutOff = placement.schedule == Schedule::OneForwardOneBackward &&
                               !m_model.problem().asynchronous &&
                               std::ranges::any_of(steps.times, [](const StepTimes &own) { return own.weights > 0; });
        best = tryLimits(placement, placement.schedule, best, limit);
        for (const Schedule schedule : {Schedule::ZeroBubble, Schedule::ZeroBubbleEager}) {
            if (mayPutOff)
                best = tryLimits(placement, schedule, best, limit);
        }
    }
    best = std::max(best, steps.leastSeconds());
    return best < limit ? best : never;
}

double PlacementJudge::judgeSchedule(Placement &placement) {
    for (StagePlacement &stage : placement.stages)
        stage.inFlight = 1;
    const PlanSteps steps = stepsOf(m_model, placement);
    m_steps = steps.simulated;
    ++m_simulations;
    double best = m_simulator.run(m_steps, m_model.problem().batch / placement.microBatch, placement.schedule);
    if (placement.schedule.hasLimits()) {
        findMost(placement);
        best = tryLimits(placement, placement.schedule, best, never);
    }
    return std::max(best, steps.leastSeconds());
}

double PlacementJudge::tryLimits(Placement &placement, Schedule schedule, double best, double limit) {
    const int microBatches = m_model.problem().batch / placement.microBatch;
    const int count = static_cast<int>(placement.stages.size());
    bool isNew = schedule != placement.schedule;
    const auto attempt = [&](auto limitOf) {
        for (int s = 0; s < count; ++s) {
            int &inFlight = m_steps[static_cast<std::size_t>(2 * s)].inFlight;
            const int wanted = std::min(limitOf(s), m_most[static_cast<std::size_t>(s)]);
            isNew = isNew || wanted != inFlight;
            inFlight = wanted;
        }
        if (!std::exchange(isNew, false))
            return;
        ++m_simulations;
        const double seconds = m_simulator.run(m_steps, microBatches, schedule, nullptr, std::min(best, limit));
        if (!(seconds < best))
            return;
        best = seconds;
        placement.schedule = schedule;
        for (int s = 0; s < count; ++s)
            placement.stages[static_cast<std::size_t>(s)].inFlight = m_steps[static_cast<std::size_t>(2 * s)].inFlight;
    };
    if (schedule.putsOffWeights()) {
        attempt([&](int) { return count + 1; });
    } else {
        attempt([&](int s) { return 2 * (count - s) - 1; });
        attempt([&](int s) { return 2 * (count - s) + 1; });
        attempt([&](int s) { return count - s; });
    }
    attempt([&](int) { return microBatches; });
    return best;
}

}  // namespace hearth
