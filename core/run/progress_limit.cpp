#include "core/run/progress_limit.h"

#include <algorithm>
#include <vector>

namespace hearth {

void ProgressLimit::roundTook(double seconds) {
    m_rounds.push_back(seconds);
    if (m_rounds.size() > remembered)
        m_rounds.pop_front();
}

std::chrono::milliseconds ProgressLimit::limit() const {
    double typical = m_predicted;
    if (!m_rounds.empty()) {
        std::vector<double> sorted(m_rounds.begin(), m_rounds.end());
        const auto rank = (sorted.size() * 99 + 99) / 100 - 1;
        std::nth_element(sorted.begin(), sorted.begin() + static_cast<std::ptrdiff_t>(rank), sorted.end());
        typical = std::max(typical, sorted[rank]);
    }
    // A prediction may be far off, but not without a bound: a day is as good as for ever.
    constexpr double day = 86400;
    return std::max(least, std::chrono::milliseconds(static_cast<long long>(factor * std::min(typical, day) * 1000)));
}

}  // namespace hearth
