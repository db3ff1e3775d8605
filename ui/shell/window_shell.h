// What is around the window: its settings, its menu's dialogs, and how it tells of runs that nobody watches.
#pragma once

#include <QObject>
#include <QPointer>
#include <QSettings>
#include <QTimer>

#include "ui/run/run_news.h"
#include "ui/shell/tray_menu.h"
#include "ui/shell/window_memory.h"

namespace hearth {

class HomeSource;
class MainWindow;
class ManualWindow;
class Notifier;
class Questions;
class RunController;

/// GUI thread; everything in `Parts` must outlive it. Settings that cannot be used count as not there.
class WindowShell : public QObject {
    Q_OBJECT
  public:
    struct Parts {
        MainWindow &window;
        HomeSource &home;
        RunController &controller;
        Questions &questions;
        Notifier &notifier;
        QSettings &settings;
    };
    /// Restores the window; it can be shown then.
    explicit WindowShell(const Parts &parts, QObject *parent = nullptr);
    ~WindowShell() override;

    /// In front of all others, also where it was closed.
    void showWindow();
    /// What the next window is to begin with, as when this one is closed.
    void remember();

  Q_SIGNALS:
    /// By its code; empty for that of the desktop. It is remembered already; the window speaks the one that it was made
    /// in.
    void languageWanted(const QString &language);
    /// The window is closed, and nothing is left beside the clock: the program can end.
    void over();

  private:
    void connectMenu();
    void showManual();
    void showAbout();
    void showSupport();
    void quit();
    Result<void> keep();
    void windowClosed();
    bool staysBesideTheClock() const;
    void followComputer();
    void tellFailure(const Error &error);

    Parts m_parts;
    WindowMemory m_memory;
    RunNews m_news;
    TrayMenu m_tray;
    QPointer<ManualWindow> m_manual;  // a child of the window; made when it is first asked for
    bool m_closed = false;
    bool m_toldLoss = false;  // whoever closes the window again has decided
    bool m_quitting = false;  // not only the window is to be closed, as soon as a run that it stops has ended
    QTimer m_lastWord{this};  // the agent may come back; and what was told is to be seen before the icon goes
};

}  // namespace hearth
