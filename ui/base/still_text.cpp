#include "ui/base/still_text.h"

#include <QPainter>

#include "ui/base/theme.h"

namespace hearth {

StillText::StillText(QWidget *parent) : QWidget(parent) {
    setSizePolicy(QSizePolicy::Expanding, QSizePolicy::Fixed);
}

void StillText::setText(const QString &text) {
    if (text == m_text)
        return;
    m_text = text;
    setAccessibleName(text);
    const int width = QFontMetrics(smallFont()).horizontalAdvance(text) + 1;
    if (width > m_width) {
        m_width = width;
        updateGeometry();
    }
    update();
}

QSize StillText::sizeHint() const {
    return {m_width, QFontMetrics(smallFont()).height()};
}

void StillText::paintEvent(QPaintEvent *) {
    QPainter painter(this);
    painter.setFont(smallFont());
    painter.setPen(ThemeManager::instance().theme().secondary);
    painter.drawText(rect(), static_cast<int>(m_alignment), m_text);
}

}  // namespace hearth
