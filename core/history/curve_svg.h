// Curves of a run as drawings for web pages.
#pragma once

#include <vector>

#include "core/history/run_summary.h"

namespace hearth {

/// An `svg` element to stand in a page, 720 × 220 units: `curve` over its rounds with an axis each way, broken at its
/// gaps, and a vertical line at each round of `marks`. Its colours are classes of the page's style: "axis", "curve",
/// "mark". `label` is read out in its place. Empty where the curve has no value. Any thread.
QString curveSvg(const Curve &curve, const QString &label, const std::vector<double> &marks);

}  // namespace hearth
