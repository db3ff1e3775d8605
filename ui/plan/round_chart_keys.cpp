// The drawn round without a mouse: by keys, and for those who hear it.
#include <QKeyEvent>
#include <QScrollArea>
#include <QToolTip>
#include <algorithm>

#include "ui/base/widgets.h"
#include "ui/plan/round_chart.h"
#include "ui/words/format.h"

namespace hearth {

namespace {
// More lanes than these say nothing to somebody who hears them.
constexpr std::size_t mostSpokenLanes = 20;
}  // namespace

std::vector<std::size_t> RoundChart::tasksOf(std::size_t lane) const {
    std::vector<std::size_t> tasks;
    for (std::size_t i = 0; i < m_tasks.size(); ++i) {
        if (m_rows[i] == lane && takesTime(m_tasks[i]))
            tasks.push_back(i);
    }
    return tasks;
}

std::optional<std::size_t> RoundChart::taskBy(int key) const {
    const std::vector<std::size_t> own =
        m_lanes.empty() ? std::vector<std::size_t>() : tasksOf(m_chosen ? m_rows[*m_chosen] : 0);
    if (own.empty())
        return std::nullopt;
    const auto chosen = m_chosen ? std::ranges::lower_bound(own, *m_chosen) : own.begin();
    switch (key) {
        case Qt::Key_Right:
            return m_chosen && chosen + 1 != own.end() ? chosen[1] : *chosen;
        case Qt::Key_Left:
            return chosen == own.begin() ? *chosen : chosen[-1];
        case Qt::Key_Home:
            return own.front();
        case Qt::Key_End:
            return own.back();
        case Qt::Key_Down:
        case Qt::Key_Up:
            return m_chosen ? taskInNextLane(key == Qt::Key_Down) : own.front();
        default:
            return std::nullopt;
    }
}

/// The one that is under way when the chosen task begins, or was last; else the first.
std::size_t RoundChart::taskInNextLane(bool isBelow) const {
    for (std::size_t lane = m_rows[*m_chosen]; isBelow ? lane + 1 < m_lanes.size() : lane > 0;) {
        lane = isBelow ? lane + 1 : lane - 1;
        const std::vector<std::size_t> tasks = tasksOf(lane);
        const auto later = std::ranges::upper_bound(tasks, m_tasks[*m_chosen].startSeconds, {},
                                                    [this](std::size_t task) { return m_tasks[task].startSeconds; });
        if (!tasks.empty())
            return later == tasks.begin() ? *later : later[-1];
    }
    return *m_chosen;
}

void RoundChart::choose(std::size_t task) {
    m_chosen = task;
    speak();
    update();
    const QRectF rect = rectOf(task);
    for (QWidget *each = parentWidget(); each != nullptr; each = each->parentWidget()) {
        if (auto *scroll = qobject_cast<QScrollArea *>(each)) {
            const QPoint place = mapTo(scroll->widget(), rect.center().toPoint());
            scroll->ensureVisible(place.x(), place.y(), grid, 4 * grid);
            break;
        }
    }
    QToolTip::showText(mapToGlobal(rect.bottomLeft().toPoint()), describe(m_tasks[task]), this);
}

void RoundChart::speak() {
    setAccessibleDescription(m_chosen ? tr("%1: %2").arg(m_lanes[m_rows[*m_chosen]].name, describe(m_tasks[*m_chosen]))
                                      : spokenLanes());
}

QString RoundChart::spokenLanes() const {
    std::vector<double> busy(m_lanes.size());
    for (std::size_t i = 0; i < m_tasks.size(); ++i)
        busy[m_rows[i]] += m_tasks[i].endSeconds - m_tasks[i].startSeconds;
    QStringList spoken;
    for (std::size_t lane = 0; lane < std::min(m_lanes.size(), mostSpokenLanes); ++lane) {
        const QString part = formatPercent(m_seconds > 0 ? std::min(1.0, busy[lane] / m_seconds) : 0);
        spoken << (m_lanes[lane].limits ? tr("%1: busy %2 of the round, limits the plan")
                                        : tr("%1: busy %2 of the round"))
                      .arg(m_lanes[lane].name, part);
    }
    return spoken.join(QStringLiteral("; "));
}

void RoundChart::keyPressEvent(QKeyEvent *event) {
    if (const auto next = taskBy(event->key()))
        choose(*next);
    else
        QFrame::keyPressEvent(event);
}

void RoundChart::focusOutEvent(QFocusEvent *event) {
    QFrame::focusOutEvent(event);
    QToolTip::hideText();
}

}  // namespace hearth
