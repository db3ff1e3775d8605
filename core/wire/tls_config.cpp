#include "core/wire/tls_config.h"

#include <QCborMap>
#include <QSslCipher>
#include <QSslSocket>
#include <algorithm>
#include <utility>

#include "core/base/sentence.h"
#include "core/wire/frame_reader.h"

namespace hearth {
namespace {

QCborMap refusalMessage() {
    return {{QStringLiteral("k"), QStringLiteral("refused")}};
}

}  // namespace

QSslConfiguration tlsConfiguration(const Identity &identity) {
    QSslConfiguration configuration;
    configuration.setProtocol(QSsl::TlsV1_3);
    configuration.setLocalCertificate(identity.certificate());
    configuration.setPrivateKey(identity.key());
    configuration.setCaCertificates({});
    configuration.setPeerVerifyMode(QSslSocket::VerifyPeer);
    configuration.setSslOption(QSsl::SslOptionDisableSessionTickets, true);
    configuration.setSslOption(QSsl::SslOptionDisableSessionSharing, true);
    configuration.setSslOption(QSsl::SslOptionDisableSessionPersistence, true);
    configuration.setSslOption(QSsl::SslOptionDisableCompression, true);
    return configuration;
}

void ignoreSelfSigned(QSslSocket &socket, const QList<QSslError> &errors) {
    const auto harmless = [](const QSslError &error) {
        return error.error() == QSslError::SelfSignedCertificate ||
               error.error() == QSslError::SelfSignedCertificateInChain || error.error() == QSslError::HostNameMismatch;
    };
    if (std::all_of(errors.begin(), errors.end(), harmless))
        socket.ignoreSslErrors(errors);
}

Result<Fingerprint> sessionFingerprint(const QSslSocket &socket) {
    if (!socket.isEncrypted() || socket.sessionProtocol() != QSsl::TlsV1_3)
        return fail(QStringLiteral("wire.insecure"), sentence("The connection is not protected by TLS 1.3."));
    return fingerprintOf(socket.peerCertificate());
}

void connectArrivals(const QSslSocket &socket, QObject *context, std::function<void()> arrived) {
    // Qt does not say how much of TLS has arrived; the plain socket below it tells when to look.
    if (const auto *plain = socket.findChild<QTcpSocket *>())
        QObject::connect(plain, &QIODevice::readyRead, context, std::move(arrived));
}

QCborMap welcomeMessage() {
    return {{QStringLiteral("k"), QStringLiteral("welcome")}};
}

bool isWelcome(const QCborMap &message) {
    return message == welcomeMessage();
}

void sendRefusal(QSslSocket &socket) {
    socket.write(encodeFrame(FrameType::Control, refusalMessage()));
    socket.flush();  // the kernel sends it, whatever becomes of the socket
}

bool isRefusal(const QCborMap &message) {
    return message == refusalMessage();
}

}  // namespace hearth
