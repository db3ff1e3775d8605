#include "core/run/drift_patience.h"

#include <algorithm>
#include <numeric>

namespace hearth {

double DriftPatience::mean() const {
    return m_rounds.empty()
               ? 0
               : std::accumulate(m_rounds.begin(), m_rounds.end(), 0.0) / static_cast<double>(m_rounds.size());
}

void DriftPatience::roundTook(double seconds) {
    // The first one after a change fills the pipeline anew.
    if (m_judging && m_since++ == 0)
        return;
    m_rounds.push_back(seconds);
    if (m_rounds.size() > looked)
        m_rounds.pop_front();
    if (!m_judging || m_since <= looked)
        return;
    m_judging = false;
    const double gain = m_before > 0 ? 1 - mean() / m_before : 0;
    m_wait = gain < m_promised / 2 ? std::min(2 * m_wait, longestWait) : shortestWait;
}

void DriftPatience::switched(double now, double promisedGain) {
    m_before = mean();
    m_rounds.clear();
    m_promised = promisedGain;
    m_switchedAt = now;
    m_judging = true;
    m_since = 0;
}

}  // namespace hearth
