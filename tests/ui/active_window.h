// A window that has the keyboard: what tests of the focus and of keys begin with.
#pragma once

#include <QTest>
#include <QWidget>

namespace hearth {

/// Shows it and asks for the keyboard, which a display without a window manager gives to nobody by itself.
[[nodiscard]] inline bool showActive(QWidget &window) {
    window.show();
    window.activateWindow();
    return QTest::qWaitForWindowActive(&window);
}

}  // namespace hearth
