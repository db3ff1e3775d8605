// A TLS connection to somebody who is not trusted, for the few small messages by which two devices come to trust.
#pragma once

#include <QHostAddress>
#include <QObject>
#include <QTimer>
#include <chrono>
#include <memory>

#include "core/base/error.h"
#include "core/wire/identity.h"

class QSslSocket;

namespace hearth {

/// What a dialler offers in the handshake (ALPN) when it wants to pair and nothing else.
QByteArray pairingProtocol();

/// Lives in one thread; a slot of its signals must not delete it, only deleteLater(). A stranger can make it keep at
/// most maximumTotal bytes and hold it for at most `longest`; whatever breaks a bound ends it. A message is its length
/// as a big-endian quint16, 1 to maximumMessage, and that many bytes. Reading starts in the next turn of the event
/// loop.
class StrangerLink : public QObject {
    Q_OBJECT
  public:
    static constexpr qsizetype maximumMessage = 512;  // the largest pairing message, twice
    static constexpr qint64 maximumTotal = 8192;      // of all that a stranger may send
    /// What that may be on the socket: the handshake, and TLS's own records, which give nothing to read.
    static constexpr qint64 maximumOnSocket = 2 * maximumTotal;
    /// A message that has begun; every one fits into one packet.
    static constexpr std::chrono::milliseconds messageDeadline{5000};
    /// However it goes: longer than any pairing.
    static constexpr std::chrono::milliseconds longest{90000};

    /// Takes a socket whose handshake is done; `peer` is the key proved in it.
    StrangerLink(std::unique_ptr<QSslSocket> socket, const Fingerprint &peer, const QHostAddress &address);
    ~StrangerLink() override;

    const Fingerprint &peer() const { return m_peer; }
    const QHostAddress &address() const { return m_address; }
    bool isOpen() const { return m_socket != nullptr; }
    /// Does nothing once closed. Own messages are small: longer ones are a mistake of this program.
    void send(const QByteArray &message);
    /// What was sent still goes out; no signal follows.
    void close();
    /// Stops and resumes reading.
    void setReceiving(bool on);
    void setMessageDeadline(std::chrono::milliseconds deadline) { m_messageDeadline = deadline; }

  Q_SIGNALS:
    void received(const QByteArray &message);
    /// Once, unless close() was called. Codes: "wire.closed", "wire.bad-frame", "wire.deadline".
    void closed(const hearth::Error &reason);

  private:
    void read();
    void weigh();
    void finish(const Error &reason);

    std::unique_ptr<QSslSocket> m_socket;
    Fingerprint m_peer;
    QHostAddress m_address;
    QByteArray m_buffer;
    qint64 m_total = 0;
    bool m_receiving = true;
    std::chrono::milliseconds m_messageDeadline = messageDeadline;
    QTimer m_messageTimer;
    QTimer m_wholeTimer;
};

}  // namespace hearth
