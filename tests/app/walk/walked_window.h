// The real window on this user's home, as app/window_main makes it, for a walk through it.
#pragma once

#include <QGuiApplication>
#include <QScreen>

#include "app/window_demo_switches.h"
#include "app/window_home_source.h"
#include "app/window_homes.h"
#include "app/window_run_controller.h"
#include "core/agent/agent_client.h"
#include "core/agent/programs.h"
#include "ui/base/home_source.h"
#include "ui/base/theme.h"
#include "ui/shell/language.h"
#include "ui/shell/main_window.h"

namespace hearth {

/// What it looks like; to be made before the window.
struct WalkedLook {
    WalkedLook(const QString &name, bool isDark) {
        language.speak(name);
        ThemeManager::instance().setChoice(isDark ? ThemeChoice::Dark : ThemeChoice::Light);
    }
    SpokenLanguage language;
};

/// GUI thread. `questions` outlives it.
struct WalkedWindow {
    explicit WalkedWindow(Questions &questions) : window(home, controller, questions) {}

    /// All of the screen, on this user's home.
    void show() {
        homes.enterOwn();
        window.setGeometry(QGuiApplication::primaryScreen()->geometry());
        window.show();
        window.activateWindow();
    }

    AgentClient client;
    AgentHomeSource home{client};
    AgentRunController controller{client, defaultStateDir()};
    ProcessSwitches switches{home};
    WindowHomes homes{{client, home, controller, switches}, defaultStateDir()};
    MainWindow window;
};

}  // namespace hearth
