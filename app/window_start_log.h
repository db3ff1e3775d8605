// Says when the window has been drawn for the first time, for who measures how long a start takes.
#pragma once

class QWidget;

namespace hearth {

/// To be called before the window is shown. Logs "window visible" once in the category hearth.window, which is silent
/// unless QT_LOGGING_RULES asks for it.
void logFirstPaint(QWidget *window);

}  // namespace hearth
