#include "core/train/send_pace.h"

#include <algorithm>
#include <utility>

namespace hearth {

int SendPace::chunks(Time now, qint64 undeliveredBytes, bool roundUnderWay) {
    if (undeliveredBytes > quietBytes)
        return 0;
    if (const auto sent = std::exchange(m_sentAt, std::nullopt)) {
        const auto took = now - *sent;
        m_restsUntil =
            std::max(now + restFactor * std::max(Time::duration::zero(), took - interval), *sent + m_leastPause);
        if (took <= burstTime)
            m_atOnce = std::min(2 * m_atOnce, mostAtOnce);
        else if (took > 2 * burstTime)
            m_atOnce = std::max(m_atOnce / 2, 1);
    }
    if (roundUnderWay) {
        m_atOnce = 1;
        if (now < m_restsUntil)
            return 0;
    }
    m_sentAt = now;
    return m_atOnce;
}

SendPace::Time::duration SendPace::wait(Time now, bool roundUnderWay) const {
    if (!roundUnderWay)
        return interval;
    const auto rest = m_sentAt ? Time::duration::zero() : m_restsUntil - now;
    return std::clamp<Time::duration>(std::max(rest, m_leastPause / 4), interval, longestWait);
}

}  // namespace hearth
