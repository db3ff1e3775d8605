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
        waited(*what, m_since, RoundRecorder::Clock::now());
}

void StageTimes::sumArrives(TimePoint began) {
    if (m_waiting != Activity::WaitAllReduce)
        return;
    began = std::max(began, m_since);
    if (began > m_since)
        waited(Activity::WaitAllReduce, m_since, began);
    m_waiting = Activity::AllReduce;
    m_since = began;
}

void StageTimes::waited(Activity what, TimePoint since, TimePoint until) {
    // A tensor that arrives and is not enough ends a wait and begins the same one again.
    Piece *before = m_pieces.empty() ? nullptr : &m_pieces.back();
    if (before && !before->start && before->what == what && before->round == m_round) {
        // What may have passed between the two was none.
        before->since = since - (before->until - before->since);
        before->until = until;
    } else {
        m_pieces.push_back({what, -1, nullptr, nullptr, since, until, m_round});
    }
}

void StageTimes::settle(RoundReport &report, RoundRecorder &recorder) {
    TimePoint last;  // spans ascend, whatever two clocks say
    for (const Piece &piece : std::exchange(m_pieces, {})) {
        if (piece.round > m_round) {
            m_pieces.push_back(piece);
            continue;
        }
        const TimePoint since = std::max(last, piece.start ? piece.start->when() : piece.since);
        const TimePoint until = std::max(since, piece.end ? piece.end->when() : piece.until);
        if (!piece.start && since == until)
            continue;  // the device had enough to do
        last = until;
        if (double RoundReport::*category = categoryOf(piece.what))
            report.*category += std::chrono::duration<double>(until - since).count();
        recorder.span(piece.what, piece.microBatch, since, until);
    }
}

}  // namespace hearth
