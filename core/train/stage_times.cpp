#include "core/train/stage_times.h"

#include <algorithm>
#include <utility>

namespace hearth {
namespace {

/// Where a report counts it; an evaluation is no part of a round.
double RoundReport::*categoryOf(Activity what) {
    switch (what) {
        case Activity::Forward:
        case Activity::Backward:
        case Activity::WeightGradients:
            return &RoundReport::computeSeconds;
        case Activity::WaitForward:
            return &RoundReport::waitForwardSeconds;
        case Activity::WaitBackward:
            return &RoundReport::waitBackwardSeconds;
        case Activity::WaitAllReduce:
            return &RoundReport::waitAllReduceSeconds;
        case Activity::Send:
            return &RoundReport::sendSeconds;
        case Activity::AllReduce:
            return &RoundReport::allReduceSeconds;
        case Activity::Optimizer:
            return &RoundReport::optimizerSeconds;
        case Activity::Evaluation:
            break;
    }
    return nullptr;
}

}  // namespace

void StageTimes::beginWait(Activity what) {
    m_waiting = what;
    m_since = RoundRecorder::Clock::now();
}

void StageTimes::endWait() {
    if (const auto what = std::exchange(m_waiting, std::nullopt))
        account(*what, -1, m_since, RoundRecorder::Clock::now());
}

void StageTimes::sumArrives(TimePoint began) {
    if (m_waiting != Activity::WaitAllReduce)
        return;
    began = std::max(began, m_since);
    if (began > m_since)
        account(Activity::WaitAllReduce, -1, m_since, began);
    m_waiting = Activity::AllReduce;
    m_since = began;
}

void StageTimes::account(Activity what, int microBatch, TimePoint since, TimePoint until) {
    if (double RoundReport::*category = categoryOf(what))
        m_report.*category += std::chrono::duration<double>(until - since).count();
    m_recorder.span(what, microBatch, since, until);
}

}  // namespace hearth
