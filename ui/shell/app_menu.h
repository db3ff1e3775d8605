// What belongs to no page: the manual, getting started, recorded runs, the demo's end, theme, language, notifications,
// help.
#pragma once

#include <QMenu>

#include "ui/base/theme.h"

class QActionGroup;

namespace hearth {

class HomeSource;

/// The menu at the foot of the rail. Actions are found by their object names: "menuManual", "menuGettingStarted",
/// "menuOpenRun", "menuEndDemo", "menuThemeSystem", "menuThemeLight", "menuThemeDark", "menuLanguageSystem",
/// "menuLanguageEnglish", "menuLanguageGerman", "menuNotify", "menuSupport", "menuAbout".
class AppMenu : public QMenu {
    Q_OBJECT
  public:
    explicit AppMenu(const HomeSource &home, QWidget *parent = nullptr);

    void setTheme(ThemeChoice choice);
    /// By its code; empty for that of the desktop.
    void setLanguage(const QString &language);
    void setNotifying(bool notifying);

  Q_SIGNALS:
    void manualWanted();
    void gettingStartedWanted();
    void openRunWanted();
    void endDemoWanted();
    void themeWanted(hearth::ThemeChoice choice);
    void languageWanted(const QString &language);
    void notifyWanted(bool notify);
    void supportWanted();
    void aboutWanted();

  private:
    void addThemes();
    void addLanguages();

    QActionGroup *m_themes;
    QActionGroup *m_languages;
    QAction *m_notify;
};

}  // namespace hearth
