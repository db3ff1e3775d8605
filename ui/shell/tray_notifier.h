// Notifications and presence by the desktop's tray.
#pragma once

#include <QSystemTrayIcon>
#include <memory>

#include "ui/base/notifier.h"

class QAction;
class QMenu;

namespace hearth {

/// Silent on desktops without a tray.
class TrayNotifier : public Notifier {
    Q_OBJECT
  public:
    explicit TrayNotifier(QObject *parent = nullptr);
    ~TrayNotifier() override;

    bool isAvailable() const override { return QSystemTrayIcon::isSystemTrayAvailable(); }
    void notify(Kind kind, const QString &title, const QString &text) override;
    void setPresence(const QString &text) override;

  private:
    void make();
    void speak();

    QAction *m_show = nullptr, *m_close = nullptr;  // of the menu
    std::unique_ptr<QMenu> m_menu;
    std::unique_ptr<QSystemTrayIcon> m_icon;  // made when it is needed first: asking the desktop takes its time
};

}  // namespace hearth
