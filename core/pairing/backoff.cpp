#include "core/pairing/backoff.h"

#include <algorithm>

namespace hearth {

void Backoff::fail(Time now) {
    if (isOver(now))
        m_failures = 0;
    m_failures = std::min(m_failures + 1, mostFailures);
    m_last = now;
}

std::chrono::milliseconds Backoff::pause() const {
    auto pause = m_times.first;
    for (int i = 1; i < m_failures && pause < m_times.longest; ++i)
        pause *= 2;
    return std::min(pause, m_times.longest);
}

std::chrono::milliseconds Backoff::wait(Time now) const {
    if (isOver(now))
        return std::chrono::milliseconds(0);
    const auto left = std::chrono::ceil<std::chrono::milliseconds>(m_last + pause() - now);
    return std::max(left, std::chrono::milliseconds(0));
}

}  // namespace hearth
