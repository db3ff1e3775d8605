#include "app/window_start_log.h"

#include <QEvent>
#include <QLoggingCategory>
#include <QWidget>
#include <QWindow>

namespace hearth {

namespace {

Q_LOGGING_CATEGORY(lcWindow, "hearth.window", QtWarningMsg)

class FirstPaint : public QObject {
  public:
    using QObject::QObject;
    bool eventFilter(QObject *, QEvent *event) override {
        if (event->type() == QEvent::Expose) {
            // The window is drawn while it takes this event: what is queued comes after.
            QMetaObject::invokeMethod(
                parent(), [] { qCDebug(lcWindow, "window visible"); }, Qt::QueuedConnection);
            deleteLater();
        }
        return false;
    }
};

}  // namespace

void logFirstPaint(QWidget *window) {
    if (!lcWindow().isDebugEnabled())
        return;
    window->winId();
    window->windowHandle()->installEventFilter(new FirstPaint(window));
}

}  // namespace hearth
