#include "core/home/link_watch.h"

#include <algorithm>
#include <utility>

namespace hearth {

LinkWatch::Order LinkWatch::check(Time now, const Signs &signs, std::chrono::milliseconds interval) {
    const Time before = std::exchange(m_checked, now);
    const bool late = now - before > interval + lateness;
    m_calm = signs.arrived != std::exchange(m_arrived, signs.arrived);
    if (late || m_calm) {
        // Whatever came, came between the two checks.
        m_heard = late ? now : std::clamp(now - signs.sinceArrival, before, now);
        m_probed.reset();
        m_looked = false;
        m_hostHeard.reset();
    }
    if (now - m_heard >= m_pace.notice)
        lookAtHost(now, signs);
    if (m_probed && isGone(now, signs))
        return Order::Cut;
    if (!m_probed && now - m_heard >= suspectAfter) {
        m_probed = now;
        m_delivered.reset();
        return Order::Probe;
    }
    // Timers are a little early now and then, and the next check may be a whole pause away.
    if (now - m_beat >= m_pace.beat - tick / 2) {
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
    using std::chrono::milliseconds;
    const auto full = m_hostHeard ? std::chrono::duration_cast<milliseconds>(*m_hostHeard - m_heard) : milliseconds(0);
    return now - std::max(*m_probed, m_hostHeard.value_or(*m_probed)) >=
           probePatience + 2 * std::min(signs.roundTrip, longestRoundTrip) + std::min(full, longestPatience);
}

void LinkWatch::lookAtHost(Time now, const Signs &signs) {
    const auto fromHost = signs.fromHost ? signs.fromHost() : std::nullopt;
    const bool more = m_fromHost && fromHost > m_fromHost;  // it falls when connections end
    m_fromHost = fromHost;
    if (std::exchange(m_looked, true) && more)
        m_hostHeard = now;
}

std::chrono::milliseconds LinkWatch::silence() const {
    return std::chrono::duration_cast<std::chrono::milliseconds>(m_checked - m_heard);
}

}  // namespace hearth
