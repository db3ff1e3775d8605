#include "core/run/clock_offset.h"

#include <cmath>
#include <cstdlib>

namespace hearth {

void ClockOffset::add(qint64 asked, qint64 told, qint64 answered) {
    if (answered < asked || told < -furthest || told > furthest)
        return;
    const qint64 half = (answered - asked) / 2;
    // Rounding loses a nanosecond, and clocks drift between question and answer, too.
    const qint64 lost = 1 + std::llround(drift * static_cast<double>(answered - asked));
    const Answer answer{told - (asked + half), half + lost, answered};
    if (!m_best || answer.error <= errorAt(answered))
        m_best = answer;
}

qint64 ClockOffset::errorAt(qint64 now) const {
    return m_best->error + std::llround(drift * static_cast<double>(std::abs(now - m_best->at)));
}

}  // namespace hearth
