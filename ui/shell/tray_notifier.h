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
    // Asking the desktop for an icon takes its time, and the window comes first. An icon that goes would flicker where
    // another text follows at once.
    QTimer m_later;
    std::unique_ptr<QSystemTrayIcon> m_icon;
};

}  // namespace hearth
