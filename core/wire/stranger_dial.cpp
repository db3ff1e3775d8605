#include "core/wire/stranger_dial.h"

#include <QNetworkProxy>
#include <QSslConfiguration>
#include <QSslSocket>
#include <QTimer>
#include <utility>

#include "core/wire/admission_gate.h"
#include "core/wire/retire.h"
#include "core/wire/tls_config.h"

namespace hearth {
namespace {

/// One attempt; a child of the caller's context, so that it ends with it.
class StrangerDial : public QObject {
  public:
    StrangerDial(const Identity &identity, const QString &host, quint16 port, QObject *context,
                 StrangerCallback callback)
        : QObject(context),
          m_socket(std::make_unique<QSslSocket>()),
          m_name((host.contains(QLatin1Char(':')) ? QStringLiteral("[%1]:%2") : QStringLiteral("%1:%2"))
                     .arg(host)
                     .arg(port)),
          m_callback(std::move(callback)) {
        QSslSocket *socket = m_socket.get();
        QSslConfiguration configuration = tlsConfiguration(identity);
        configuration.setAllowedNextProtocols({pairingProtocol()});
        socket->setSslConfiguration(configuration);
        socket->setProxy(QNetworkProxy::NoProxy);
        socket->setReadBufferSize(StrangerLink::maximumTotal);
        connect(socket, &QSslSocket::sslErrors, this,
                [socket](const QList<QSslError> &errors) { ignoreSelfSigned(*socket, errors); });
        // Queued: emitted in the middle of the socket's own work, where it must be neither used nor given away.
        connect(socket, &QSslSocket::encrypted, this, &StrangerDial::secured, Qt::QueuedConnection);
        connect(socket, &QAbstractSocket::errorOccurred, this, &StrangerDial::socketFailed, Qt::QueuedConnection);
        socket->connectToHostEncrypted(host, port);
    }
    ~StrangerDial() override {
        if (m_socket) {
            m_socket->disconnect(this);
            retire(std::move(m_socket), std::chrono::milliseconds(0));
        }
    }
    void startDeadline(std::chrono::milliseconds deadline) {
        QTimer::singleShot(deadline, this, [this, deadline] {
            finish(hearth::fail(QStringLiteral("wire.deadline"), QStringLiteral("%1 did not answer.").arg(m_name),
                                QStringLiteral("The connection was allowed %1 seconds.")
                                    .arg(std::chrono::duration<double>(deadline).count()),
                                QStringLiteral("Check that the device is awake and in reach of the network.")));
        });
    }

  private:
    void socketFailed() {
        if (!m_socket)
            return;
        const QString cause = m_socket->errorString() + QLatin1Char('.');
        const auto error = m_socket->error();
        if (error == QAbstractSocket::SslHandshakeFailedError || error == QAbstractSocket::SslInternalError) {
            finish(hearth::fail(QStringLiteral("wire.handshake-failed"),
                                QStringLiteral("The connection to %1 could not be secured.").arg(m_name), cause,
                                QStringLiteral("Run the same version of Hearth on all devices.")));
            return;
        }
        const bool refused = error == QAbstractSocket::ConnectionRefusedError;
        finish(hearth::fail(refused ? QStringLiteral("wire.nobody-listens") : QStringLiteral("wire.unreachable"),
                            QStringLiteral("%1 cannot be reached.").arg(m_name), cause,
                            QStringLiteral("Check that the device is on and that its agent runs.")));
    }

    void secured() {
        if (!m_socket)
            return;
        const auto fingerprint = sessionFingerprint(*m_socket);
        if (!fingerprint) {
            finish(hearth::fail(QStringLiteral("wire.handshake-failed"),
                                QStringLiteral("The connection to %1 could not be secured.").arg(m_name),
                                fingerprint.error().toString(),
                                QStringLiteral("Run the same version of Hearth on all devices.")));
            return;
        }
        if (m_socket->sslConfiguration().nextNegotiatedProtocol() != pairingProtocol()) {
            finish(hearth::fail(QStringLiteral("wire.no-pairing"), QStringLiteral("%1 does not pair.").arg(m_name),
                                QStringLiteral("It is another program, or an agent of another version."),
                                QStringLiteral("Install the same version of Hearth on every device.")));
            return;
        }
        m_socket->disconnect(this);
        const QHostAddress address = plainAddress(m_socket->peerAddress());
        finish(std::make_unique<StrangerLink>(std::move(m_socket), *fingerprint, address));
    }

    void finish(Result<std::unique_ptr<StrangerLink>> result) {
        if (!m_callback)
            return;
        deleteLater();
        std::exchange(m_callback, nullptr)(std::move(result));
    }

    std::unique_ptr<QSslSocket> m_socket;
    QString m_name;
    StrangerCallback m_callback;
};

}  // namespace

void dialStranger(const Identity &identity, const QString &host, quint16 port, std::chrono::milliseconds deadline,
                  QObject *context, StrangerCallback callback) {
    auto *dial = new StrangerDial(identity, host, port, context, std::move(callback));
    dial->startDeadline(deadline);
}

}  // namespace hearth
