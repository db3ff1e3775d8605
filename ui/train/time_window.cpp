#include "ui/train/time_window.h"

#include <algorithm>
#include <cmath>

namespace hearth {

namespace {
// Below this the axis of a run that begins would jump about.
constexpr double shortestRun = 10;
constexpr double room = 0.015;
}  // namespace

double TimeWindow::length() const {
    return m_span.value_or(std::max(m_last - m_first, shortestRun));
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
    // Whole seconds: the ticks of the axis stand still.
    const double start = std::max(0.0, std::floor(first));
    if (start == m_first && last == m_last)
        return;
    m_first = start;
    m_last = std::max(start, last);
    Q_EMIT changed();
}

void TimeWindow::setSpan(std::optional<double> seconds) {
    if (seconds)
        seconds = std::max(*seconds, shortest);
    else
        m_follows = true;
    if (m_span == seconds)
        return;
    m_span = seconds;
    if (!m_follows)
        hold(m_end);
    Q_EMIT changed();
}

void TimeWindow::zoom(double factor, double around) {
    const double before = length(), left = from();
    const double whole = std::max(m_last - m_first, shortestRun);
    const double after = std::max(before * factor, shortest);
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

void TimeWindow::pan(double seconds) {
    const double target = end() + seconds;
    if (!m_span && seconds < 0) {
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

void TimeWindow::setCursor(std::optional<double> t) {
    if (m_cursor == t)
        return;
    m_cursor = t;
    Q_EMIT cursorChanged();
}

}  // namespace hearth
