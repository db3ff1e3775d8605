#include "core/wire/tls_listener.h"

#include <linux/tcp.h>
#include <netinet/in.h>
#include <sys/socket.h>
#include <unistd.h>

#include <QMetaMethod>
#include <QSslConfiguration>
#include <QSslSocket>
#include <QTcpServer>
#include <QTimer>
#include <algorithm>
#include <utility>

#include "core/base/host_port.h"
#include "core/wire/log.h"
#include "core/wire/retire.h"
#include "core/wire/stranger_link.h"
#include "core/wire/stream_channel.h"
#include "core/wire/tls_config.h"

namespace hearth {
namespace {

/// All bytes that the peer has sent on this connection, as the kernel counts them.
quint64 bytesReceivedOn(qintptr descriptor) {
    tcp_info info{};
    socklen_t length = sizeof info;
    if (::getsockopt(static_cast<int>(descriptor), IPPROTO_TCP, TCP_INFO, &info, &length) != 0)
        return 0;
    return info.tcpi_bytes_received;
}

QHostAddress peerOf(qintptr descriptor) {
    sockaddr_storage storage{};
    socklen_t length = sizeof storage;
    auto *address = reinterpret_cast<sockaddr *>(&storage);
    if (::getpeername(static_cast<int>(descriptor), address, &length) != 0)
        return {};
    return plainAddress(QHostAddress(address));
}

}  // namespace

class TlsListener::Server : public QTcpServer {
  public:
    explicit Server(TlsListener *listener) : m_listener(listener) {}

  protected:
    void incomingConnection(qintptr descriptor) override { m_listener->accept(descriptor); }

  private:
    TlsListener *m_listener;
};

struct TlsListener::HalfOpen {
    quint64 place = 0;
    QHostAddress address;
    std::unique_ptr<QSslSocket> socket;
    QObject context;  // its connections end with it

    ~HalfOpen() {
        if (socket) {
            socket->disconnect(&context);
            retire(std::move(socket), std::chrono::milliseconds(0));
        }
    }
};

TlsListener::TlsListener(Identity identity, Authorise authorise, QObject *parent)
    : QObject(parent),
      m_identity(std::move(identity)),
      m_authorise(std::move(authorise)),
      m_server(std::make_unique<Server>(this)) {}

TlsListener::~TlsListener() = default;

Result<quint16> TlsListener::listen(const QHostAddress &address, quint16 first, quint16 last) {
    for (quint32 port = first; port <= std::max(first, last); ++port) {
        if (m_server->listen(address, static_cast<quint16>(port)))
            return m_server->serverPort();
        if (m_server->serverError() != QAbstractSocket::AddressInUseError)
            break;
    }
    const bool taken = m_server->serverError() == QAbstractSocket::AddressInUseError;
    const QString range = first >= last ? QString::number(first) : QStringLiteral("%1 to %2").arg(first).arg(last);
    return fail(taken ? QStringLiteral("wire.port-taken") : QStringLiteral("wire.cannot-listen"),
                QStringLiteral("Port %1 of %2 cannot be opened.").arg(range, address.toString()),
                taken ? QStringLiteral("Another program uses it.") : m_server->errorString() + QLatin1Char('.'),
                QStringLiteral("End the other program, or choose another port with --listen."));
}

void TlsListener::close() {
    m_server->close();
    for (auto &connection : std::exchange(m_halfOpen, {}))
        m_gate.leave(connection->place);
}

quint16 TlsListener::port() const {
    return m_server->serverPort();
}

QHostAddress TlsListener::address() const {
    return m_server->serverAddress();
}

void TlsListener::setKnownAddresses(const QList<QHostAddress> &addresses) {
    m_gate.setKnownAddresses(addresses);
}

std::unique_ptr<TlsListener::HalfOpen> TlsListener::take(quint64 place) {
    const auto found = std::find_if(m_halfOpen.begin(), m_halfOpen.end(),
                                    [place](const auto &connection) { return connection->place == place; });
    if (found == m_halfOpen.end())
        return nullptr;
    auto connection = std::move(*found);
    m_halfOpen.erase(found);
    m_gate.leave(place);
    return connection;
}

void TlsListener::accept(qintptr descriptor) {
    const QHostAddress address = peerOf(descriptor);
    const auto decision = m_gate.admit(address, AdmissionGate::Clock::now());
    const auto evicted = [](const QString &cause) {
        return Error{QStringLiteral("wire.crowded"),
                     QStringLiteral("A connection was refused before it was looked at."), cause, QString()};
    };
    if (!decision.place) {
        ::close(static_cast<int>(descriptor));
        report({}, address, evicted(decision.reason));
        return;
    }
    if (decision.evict)
        refuse(*decision.evict, {}, evicted(QStringLiteral("A newer one took its place.")));

    auto connection = std::make_unique<HalfOpen>();
    const quint64 place = *decision.place;
    connection->place = place;
    connection->address = address;
    connection->socket = std::make_unique<QSslSocket>();
    QSslSocket *socket = connection->socket.get();
    QObject *context = &connection->context;
    m_halfOpen.push_back(std::move(connection));
    QSslConfiguration configuration = tlsConfiguration(m_identity);
    if (m_mayPair)
        configuration.setAllowedNextProtocols({pairingProtocol()});
    socket->setSslConfiguration(configuration);
    socket->setReadBufferSize(handshakeBytes);
    if (!socket->setSocketDescriptor(descriptor)) {
        ::close(static_cast<int>(descriptor));
        take(place);
        return;
    }
    const auto failed = [this, place](const QString &cause) {
        refuse(place, {},
               {QStringLiteral("wire.handshake-failed"), QStringLiteral("A connection could not be secured."), cause,
                QStringLiteral("Run the same version of Hearth on all devices.")});
    };
    connect(socket, &QSslSocket::sslErrors, context,
            [socket](const QList<QSslError> &errors) { ignoreSelfSigned(*socket, errors); });
    // Queued: both are emitted in the middle of the socket's own work, where it must be neither used nor given away.
    connect(
        socket, &QSslSocket::encrypted, context, [this, place] { settle(place); }, Qt::QueuedConnection);
    connect(
        socket, &QAbstractSocket::errorOccurred, context,
        [failed, socket] { failed(socket->errorString() + QLatin1Char('.')); }, Qt::QueuedConnection);
    connect(
        socket, &QAbstractSocket::disconnected, context,
        [failed] { failed(QStringLiteral("The peer left during the handshake.")); }, Qt::QueuedConnection);
    // Qt does not say how much of a handshake has arrived; the plain socket below it tells when to look.
    if (auto *plain = socket->findChild<QTcpSocket *>()) {
        connect(plain, &QIODevice::readyRead, context, [socket, failed, descriptor] {
            if (!socket->isEncrypted() && bytesReceivedOn(descriptor) > handshakeBytes)
                QMetaObject::invokeMethod(
                    socket, [failed] { failed(QStringLiteral("The peer sent too much before it showed who it is.")); },
                    Qt::QueuedConnection);
        });
    }
    QTimer::singleShot(m_handshakeDeadline, context,
                       [failed] { failed(QStringLiteral("The peer did not finish the handshake in time.")); });
    socket->startServerEncryption();
}

void TlsListener::refuse(quint64 place, const Fingerprint &fingerprint, const Error &reason) {
    const auto connection = take(place);
    if (!connection)
        return;
    report(fingerprint, connection->address, reason);
}

void TlsListener::report(const Fingerprint &fingerprint, const QHostAddress &address, const Error &reason) {
    const auto now = AdmissionGate::Clock::now();
    m_reportsLeft += std::chrono::duration<double>(now - std::exchange(m_reportsCounted, now)) / reportInterval;
    m_reportsLeft = std::min<double>(m_reportsLeft, reportBurst);
    if (m_reportsLeft < 1) {
        ++m_unreported;
        return;
    }
    m_reportsLeft -= 1;
    if (const quint64 more = std::exchange(m_unreported, 0); more > 0)
        qCWarning(wireLog) << "refused" << more << "more connections without a word";
    qCWarning(wireLog).noquote().nospace()
        << "refused " << (fingerprint.isNull() ? QStringLiteral("a stranger") : fingerprint.toHex()) << " at "
        << address.toString() << ": " << reason.what << ' ' << reason.cause;
    Q_EMIT refused(fingerprint, address, reason);
}

void TlsListener::settle(quint64 place) {
    const auto found = std::find_if(m_halfOpen.begin(), m_halfOpen.end(),
                                    [place](const auto &connection) { return connection->place == place; });
    if (found == m_halfOpen.end())
        return;
    const auto fingerprint = sessionFingerprint(*(*found)->socket);
    if (!fingerprint) {
        refuse(place, {}, fingerprint.error());
        return;
    }
    if (m_mayPair && (*found)->socket->sslConfiguration().nextNegotiatedProtocol() == pairingProtocol()) {
        settleStranger(place, *fingerprint);
        return;
    }
    if (!m_authorise(*fingerprint)) {
        refuse(place, *fingerprint,
               {QStringLiteral("wire.stranger"), QStringLiteral("A device that is not trusted here tried to connect."),
                QStringLiteral("Its fingerprint is %1.").arg(fingerprint->toHex()),
                QStringLiteral("If it is yours, trust it first.")});
        return;
    }
    auto connection = take(place);
    if (!connection)  // authorise() may have closed this listener
        return;
    connection->socket->disconnect(&connection->context);
    if (connection->socket->state() != QAbstractSocket::ConnectedState)
        return;
    const QString name = joinAddress(connection->address.toString(), connection->socket->peerPort());
    auto *channel = new StreamChannel(std::move(connection->socket), *fingerprint, name);
    channel->sendControl(welcomeMessage());
    const bool taken = isSignalConnected(QMetaMethod::fromSignal(&TlsListener::channelReady));
    Q_EMIT channelReady(channel);
    if (!taken)
        delete channel;
}

void TlsListener::settleStranger(quint64 place, const Fingerprint &fingerprint) {
    const auto found = std::find_if(m_halfOpen.begin(), m_halfOpen.end(),
                                    [place](const auto &connection) { return connection->place == place; });
    if (!m_mayPair(fingerprint, (*found)->address)) {
        refuse(place, fingerprint,
               {QStringLiteral("wire.stranger"), QStringLiteral("A device that is ignored here tried to pair."),
                QStringLiteral("Its fingerprint is %1.").arg(fingerprint.toHex()), QString()});
        return;
    }
    auto connection = take(place);
    if (!connection)  // the filter may have closed this listener
        return;
    connection->socket->disconnect(&connection->context);
    if (connection->socket->state() != QAbstractSocket::ConnectedState)
        return;
    auto *link = new StrangerLink(std::move(connection->socket), fingerprint, connection->address);
    const bool taken = isSignalConnected(QMetaMethod::fromSignal(&TlsListener::strangerReady));
    Q_EMIT strangerReady(link);
    if (!taken)
        delete link;
}

}  // namespace hearth
