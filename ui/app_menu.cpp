#include "ui/app_menu.h"

#include "ui/home_source.h"

namespace hearth {

template <class Signal>
QAction *AppMenu::add(const char *objectName, const QString &text, Signal wanted) {
    QAction *action = addAction(text);
    action->setObjectName(QLatin1String(objectName));
    connect(action, &QAction::triggered, this, wanted);
    return action;
}

AppMenu::AppMenu(const HomeSource &home, QWidget *parent) : QMenu(parent) {
    setObjectName(QStringLiteral("appMenu"));
    QAction *start = add("menuGettingStarted", tr("Getting started"), &AppMenu::gettingStartedWanted);
    start->setShortcut(QKeySequence(Qt::Key_F1));
    add("menuOpenRun", tr("Open a recorded run …"), &AppMenu::openRunWanted);
    QAction *end = add("menuEndDemo", tr("End the demo"), &AppMenu::endDemoWanted);
    const auto showEnd = [end, &home] { end->setVisible(home.isDemo()); };
    connect(&home, &HomeSource::demoChanged, this, showEnd);
    showEnd();
}

}  // namespace hearth
