// One window per home: a second start brings the first window to the front.
#pragma once

#include <QObject>
#include <chrono>

#include "core/home/local_listener.h"

namespace hearth {

/// Held by whoever shows the window of a state folder: a socket there, "window.sock", which answers nobody once the
/// process has ended, however it did. GUI thread.
class WindowClaim : public QObject {
    Q_OBJECT
  public:
    /// Who is asked to show a window gets `within` to answer: one is drawn in a quarter of a second, so a program
    /// that is silent for longer hangs.
    explicit WindowClaim(const QString &stateDir, std::chrono::milliseconds within = std::chrono::seconds(2),
                         QObject *parent = nullptr);

    /// False where another program holds it and has answered: its window is in front now, and this program can end.
    /// True otherwise: also where nothing can be claimed, for a second window is better than none.
    bool take();
    /// From now on a start opens a window of its own.
    void release() { m_listener.close(); }

  Q_SIGNALS:
    /// Somebody started Hearth again. `token`: what that start was given by a Wayland desktop, by which a window may
    /// come to the front; else empty.
    void windowWanted(const QByteArray &token);

  private:
    void answer(QLocalSocket *socket);

    QString m_stateDir;
    std::chrono::milliseconds m_patience;
    LocalListener m_listener;
};

}  // namespace hearth
