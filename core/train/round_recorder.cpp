#include "core/train/round_recorder.h"

#include <utility>

namespace hearth {

static_assert(static_cast<int>(Cargo::Activation) == static_cast<int>(TensorKind::Activation) &&
              static_cast<int>(Cargo::AllReduce) == static_cast<int>(TensorKind::AllReduce));

bool RoundRecorder::hasRoom(Half &half) {
    if (half.entries < RoundTrace::mostEntries / 2) {
        ++half.entries;
        return true;
    }
    half.cut = true;
    return false;
}

void RoundRecorder::addSpan(const TraceSpan &span) {
    const bool goesOn = isWait(span.activity) || span.activity == Activity::AllReduce;
    std::vector<TraceSpan> &spans = m_current.spans;
    // A tensor that arrives and is not enough ends a wait and begins the same one again.
    if (goesOn && !spans.empty() && spans.back().activity == span.activity)
        spans.back().end = span.end;
    else if (hasRoom(m_current))
        spans.push_back(span);
}

void RoundRecorder::addFrame(Half &half, const QString &peer, const TensorHeader &header, qint64 bytes, qint64 at) {
    if (hasRoom(half))
        half.frames[peer].push_back({static_cast<Cargo>(header.kind), static_cast<int>(header.microBatch), header.slot,
                                     static_cast<int>(header.firstSample), at, bytes, static_cast<int>(header.stage)});
}

RoundTrace RoundRecorder::finish(quint32 round, quint32 term) {
    RoundTrace trace;
    trace.round = round;
    trace.term = term;
    Half own = std::exchange(m_current, {});
    m_round = round + 1;
    if (auto ahead = m_ahead.extract(m_round))
        m_current = std::move(ahead.mapped());
    trace.spans = std::move(own.spans);
    trace.sent = std::move(own.frames);
    trace.cut = own.cut;
    if (const auto found = m_received.find(round); found != m_received.end()) {
        trace.received = std::move(found->second.frames);
        trace.cut |= found->second.cut;
    }
    m_received.erase(m_received.begin(), m_received.upper_bound(round));
    return trace;
}

}  // namespace hearth
