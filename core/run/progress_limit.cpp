#include "core/run/progress_limit.h"

#include <algorithm>
#include <vector>

#include "core/base/median.h"

namespace hearth {

void ProgressLimit::roundTook(double seconds) {
    m_rounds.push_back(seconds);
    if (m_rounds.size() > remembered)
        m_rounds.pop_front();
}

std::chrono::milliseconds ProgressLimit::limit() const {
    double typical = m_predicted;
    if (!m_rounds.empty()) {
        const std::size_t rank = (m_rounds.size() * 99 + 99) / 100 - 1;
        typical = std::max(typical, valueOfRank(std::vector<double>(m_rounds.begin(), m_rounds.end()), rank));
    }
    // A prediction may be far off, but not without a bound: a day is as good as for ever.
    constexpr double day = 86400;
    return std::max(least, std::chrono::milliseconds(static_cast<long long>(factor * std::min(typical, day) * 1000)));
}

}  // namespace hearth
