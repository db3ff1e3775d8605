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
#include "ui/base/questions.h"
#include "ui/base/run_controller.h"
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

    /// From now on whatever fails ends the program with a message.
    void mustNotFail() {
        const auto fail = [](const Error &error) { qFatal("%s", qPrintable(error.toString())); };
        QObject::connect(&home, &HomeSource::failed, &window, fail);
        QObject::connect(&controller, &RunController::failed, &window, fail);
    }
    /// All of the screen, on this user's home.
    void show() {
        homes.enterOwn();
        window.setGeometry(QGuiApplication::primaryScreen()->geometry());
        window.show();
        window.activateWindow();
    }
    /// The home as well. What the program returns.
    int end() {
        // What was asked of the home when it ends is not answered any more.
        QObject::disconnect(&home, &HomeSource::failed, &window, nullptr);
        QObject::disconnect(&controller, &RunController::failed, &window, nullptr);
        QObject::connect(&homes, &WindowHomes::ended, qApp, &QCoreApplication::quit);
        window.hide();
        homes.end();
        return QCoreApplication::exec();
    }

    AgentClient client;
    AgentHomeSource home{client};
    AgentRunController controller{client, defaultStateDir()};
    ProcessSwitches switches{home};
    WindowHomes homes{{client, home, controller, switches}, defaultStateDir()};
    MainWindow window;
};

}  // namespace hearth
