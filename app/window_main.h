// The window of `hearth` and of `hearth demo` where there is a display.
#pragma once

namespace hearth {

/// Makes the QApplication, shows the window and runs until it closes; returns the exit status. Main thread.
int windowMain(int argc, char **argv);

}  // namespace hearth
