#include "core/wire/tls_dial.h"

#include <QNetworkProxy>
#include <QSslSocket>
#include <QTimer>
#include <utility>

#include "core/wire/log.h"
#include "core/wire/retire.h"
#include "core/wire/stream_channel.h"
#include "core/wire/tls_config.h"

namespace hearth {
namespace {

/// One attempt; a child of the caller's context, so that it ends with it.
class Dial : public QObject {
  public:
    Dial(const Identity &identity, QString host, quint16 port, const Fingerprint &expected, QObject *context,
         DialCallback callback, WrongKey wrongKey)
        : QObject(context),
          m_socket(std::make_unique<QSslSocket>()),
          m_name((host.contains(QLatin1Char(':')) ? QStringLiteral("[%1]:%2") : QStringLiteral("%1:%2"))
                     .arg(host)
                     .arg(port)),
          m_expected(expected),
          m_callback(std::move(callback)),
          m_wrongKey(std::move(wrongKey)) {
        QSslSocket *socket = m_socket.get();
        socket->setSslConfiguration(tlsConfiguration(identity));
        socket->setProxy(QNetworkProxy::NoProxy);
        connect(socket, &QSslSocket::sslErrors, this,
                [socket](const QList<QSslError> &errors) { ignoreSelfSigned(*socket, errors); });
        // Queued: emitted in the middle of the socket's own work, where it must be neither used nor given away.
        connect(socket, &QSslSocket::encrypted, this, &Dial::secured, Qt::QueuedConnection);
        connect(socket, &QAbstractSocket::errorOccurred, this, &Dial::socketFailed, Qt::QueuedConnection);
        socket->connectToHostEncrypted(host, port);
    }
    ~Dial() override {
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
        if (!m_socket || m_wasSecured)
            return;
        const QString cause = m_socket->errorString() + QLatin1Char('.');
        if (m_socket->error() == QAbstractSocket::SslHandshakeFailedError ||
            m_socket->error() == QAbstractSocket::SslInternalError) {
            finish(hearth::fail(QStringLiteral("wire.handshake-failed"),
                                QStringLiteral("The connection to %1 could not be secured.").arg(m_name), cause,
                                QStringLiteral("Run the same version of Hearth on all devices.")));
            return;
        }
        const bool refused = m_socket->error() == QAbstractSocket::ConnectionRefusedError;
        finish(hearth::fail(refused ? QStringLiteral("wire.nobody-listens") : QStringLiteral("wire.unreachable"),
                            QStringLiteral("%1 cannot be reached.").arg(m_name), cause,
                            QStringLiteral("Check that the device is on and that its agent runs.")));
    }

    void secured() {
        if (!m_socket)
            return;
        m_wasSecured = true;
        const auto fingerprint = sessionFingerprint(*m_socket);
        if (!fingerprint || *fingerprint != m_expected || m_expected.isNull()) {
            const QString cause =
                fingerprint ? QStringLiteral("Its key is %1, not %2.").arg(fingerprint->toHex(), m_expected.toHex())
                            : fingerprint.error().toString();
            qCWarning(wireLog).noquote() << "not connected to" << m_name << cause;
            if (fingerprint && m_wrongKey)
                m_wrongKey(*fingerprint);
            finish(hearth::fail(QStringLiteral("wire.wrong-identity"),
                                QStringLiteral("%1 is not the device that was expected.").arg(m_name), cause,
                                QStringLiteral("If the device was set up anew, forget it and pair it again.")));
            return;
        }
        m_socket->disconnect(this);
        m_channel = std::make_unique<StreamChannel>(std::move(m_socket), *fingerprint, m_name);
        connect(m_channel.get(), &Channel::controlReceived, this, &Dial::greeted);
        connect(m_channel.get(), &Channel::closed, this, [this](const Error &reason) {
            finish(hearth::fail(QStringLiteral("wire.refused"),
                                QStringLiteral("%1 did not accept this device.").arg(m_name), reason.cause,
                                QStringLiteral("Pair the two devices, or trust this one there.")));
        });
    }

    void greeted(const QCborMap &message) {
        m_channel->disconnect(this);
        if (!isWelcome(message)) {
            finish(hearth::fail(QStringLiteral("wire.bad-frame"),
                                QStringLiteral("%1 does not speak Hearth's protocol.").arg(m_name)));
            return;
        }
        // What follows the welcome belongs to the caller, who first gets a turn to connect to the signals.
        StreamChannel *channel = m_channel.get();
        channel->setReceiving(false);
        QMetaObject::invokeMethod(
            channel, [channel] { channel->setReceiving(true); }, Qt::QueuedConnection);
        finish(std::unique_ptr<Channel>(std::move(m_channel)));
    }

    void finish(Result<std::unique_ptr<Channel>> result) {
        if (!m_callback)
            return;
        if (m_channel) {  // we are in one of its signals
            m_channel->disconnect(this);
            m_channel.release()->deleteLater();
        }
        deleteLater();
        std::exchange(m_callback, nullptr)(std::move(result));
    }

    std::unique_ptr<QSslSocket> m_socket;
    std::unique_ptr<StreamChannel> m_channel;
    QString m_name;
    Fingerprint m_expected;
    DialCallback m_callback;
    WrongKey m_wrongKey;
    bool m_wasSecured = false;
};

}  // namespace

void dialTls(const Identity &identity, const QString &host, quint16 port, const Fingerprint &expected,
             std::chrono::milliseconds deadline, QObject *context, DialCallback callback, WrongKey wrongKey) {
    auto *dial = new Dial(identity, host, port, expected, context, std::move(callback), std::move(wrongKey));
    dial->startDeadline(deadline);
}

}  // namespace hearth
