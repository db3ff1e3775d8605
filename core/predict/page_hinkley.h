// Notices that what is seen has left what is predicted for good. Source: Page 1954, Hinkley 1971, two-sided.
#pragma once

namespace hearth {

/// Fed with relative residuals (log of seen / predicted). A hiccup is as far off as one likes and says nothing of what
/// comes: one value counts for half of the threshold at most, so that it takes three. Plain value, one thread.
class PageHinkley {
  public:
    /// Scatter below `tolerance` does not add up; `threshold` is how much of the rest may.
    explicit PageHinkley(double tolerance = 0.05, double threshold = 0.5)
        : m_tolerance(tolerance), m_threshold(threshold) {}
    /// True: it drifted. The sums begin anew then. Values that are not finite do not count.
    bool add(double residual);

  private:
    double m_tolerance, m_threshold;
    double m_up = 0, m_down = 0;
};

}  // namespace hearth
