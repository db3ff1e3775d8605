#include "ui/base/meter.h"

#include <QPainter>
#include <QPainterPath>

namespace hearth {

Meter::Meter(QWidget *parent) : QWidget(parent) {
    setSizePolicy(QSizePolicy::Expanding, QSizePolicy::Fixed);
}

void Meter::setParts(std::vector<Part> parts, double whole) {
    const double known = whole > 0 ? whole : 1;
    if (parts == m_parts && known == m_whole)
        return;
    m_parts = std::move(parts);
    m_whole = known;
    update();
}

void Meter::setBarHeight(int height) {
    m_height = height;
    updateGeometry();
}

void Meter::paintEvent(QPaintEvent *) {
    QPainter painter(this);
    painter.setRenderHint(QPainter::Antialiasing);
    QPainterPath outline;
    outline.addRoundedRect(rect(), m_height / 2.0, m_height / 2.0);
    painter.setClipPath(outline);
    painter.fillRect(rect(), ThemeManager::instance().theme().disabledFill);
    double left = 0;
    for (const Part &part : m_parts) {
        const double size = width() * part.amount / m_whole;
        painter.fillRect(QRectF(left, 0, size, height()), part.colour);
        left += size;
    }
}

}  // namespace hearth
