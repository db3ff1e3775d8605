#include "ui/train/lines_layout.h"

#include <algorithm>

#include "ui/base/widgets.h"

namespace hearth {

LinesLayout::LinesLayout(QWidget *parent) : QLayout(parent) {
    setContentsMargins(0, 0, 0, 0);
    setSpacing(0);
}

LinesLayout::~LinesLayout() {
    for (QLayoutItem *item : m_items)
        delete item;
}

QLayoutItem *LinesLayout::takeAt(int index) {
    return index >= 0 && index < count() ? m_items.takeAt(index) : nullptr;
}

QSize LinesLayout::minimumSize() const {
    QSize most;
    for (const QLayoutItem *item : m_items)
        most = item->isEmpty() ? most : most.expandedTo(item->sizeHint());
    return most;
}

void LinesLayout::setGeometry(const QRect &room) {
    QLayout::setGeometry(room);
    place(room, true);
}

int LinesLayout::place(const QRect &room, bool moves) const {
    int x = room.x(), y = room.y(), height = 0;
    for (QLayoutItem *item : m_items) {
        if (item->isEmpty())
            continue;
        const QSize size = item->sizeHint();
        if (x > room.x() && x + size.width() > room.x() + room.width()) {
            x = room.x();
            y += height + spacing();
            height = 0;
        }
        height = std::max(height, size.height());
        if (moves)
            item->setGeometry({x, y, size.width(), height});
        x += size.width() + 3 * grid / 2;
    }
    return y + height - room.y();
}

}  // namespace hearth
