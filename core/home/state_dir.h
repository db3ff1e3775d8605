// The agent's state folder, its lock, and the name of its local socket.
#pragma once

#include <QString>

#include "core/base/error.h"

namespace hearth {

/// A file descriptor that is closed with its owner and not inherited by children.
class OwnedFd {
  public:
    explicit OwnedFd(int fd = -1) : m_fd(fd) {}
    ~OwnedFd();
    OwnedFd(OwnedFd &&other) noexcept : m_fd(other.release()) {}
    OwnedFd &operator=(OwnedFd &&other) noexcept;
    int get() const { return m_fd; }
    int release();

  private:
    int m_fd;
};

/// Makes the folder (0700) where missing; refuses one that others may write or that belongs to somebody else.
Result<QString> openStateDir(const QString &path);

/// Holds the lock of a state folder: one agent per folder. The kernel releases it however the process ends.
Result<OwnedFd> lockStateDir(const QString &stateDir);

/// A name for a socket in a state folder, the agent's where none is said, that fits the 107 bytes of a socket address
/// however deep the folder is: long ones go through /proc/self/fd. Keep the object until bind or connect has happened.
class LocalSocketName {
  public:
    static Result<LocalSocketName> of(const QString &stateDir, const QString &file = QStringLiteral("agent.sock"));
    const QString &path() const { return m_path; }

  private:
    QString m_path;
    OwnedFd m_folder;
};

}  // namespace hearth
