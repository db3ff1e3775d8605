// One attempt to connect by TLS, up to where both ends have proved their keys.
#pragma once

#include <QObject>
#include <QSslSocket>
#include <chrono>
#include <memory>

#include "core/base/error.h"
#include "core/base/sentence.h"

namespace hearth {

/// A child of the caller's context, so that it ends with it. What the key means, and what follows, is for the classes
/// derived from this one. Lives in one thread with an event loop.
class TlsAttempt : public QObject {
  public:
    ~TlsAttempt() override;
    void startDeadline(std::chrono::milliseconds deadline);

  protected:
    /// `readBuffer`: bytes that the socket may hold unread; 0: any.
    TlsAttempt(const QSslConfiguration &configuration, const QString &host, quint16 port, qint64 readBuffer,
               QObject *context);

    /// Once, from the event loop: the socket speaks TLS with somebody.
    virtual void secured() = 0;
    /// "wire.unreachable", "wire.nobody-listens", "wire.handshake-failed", "wire.deadline".
    virtual void failed(const Error &error) = 0;

    std::unique_ptr<QSslSocket> m_socket;
    const QString m_name;  // "host:port"

  private:
    void socketSecured();
    void socketFailed();

    bool m_wasSecured = false;
};

/// The connection could not be secured, for `cause`.
Error notSecured(const QString &name, const Sentence &cause);

}  // namespace hearth
