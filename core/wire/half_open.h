// One accepted connection until TLS has shown whose it is.
#pragma once

#include <QHostAddress>
#include <QObject>
#include <QSslConfiguration>
#include <chrono>
#include <memory>

class QSocketNotifier;
class QSslSocket;

namespace hearth {

/// First waits in the kernel's buffer for a whole ClientHello: until it is there no TLS object exists, nothing is read,
/// and single bytes wake nobody. Then does the handshake, once told to. Lives in one thread; closes the connection at
/// its end, unless takeSocket() was called. Each signal is the last thing that happens in its turn.
class HalfOpen : public QObject {
    Q_OBJECT
  public:
    /// Takes the descriptor. What the peer may send until it is secured is `limit` bytes.
    HalfOpen(qintptr descriptor, const QHostAddress &peer, qint64 limit, std::chrono::milliseconds deadline);
    ~HalfOpen() override;

    /// As it was given: for whoever counts and keeps out, not to be dialled.
    const QHostAddress &peer() const { return m_peer; }
    /// After saidHello().
    void startTls(const QSslConfiguration &configuration);
    /// Null before startTls().
    QSslSocket *socket() const { return m_socket.get(); }
    std::unique_ptr<QSslSocket> takeSocket();

  Q_SIGNALS:
    void saidHello();
    void secured();
    /// `cause` is a sentence.
    void failed(const QString &cause);

  private:
    void look();
    void stopLooking();

    QHostAddress m_peer;
    qint64 m_limit;
    qintptr m_descriptor;  // -1 once the socket has it
    std::unique_ptr<QSocketNotifier> m_readable;
    int m_looks = 0;
    std::unique_ptr<QSslSocket> m_socket;
};

/// Ends a connection at once, without a word and without leaving anything of it with the kernel.
void resetConnection(qintptr descriptor);

}  // namespace hearth
