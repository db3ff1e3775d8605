#include "ui/shell/tray_notifier.h"

#include <QMenu>

#include "ui/base/icons.h"
#include "ui/base/theme.h"

namespace hearth {

TrayNotifier::TrayNotifier(QObject *parent) : Notifier(parent) {}

TrayNotifier::~TrayNotifier() = default;

void TrayNotifier::make() {
    if (m_icon) {
        speak();
        return;
    }
    m_menu = std::make_unique<QMenu>();
    m_show = m_menu->addAction(QString());
    m_close = m_menu->addAction(QString());
    connect(m_show, &QAction::triggered, this, &Notifier::windowWanted);
    connect(m_close, &QAction::triggered, this, &Notifier::quitWanted);
    speak();
    m_icon = std::make_unique<QSystemTrayIcon>(icon(QStringLiteral("flame"), ThemeManager::instance().theme().accent));
    m_icon->setContextMenu(m_menu.get());
    connect(m_icon.get(), &QSystemTrayIcon::messageClicked, this, &Notifier::windowWanted);
    connect(m_icon.get(), &QSystemTrayIcon::activated, this, [this](QSystemTrayIcon::ActivationReason reason) {
        if (reason == QSystemTrayIcon::Trigger || reason == QSystemTrayIcon::DoubleClick)
            Q_EMIT windowWanted();
    });
}

/// The language may be another one by now.
void TrayNotifier::speak() {
    m_show->setText(tr("Show Hearth"));
    m_close->setText(tr("Close Hearth"));
}

void TrayNotifier::notify(Kind kind, const QString &title, const QString &text) {
    if (!isAvailable())
        return;
    make();
    m_icon->show();
    m_icon->showMessage(title, text, kind == Kind::Trouble ? QSystemTrayIcon::Warning : QSystemTrayIcon::Information);
}

void TrayNotifier::setPresence(const QString &text) {
    if (text.isEmpty() || !isAvailable()) {
        if (m_icon)
            m_icon->hide();
        return;
    }
    make();
    m_icon->setToolTip(text);
    m_icon->show();
}

}  // namespace hearth
