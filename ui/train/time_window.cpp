#include "ui/train/time_window.h"

#include <algorithm>
#include <cmath>

namespace hearth {

namespace {
// Below so many units the axis of a run that begins would jump about.
constexpr double shortestRun = 10;
constexpr double room = 0.015;
}  // namespace

double TimeWindow::length() const {
    return m_span.value_or(std::max(m_last - m_first, shortestRun * m_unit));
}

/// Where the data end in the window.
double TimeWindow::end() const {
    // A run shorter than the window begins at its left edge.
    return m_follows ? std::max(m_last, m_first + length()) : m_end;
}

double TimeWindow::from() const {
    return end() - length();
}

double TimeWindow::to() const {
    return end() + length() * room;
}

void TimeWindow::setData(double first, double last) {
    // Whole units: the ticks of the axis stand still.
    const double start = std::max(0.0, std::floor(first / m_unit) * m_unit);
    if (start == m_first && last == m_last)
        return;
    m_first = start;
    m_last = std::max(start, last);
    Q_EMIT changed();
}

void TimeWindow::changeAxis(double unit, const std::function<double(double)> &placeOf) {
    const double left = placeOf(from()), right = placeOf(end());
    // Where nothing happened by the other axis there would be nothing to see.
    const bool isWhole = !m_span || *m_span >= m_last - m_first || right <= left;
    m_unit = unit;
    m_first = placeOf(m_first);
    m_last = placeOf(m_last);
    m_span = isWhole ? std::nullopt : std::optional(std::max(right - left, shortest * unit));
    if (isWhole)
        m_follows = true;
    if (!m_follows)
        hold(right);
    if (m_cursor)
        m_cursor = placeOf(*m_cursor);
    Q_EMIT changed();
    Q_EMIT cursorChanged();
}

void TimeWindow::setSpan(std::optional<double> span) {
    if (span)
        span = std::max(*span, shortest * m_unit);
    else
        m_follows = true;
    if (m_span == span)
        return;
    m_span = span;
    if (!m_follows)
        hold(m_end);
    Q_EMIT changed();
}

void TimeWindow::zoom(double factor, double around) {
    const double before = length(), left = from();
    const double whole = std::max(m_last - m_first, shortestRun * m_unit);
    const double after = std::max(before * factor, shortest * m_unit);
    if (after >= whole) {
        m_span.reset();
        m_follows = true;
    } else {
        m_span = after;
        if (!m_follows)
            hold(around - (around - left) * after / before + after);
    }
    Q_EMIT changed();
}

void TimeWindow::zoom(double factor) {
    zoom(factor, m_cursor.value_or((from() + end()) / 2));
}

void TimeWindow::pan(double by) {
    const double target = end() + by;
    if (!m_span && by < 0) {
        // The whole run has nowhere to go.
        return;
    }
    hold(target);
    Q_EMIT changed();
}

/// Does not leave the data.
void TimeWindow::hold(double end) {
    const double earliest = std::min(m_first + length(), m_last);
    m_end = std::clamp(end, earliest, m_last);
    m_follows = m_end >= m_last;
}

void TimeWindow::setFollows(bool follows) {
    if (m_follows == follows || (!follows && !m_span))
        return;
    m_end = end();
    m_follows = follows;
    Q_EMIT changed();
}

void TimeWindow::setCursor(std::optional<double> place) {
    if (m_cursor == place)
        return;
    m_cursor = place;
    Q_EMIT cursorChanged();
}

}  // namespace hearth
