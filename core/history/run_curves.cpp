#include "core/history/run_curves.h"

#include <algorithm>
#include <cmath>
#include <utility>

namespace hearth {
namespace {

// No run has as many rounds; twice as much would still be a number.
constexpr std::size_t widestBucket = std::size_t{1} << 30;

}  // namespace

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
    // Each gap ends a bucket early: with many plans there would be no thinning.
    if (at.round - m_lastGap < static_cast<double>(m_gapWidth))
        return;
    closeBucket();
    if (m_points.empty() || !std::isfinite(m_points.back().value))
        return;
    m_points.push_back({at.round, at.t, RunSummary::unknown});
    m_lastGap = at.round;
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
    const std::size_t width = std::min(2 * m_width, widestBucket);
    coarser.m_gapWidth = width;
    for (const CurvePoint &point : std::as_const(m_points)) {
        if (std::isfinite(point.value))
            coarser.add(point);
        else
            coarser.addGap(point);
    }
    coarser.closeBucket();
    m_points = std::move(coarser.m_points);
    m_lastGap = coarser.m_lastGap;
    m_width = m_gapWidth = width;
}

Curve CurveThinner::take() {
    closeBucket();
    return std::exchange(m_points, {});
}

}  // namespace hearth
