#include "core/predict/page_hinkley.h"

#include <algorithm>
#include <cmath>

namespace hearth {

bool PageHinkley::add(double residual) {
    if (!std::isfinite(residual))
        return false;
    const double most = m_threshold / 2;
    m_up = std::max(0.0, m_up + std::min(residual - m_tolerance, most));
    m_down = std::max(0.0, m_down + std::min(-residual - m_tolerance, most));
    if (std::max(m_up, m_down) <= m_threshold)
        return false;
    m_up = m_down = 0;
    return true;
}

}  // namespace hearth
