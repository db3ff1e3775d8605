#include "ui/shell/app_window.h"

#include <utility>

#include "ui/base/home_source.h"
#include "ui/shell/language.h"
#include "ui/shell/main_window.h"
#include "ui/shell/window_shell.h"

namespace hearth {

AppWindow::AppWindow(const Parts &parts, QObject *parent) : QObject(parent), m_parts(parts) {
    parts.language.speak(languageIn(parts.settings));
    m_window = std::make_unique<MainWindow>(parts.home, parts.controller, parts.questions);
}

AppWindow::~AppWindow() {
    // It knows the window.
    m_shell.reset();
}

void AppWindow::begin() {
    makeShell();
}

void AppWindow::makeShell() {
    m_shell = std::make_unique<WindowShell>(WindowShell::Parts{*m_window, m_parts.home, m_parts.controller,
                                                               m_parts.questions, m_parts.notifier, m_parts.settings});
    connect(m_shell.get(), &WindowShell::over, this, &AppWindow::over);
    // Queued: the menu that was clicked goes with its window.
    connect(m_shell.get(), &WindowShell::languageWanted, this, &AppWindow::changeLanguage, Qt::QueuedConnection);
}

void AppWindow::changeLanguage(const QString &language) {
    m_shell->remember();
    m_shell.reset();
    const std::unique_ptr<MainWindow> before = std::exchange(m_window, nullptr);
    m_parts.language.speak(language);
    m_window = std::make_unique<MainWindow>(m_parts.home, m_parts.controller, m_parts.questions);
    makeShell();
    m_window->takeOver(*before);
    // In its place before the other one goes: nothing is seen between them.
    m_window->show();
    m_window->activateWindow();
}

}  // namespace hearth
