// What two devices that do not trust each other have of a connection: a few small messages, and little time.
#include <fcntl.h>
#include <openssl/pem.h>
#include <openssl/ssl.h>
#include <unistd.h>

#include <QSignalSpy>
#include <QSslConfiguration>
#include <QSslSocket>
#include <QTcpSocket>
#include <QTest>
#include <QtEndian>
#include <csignal>
#include <memory>
#include <thread>

#include "core/wire/stranger_dial.h"
#include "core/wire/tls_config.h"
#include "tests/core/wire/tls_ends.h"

using namespace hearth;
using namespace std::chrono_literals;

namespace {

/// A listener that lets strangers pair, and keeps what they send.
struct Host {
    Home home;
    bool lets = true;
    std::unique_ptr<StrangerLink> link;
    QByteArrayList received;
    std::optional<Error> closed;

    Host() {
        home.listener.setStrangers([this](const Fingerprint &, const QHostAddress &) { return lets; });
        QObject::connect(&home.listener, &TlsListener::strangerReady, &home.listener, [this](StrangerLink *taken) {
            link.reset(taken);
            QObject::connect(taken, &StrangerLink::received, taken,
                             [this](const QByteArray &message) { received << message; });
            QObject::connect(taken, &StrangerLink::closed, taken, [this](const Error &reason) { closed = reason; });
        });
    }
};

/// A bare TLS socket that offers pairing and sends what a test wants.
class RawStranger {
  public:
    explicit RawStranger(quint16 port, const QByteArray &protocol = pairingProtocol()) {
        QSslConfiguration configuration = tlsConfiguration(*Identity::generate(QStringLiteral("stranger")));
        configuration.setPeerVerifyMode(QSslSocket::VerifyNone);
        if (!protocol.isEmpty())
            configuration.setAllowedNextProtocols({protocol});
        socket.setSslConfiguration(configuration);
        socket.connectToHostEncrypted(localhost, port);
    }
    void send(const QByteArray &bytes) {
        socket.write(bytes);
        socket.flush();
    }
    QSslSocket socket;
};

/// Offers pairing and then says nothing but that its key is a new one, until the other end has enough of it: bytes on
/// the socket that give nothing to read.
bool renewKeys(quint16 port, int times) {
    const Identity identity = *Identity::generate(QStringLiteral("stranger"));
    const auto memory = [](const QByteArray &pem) {
        return BIO_new_mem_buf(pem.constData(), static_cast<int>(pem.size()));
    };
    const QByteArray keyPem = identity.key().toPem(), certificatePem = identity.certificate().toPem();
    BIO *keyBio = memory(keyPem), *certificateBio = memory(certificatePem);
    EVP_PKEY *key = PEM_read_bio_PrivateKey(keyBio, nullptr, nullptr, nullptr);
    X509 *certificate = PEM_read_bio_X509(certificateBio, nullptr, nullptr, nullptr);
    SSL_CTX *context = SSL_CTX_new(TLS_client_method());
    SSL_CTX_use_certificate(context, certificate);
    SSL_CTX_use_PrivateKey(context, key);
    QTcpSocket socket;
    socket.connectToHost(QHostAddress::LocalHost, port);
    bool began = socket.waitForConnected(patience);
    const int descriptor = ::dup(static_cast<int>(socket.socketDescriptor()));
    ::fcntl(descriptor, F_SETFL, ::fcntl(descriptor, F_GETFL) & ~O_NONBLOCK);
    SSL *ssl = SSL_new(context);
    SSL_set_fd(ssl, descriptor);
    const QByteArray protocols = static_cast<char>(pairingProtocol().size()) + pairingProtocol();
    SSL_set_alpn_protos(ssl, reinterpret_cast<const unsigned char *>(protocols.constData()),
                        static_cast<unsigned>(protocols.size()));
    began = began && SSL_connect(ssl) == 1;
    for (int i = 0; began && i < times; ++i) {
        if (SSL_key_update(ssl, SSL_KEY_UPDATE_NOT_REQUESTED) != 1 || SSL_do_handshake(ssl) != 1)
            break;
    }
    SSL_free(ssl);
    SSL_CTX_free(context);
    X509_free(certificate);
    EVP_PKEY_free(key);
    BIO_free(certificateBio);
    BIO_free(keyBio);
    ::close(descriptor);
    return began;
}

QByteArray framed(const QByteArray &message) {
    QByteArray frame(2, Qt::Uninitialized);
    qToBigEndian(static_cast<quint16>(message.size()), frame.data());
    return frame + message;
}

}  // namespace

class TestStrangerLink : public QObject {
    Q_OBJECT

  private Q_SLOTS:
    void messagesGoBothWays() {
        Host host;
        const Identity identity = *Identity::generate(QStringLiteral("dialler"));
        std::unique_ptr<StrangerLink> link;
        dialStranger(identity, localhost, host.home.port, 30s, this,
                     [&](auto result) { link = result ? std::move(*result) : nullptr; });
        QTRY_VERIFY_WITH_TIMEOUT(link && host.link, patience);
        QCOMPARE(link->peer(), host.home.identity.fingerprint());
        QCOMPARE(host.link->peer(), identity.fingerprint());
        QCOMPARE(host.link->address(), QHostAddress(QHostAddress::LocalHost));
        QByteArrayList received;
        connect(link.get(), &StrangerLink::received, this, [&](const QByteArray &message) { received << message; });
        link->send("one");
        link->send(QByteArray(StrangerLink::maximumMessage, 'x'));
        host.link->send("two");
        QTRY_COMPARE_WITH_TIMEOUT(host.received.size(), 2, patience);
        QTRY_COMPARE_WITH_TIMEOUT(received, QByteArrayList{"two"}, patience);
        // The last word goes out before the connection ends.
        QSignalSpy closed(link.get(), &StrangerLink::closed);
        host.link->send("bye");
        host.link->close();
        QTRY_COMPARE_WITH_TIMEOUT(closed.count(), 1, patience);
        QCOMPARE(received.last(), QByteArray("bye"));
        QCOMPARE(closed.first().first().value<Error>().code, QStringLiteral("wire.closed"));
        QVERIFY(!host.closed);
    }

    void whoOffersPairingNeverGetsAChannel() {
        Host host;
        const Identity identity = *Identity::generate(QStringLiteral("friend"));
        host.home.friends << identity.fingerprint();
        std::unique_ptr<StrangerLink> link;
        dialStranger(identity, localhost, host.home.port, 30s, this,
                     [&](auto result) { link = result ? std::move(*result) : nullptr; });
        QTRY_VERIFY_WITH_TIMEOUT(host.link, patience);
        QVERIFY(host.home.channels.empty());
    }

    void whoOffersSomethingElseIsRefusedAsEver_data() {
        QTest::addColumn<QByteArray>("protocol");
        QTest::addColumn<QString>("code");
        QTest::newRow("nothing") << QByteArray() << "wire.stranger";
        QTest::newRow("another protocol") << QByteArray("h2") << "wire.handshake-failed";
        QTest::newRow("another version of pairing") << QByteArray("hearth-pair/2") << "wire.handshake-failed";
    }
    void whoOffersSomethingElseIsRefusedAsEver() {
        QFETCH(QByteArray, protocol);
        Host host;
        RawStranger stranger(host.home.port, protocol);
        QTRY_COMPARE_WITH_TIMEOUT(host.home.refusals.size(), std::size_t(1), patience);
        QTEST(host.home.refusals[0].second.code, "code");
        QVERIFY(!host.link);
    }

    void whomTheFilterDoesNotWantIsRefused() {
        Host host;
        host.lets = false;
        RawStranger stranger(host.home.port);
        QTRY_COMPARE_WITH_TIMEOUT(host.home.refusals.size(), std::size_t(1), patience);
        QCOMPARE(host.home.refusals[0].second.code, QStringLiteral("wire.stranger"));
        QVERIFY(!host.link);
    }

    void aListenerWithoutPairingSaysSo() {
        Home home;
        std::optional<Error> error;
        dialStranger(*Identity::generate(QStringLiteral("x")), localhost, home.port, 30s, this,
                     [&](const auto &result) { error = result ? Error{} : result.error(); });
        QTRY_VERIFY_WITH_TIMEOUT(error, patience);
        QCOMPARE(error->code, QStringLiteral("wire.no-pairing"));
    }

    void whatBreaksABoundEndsIt_data() {
        QTest::addColumn<QByteArray>("bytes");
        QTest::addColumn<int>("messages");
        QTest::newRow("a message of no bytes") << QByteArray("\0\0", 2) << 0;
        QTest::newRow("a message that is too long") << QByteArray("\x02\x01", 2) + QByteArray(513, 'x') << 0;
        QTest::newRow("a length that is far too long") << QByteArray("\xff\xff", 2) << 0;
        QTest::newRow("a good one and then a giant") << framed("good") + QByteArray("\xff\xff", 2) << 1;
        QByteArray many;
        for (int i = 0; i < 40; ++i)
            many += framed(QByteArray(400, 'y'));
        QTest::newRow("too many of them") << many << -1;
    }
    void whatBreaksABoundEndsIt() {
        QFETCH(QByteArray, bytes);
        QFETCH(int, messages);
        Host host;
        RawStranger stranger(host.home.port);
        QTRY_VERIFY_WITH_TIMEOUT(host.link, patience);
        stranger.send(bytes);
        QTRY_VERIFY_WITH_TIMEOUT(host.closed, patience);
        QCOMPARE(host.closed->code, QStringLiteral("wire.bad-frame"));
        if (messages >= 0)
            QCOMPARE(host.received.size(), messages);
        else
            QVERIFY(host.received.size() * 402 <= StrangerLink::maximumTotal);
        QTRY_COMPARE_WITH_TIMEOUT(stranger.socket.state(), QAbstractSocket::UnconnectedState, patience);
    }

    void keysThatAreRenewedWithoutEndEndIt() {
        Host host;
        std::signal(SIGPIPE, SIG_IGN);
        bool began = false;
        std::thread stranger([&] { began = renewKeys(host.home.port, 100000); });
        QTRY_VERIFY_WITH_TIMEOUT(host.closed, patience);
        stranger.join();
        QVERIFY(began);
        QCOMPARE(host.closed->code, QStringLiteral("wire.bad-frame"));
    }

    void slowBytesAreGivenUp() {
        Host host;
        RawStranger stranger(host.home.port);
        QTRY_VERIFY_WITH_TIMEOUT(host.link, patience);
        host.link->setMessageDeadline(50ms);
        stranger.send(QByteArray("\0", 1));
        QTRY_VERIFY_WITH_TIMEOUT(host.closed, patience);
        QCOMPARE(host.closed->code, QStringLiteral("wire.deadline"));
    }

    void whatComesWhileNobodyReadsIsKept() {
        Host host;
        RawStranger stranger(host.home.port);
        QTRY_VERIFY_WITH_TIMEOUT(host.link, patience);
        host.link->setReceiving(false);
        stranger.send(framed("later"));
        QTRY_COMPARE_WITH_TIMEOUT(stranger.socket.encryptedBytesToWrite(), 0, patience);
        QVERIFY(host.received.isEmpty());
        host.link->setReceiving(true);
        QTRY_COMPARE_WITH_TIMEOUT(host.received, QByteArrayList{"later"}, patience);
    }

    void aWrongKeyIsToldToWhoAsks() {
        Home home;
        const Identity expected = *Identity::generate(QStringLiteral("expected"));
        Fingerprint shown;
        QString code;
        dialTls(
            expected, localhost, home.port, expected.fingerprint(), 30s, this,
            [&](const auto &result) { code = result ? QString() : result.error().code; },
            [&](const Fingerprint &key) { shown = key; });
        QTRY_COMPARE_WITH_TIMEOUT(code, QStringLiteral("wire.wrong-identity"), patience);
        QCOMPARE(shown, home.identity.fingerprint());
    }
};

QTEST_GUILESS_MAIN(TestStrangerLink)
#include "test_stranger_link.moc"
