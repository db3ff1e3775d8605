#include "ui/home/computer_look.h"

#include <QEvent>
#include <QWidget>

#include "ui/base/home_source.h"

namespace hearth {

ComputerLook::ComputerLook(HomeSource &home, QWidget *place, std::chrono::milliseconds interval)
    : QObject(place), m_home(home) {
    m_again.setInterval(interval);
    connect(&m_again, &QTimer::timeout, this, [this] { m_home.lookForComputers(); });
    place->installEventFilter(this);
    if (place->isVisible())
        look();
}

void ComputerLook::look() {
    m_home.lookForComputers();
    m_again.start();
}

bool ComputerLook::eventFilter(QObject *watched, QEvent *event) {
    if (event->type() == QEvent::Show)
        look();
    else if (event->type() == QEvent::Hide)
        m_again.stop();
    return QObject::eventFilter(watched, event);
}

}  // namespace hearth
