#include "core/home/link_watch.h"

#include <algorithm>
#include <utility>

namespace hearth {

LinkWatch::Order LinkWatch::check(Time now, const Signs &signs) {
    const bool late = now - std::exchange(m_checked, now) > tick + lateness;
    const bool alive = signs.arrived != std::exchange(m_arrived, signs.arrived);
    if (late || alive) {
        m_heard = now;
        m_probed.reset();
    }
    if (m_probed && isGone(now, signs))
        return Order::Cut;
    if (!m_probed && now - m_heard >= suspectAfter) {
        m_probed = now;
        m_delivered.reset();
        m_hostHeard = now;
        m_fromHost = signs.fromHost ? signs.fromHost() : std::nullopt;
        return Order::Probe;
    }
    if (now - m_beat >= beatPause) {
        m_beat = now;
        return Order::Beat;
    }
    return Order::Wait;
}

bool LinkWatch::isGone(Time now, const Signs &signs) {
    if (!m_delivered && signs.allDelivered)
        m_delivered = now;
    if (m_delivered)
        return now - *m_delivered >= probePatience;
    const auto fromHost = signs.fromHost ? signs.fromHost() : std::nullopt;
    if (fromHost != std::exchange(m_fromHost, fromHost))
        m_hostHeard = now;
    return now - m_hostHeard >= probePatience + 2 * std::min(signs.roundTrip, longestRoundTrip);
}

std::chrono::milliseconds LinkWatch::silence() const {
    return std::chrono::duration_cast<std::chrono::milliseconds>(m_checked - m_heard);
}

}  // namespace hearth
