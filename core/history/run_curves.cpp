#include "core/history/run_curves.h"

#include <cmath>
#include <utility>

namespace hearth {

void CurveThinner::add(const CurvePoint &point) {
    if (!std::isfinite(point.value))
        return;
    if (m_inBucket == 0 || point.value < m_lowest.value)
        m_lowest = point;
    if (m_inBucket == 0 || point.value > m_highest.value)
        m_highest = point;
    if (++m_inBucket >= m_width)
        closeBucket();
}

void CurveThinner::addGap(const CurvePoint &at) {
    closeBucket();
    if (!m_points.empty() && std::isfinite(m_points.back().value))
        m_points.push_back({at.round, at.t, RunSummary::unknown});
}

void CurveThinner::closeBucket() {
    if (m_inBucket == 0)
        return;
    m_inBucket = 0;
    const bool lowestFirst = m_lowest.round <= m_highest.round;
    m_points.push_back(lowestFirst ? m_lowest : m_highest);
    if (m_lowest.round != m_highest.round)
        m_points.push_back(lowestFirst ? m_highest : m_lowest);
    if (m_points.size() >= m_most)
        halve();
}

/// What is held is thinned by the same rule, twice as coarse.
void CurveThinner::halve() {
    CurveThinner coarser(2 * m_most);
    // The points of a bucket are two where it is wider than one round.
    coarser.m_width = m_width == 1 ? 2 : 4;
    for (const CurvePoint &point : std::as_const(m_points)) {
        if (std::isfinite(point.value))
            coarser.add(point);
        else
            coarser.addGap(point);
    }
    coarser.closeBucket();
    m_points = std::move(coarser.m_points);
    m_width *= 2;
}

Curve CurveThinner::take() {
    closeBucket();
    return std::exchange(m_points, {});
}

}  // namespace hearth
