#include "ui/train/plot_cursor.h"

#include <algorithm>

#include "ui/base/widgets.h"

namespace hearth {

namespace {
constexpr int padding = grid / 2;
constexpr int swatch = grid;
}  // namespace

PlotCursor::PlotCursor(QCustomPlot *plot) : QCPAbstractItem(plot) {
    // The one layer that QCustomPlot buffers apart from all others.
    setLayer(QStringLiteral("overlay"));
    setClipToAxisRect(false);
}

void PlotCursor::show(std::optional<double> place, const std::vector<CursorLine> &lines) {
    if (m_place == place && m_lines == lines)
        return;
    m_place = place;
    m_lines = lines;
    layer()->replot();
}

void PlotCursor::draw(QCPPainter *painter) {
    if (!m_place || !parentPlot()->xAxis->range().contains(*m_place))
        return;
    const Theme &theme = ThemeManager::instance().theme();
    const QRect room = parentPlot()->axisRect()->rect();
    const auto x = static_cast<int>(parentPlot()->xAxis->coordToPixel(*m_place));
    painter->setAntialiasing(false);
    painter->setPen(QPen(theme.secondary, 1));
    painter->drawLine(QLineF(x, room.top(), x, room.bottom()));
    if (m_lines.empty())
        return;
    const QFontMetrics metrics(smallFont());
    int width = 0;
    for (const CursorLine &line : m_lines)
        width = std::max(width, metrics.horizontalAdvance(line.text));
    const int text = swatch + padding;
    QRect box(x + padding, room.top() + padding, text + width + 2 * padding,
              static_cast<int>(m_lines.size()) * metrics.height() + padding);
    if (box.right() > room.right())
        box.moveRight(x - padding);
    painter->setPen(QPen(theme.border, 1));
    painter->setBrush(theme.raised);
    painter->drawRect(box);
    painter->setFont(smallFont());
    painter->setPen(theme.text);
    int top = box.top() + padding / 2;
    for (const CursorLine &line : m_lines) {
        if (line.colour.isValid())
            painter->fillRect(QRect(box.left() + padding, top + metrics.height() / 2 - 1, swatch, 3), line.colour);
        painter->drawText(box.left() + padding + (line.colour.isValid() ? text : 0), top + metrics.ascent(), line.text);
        top += metrics.height();
    }
}

int PlotCursor::room() const {
    return (parentPlot()->height() - parentPlot()->axisRect()->top() - 2 * padding) /
           QFontMetrics(smallFont()).height();
}

}  // namespace hearth
