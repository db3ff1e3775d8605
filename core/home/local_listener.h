// Accepts connections at a socket in the state folder.
#pragma once

#include <QLocalSocket>
#include <QObject>
#include <QSocketNotifier>
#include <QTimer>
#include <optional>

#include "core/base/token_bucket.h"
#include "core/home/state_dir.h"

namespace hearth {

/// Who may connect to a socket. Whoever may connect to the agent's can start and steer runs as the agent's user.
enum class SocketAccess {
    User,   // mode 0600
    Group,  // mode 0660: members of the agent's group, too, where the state folder lets them pass
};

/// Lives in one thread, with its sockets. After a connection that the system could not hand over, mostly for want of
/// file descriptors, it rests for TlsListener::acceptPause while the others wait; QLocalServer closes for ever then,
/// and removes the name.
class LocalListener : public QObject {
    Q_OBJECT
  public:
    explicit LocalListener(QObject *parent = nullptr);
    ~LocalListener() override;

    /// At LocalSocketName::of(stateDir, file), in the place of whatever lies there. Error "agent.no-socket".
    Result<void> listen(const QString &stateDir, const QString &file, SocketAccess access);
    /// The name is gone, too.
    void close();

  Q_SIGNALS:
    /// The receiver takes ownership.
    void connected(QLocalSocket *socket);

  private:
    void accept();

    std::optional<LocalSocketName> m_name;
    OwnedFd m_socket;
    QSocketNotifier *m_notifier = nullptr;  // of the socket; a child
    QTimer m_acceptAgain;
    LogPace m_pace;
};

}  // namespace hearth
