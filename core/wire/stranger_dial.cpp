#include "core/wire/stranger_dial.h"

#include <QSslConfiguration>
#include <utility>

#include "core/base/sentence.h"
#include "core/wire/stranger_brake.h"
#include "core/wire/tls_attempt.h"
#include "core/wire/tls_config.h"

namespace hearth {
namespace {

QSslConfiguration pairingConfiguration(const Identity &identity) {
    QSslConfiguration configuration = tlsConfiguration(identity);
    configuration.setAllowedNextProtocols({pairingProtocol()});
    return configuration;
}

class StrangerDial : public TlsAttempt {
  public:
    StrangerDial(const Identity &identity, const QString &host, quint16 port, QObject *context,
                 StrangerCallback callback)
        : TlsAttempt(pairingConfiguration(identity), host, port, StrangerLink::maximumTotal, context),
          m_callback(std::move(callback)) {}

  protected:
    void failed(const Error &error) override { finish(tl::unexpected(error)); }

    void secured() override {
        const auto fingerprint = sessionFingerprint(*m_socket);
        if (!fingerprint) {
            failed(notSecured(m_name, fingerprint.error().toString()));
            return;
        }
        if (m_socket->sslConfiguration().nextNegotiatedProtocol() != pairingProtocol()) {
            finish(hearth::fail(QStringLiteral("wire.no-pairing"), sentence("%1 does not pair.").arg(m_name),
                                sentence("It is another program, or an agent of another version."),
                                sentence("Install the same version of Hearth on every device.")));
            return;
        }
        m_socket->disconnect(this);
        const QHostAddress address = unmapped(m_socket->peerAddress());
        finish(std::make_unique<StrangerLink>(std::move(m_socket), *fingerprint, address));
    }

  private:
    void finish(Result<std::unique_ptr<StrangerLink>> result) {
        if (!m_callback)
            return;
        deleteLater();
        std::exchange(m_callback, nullptr)(std::move(result));
    }

    StrangerCallback m_callback;
};

}  // namespace

void dialStranger(const Identity &identity, const QString &host, quint16 port, std::chrono::milliseconds deadline,
                  QObject *context, StrangerCallback callback) {
    auto *dial = new StrangerDial(identity, host, port, context, std::move(callback));
    dial->startDeadline(deadline);
}

}  // namespace hearth
