#include "ui/train/plot_cursor.h"

#include <algorithm>

#include "ui/base/widgets.h"

namespace hearth {

PlotCursor::PlotCursor(QCustomPlot *plot) : QCPAbstractItem(plot) {
    // The one layer that QCustomPlot buffers apart from all others.
    setLayer(QStringLiteral("overlay"));
    setClipToAxisRect(false);
}

void PlotCursor::show(std::optional<double> t, const QStringList &lines) {
    if (m_t == t && m_lines == lines)
        return;
    m_t = t;
    m_lines = lines;
    layer()->replot();
}

void PlotCursor::draw(QCPPainter *painter) {
    if (!m_t || !parentPlot()->xAxis->range().contains(*m_t))
        return;
    const Theme &theme = ThemeManager::instance().theme();
    const QRect room = parentPlot()->axisRect()->rect();
    const auto x = static_cast<int>(parentPlot()->xAxis->coordToPixel(*m_t));
    painter->setAntialiasing(false);
    painter->setPen(QPen(theme.secondary, 1));
    painter->drawLine(QLineF(x, room.top(), x, room.bottom()));
    if (m_lines.isEmpty())
        return;
    const QFontMetrics metrics(smallFont());
    int width = 0;
    for (const QString &line : m_lines)
        width = std::max(width, metrics.horizontalAdvance(line));
    const int padding = grid / 2;
    QRect box(x + padding, room.top() + padding, width + 2 * padding,
              static_cast<int>(m_lines.size()) * metrics.height() + padding);
    if (box.right() > room.right())
        box.moveRight(x - padding);
    painter->setPen(QPen(theme.border, 1));
    painter->setBrush(theme.raised);
    painter->drawRect(box);
    painter->setPen(theme.text);
    painter->setFont(smallFont());
    painter->drawText(box.adjusted(padding, padding / 2, -padding, -padding / 2), Qt::AlignLeft | Qt::AlignTop,
                      m_lines.join(QLatin1Char('\n')));
}

}  // namespace hearth
