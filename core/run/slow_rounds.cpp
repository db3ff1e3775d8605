#include "core/run/slow_rounds.h"

#include <algorithm>

namespace hearth {

SlowRounds::SlowRounds(std::chrono::milliseconds shortest, QObject *parent) : QObject(parent), m_shortest(shortest) {
    m_timer.setSingleShot(true);
    m_timer.setInterval(shortest);
    connect(&m_timer, &QTimer::timeout, this, [this] {
        if (m_told)
            return;
        m_told = true;
        Q_EMIT slow(m_round);
    });
}

void SlowRounds::setPrediction(double seconds) {
    // Beyond a day nobody waits; and the timer could not count it.
    const double expected = std::clamp(factor * seconds, 0.0, 86400.0);
    m_timer.setInterval(std::max(m_shortest, std::chrono::milliseconds(static_cast<qint64>(1000 * expected))));
}

void SlowRounds::begun(qint64 round) {
    m_begun = round;
    if (m_timer.isActive())
        return;
    m_round = round;
    m_timer.start();
}

void SlowRounds::done(qint64 round, double seconds) {
    if (seconds * 1000 <= static_cast<double>(m_timer.interval()))
        m_told = false;
    m_round = round + 1;
    if (m_begun > round)
        m_timer.start();
    else
        m_timer.stop();
}

void SlowRounds::rest() {
    m_timer.stop();
}

}  // namespace hearth
