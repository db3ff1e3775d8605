#include "ui/plan/round_chart.h"

#include <QHash>
#include <QHelpEvent>
#include <QPainter>
#include <QResizeEvent>
#include <QToolTip>
#include <algorithm>
#include <cmath>
#include <iterator>
#include <numeric>

#include "ui/base/focus_ring.h"
#include "ui/base/widgets.h"
#include "ui/plan/plan_draft.h"
#include "ui/words/format.h"

namespace hearth {

namespace {

using Kind = ScheduledTask::Kind;
constexpr int headRoom = 6 * grid;
constexpr int laneHeight = 20;
constexpr int nameRoom = 17 * grid;
constexpr int footRoom = 3 * grid;

/// The same task of another plan, at whatever time.
bool areAlike(const ScheduledTask &one, const ScheduledTask &other) {
    return one.lane == other.lane && one.kind == other.kind && one.stage == other.stage &&
           one.microBatch == other.microBatch;
}

void paintTask(QPainter &painter, const QRectF &rect, const ScheduledTask &task, const Theme &theme) {
    QColor fill = theme.stageFill(task.stage);
    if (task.kind == Kind::Transfer || task.kind == Kind::AllReduce)
        fill = task.kind == Kind::AllReduce ? theme.slow : theme.info;
    painter.setPen(Qt::NoPen);
    painter.setBrush(fill);
    painter.drawRect(rect);
    if (task.kind == Kind::Backward || task.kind == Kind::Weights || task.kind == Kind::AllReduce) {
        QColor hatch = theme.surface;
        hatch.setAlphaF(task.kind == Kind::Weights ? 0.55F : 0.35F);
        painter.setBrush(QBrush(hatch, task.kind == Kind::Weights ? Qt::DiagCrossPattern : Qt::BDiagPattern));
        painter.drawRect(rect);
    }
}

/// Lanes of what limits the plan.
class LimitedLanes {
  public:
    explicit LimitedLanes(const std::optional<Prediction> &prediction) {
        if (!prediction)
            return;
        m_kind = prediction->limit.kind;
        m_device = prediction->limit.device;
        m_from = m_device + QLatin1Char('>');
        m_to = QLatin1Char('>') + m_device;
        m_step = prediction->dominantStep;
    }

    bool contains(const ScheduledTask &task) const {
        const bool isTransfer = task.kind == Kind::Transfer;
        switch (m_kind) {
            case RoundLimit::Kind::Feed:  // inputs and labels are in no picture
                return false;
            case RoundLimit::Kind::Card:
                return isTransfer && (task.lane.startsWith(m_from) || task.lane.endsWith(m_to));
            case RoundLimit::Kind::Device:
                return task.lane == m_device;
            case RoundLimit::Kind::Step:
                break;
        }
        return isTransfer ? m_step == 2 * task.stage + 1 : task.kind != Kind::AllReduce && m_step == 2 * task.stage;
    }

  private:
    RoundLimit::Kind m_kind = RoundLimit::Kind::Step;
    QString m_device, m_from, m_to;  // and how the lanes of its links begin and end
    int m_step = -1;
};

}  // namespace

RoundChart::RoundChart(const PlanDraft &draft, QWidget *parent) : QFrame(parent), m_draft(draft) {
    setObjectName(QStringLiteral("roundChart"));
    setAccessibleName(tr("One round, drawn"));
    setProperty("role", QStringLiteral("card"));
    setSizePolicy(QSizePolicy::Expanding, QSizePolicy::Fixed);
    setMouseTracking(true);
    setFocusPolicy(Qt::StrongFocus);
    new FocusRing(this);
    refresh();
}

void RoundChart::refresh() {
    const std::optional<Prediction> &prediction = m_draft.plan().prediction;
    // For the frame in which only the closed form is known the last picture stays.
    if (prediction && prediction->schedule.empty() && !m_draft.isSimulated())
        return;
    const std::optional<ScheduledTask> chosen = m_chosen ? std::optional(m_tasks[*m_chosen]) : std::nullopt;
    m_tasks = prediction ? prediction->schedule : std::vector<ScheduledTask>();
    m_seconds = prediction ? prediction->roundSeconds : 0;
    for (const ScheduledTask &task : m_tasks)  // of asynchronous training the picture also shows how a round begins
        m_seconds = std::max(m_seconds, task.endSeconds);
    const std::size_t before = m_lanes.size();
    // Bars are left out by what lies before them.
    if (!std::ranges::is_sorted(m_tasks, {}, &ScheduledTask::startSeconds))
        std::ranges::stable_sort(m_tasks, {}, &ScheduledTask::startSeconds);
    findLanes();
    const auto same = std::ranges::find_if(
        m_tasks, [&chosen](const ScheduledTask &task) { return chosen && takesTime(task) && areAlike(task, *chosen); });
    m_chosen = same == m_tasks.end() ? std::nullopt : std::optional<std::size_t>(same - m_tasks.begin());
    speak();
    m_laidOut = false;
    // May resize it, and so lay it out.
    setVisible(!m_lanes.empty());
    if (m_lanes.size() != before)
        updateGeometry();
    if (!m_laidOut)
        layOut();
    update();
}

/// Stage by stage: its devices, then the links that its tasks use.
void RoundChart::findLanes() {
    m_lanes.clear();
    const LimitedLanes limited(m_draft.plan().prediction);
    // A large round has tens of thousands of tasks on some hundred lanes: the lane of each is looked up once.
    QHash<QString, std::size_t> known;
    m_rows.clear();
    m_rows.reserve(m_tasks.size());
    std::vector<std::pair<int, bool>> places;  // stage and whether a link, of the lanes as they are found
    std::vector<Lane> found;
    for (const ScheduledTask &task : m_tasks) {
        const bool isLink = task.kind == Kind::Transfer || task.kind == Kind::AllReduce;
        const bool limits = limited.contains(task);
        const std::pair place(task.stage, isLink);
        const auto lane = known.constFind(task.lane);
        m_rows.push_back(lane == known.constEnd() ? found.size() : *lane);
        if (lane == known.constEnd()) {
            known.insert(task.lane, found.size());
            found.push_back({task.lane, {}, false, limits, false});
            places.push_back(place);
            continue;
        }
        Lane &own = found[*lane];
        own.limits = own.limits || limits;
        own.hasSeveralStages = own.hasSeveralStages || task.stage != places[*lane].first;
        places[*lane] = std::min(places[*lane], place);
    }
    std::vector<std::size_t> order(found.size());
    std::iota(order.begin(), order.end(), std::size_t{0});
    std::ranges::stable_sort(order, {}, [&places](std::size_t lane) { return places[lane]; });
    std::vector<std::size_t> rows(found.size());
    for (const std::size_t lane : order) {
        rows[lane] = m_lanes.size();
        Lane &own = found[lane];
        const qsizetype arrow = own.key.indexOf(QLatin1Char('>'));
        own.link = arrow >= 0;
        own.name = arrow < 0
                       ? m_draft.nameOf(own.key)
                       : tr("%1 → %2").arg(m_draft.nameOf(own.key.left(arrow)), m_draft.nameOf(own.key.mid(arrow + 1)));
        m_lanes.push_back(own);
    }
    for (std::size_t &row : m_rows)
        row = rows[row];
}

QStringList RoundChart::laneNames() const {
    QStringList names;
    for (const Lane &lane : m_lanes)
        names << lane.name;
    return names;
}

QSize RoundChart::sizeHint() const {
    return {80 * grid, headRoom + static_cast<int>(m_lanes.size()) * laneHeight + footRoom + grid};
}

void RoundChart::layOut() {
    m_laidOut = true;
    m_bars.clear();
    if (m_seconds <= 0)
        return;
    const QFontMetricsF metrics(smallFont());
    const double digit = metrics.horizontalAdvance(QLatin1Char('0'));
    // Of what would fall into the same pixel of a lane one bar is drawn.
    std::vector<std::pair<double, ScheduledTask::Kind>> drawnUntil(m_lanes.size(), {-1, ScheduledTask::Kind::Update});
    std::vector<std::vector<Bar>> rows(m_lanes.size());
    for (std::size_t i = 0; i < m_tasks.size(); ++i) {
        const ScheduledTask &task = m_tasks[i];
        if (!takesTime(task))
            continue;
        const std::size_t row = m_rows[i];
        const bool link = m_lanes[row].link;
        const QRectF rect = rectOf(i);
        auto &[until, kind] = drawnUntil[row];
        if (rect.right() <= until && kind == task.kind)
            continue;
        until = std::ceil(rect.right());
        kind = task.kind;
        QString number;
        if (!link && digit + 4 <= rect.width()) {
            number = QString::number(task.microBatch + 1);
            if (m_lanes[row].hasSeveralStages)
                number.prepend(QStringLiteral("%1.").arg(task.stage + 1));
        }
        if (digit * static_cast<double>(number.size()) + 4 > rect.width())
            number.clear();
        rows[row].push_back({rect, i, number});
    }
    for (std::vector<Bar> &row : rows)
        m_bars.insert(m_bars.end(), std::make_move_iterator(row.begin()), std::make_move_iterator(row.end()));
}

QRectF RoundChart::rectOf(std::size_t task) const {
    const ScheduledTask &own = m_tasks[task];
    const double room = width() - nameRoom - 4 * grid;
    const double inset = m_lanes[m_rows[task]].link ? 5 : 2;
    return {nameRoom + 2 * grid + room * own.startSeconds / m_seconds,
            headRoom + static_cast<double>(m_rows[task]) * laneHeight + inset,
            std::max(1.0, room * (own.endSeconds - own.startSeconds) / m_seconds - 0.5), laneHeight - 2 * inset};
}

void RoundChart::paintEvent(QPaintEvent *event) {
    QFrame::paintEvent(event);
    const Theme &theme = ThemeManager::instance().theme();
    QPainter painter(this);
    painter.setRenderHint(QPainter::Antialiasing);
    QFont strong = bodyFont();
    strong.setWeight(QFont::DemiBold);
    painter.setFont(strong);
    painter.setPen(theme.text);
    painter.drawText(QPointF(2 * grid, grid + QFontMetricsF(strong).ascent() + 4), tr("One round, drawn"));
    paintLegend(painter);
    painter.setFont(smallFont());
    const QFontMetrics metrics(smallFont());
    // A chart of many lanes is much higher than what is seen of it.
    const QRect seen = event->rect();
    for (std::size_t i = 0; i < m_lanes.size(); ++i) {
        const Lane &lane = m_lanes[i];
        const int top = headRoom + static_cast<int>(i) * laneHeight;
        if (top > seen.bottom() || top + laneHeight < seen.top())
            continue;
        painter.setPen(theme.gridLine);
        painter.drawLine(nameRoom + 2 * grid, top + laneHeight, width() - 2 * grid, top + laneHeight);
        if (lane.limits)
            painter.fillRect(QRect(grid, top + 3, 3, laneHeight - 6), theme.accent);
        painter.setPen(lane.limits ? theme.accentText : theme.secondary);
        painter.drawText(QRect(2 * grid, top, nameRoom - grid, laneHeight), Qt::AlignVCenter | Qt::AlignLeft,
                         metrics.elidedText(lane.name, Qt::ElideMiddle, nameRoom - grid));
    }
    const auto firstBar = std::ranges::lower_bound(m_bars, static_cast<double>(seen.top() - laneHeight), {},
                                                   [](const Bar &bar) { return bar.rect.top(); });
    for (auto at = firstBar; at != m_bars.end() && at->rect.top() <= seen.bottom(); ++at) {
        const Bar &bar = *at;
        paintTask(painter, bar.rect, m_tasks[bar.task], theme);
        if (!bar.text.isEmpty()) {
            painter.setPen(theme.onStage());
            painter.drawText(bar.rect, Qt::AlignCenter, bar.text);
        }
    }
    if (m_chosen && hasFocus()) {
        painter.setBrush(Qt::NoBrush);
        painter.setPen(QPen(theme.focus, 2));
        painter.drawRect(rectOf(*m_chosen).adjusted(-1, -1, 1, 1));
    }
    painter.setPen(theme.secondary);
    const int foot = headRoom + static_cast<int>(m_lanes.size()) * laneHeight;
    const QRect times(nameRoom + 2 * grid, foot, width() - nameRoom - 4 * grid, footRoom);
    painter.drawText(times, Qt::AlignLeft | Qt::AlignVCenter, formatSeconds(0));
    painter.drawText(times, Qt::AlignRight | Qt::AlignVCenter, formatSeconds(m_seconds));
}

void RoundChart::paintLegend(QPainter &painter) const {
    const Theme &theme = ThemeManager::instance().theme();
    painter.setFont(smallFont());
    const QFontMetrics metrics(smallFont());
    std::vector<std::pair<Kind, QString>> entries{{Kind::AllReduce, tr("AllReduce")}, {Kind::Transfer, tr("transfer")}};
    if (m_draft.plan().schedule.putsOffWeights())
        entries.emplace_back(Kind::Weights, tr("gradients of weights"));
    entries.emplace_back(Kind::Backward, tr("backward"));
    entries.emplace_back(Kind::Forward, tr("forward"));
    int right = width() - 2 * grid;
    for (const auto &[kind, text] : entries) {
        const int textWidth = metrics.horizontalAdvance(text);
        painter.setPen(theme.secondary);
        painter.drawText(QRect(right - textWidth, grid, textWidth, 2 * grid + 4), Qt::AlignVCenter, text);
        ScheduledTask sample;
        sample.kind = kind;
        paintTask(painter, QRectF(right - textWidth - 2 * grid, grid + 5, grid * 3 / 2, grid + 2), sample, theme);
        right -= textWidth + 4 * grid;
    }
    if (std::ranges::none_of(m_lanes, &Lane::limits))
        return;
    const QString mark = tr("limits the plan");
    const int textWidth = metrics.horizontalAdvance(mark);
    painter.setPen(theme.accentText);
    painter.drawText(QRect(right - textWidth, grid, textWidth, 2 * grid + 4), Qt::AlignVCenter, mark);
    painter.fillRect(QRect(right - textWidth - grid, grid + 3, 3, 14), theme.accent);
}

void RoundChart::resizeEvent(QResizeEvent *event) {
    QFrame::resizeEvent(event);
    if (!m_laidOut || event->size().width() != event->oldSize().width())
        layOut();
}

QString RoundChart::describe(const ScheduledTask &task) const {
    const QString seconds = formatSeconds(task.endSeconds - task.startSeconds);
    const QString from = formatSeconds(task.startSeconds);
    switch (task.kind) {
        case Kind::Forward:
            return tr("Stage %1, forward of micro-batch %2: %3, from %4 on")
                .arg(QString::number(task.stage + 1), QString::number(task.microBatch + 1), seconds, from);
        case Kind::Backward:
            return tr("Stage %1, backward of micro-batch %2: %3, from %4 on")
                .arg(QString::number(task.stage + 1), QString::number(task.microBatch + 1), seconds, from);
        case Kind::Weights:
            return tr("Stage %1, gradients of weights of micro-batch %2: %3, from %4 on")
                .arg(QString::number(task.stage + 1), QString::number(task.microBatch + 1), seconds, from);
        case Kind::Transfer:
            return tr("Transfer of micro-batch %1 between stages %2 and %3: %4 in %5, from %6 on")
                .arg(QString::number(task.microBatch + 1), QString::number(task.stage + 1),
                     QString::number(task.stage + 2), formatBytes(task.bytes), seconds, from);
        case Kind::AllReduce:
            return tr("AllReduce of stage %1: %2 in %3, from %4 on")
                .arg(QString::number(task.stage + 1), formatBytes(task.bytes), seconds, from);
        case Kind::Update:
            break;
    }
    return tr("Optimizer step of stage %1").arg(task.stage + 1);
}

const RoundChart::Bar *RoundChart::barAt(const QPoint &at) const {
    const auto bar = std::ranges::find_if(m_bars, [&at](const Bar &each) { return each.rect.contains(at); });
    return bar == m_bars.end() ? nullptr : &*bar;
}

QString RoundChart::numberAt(const QPoint &at) const {
    const Bar *bar = barAt(at);
    return bar ? bar->text : QString();
}

QString RoundChart::toolTipAt(const QPoint &at) const {
    if (const Bar *bar = barAt(at))
        return describe(m_tasks[bar->task]);
    // Of a name there may be more than there is room for.
    const bool isName = at.y() >= headRoom && at.x() < nameRoom + 2 * grid;
    const std::size_t lane = isName ? static_cast<std::size_t>((at.y() - headRoom) / laneHeight) : m_lanes.size();
    return lane < m_lanes.size() ? m_lanes[lane].name : QString();
}

bool RoundChart::event(QEvent *event) {
    if (event->type() != QEvent::ToolTip)
        return QFrame::event(event);
    const auto *help = static_cast<QHelpEvent *>(event);
    QToolTip::showText(help->globalPos(), toolTipAt(help->pos()), this);  // without a text it hides
    return true;
}

}  // namespace hearth
