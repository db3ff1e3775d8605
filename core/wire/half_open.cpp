#include "core/wire/half_open.h"

#include <poll.h>
#include <sys/ioctl.h>
#include <sys/socket.h>
#include <unistd.h>

#include <QSocketNotifier>
#include <QSslSocket>
#include <QTimer>
#include <algorithm>
#include <array>
#include <cerrno>
#include <utility>

#include "core/base/sentence.h"
#include "core/wire/first_bytes.h"
#include "core/wire/retire.h"
#include "core/wire/tcp_figures.h"
#include "core/wire/tls_config.h"

namespace hearth {
namespace {

// The header, the hello, and what a kernel short of memory wakes us for in between.
constexpr int maximumLooks = 8;

bool hasLeft(qintptr descriptor) {
    pollfd state{static_cast<int>(descriptor), POLLRDHUP, 0};
    return ::poll(&state, 1, 0) != 0;
}

/// Readable, for poll(2), from so many bytes on, or when the peer has closed.
void wakeFrom(qintptr descriptor, qsizetype bytes) {
    const int least = static_cast<int>(bytes);
    ::setsockopt(static_cast<int>(descriptor), SOL_SOCKET, SO_RCVLOWAT, &least, sizeof least);
}

Sentence sentTooMuch() {
    return sentence("The peer sent too much before it showed who it is.");
}

Sentence leftDuringHandshake() {
    return sentence("The peer left during the handshake.");
}

}  // namespace

void resetConnection(qintptr descriptor) {
    const linger now{1, 0};
    ::setsockopt(static_cast<int>(descriptor), SOL_SOCKET, SO_LINGER, &now, sizeof now);
    ::close(static_cast<int>(descriptor));
}

HalfOpen::HalfOpen(qintptr descriptor, const QHostAddress &peer, qint64 limit, std::chrono::milliseconds deadline)
    : m_peer(peer), m_limit(limit), m_descriptor(descriptor) {
    wakeFrom(descriptor, judgeFirstBytes({}, limit).needed);
    m_readable = std::make_unique<QSocketNotifier>(descriptor, QSocketNotifier::Read);
    connect(m_readable.get(), &QSocketNotifier::activated, this, &HalfOpen::look);
    QTimer::singleShot(deadline, this,
                       [this] { Q_EMIT failed(sentence("The peer did not finish the handshake in time.")); });
}

HalfOpen::~HalfOpen() {
    m_readable.reset();
    if (m_descriptor >= 0)
        resetConnection(m_descriptor);
    if (m_socket) {
        m_socket->disconnect(this);
        retire(std::move(m_socket), std::chrono::milliseconds(0));
    }
}

void HalfOpen::look() {
    std::array<char, 9> header;
    const auto got = ::recv(static_cast<int>(m_descriptor), header.data(), header.size(), MSG_PEEK | MSG_DONTWAIT);
    if (got < 0 && (errno == EAGAIN || errno == EINTR))
        return;
    const FirstBytes first = judgeFirstBytes(QByteArrayView(header.data(), std::max<qsizetype>(got, 0)), m_limit);
    // Nothing has been read yet, so that what waits is all that came; older kernels do not count what came.
    int arrived = 0;
    ::ioctl(static_cast<int>(m_descriptor), FIONREAD, &arrived);
    Sentence cause;
    if (got <= 0)
        cause = leftDuringHandshake();
    else if (first.kind == FirstBytes::Kind::Foreign)
        cause = sentence("The peer does not speak TLS as Hearth does.");
    else if (arrived > m_limit)
        cause = sentTooMuch();
    else if (arrived >= first.needed) {
        stopLooking();
        wakeFrom(m_descriptor, 1);
        Q_EMIT saidHello();
        return;
    } else if (hasLeft(m_descriptor))
        cause = leftDuringHandshake();
    else if (++m_looks >= maximumLooks)
        cause = sentence("The peer sent its first message in too many pieces.");
    if (!cause.isEmpty()) {
        stopLooking();
        Q_EMIT failed(cause);
        return;
    }
    wakeFrom(m_descriptor, first.needed);
}

void HalfOpen::stopLooking() {
    m_readable->setEnabled(false);
    m_readable.release()->deleteLater();  // we may be in its signal
}

void HalfOpen::startTls(const QSslConfiguration &configuration) {
    const qintptr descriptor = std::exchange(m_descriptor, -1);
    m_socket = std::make_unique<QSslSocket>();
    QSslSocket *socket = m_socket.get();
    socket->setSslConfiguration(configuration);
    socket->setReadBufferSize(m_limit);
    const auto fail = [this](const QString &cause) { Q_EMIT failed(cause); };
    if (!socket->setSocketDescriptor(descriptor)) {
        resetConnection(descriptor);
        QMetaObject::invokeMethod(
            this, [fail] { fail(leftDuringHandshake()); }, Qt::QueuedConnection);
        return;
    }
    connect(socket, &QSslSocket::sslErrors, this,
            [socket](const QList<QSslError> &errors) { ignoreSelfSigned(*socket, errors); });
    // Queued: both are emitted in the middle of the socket's own work, where it must be neither used nor given away.
    connect(socket, &QSslSocket::encrypted, this, &HalfOpen::secured, Qt::QueuedConnection);
    connect(
        socket, &QAbstractSocket::errorOccurred, this,
        [fail, socket] { fail(socket->errorString() + QLatin1Char('.')); }, Qt::QueuedConnection);
    connect(
        socket, &QAbstractSocket::disconnected, this, [fail] { fail(leftDuringHandshake()); }, Qt::QueuedConnection);
    connectArrivals(*socket, this, [this, socket, fail, descriptor] {
        if (!socket->isEncrypted() && bytesReceivedOn(descriptor) > m_limit)
            QMetaObject::invokeMethod(
                this, [fail] { fail(sentTooMuch()); }, Qt::QueuedConnection);
    });
    socket->startServerEncryption();
}

std::unique_ptr<QSslSocket> HalfOpen::takeSocket() {
    m_socket->disconnect(this);
    return std::move(m_socket);
}

}  // namespace hearth
