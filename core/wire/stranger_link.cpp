#include "core/wire/stranger_link.h"

#include <QPointer>
#include <QSslSocket>
#include <QtEndian>
#include <utility>

#include "core/base/sentence.h"
#include "core/wire/retire.h"
#include "core/wire/tcp_figures.h"
#include "core/wire/tls_config.h"

namespace hearth {
namespace {

constexpr qsizetype prefixBytes = sizeof(quint16);
// Of the last message, to a peer that reads.
constexpr std::chrono::milliseconds lingerDeadline{1000};

Error badPairingFrame(const Sentence &cause) {
    return {QStringLiteral("wire.bad-frame"), sentence("The other end does not speak Hearth's protocol."), cause,
            sentence("Check that the same version of Hearth runs on both devices.")};
}

}  // namespace

QByteArray pairingProtocol() {
    return QByteArrayLiteral("hearth-pair/1");
}

StrangerLink::StrangerLink(std::unique_ptr<QSslSocket> socket, const Fingerprint &peer, const QHostAddress &address)
    : m_socket(std::move(socket)), m_peer(peer), m_address(address) {
    m_socket->setReadBufferSize(maximumTotal);
    m_socket->setSocketOption(QAbstractSocket::LowDelayOption, 1);
    connect(m_socket.get(), &QIODevice::readyRead, this, &StrangerLink::read);
    // Queued: emitted in the middle of the socket's own work.
    connectArrivals(*m_socket, this,
                    [this] { QMetaObject::invokeMethod(this, &StrangerLink::weigh, Qt::QueuedConnection); });
    // Queued: emitted in the middle of the socket's own work, and what it has buffered is read first.
    const auto ended = [this] {
        read();
        finish({QStringLiteral("wire.closed"), sentence("The other device closed the connection."), {}, {}});
    };
    connect(m_socket.get(), &QAbstractSocket::disconnected, this, ended, Qt::QueuedConnection);
    connect(m_socket.get(), &QAbstractSocket::errorOccurred, this, ended, Qt::QueuedConnection);
    const auto late = [this] {
        finish({QStringLiteral("wire.deadline"), sentence("The other device did not answer in time."), {}, {}});
    };
    m_messageTimer.setSingleShot(true);
    m_wholeTimer.setSingleShot(true);
    connect(&m_messageTimer, &QTimer::timeout, this, late);
    connect(&m_wholeTimer, &QTimer::timeout, this, late);
    m_wholeTimer.start(longest);
    QMetaObject::invokeMethod(
        this,
        [this, ended] {
            weigh();
            read();
            if (m_socket && m_socket->state() != QAbstractSocket::ConnectedState)
                ended();
        },
        Qt::QueuedConnection);
}

StrangerLink::~StrangerLink() {
    if (m_socket) {
        m_socket->disconnect(this);
        retire(std::move(m_socket), std::chrono::milliseconds(0));
    }
}

void StrangerLink::send(const QByteArray &message) {
    Q_ASSERT(!message.isEmpty() && message.size() <= maximumMessage);
    if (!m_socket)
        return;
    QByteArray frame(prefixBytes, Qt::Uninitialized);
    qToBigEndian(static_cast<quint16>(message.size()), frame.data());
    m_socket->write(frame + message);
}

void StrangerLink::close() {
    m_messageTimer.stop();
    m_wholeTimer.stop();
    if (!m_socket)
        return;
    m_socket->disconnect(this);
    retire(std::move(m_socket), lingerDeadline);
}

void StrangerLink::setReceiving(bool on) {
    const bool resumes = on && !m_receiving;
    m_receiving = on;
    if (resumes)
        QMetaObject::invokeMethod(this, &StrangerLink::read, Qt::QueuedConnection);
}

void StrangerLink::read() {
    const QPointer<StrangerLink> self(this);
    while (m_receiving && m_socket && m_socket->bytesAvailable() > 0) {
        const QByteArray bytes = m_socket->read(maximumTotal);
        m_total += bytes.size();
        m_buffer += bytes;
        if (m_total > maximumTotal) {
            finish(badPairingFrame(sentence("It sent more than a pairing needs.")));
            return;
        }
        while (m_buffer.size() >= prefixBytes) {
            const auto length = static_cast<qsizetype>(qFromBigEndian<quint16>(m_buffer.constData()));
            if (length == 0 || length > maximumMessage) {
                finish(badPairingFrame(
                    sentence("A message has %1 bytes; from 1 to %2 are allowed.").arg(length).arg(maximumMessage)));
                return;
            }
            if (m_buffer.size() < prefixBytes + length)
                break;
            const QByteArray message = m_buffer.mid(prefixBytes, length);
            m_buffer.remove(0, prefixBytes + length);
            m_messageTimer.stop();
            Q_EMIT received(message);
            if (!self || !m_socket)
                return;
        }
    }
    if (m_socket && !m_buffer.isEmpty() && !m_messageTimer.isActive())
        m_messageTimer.start(m_messageDeadline);
}

void StrangerLink::weigh() {
    if (m_socket && bytesReceivedOn(m_socket->socketDescriptor()) > maximumOnSocket)
        finish(badPairingFrame(sentence("It sent more than a pairing needs.")));
}

void StrangerLink::finish(const Error &reason) {
    if (!m_socket)
        return;
    m_messageTimer.stop();
    m_wholeTimer.stop();
    m_socket->disconnect(this);
    retire(std::move(m_socket), std::chrono::milliseconds(0));
    Q_EMIT closed(reason);
}

}  // namespace hearth
