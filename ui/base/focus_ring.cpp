#include "ui/base/focus_ring.h"

#include <QEvent>
#include <QPainter>

#include "ui/base/theme.h"

namespace hearth {

FocusRing::FocusRing(QWidget *around) : QWidget(around) {
    setObjectName(around->objectName() + QStringLiteral("Ring"));
    setAttribute(Qt::WA_TransparentForMouseEvents);
    setFocusPolicy(Qt::NoFocus);
    setGeometry(around->rect());
    setVisible(around->hasFocus());
    around->installEventFilter(this);
}

bool FocusRing::eventFilter(QObject *watched, QEvent *event) {
    if (event->type() == QEvent::Resize)
        setGeometry(parentWidget()->rect());
    else if (event->type() == QEvent::FocusIn || event->type() == QEvent::FocusOut)
        setVisible(event->type() == QEvent::FocusIn);
    return QWidget::eventFilter(watched, event);
}

void FocusRing::paintEvent(QPaintEvent *) {
    constexpr int width = 2, radius = 8;
    QPainter painter(this);
    painter.setRenderHint(QPainter::Antialiasing);
    painter.setPen(QPen(ThemeManager::instance().theme().focus, width));
    painter.drawRoundedRect(QRectF(rect()).adjusted(1, 1, -1, -1), radius, radius);
}

}  // namespace hearth
