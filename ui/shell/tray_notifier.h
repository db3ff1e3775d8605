// Notifications and presence by the desktop's tray.
#pragma once

#include <QSystemTrayIcon>
#include <QTimer>
#include <memory>

#include "ui/base/notifier.h"

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
    void setMenu(QMenu *menu) override;

  private:
    void make();
    void showPresence();

    QMenu *m_menu = nullptr;
    QString m_presence;
    QTimer m_first;                           // until the icon is made:
    std::unique_ptr<QSystemTrayIcon> m_icon;  // asking the desktop takes its time, and the window comes first
};

}  // namespace hearth
