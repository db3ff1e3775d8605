#include "core/home/link_watch.h"

#include <algorithm>
#include <utility>

namespace hearth {

LinkWatch::Order LinkWatch::check(Time now, quint64 bytesArrived, std::chrono::milliseconds roundTrip) {
    const bool late = now - std::exchange(m_checked, now) > tick + lateness;
    const bool alive = bytesArrived != std::exchange(m_bytes, bytesArrived);
    if (late || alive) {
        m_heard = now;
        m_asked = false;
    }
    if (m_asked && now - m_probed >= probePatience + 2 * std::min(roundTrip, longestRoundTrip))
        return Order::Cut;
    if (!m_asked && now - m_heard >= suspectAfter) {
        m_asked = true;
        m_probed = now;
        return Order::Probe;
    }
    if (now - m_beat >= beatPause) {
        m_beat = now;
        return Order::Beat;
    }
    return Order::Wait;
}

std::chrono::milliseconds LinkWatch::silence() const {
    return std::chrono::duration_cast<std::chrono::milliseconds>(m_checked - m_heard);
}

}  // namespace hearth
