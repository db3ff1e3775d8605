#include "ui/shell/tray_notifier.h"

#include <chrono>

#include "ui/base/icons.h"
#include "ui/base/theme.h"

namespace hearth {

TrayNotifier::TrayNotifier(QObject *parent) : Notifier(parent) {
    m_later.setSingleShot(true);
    m_later.setInterval(std::chrono::seconds(1));
    connect(&m_later, &QTimer::timeout, this, &TrayNotifier::showPresence);
}

TrayNotifier::~TrayNotifier() = default;

void TrayNotifier::make() {
    if (m_icon)
        return;
    m_icon = std::make_unique<QSystemTrayIcon>(icon(QStringLiteral("flame"), ThemeManager::instance().theme().accent));
    m_icon->setContextMenu(m_menu);
    connect(m_icon.get(), &QSystemTrayIcon::messageClicked, this, &Notifier::windowWanted);
    connect(m_icon.get(), &QSystemTrayIcon::activated, this, [this](QSystemTrayIcon::ActivationReason reason) {
        if (reason == QSystemTrayIcon::Trigger || reason == QSystemTrayIcon::DoubleClick)
            Q_EMIT windowWanted();
    });
}

void TrayNotifier::notify(Kind kind, const QString &title, const QString &text) {
    if (!isAvailable())
        return;
    make();
    m_icon->show();
    m_icon->showMessage(title, text, kind == Kind::Trouble ? QSystemTrayIcon::Warning : QSystemTrayIcon::Information);
}

void TrayNotifier::setPresence(const QString &text) {
    m_presence = text;
    if (m_icon && !text.isEmpty())
        showPresence();
    else if (!m_later.isActive())
        m_later.start();
}

void TrayNotifier::showPresence() {
    if (m_presence.isEmpty() || !isAvailable()) {
        if (m_icon)
            m_icon->hide();
        return;
    }
    make();
    m_icon->setToolTip(m_presence);
    m_icon->show();
}

void TrayNotifier::setMenu(QMenu *menu) {
    m_menu = menu;
    if (m_icon)
        m_icon->setContextMenu(menu);
}

}  // namespace hearth
