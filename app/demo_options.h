// The words of `hearth demo`, shared by the terminal and the window.
#pragma once

#include <QStringList>
#include <optional>

#include "app/run_order.h"

namespace hearth {

struct DemoOptions {
    Job job;
    OrderFiles files;
    int devices = 3;
    bool headless = false;  // also where --json is given or there is no display
    bool json = false;
};

/// A status (help was printed, or the usage or the job was wrong and said so on standard error), or the options.
std::optional<int> parseDemo(const QStringList &arguments, DemoOptions &options);

/// Whether a window could open here: X11 or Wayland, or a platform asked for by QT_QPA_PLATFORM.
bool hasDisplay();

}  // namespace hearth
