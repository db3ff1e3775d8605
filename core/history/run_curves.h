// Curves of a run for a screen: few points that keep what can be seen.
#pragma once

#include <limits>

#include "core/history/run_summary.h"

namespace hearth {

/// Takes one value per round, ascending, and keeps of each stretch of rounds the lowest and the highest value, in
/// order: however many come, no more than about `most` points are held. Single thread.
class CurveThinner {
  public:
    explicit CurveThinner(std::size_t most = 4000) : m_most(most) {}

    void add(const CurvePoint &point);
    /// The curve is broken here. Of gaps with less than a stretch between them the first is kept.
    void addGap(const CurvePoint &at);
    Curve take();

  private:
    void closeBucket();
    void halve();

    std::size_t m_most;
    std::size_t m_width = 1;     // rounds of a bucket
    std::size_t m_gapWidth = 1;  // rounds from one gap to the next, at least
    std::size_t m_inBucket = 0;
    double m_lastGap = -std::numeric_limits<double>::infinity();  // the round
    CurvePoint m_lowest, m_highest;
    Curve m_points;
};

}  // namespace hearth
