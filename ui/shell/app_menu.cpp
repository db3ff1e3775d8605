#include "ui/shell/app_menu.h"

#include <QActionGroup>

#include "ui/base/home_source.h"
#include "ui/base/widgets.h"

namespace hearth {

AppMenu::AppMenu(const HomeSource &home, QWidget *parent)
    : QMenu(parent), m_themes(new QActionGroup(this)), m_languages(new QActionGroup(this)) {
    setObjectName(QStringLiteral("appMenu"));
    QAction *manual = addNamed(*this, "menuManual", tr("Manual"));
    manual->setShortcut(QKeySequence(Qt::Key_F1));
    connect(manual, &QAction::triggered, this, &AppMenu::manualWanted);
    connect(addNamed(*this, "menuGettingStarted", tr("Getting started")), &QAction::triggered, this,
            &AppMenu::gettingStartedWanted);
    connect(addNamed(*this, "menuOpenRun", tr("Open a recorded run …")), &QAction::triggered, this,
            &AppMenu::openRunWanted);
    QAction *end = addNamed(*this, "menuEndDemo", tr("End the demo"));
    connect(end, &QAction::triggered, this, &AppMenu::endDemoWanted);
    addSeparator();
    addThemes();
    addLanguages();
    m_notify = addNamed(*this, "menuNotify", tr("Notify me when Hearth is in the background"));
    m_notify->setCheckable(true);
    connect(m_notify, &QAction::triggered, this, &AppMenu::notifyWanted);
    addSeparator();
    connect(addNamed(*this, "menuSupport", tr("Save support bundle …")), &QAction::triggered, this,
            &AppMenu::supportWanted);
    connect(addNamed(*this, "menuAbout", tr("About Hearth")), &QAction::triggered, this, &AppMenu::aboutWanted);

    const auto showEnd = [end, &home] { end->setVisible(home.isDemo()); };
    connect(&home, &HomeSource::demoChanged, this, showEnd);
    showEnd();
}

void AppMenu::addThemes() {
    QMenu *themes = addMenu(tr("Theme"));
    themes->setObjectName(QStringLiteral("menuThemes"));
    const auto add = [&](const char *objectName, const QString &text, ThemeChoice choice) {
        QAction *action = addNamed(*themes, objectName, text);
        action->setCheckable(true);
        action->setData(static_cast<int>(choice));
        m_themes->addAction(action);
        connect(action, &QAction::triggered, this, [this, choice] { Q_EMIT themeWanted(choice); });
    };
    add("menuThemeSystem", tr("As the desktop"), ThemeChoice::System);
    add("menuThemeLight", tr("Light"), ThemeChoice::Light);
    add("menuThemeDark", tr("Dark"), ThemeChoice::Dark);
}

/// Each calls itself what its speakers call it.
void AppMenu::addLanguages() {
    QMenu *languages = addMenu(tr("Language"));
    languages->setObjectName(QStringLiteral("menuLanguages"));
    const auto add = [&](const char *objectName, const QString &text, const QString &language) {
        QAction *action = addNamed(*languages, objectName, text);
        action->setCheckable(true);
        action->setData(language);
        m_languages->addAction(action);
        connect(action, &QAction::triggered, this, [this, language] { Q_EMIT languageWanted(language); });
    };
    add("menuLanguageSystem", tr("As the desktop"), {});
    add("menuLanguageEnglish", QStringLiteral("English"), QStringLiteral("en"));
    add("menuLanguageGerman", QStringLiteral("Deutsch"), QStringLiteral("de"));
}

void AppMenu::setLanguage(const QString &language) {
    for (QAction *action : m_languages->actions())
        action->setChecked(action->data().toString() == language);
}

void AppMenu::setTheme(ThemeChoice choice) {
    for (QAction *action : m_themes->actions())
        action->setChecked(action->data().toInt() == static_cast<int>(choice));
}

void AppMenu::setNotifying(bool notifying) {
    m_notify->setChecked(notifying);
}

}  // namespace hearth
