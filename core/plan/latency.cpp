#include "core/plan/latency.h"

namespace hearth {

RoundLatency closedFormLatency(const std::vector<StepTimes> &steps, int microBatches) {
    RoundLatency result;
    SuffixLatency suffix = SuffixLatency::last(steps.back(), microBatches);
    for (std::size_t s = steps.size() - 1; s-- > 0;)
        suffix = suffix.prepended(steps[s], microBatches);
    result.seconds = suffix.latency();
    double before = 0, most = -1;
    for (std::size_t s = 0; s < steps.size(); ++s) {
        const double once = steps[s].forward + steps[s].backward;
        const double reach = before + once + (microBatches - 1) * steps[s].occupied;
        if (reach >= most) {
            most = reach;
            result.dominantStep = static_cast<int>(s);
        }
        before += once;
    }
    return result;
}

RoundLatency asteroidLatency(const std::vector<StepTimes> &steps, int microBatches) {
    const auto whole = [&steps](std::size_t s) { return steps[s].forward + steps[s].backward + steps[s].weights; };
    RoundLatency result;
    std::size_t dominant = 0;
    double before = 0, most = -1;
    for (std::size_t s = 0; s < steps.size(); ++s) {  // Eq. 11
        const double reach = microBatches * whole(s) + before;
        if (reach >= most) {
            most = reach;
            dominant = s;
        }
        before += whole(s);
    }
    result.dominantStep = static_cast<int>(dominant);
    double waiting = 0;  // T_w
    for (std::size_t s = 0; s < steps.size(); ++s) {
        double executing = microBatches * whole(dominant);  // T_e
        for (std::size_t i = s; i < dominant; ++i)
            executing += whole(i);
        for (std::size_t i = dominant; i < s; ++i)
            executing -= whole(i);
        result.seconds = std::max(result.seconds, waiting + executing + steps[s].allReduce);
        waiting += steps[s].forward;
    }
    return result;
}

double strictLowerBound(const std::vector<StepTimes> &steps, int microBatches) {
    double lastBackward = 0;  // of the step in hand, from its first forward
    double end = 0;           // of the whole suffix, AllReduce included
    double roundTrip = 0;     // of one micro-batch through the suffix
    for (std::size_t s = steps.size(); s-- > 0;) {
        const StepTimes &step = steps[s];
        const double once = step.forward + step.backward;
        roundTrip += once;
        const bool execution = s % 2 == 0;
        lastBackward = std::max({once + (microBatches - 1) * step.beforeWeights(), once + lastBackward,
                                 roundTrip + (microBatches - 1) * step.longerWay()});
        end = step.forward + end;
        if (execution)
            end = std::max({end, lastBackward + step.closing(), step.whole(microBatches)});
    }
    return end;
}

}  // namespace hearth
