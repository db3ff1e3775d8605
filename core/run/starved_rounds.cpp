#include "core/run/starved_rounds.h"

#include <algorithm>
#include <utility>

namespace hearth {

void StarvedRounds::set(bool starved, double now) {
    if (starved == m_since.has_value())
        return;
    if (starved)
        m_since = now;
    else
        m_starved += now - *std::exchange(m_since, std::nullopt);
}

std::optional<double> StarvedRounds::done(double now, double seconds) {
    if (m_since)
        m_starved += now - *std::exchange(m_since, now);
    m_rounds.push_back({std::min(std::exchange(m_starved, 0.0), seconds), seconds});
    if (m_rounds.size() > window)
        m_rounds.pop_front();
    Round all;
    for (const Round &round : m_rounds)
        all = {all.starved + round.starved, all.seconds + round.seconds};
    if (m_told || m_rounds.size() < window || all.starved <= most * all.seconds)
        return std::nullopt;
    m_told = true;
    return all.starved / all.seconds;
}

}  // namespace hearth
