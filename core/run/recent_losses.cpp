#include "core/run/recent_losses.h"

#include <algorithm>
#include <limits>

namespace hearth {

void RecentLosses::add(double now) {
    m_losses.push_back(now);
    while (now - m_losses.front() > windowSeconds)
        m_losses.pop_front();
}

double RecentLosses::secondsBetween(double now) const {
    const auto recent = std::ranges::count_if(m_losses, [now](double when) { return now - when <= windowSeconds; });
    if (recent == 0)
        return std::numeric_limits<double>::infinity();
    return std::clamp(now, leastSeconds, windowSeconds) / static_cast<double>(recent);
}

}  // namespace hearth
