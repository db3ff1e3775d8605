#include "ui/plan/plan_traffic.h"

#include <QHelpEvent>
#include <QMap>
#include <QPainter>
#include <QToolTip>
#include <algorithm>

#include "ui/base/widgets.h"
#include "ui/plan/plan_draft.h"
#include "ui/words/format.h"

namespace hearth {

namespace {

constexpr int linksPerRow = 3;
constexpr int sidePad = 2 * grid;
constexpr int topPad = grid * 3 / 2;
constexpr int columnGap = 3 * grid;
// More lines than these say nothing to somebody who hears them.
constexpr std::size_t mostSpoken = 20;

QFont headFont() {
    QFont font = bodyFont();
    font.setWeight(QFont::DemiBold);
    return font;
}
int headHeight() {
    return QFontMetrics(headFont()).height() + grid / 2;
}
int lineHeight() {
    return QFontMetrics(smallFont()).height() + 4;
}

}  // namespace

PlanTraffic::PlanTraffic(const PlanDraft &draft, QWidget *parent) : QFrame(parent), m_draft(draft) {
    setObjectName(QStringLiteral("planTraffic"));
    setAccessibleName(tr("Sent per round"));
    setProperty("role", QStringLiteral("card"));
    setSizePolicy(QSizePolicy::Expanding, QSizePolicy::Fixed);
    refresh();
}

void PlanTraffic::refresh() {
    // With the simulator's numbers, as the picture of the round: a drag shall not wait for what lies far below it.
    if (m_draft.plan().prediction && !m_draft.isSimulated())
        return;
    QMultiMap<QString, qint64> byName;  // two devices may be called alike
    if (const std::optional<Prediction> &prediction = m_draft.plan().prediction) {
        const QString pattern = tr("%1 → %2");
        const QMap<QString, qint64> &bytes = prediction->roundBytes;
        for (auto it = bytes.cbegin(); it != bytes.cend(); ++it) {
            const qsizetype arrow = it.key().indexOf(QLatin1Char('>'));
            byName.insert(pattern.arg(m_draft.nameOf(it.key().left(arrow)), m_draft.nameOf(it.key().mid(arrow + 1))),
                          it.value());
        }
    }
    const std::size_t before = m_lines.size();
    m_lines.clear();
    QStringList spoken;
    for (auto it = byName.cbegin(); it != byName.cend(); ++it) {
        m_lines.push_back({it.key(), it.value(), {}, {}, {}});
        if (m_lines.size() <= mostSpoken)
            spoken << it.key() + QLatin1Char(' ') + formatBytes(it.value());
    }
    setAccessibleDescription(spoken.join(QStringLiteral(", ")));
    setVisible(!m_lines.empty());
    if (m_lines.size() != before)
        updateGeometry();
    layOut();
    update();
}

QSize PlanTraffic::sizeHint() const {
    const auto rows = static_cast<int>((m_lines.size() + linksPerRow - 1) / linksPerRow);
    return {80 * grid, 2 * topPad + headHeight() + rows * lineHeight()};
}

void PlanTraffic::layOut() {
    const int column = (width() - 2 * sidePad - (linksPerRow - 1) * columnGap) / linksPerRow;
    for (std::size_t i = 0; i < m_lines.size(); ++i) {
        Line &line = m_lines[i];
        const auto row = static_cast<int>(i) / linksPerRow, place = static_cast<int>(i) % linksPerRow;
        line.rect = QRect(sidePad + place * (column + columnGap), topPad + headHeight() + row * lineHeight(), column,
                          lineHeight());
        line.shown.clear();
    }
}

void PlanTraffic::resizeEvent(QResizeEvent *event) {
    QFrame::resizeEvent(event);
    layOut();
}

void PlanTraffic::paintEvent(QPaintEvent *event) {
    QFrame::paintEvent(event);
    const Theme &theme = ThemeManager::instance().theme();
    QPainter painter(this);
    painter.setFont(headFont());
    painter.setPen(theme.text);
    painter.drawText(QRect(sidePad, topPad, width() - 2 * sidePad, headHeight()), Qt::AlignLeft | Qt::AlignTop,
                     tr("Sent per round"));
    painter.setFont(smallFont());
    painter.setPen(theme.secondary);
    const QFontMetrics metrics(smallFont());
    for (Line &line : m_lines) {
        if (!line.rect.intersects(event->rect()))
            continue;
        // Written and measured once a line comes into sight: most of a large home's never do.
        if (line.shown.isEmpty()) {
            line.number = formatBytes(line.bytes);
            line.shown = metrics.elidedText(line.name, Qt::ElideMiddle,
                                            line.rect.width() - grid - metrics.horizontalAdvance(line.number));
        }
        painter.drawText(line.rect, Qt::AlignLeft | Qt::AlignVCenter, line.shown);
        painter.drawText(line.rect, Qt::AlignRight | Qt::AlignVCenter, line.number);
    }
}

bool PlanTraffic::event(QEvent *event) {
    if (event->type() != QEvent::ToolTip)
        return QFrame::event(event);
    const auto *help = static_cast<QHelpEvent *>(event);
    const auto line =
        std::ranges::find_if(m_lines, [help](const Line &each) { return each.rect.contains(help->pos()); });
    if (line != m_lines.end())
        QToolTip::showText(help->globalPos(), line->name + QLatin1Char(' ') + formatBytes(line->bytes), this);
    else
        QToolTip::hideText();
    return true;
}

}  // namespace hearth
