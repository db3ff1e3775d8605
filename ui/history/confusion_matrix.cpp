#include "ui/history/confusion_matrix.h"

#include <QHelpEvent>
#include <QKeyEvent>
#include <QPainter>
#include <QToolTip>
#include <algorithm>
#include <cmath>

#include "ui/base/focus_ring.h"
#include "ui/base/widgets.h"
#include "ui/words/format.h"

namespace hearth {
namespace {

constexpr int mostSide = 6 * grid, mostClassWidth = 16 * grid, mostNameHeight = 10 * grid;
constexpr int gap = grid / 2, percentWidth = 7 * grid;
constexpr double leastDigits = 0.75;  // of the small font; smaller ones could not be read

QFont fontFor(const QString &digits, int room) {
    QFont font = smallFont();
    const double part = static_cast<double>(room) / QFontMetrics(font).horizontalAdvance(digits);
    font.setPointSizeF(font.pointSizeF() * std::clamp(part, leastDigits, 1.0));
    return font;
}

}  // namespace

ConfusionMatrix::ConfusionMatrix(QWidget *parent) : QWidget(parent) {
    setObjectName(QStringLiteral("confusionMatrix"));
    setAccessibleName(tr("Which classes are taken for which"));
    setFocusPolicy(Qt::StrongFocus);
    new FocusRing(this);
    setSizePolicy(QSizePolicy::Expanding, QSizePolicy::Expanding);
    connect(&ThemeManager::instance(), &ThemeManager::changed, this, qOverload<>(&QWidget::update));
}

void ConfusionMatrix::show(const EvaluationDetails &details, const QStringList &names) {
    m_classes.clear();
    m_chosen.reset();
    for (const auto &[number, each] : details.classes) {
        const QString name = names.value(number);
        m_classes.push_back({number, name.isEmpty() ? QString::number(number) : name, each.right, each.labelled});
    }
    if (m_classes.size() > mostClasses) {
        std::stable_sort(m_classes.begin(), m_classes.end(),
                         [](const Class &a, const Class &b) { return a.labelled - a.right > b.labelled - b.right; });
        m_classes.resize(mostClasses);
        std::sort(m_classes.begin(), m_classes.end(),
                  [](const Class &a, const Class &b) { return a.number < b.number; });
    }
    const std::size_t size = m_classes.size();
    m_counts.assign(size * size, 0);
    for (std::size_t row = 0; row < size; ++row) {
        for (std::size_t column = 0; column < size; ++column) {
            const auto found = details.confused.find({m_classes[row].number, m_classes[column].number});
            if (row == column)
                m_counts[row * size + column] = m_classes[row].right;
            else if (found != details.confused.end())
                m_counts[row * size + column] = found->second.count;
        }
    }
    m_longest.clear();
    const QFontMetrics metrics(smallFont());
    for (const qint64 samples : m_counts) {
        const QString text = samples > 0 ? formatShortCount(samples) : QString();
        if (metrics.horizontalAdvance(text) > metrics.horizontalAdvance(m_longest))
            m_longest = text;
    }
    updateGeometry();
    update();
}

void ConfusionMatrix::choose(std::optional<Cell> cell) {
    m_chosen = cell;
    setAccessibleDescription(cell ? words(*cell) : QString());
    update();
}

qint64 ConfusionMatrix::count(std::size_t row, std::size_t column) const {
    return m_counts[row * m_classes.size() + column];
}

std::size_t ConfusionMatrix::placeOf(int number) const {
    return static_cast<std::size_t>(std::ranges::find(m_classes, number, &Class::number) - m_classes.begin());
}

/// Of a cell: a name has room beside it, and its number in the smallest digits.
int ConfusionMatrix::leastSide() const {
    const QFontMetrics metrics(smallFont());
    const int digits = static_cast<int>(std::ceil(leastDigits * metrics.horizontalAdvance(m_longest))) + gap;
    return std::min(mostSide, std::max(metrics.lineSpacing(), digits));
}

ConfusionMatrix::Layout ConfusionMatrix::layoutNow() const {
    const QFontMetrics metrics(smallFont());
    Layout layout;
    for (const Class &each : m_classes)
        layout.left = std::max(layout.left, metrics.horizontalAdvance(each.name));
    layout.top = std::min(layout.left, mostNameHeight) + gap + metrics.lineSpacing();
    layout.left = std::min(layout.left, mostClassWidth) + gap;
    const int classes = std::max(1, static_cast<int>(m_classes.size()));
    const int fits = std::min((width() - layout.left - percentWidth) / classes, (height() - layout.top) / classes);
    layout.side = std::clamp(fits, leastSide(), mostSide);
    return layout;
}

QSize ConfusionMatrix::sizeHint() const {
    const Layout layout = layoutNow();
    const int side = static_cast<int>(m_classes.size()) * std::max(leastSide(), 4 * grid);
    return {layout.left + side + percentWidth, layout.top + side};
}

QSize ConfusionMatrix::minimumSizeHint() const {
    const Layout layout = layoutNow();
    const int side = static_cast<int>(m_classes.size()) * leastSide();
    return {layout.left + side + percentWidth, layout.top + side};
}

QRect ConfusionMatrix::rectOf(const Cell &cell) const {
    const Layout layout = layoutNow();
    const int row = static_cast<int>(placeOf(cell.label)), column = static_cast<int>(placeOf(cell.answer));
    return {layout.left + column * layout.side, layout.top + row * layout.side, layout.side, layout.side};
}

std::optional<ConfusionMatrix::Cell> ConfusionMatrix::cellAt(const QPoint &place) const {
    const Layout layout = layoutNow();
    const QPoint inside = place - QPoint(layout.left, layout.top);
    const auto classes = static_cast<int>(m_classes.size());
    if (inside.x() < 0 || inside.y() < 0 || inside.x() >= classes * layout.side || inside.y() >= classes * layout.side)
        return std::nullopt;
    return Cell{m_classes[static_cast<std::size_t>(inside.y() / layout.side)].number,
                m_classes[static_cast<std::size_t>(inside.x() / layout.side)].number};
}

QString ConfusionMatrix::words(const Cell &cell) const {
    const Class &label = m_classes[placeOf(cell.label)];
    const qint64 samples = count(placeOf(cell.label), placeOf(cell.answer));
    const QString share = tr("%1 of %2").arg(formatCount(samples), formatCount(label.labelled));
    return cell.label == cell.answer ? tr("%1: %2 are right", "a class, a count").arg(label.name, share)
                                     : tr("%1 taken for %2: %3", "two classes, a count")
                                           .arg(label.name, m_classes[placeOf(cell.answer)].name, share);
}

QString ConfusionMatrix::toolTipAt(const QPoint &place) const {
    if (const auto cell = cellAt(place))
        return words(*cell);
    const Layout layout = layoutNow();
    const bool isRow = place.x() < layout.left;
    const int from = isRow ? place.y() - layout.top : place.x() - layout.left;
    const bool isName = isRow ? place.y() >= layout.top : place.y() < layout.top;
    const int at = from / layout.side;
    if (!isName || from < 0 || at >= static_cast<int>(m_classes.size()))
        return {};
    return m_classes[static_cast<std::size_t>(at)].name;
}

void ConfusionMatrix::paintCell(QPainter &painter, const Layout &layout, std::size_t row, std::size_t column) {
    const Theme &theme = ThemeManager::instance().theme();
    const QRect cell(layout.left + static_cast<int>(column) * layout.side,
                     layout.top + static_cast<int>(row) * layout.side, layout.side, layout.side);
    const QRect inside = cell.adjusted(0, 0, -1, -1);
    const qint64 samples = count(row, column);
    QColor fill = row == column ? theme.good : theme.bad;
    const double share =
        static_cast<double>(samples) / static_cast<double>(std::max<qint64>(1, m_classes[row].labelled));
    // Rare mistakes are what one looks for: they stay visible beside many right answers.
    fill.setAlphaF(static_cast<float>(samples == 0 ? 0 : 0.2 + 0.5 * std::sqrt(share)));
    painter.fillRect(inside, theme.window);
    painter.fillRect(inside, fill);
    if (samples > 0) {
        const QString digits = formatShortCount(samples);
        painter.setFont(fontFor(digits, layout.side - gap));
        painter.setPen(theme.text);
        painter.drawText(inside, Qt::AlignCenter, digits);
    }
    if (m_chosen == Cell{m_classes[row].number, m_classes[column].number}) {
        painter.setPen(QPen(hasFocus() ? theme.focus : theme.text, 2));
        painter.drawRect(inside.adjusted(1, 1, -1, -1));
    }
}

void ConfusionMatrix::paintNames(QPainter &painter, const Layout &layout) {
    const Theme &theme = ThemeManager::instance().theme();
    const int line = painter.fontMetrics().lineSpacing(), side = layout.side;
    const int end = layout.left + static_cast<int>(m_classes.size()) * side + gap;
    for (std::size_t i = 0; i < m_classes.size(); ++i) {
        const int at = static_cast<int>(i) * side;
        const auto elided = [&](int room) {
            return painter.fontMetrics().elidedText(m_classes[i].name, Qt::ElideMiddle, room);
        };
        painter.setPen(theme.text);
        painter.drawText(QRect(0, layout.top + at, layout.left - gap, side), Qt::AlignRight | Qt::AlignVCenter,
                         elided(layout.left - gap));
        painter.save();
        const int middle = layout.left + at + side / 2;
        painter.translate(middle, layout.top - gap);
        painter.rotate(-90);
        const int room = layout.top - gap - line;
        painter.drawText(QRect(0, -line / 2, room, line), Qt::AlignLeft | Qt::AlignVCenter, elided(room));
        painter.restore();
        painter.setPen(theme.secondary);
        const Class &each = m_classes[i];
        if (each.labelled > 0) {
            painter.drawText(QRect(end, layout.top + at, percentWidth, side), Qt::AlignLeft | Qt::AlignVCenter,
                             formatPercent(static_cast<double>(each.right) / static_cast<double>(each.labelled)));
        }
    }
    painter.setPen(theme.secondary);
    painter.drawText(QRect(layout.left, 0, width() - layout.left, line), Qt::AlignLeft | Qt::AlignTop, tr("Answer"));
    painter.drawText(QRect(0, layout.top - gap - line, layout.left - gap, line), Qt::AlignRight | Qt::AlignBottom,
                     tr("Label"));
}

void ConfusionMatrix::paintEvent(QPaintEvent *) {
    if (m_classes.empty())
        return;
    QPainter painter(this);
    const Layout layout = layoutNow();
    for (std::size_t row = 0; row < m_classes.size(); ++row) {
        for (std::size_t column = 0; column < m_classes.size(); ++column)
            paintCell(painter, layout, row, column);
    }
    painter.setFont(smallFont());
    paintNames(painter, layout);
}

void ConfusionMatrix::mousePressEvent(QMouseEvent *event) {
    if (const auto cell = cellAt(event->pos())) {
        choose(cell);
        Q_EMIT chosen(*cell);
    }
}

void ConfusionMatrix::keyPressEvent(QKeyEvent *event) {
    const int across = event->key() == Qt::Key_Right ? 1 : event->key() == Qt::Key_Left ? -1 : 0;
    const int down = event->key() == Qt::Key_Down ? 1 : event->key() == Qt::Key_Up ? -1 : 0;
    if ((across == 0 && down == 0) || m_classes.empty()) {
        QWidget::keyPressEvent(event);
        return;
    }
    const auto last = static_cast<int>(m_classes.size()) - 1;
    const auto moved = [&](int number, int by) {
        const int place = m_chosen ? static_cast<int>(placeOf(number)) + by : 0;
        return m_classes[static_cast<std::size_t>(std::clamp(place, 0, last))].number;
    };
    const Cell now = m_chosen.value_or(Cell());
    const Cell next{moved(now.label, down), moved(now.answer, across)};
    choose(next);
    Q_EMIT chosen(next);
}

bool ConfusionMatrix::event(QEvent *event) {
    if (event->type() != QEvent::ToolTip)
        return QWidget::event(event);
    const auto *help = static_cast<QHelpEvent *>(event);
    QToolTip::showText(help->globalPos(), toolTipAt(help->pos()), this);  // without a text it hides
    return true;
}

}  // namespace hearth
