// The real window in its shell, over a fake home and a fake desktop: what the tests of the shell share.
#pragma once

#include <QMenu>
#include <QTemporaryDir>

#include "tests/ui/window_fixture.h"
#include "ui/base/notifier.h"
#include "ui/shell/window_shell.h"

namespace hearth {

/// A desktop that notes down what it is told.
class FakeNotifier : public Notifier {
  public:
    bool available = true;
    QStringList said;
    QString presence;
    QMenu *menu = nullptr;
    bool isAvailable() const override { return available; }
    void notify(Kind kind, const QString &title, const QString &) override {
        said << (kind == Kind::Trouble ? QStringLiteral("! ") : QString()) + title;
    }
    void setPresence(const QString &text) override { presence = available ? text : QString(); }
    void setMenu(QMenu *wanted) override { menu = wanted; }
    /// An entry of the icon's menu.
    QAction *action(const char *name) const {
        auto *found = menu->findChild<QAction *>(QLatin1String(name));
        if (found == nullptr)
            qFatal("no entry is called %s", name);
        return found;
    }
};

/// Settings lie in a folder that lives as long as one test.
class ShellFixture : public WindowFixture {
  protected:
    std::unique_ptr<QTemporaryDir> m_folder;
    std::unique_ptr<QSettings> m_settings;
    std::unique_ptr<FakeNotifier> m_notifier;
    std::unique_ptr<WindowShell> m_shell;

    void begin(bool demo = false) {
        makeWindow();
        m_home->demo = demo;
        m_notifier = std::make_unique<FakeNotifier>();
        m_settings =
            std::make_unique<QSettings>(m_folder->filePath(QStringLiteral("window.ini")), QSettings::IniFormat);
        m_shell = std::make_unique<WindowShell>(
            WindowShell::Parts{*m_window, *m_home, *m_controller, *m_questions, *m_notifier, *m_settings});
        m_window->show();
        QVERIFY(QTest::qWaitForWindowExposed(m_window.get()));
    }
    /// As on the first start: in a new folder.
    void beginAfresh() {
        m_folder = std::make_unique<QTemporaryDir>();
        begin();
    }
    void end() {
        m_shell.reset();
        endWindow();
        m_settings.reset();
        m_notifier.reset();
    }
    void lookAway() const {
        QWidget other;
        QVERIFY(showActive(other));
        // It stays away: nobody gives the focus back on this platform.
        m_window->hide();
    }
    /// Chooses it beside the clock.
    void press(const char *action) const { m_notifier->action(action)->trigger(); }
    /// Closes the window and starts the program again.
    void restart() {
        QVERIFY(m_window->close());
        end();
        begin();
    }
};

}  // namespace hearth
