// The window and its shell together, made anew where the language changes.
#pragma once

#include <QObject>
#include <QSettings>
#include <memory>

namespace hearth {

class HomeSource;
class MainWindow;
class Notifier;
class Questions;
class RunController;
class SpokenLanguage;
class WindowShell;

/// GUI thread; everything in `Parts` must outlive it. A window that speaks another language is another window: it goes
/// on where the one before has been.
class AppWindow : public QObject {
    Q_OBJECT
  public:
    struct Parts {
        HomeSource &home;
        RunController &controller;
        Questions &questions;
        Notifier &notifier;
        QSettings &settings;
        SpokenLanguage &language;
    };
    /// Makes the window, in the language of the settings.
    explicit AppWindow(const Parts &parts, QObject *parent = nullptr);
    ~AppWindow() override;

    /// Restores what was remembered, once it is known which home the window is for; it can be shown then.
    void begin();
    /// Until the language changes.
    MainWindow &window() const { return *m_window; }
    WindowShell &shell() const { return *m_shell; }

  Q_SIGNALS:
    /// As WindowShell's.
    void over();

  private:
    void makeShell();
    void changeLanguage(const QString &language);

    Parts m_parts;
    std::unique_ptr<MainWindow> m_window;
    std::unique_ptr<WindowShell> m_shell;
};

}  // namespace hearth
