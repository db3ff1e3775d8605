#include "core/wire/tls_dial.h"

#include <QSslConfiguration>
#include <utility>

#include "core/base/sentence.h"
#include "core/wire/stream_channel.h"
#include "core/wire/tls_attempt.h"
#include "core/wire/tls_config.h"

namespace hearth {
namespace {

class Dial : public TlsAttempt {
  public:
    Dial(const Identity &identity, const QString &host, quint16 port, const Fingerprint &expected, QObject *context,
         DialCallback callback, WrongKey wrongKey)
        : TlsAttempt(tlsConfiguration(identity), host, port, 0, context),
          m_expected(expected),
          m_callback(std::move(callback)),
          m_wrongKey(std::move(wrongKey)) {}

  protected:
    void failed(const Error &error) override { finish(tl::unexpected(error)); }

    void secured() override {
        const auto fingerprint = sessionFingerprint(*m_socket);
        if (!fingerprint || *fingerprint != m_expected || m_expected.isNull()) {
            const Sentence cause =
                fingerprint ? sentence("Its key is %1, not %2.").arg(fingerprint->toHex(), m_expected.toHex())
                            : Sentence(fingerprint.error().toString());
            if (fingerprint && m_wrongKey)
                m_wrongKey(*fingerprint);
            finish(hearth::fail(QStringLiteral("wire.wrong-identity"),
                                sentence("%1 is not the device that was expected.").arg(m_name), cause,
                                sentence("If the device was set up anew, forget it and pair it again.")));
            return;
        }
        m_socket->disconnect(this);
        m_channel = std::make_unique<StreamChannel>(std::move(m_socket), *fingerprint, m_name);
        m_channel->setFrameLimits(onlyWords);
        connect(m_channel.get(), &Channel::controlReceived, this, &Dial::greeted);
        connect(m_channel.get(), &Channel::closed, this, [this](const Error &reason) {
            finish(hearth::fail(QStringLiteral("wire.left"), sentence("%1 closed the connection.").arg(m_name),
                                reason.cause, sentence("Check that the device is on and that its agent runs.")));
        });
    }

  private:
    void greeted(const QCborMap &message) {
        m_channel->disconnect(this);
        if (isRefusal(message)) {
            finish(hearth::fail(QStringLiteral("wire.refused"), sentence("%1 did not accept this device.").arg(m_name),
                                QString(), sentence("Pair the two devices, or trust this one there.")));
            return;
        }
        if (!isWelcome(message)) {
            finish(hearth::fail(QStringLiteral("wire.bad-frame"),
                                sentence("%1 does not speak Hearth's protocol.").arg(m_name)));
            return;
        }
        // What follows the welcome belongs to the caller, who first gets a turn to connect to the signals.
        StreamChannel *channel = m_channel.get();
        channel->setReceiving(false);
        channel->setFrameLimits({});
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

    std::unique_ptr<StreamChannel> m_channel;
    Fingerprint m_expected;
    DialCallback m_callback;
    WrongKey m_wrongKey;
};

}  // namespace

void dialTls(const Identity &identity, const QString &host, quint16 port, const Fingerprint &expected,
             std::chrono::milliseconds deadline, QObject *context, DialCallback callback, WrongKey wrongKey) {
    auto *dial = new Dial(identity, host, port, expected, context, std::move(callback), std::move(wrongKey));
    dial->startDeadline(deadline);
}

}  // namespace hearth
