#include "core/wire/tls_attempt.h"

#include <QNetworkProxy>
#include <QSslConfiguration>
#include <QTimer>
#include <utility>

#include "core/base/host_port.h"
#include "core/base/sentence.h"
#include "core/wire/retire.h"
#include "core/wire/tls_config.h"

namespace hearth {

TlsAttempt::TlsAttempt(const QSslConfiguration &configuration, const QString &host, quint16 port, qint64 readBuffer,
                       QObject *context)
    : QObject(context), m_socket(std::make_unique<QSslSocket>()), m_name(joinAddress(host, port)) {
    QSslSocket *socket = m_socket.get();
    socket->setSslConfiguration(configuration);
    socket->setProxy(QNetworkProxy::NoProxy);
    socket->setReadBufferSize(readBuffer);
    connect(socket, &QSslSocket::sslErrors, this,
            [socket](const QList<QSslError> &errors) { ignoreSelfSigned(*socket, errors); });
    // Queued: emitted in the middle of the socket's own work, where it must be neither used nor given away.
    connect(socket, &QSslSocket::encrypted, this, &TlsAttempt::socketSecured, Qt::QueuedConnection);
    connect(socket, &QAbstractSocket::errorOccurred, this, &TlsAttempt::socketFailed, Qt::QueuedConnection);
    socket->connectToHostEncrypted(host, port);
}

TlsAttempt::~TlsAttempt() {
    if (m_socket) {
        m_socket->disconnect(this);
        retire(std::move(m_socket), std::chrono::milliseconds(0));
    }
}

void TlsAttempt::startDeadline(std::chrono::milliseconds deadline) {
    QTimer::singleShot(deadline, this, [this, deadline] {
        failed({QStringLiteral("wire.deadline"), sentence("%1 did not answer.").arg(m_name),
                sentence("The connection was allowed %1 seconds.").arg(std::chrono::duration<double>(deadline).count()),
                sentence("Check that the device is awake and in reach of the network.")});
    });
}

void TlsAttempt::socketSecured() {
    if (!m_socket)
        return;
    m_wasSecured = true;
    secured();
}

void TlsAttempt::socketFailed() {
    if (!m_socket || m_wasSecured)
        return;
    const QString cause = m_socket->errorString() + QLatin1Char('.');
    const auto error = m_socket->error();
    if (error == QAbstractSocket::SslHandshakeFailedError || error == QAbstractSocket::SslInternalError) {
        failed(notSecured(m_name, cause));
        return;
    }
    const bool refused = error == QAbstractSocket::ConnectionRefusedError;
    failed({refused ? QStringLiteral("wire.nobody-listens") : QStringLiteral("wire.unreachable"),
            sentence("%1 cannot be reached.").arg(m_name), cause,
            sentence("Check that the device is on and that its agent runs.")});
}

Error notSecured(const QString &name, const Sentence &cause) {
    return {QStringLiteral("wire.handshake-failed"), sentence("The connection to %1 could not be secured.").arg(name),
            cause, sentence("Run the same version of Hearth on all devices.")};
}

}  // namespace hearth
