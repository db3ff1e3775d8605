#include "ui/shell/window_shell.h"

#include <QCoreApplication>
#include <QDir>
#include <chrono>
#include <utility>

#include "ui/base/home_source.h"
#include "ui/base/notifier.h"
#include "ui/base/theme.h"
#include "ui/shell/about_dialog.h"
#include "ui/shell/app_menu.h"
#include "ui/shell/language.h"
#include "ui/shell/main_window.h"
#include "ui/shell/manual_window.h"
#include "ui/shell/support_dialog.h"
#include "ui/words/core_words.h"

namespace hearth {

namespace {

// As long as desktops show what they are told.
constexpr std::chrono::seconds lastWordTime{8};

QString themeKey() {
    return QStringLiteral("window/theme");
}
QString notifyKey() {
    return QStringLiteral("window/notify");
}
QString toldOfIconKey() {
    return QStringLiteral("window/toldOfIcon");
}

ThemeChoice themeOf(const QString &word) {
    if (word == QLatin1String("light"))
        return ThemeChoice::Light;
    return word == QLatin1String("dark") ? ThemeChoice::Dark : ThemeChoice::System;
}

QString wordOf(ThemeChoice choice) {
    switch (choice) {
        case ThemeChoice::Light:
            return QStringLiteral("light");
        case ThemeChoice::Dark:
            return QStringLiteral("dark");
        case ThemeChoice::System:
            break;
    }
    return QStringLiteral("system");
}

}  // namespace

WindowShell::WindowShell(const Parts &parts, QObject *parent)
    : QObject(parent),
      m_parts(parts),
      m_memory(parts.window, parts.settings),
      m_news(parts.window.run(), parts.controller, parts.notifier,
             [&window = parts.window] { return window.isActiveWindow(); }),
      m_tray(parts.home, parts.window.run()) {
    ThemeManager::instance().setChoice(themeOf(parts.settings.value(themeKey()).toString()));
    m_news.setEnabled(parts.settings.value(notifyKey(), true).toBool());
    m_memory.restore();
    if (!parts.home.isDemo()) {
        if (const auto restored = m_memory.restoreJob(); !restored)
            parts.window.showError(restored.error());
    }
    connectMenu();
    parts.window.setKeeper([this] { return keep(); });
    connect(&parts.window, &MainWindow::closed, this, &WindowShell::windowClosed);
    connect(&parts.window, &MainWindow::stays, this, [this] { m_quitting = false; });
    connect(&parts.notifier, &Notifier::windowWanted, this, &WindowShell::showWindow);
    connect(&m_tray, &TrayMenu::windowWanted, this, &WindowShell::showWindow);
    connect(&m_tray, &TrayMenu::quitWanted, this, &WindowShell::quit);
    connect(&m_tray, &TrayMenu::failed, this, &WindowShell::tellFailure);
    connect(&m_tray, &TrayMenu::changed, this, &WindowShell::followComputer);
    // Somebody may end the program without closing the window: a signal, the end of the session.
    connect(QCoreApplication::instance(), &QCoreApplication::aboutToQuit, this, [this] {
        if (!m_closed)
            remember();
    });
    m_lastWord.setObjectName(QStringLiteral("lastWord"));
    m_lastWord.setSingleShot(true);
    m_lastWord.setInterval(lastWordTime);
    connect(&m_lastWord, &QTimer::timeout, this, &WindowShell::over);
    parts.notifier.setMenu(&m_tray);
    followComputer();
}

WindowShell::~WindowShell() {
    m_parts.window.setKeeper({});
    m_parts.notifier.setMenu(nullptr);
}

void WindowShell::connectMenu() {
    AppMenu &menu = m_parts.window.menu();
    menu.setTheme(ThemeManager::instance().choice());
    menu.setNotifying(m_news.isEnabled());
    connect(&menu, &AppMenu::themeWanted, this, [this](ThemeChoice choice) {
        ThemeManager::instance().setChoice(choice);
        m_parts.settings.setValue(themeKey(), wordOf(choice));
    });
    menu.setLanguage(languageIn(m_parts.settings));
    connect(&menu, &AppMenu::languageWanted, this, [this](const QString &language) {
        setLanguageIn(m_parts.settings, language);
        Q_EMIT languageWanted(language);
    });
    connect(&menu, &AppMenu::notifyWanted, this, [this](bool notify) {
        m_news.setEnabled(notify);
        m_parts.settings.setValue(notifyKey(), notify);
    });
    connect(&menu, &AppMenu::manualWanted, this, &WindowShell::showManual);
    connect(&menu, &AppMenu::aboutWanted, this, &WindowShell::showAbout);
    connect(&menu, &AppMenu::supportWanted, this, &WindowShell::showSupport);
}

void WindowShell::showManual() {
    if (!m_manual)
        m_manual = new ManualWindow(&m_parts.window);
    // The page of the manual on the window has a heading for each place, called as the place is remembered.
    m_manual->showPage(QStringLiteral("window"), m_parts.window.placeName());
    m_manual->show();
    m_manual->raise();
    m_manual->activateWindow();
}

void WindowShell::showAbout() {
    auto *dialog = new AboutDialog(&m_parts.window);
    dialog->setAttribute(Qt::WA_DeleteOnClose);
    dialog->open();
}

void WindowShell::showSupport() {
    SupportSources sources;
    sources.stateDir = m_parts.home.stateDir();
    sources.versions = AboutDialog::versions();
    sources.devices = m_parts.home.devices();
    sources.homeFolder = QDir::homePath();
    sources.userName = qEnvironmentVariable("USER");
    MainWindow *window = &m_parts.window;
    auto *dialog = new SupportDialog(sources, m_parts.questions, window);
    connect(dialog, &SupportDialog::saved, window,
            [window](const QString &path) { window->showNotice(tr("The support bundle is in %1.").arg(path)); });
    connect(dialog, &SupportDialog::failed, window, &MainWindow::showError);
    dialog->setAttribute(Qt::WA_DeleteOnClose);
    dialog->open();
}

void WindowShell::showWindow() {
    m_closed = false;
    m_toldLoss = false;
    followComputer();
    m_parts.window.show();
    m_parts.window.setWindowState(m_parts.window.windowState() & ~Qt::WindowMinimized);
    m_parts.window.raise();
    m_parts.window.activateWindow();
}

void WindowShell::remember() {
    if (const auto kept = m_memory.save(); !kept)
        qWarning("%s", qUtf8Printable(kept.error().toString()));
}

void WindowShell::quit() {
    if (m_closed) {
        Q_EMIT over();
        return;
    }
    m_quitting = true;
    m_parts.window.close();
}

Result<void> WindowShell::keep() {
    const auto kept = m_memory.save();
    return std::exchange(m_toldLoss, !kept) ? Result<void>() : kept;
}

void WindowShell::windowClosed() {
    m_closed = true;
    if (std::exchange(m_quitting, false) || !staysBesideTheClock()) {
        Q_EMIT over();
        return;
    }
    // The panel of a desktop may have started after Hearth, and the icon is the way back.
    m_news.refreshPresence();
    if (m_parts.settings.value(toldOfIconKey()).toBool())
        return;
    m_parts.settings.setValue(toldOfIconKey(), true);
    m_parts.notifier.notify(Notifier::Kind::News, tr("Hearth stays beside the clock"),
                            tr("Its icon shows the window again, pauses training on this computer or closes Hearth."));
}

/// This computer trains on without the window, now or later, and somebody may want to pause it. A demo ends with its
/// window.
bool WindowShell::staysBesideTheClock() const {
    return m_news.isEnabled() && m_parts.notifier.isAvailable() && !m_parts.home.isDemo() && m_tray.isAgentThere();
}

/// The icon goes with the agent; that of a closed window stays as it is for the last word.
void WindowShell::followComputer() {
    if (m_closed && !m_tray.isAgentThere()) {
        if (!m_lastWord.isActive())
            m_lastWord.start();
        return;
    }
    m_lastWord.stop();
    m_news.setOtherwise(m_tray.state());
}

/// The window shows it, too; whoever clicked beside the clock may not see that.
void WindowShell::tellFailure(const Error &error) {
    if (!m_parts.window.isActiveWindow())
        m_parts.notifier.notify(Notifier::Kind::Trouble, coreText(error.what),
                                coreText(Sentence::joined({error.cause, error.advice})));
}

}  // namespace hearth
