#include "ui/base/float_stack.h"

#include <QEvent>
#include <QVBoxLayout>
#include <algorithm>

#include "ui/base/widgets.h"

namespace hearth {

FloatStack::FloatStack(QWidget *over) : QWidget(over->parentWidget()), m_over(over), m_panels(new QVBoxLayout(this)) {
    setObjectName(QStringLiteral("floatStack"));
    m_panels->setContentsMargins(0, 0, 0, 0);
    m_panels->setSpacing(grid);
    // Its own size follows from what it lies over.
    m_panels->setSizeConstraint(QLayout::SetNoConstraint);
    over->installEventFilter(this);
    place();
}

void FloatStack::add(QWidget *panel) {
    m_panels->addWidget(panel);
    place();
}

bool FloatStack::event(QEvent *event) {
    const bool handled = QWidget::event(event);
    if (event->type() == QEvent::LayoutRequest)
        place();
    return handled;
}

bool FloatStack::eventFilter(QObject *watched, QEvent *event) {
    if (event->type() == QEvent::Resize || event->type() == QEvent::Move)
        place();
    return QWidget::eventFilter(watched, event);
}

void FloatStack::place() {
    const QRect room = m_over->geometry();
    int height = 0;
    if (!m_panels->isEmpty())
        height = m_panels->hasHeightForWidth() ? m_panels->totalHeightForWidth(room.width())
                                               : m_panels->totalSizeHint().height();
    height = std::min(height, room.height());
    setGeometry(room.x(), room.y() + room.height() - height, room.width(), height);
    raise();
}

}  // namespace hearth
