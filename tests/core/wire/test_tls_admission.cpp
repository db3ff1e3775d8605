// Who gets no channel: strangers, other keys, those who never finish a handshake.
#include <QSignalSpy>
#include <QSslConfiguration>
#include <QSslSocket>
#include <QTcpServer>
#include <QTcpSocket>
#include <QTest>

#include "core/wire/tls_config.h"
#include "tests/core/wire/foreign_certificate.h"
#include "tests/core/wire/tls_ends.h"

using namespace hearth;
using namespace std::chrono_literals;

class TestTlsAdmission : public QObject {
    Q_OBJECT

  private Q_SLOTS:
    void aStrangerIsRefused() {
        Home home;
        Guest guest;
        guest.dial(home, home.identity.fingerprint());
        QTRY_VERIFY_WITH_TIMEOUT(guest.error, patience);
        QCOMPARE(guest.code(), QStringLiteral("wire.refused"));
        QTRY_COMPARE(home.refusals.size(), std::size_t(1));
        QCOMPARE(home.refusals[0].first, guest.identity.fingerprint());
        QCOMPARE(home.refusals[0].second.code, QStringLiteral("wire.stranger"));
        QVERIFY(home.channels.empty());
    }

    void anotherServerThanExpectedGetsNothing() {
        Home home;
        Guest guest;
        home.friends << guest.identity.fingerprint();
        guest.dial(home, guest.identity.fingerprint());
        QTRY_VERIFY_WITH_TIMEOUT(guest.error, patience);
        QCOMPARE(guest.code(), QStringLiteral("wire.wrong-identity"));
        Guest careless;
        home.friends << careless.identity.fingerprint();
        careless.dial(home, Fingerprint());
        QTRY_VERIFY_WITH_TIMEOUT(careless.error, patience);
        QCOMPARE(careless.code(), QStringLiteral("wire.wrong-identity"));
    }

    void foreignHandshakesAreRefused_data() {
        QTest::addColumn<QByteArray>("key");
        QTest::addColumn<QByteArray>("certificate");
        QTest::addColumn<int>("algorithm");
        QTest::addColumn<int>("protocol");
        const auto rsa = foreignCertificate(EVP_RSA_gen(2048));
        const auto p384 = foreignCertificate(EVP_EC_gen("P-384"));
        const auto p256 = foreignCertificate(EVP_EC_gen("P-256"));
        QTest::newRow("an RSA key") << rsa.keyPem << rsa.certificatePem << int(QSsl::Rsa) << int(QSsl::TlsV1_3);
        QTest::newRow("a P-384 key") << p384.keyPem << p384.certificatePem << int(QSsl::Ec) << int(QSsl::TlsV1_3);
        QTest::newRow("no certificate") << QByteArray() << QByteArray() << int(QSsl::Ec) << int(QSsl::TlsV1_3);
        QTest::newRow("TLS 1.2") << p256.keyPem << p256.certificatePem << int(QSsl::Ec) << int(QSsl::TlsV1_2);
    }

    void foreignHandshakesAreRefused() {
        QFETCH(QByteArray, key);
        QFETCH(QByteArray, certificate);
        QFETCH(int, algorithm);
        QFETCH(int, protocol);
        bool asked = false;
        TlsListener listener(*Identity::generate(QStringLiteral("server")), [&asked](const Fingerprint &) {
            asked = true;
            return true;
        });
        const quint16 port = *listener.listen(QHostAddress::LocalHost, 0, 0);
        QSignalSpy ready(&listener, &TlsListener::channelReady);
        QSignalSpy refused(&listener, &TlsListener::refused);
        QSslSocket socket;
        QSslConfiguration configuration;
        configuration.setProtocol(static_cast<QSsl::SslProtocol>(protocol));
        configuration.setPeerVerifyMode(QSslSocket::VerifyNone);
        if (!key.isEmpty()) {
            configuration.setPrivateKey(QSslKey(key, static_cast<QSsl::KeyAlgorithm>(algorithm)));
            configuration.setLocalCertificate(QSslCertificate(certificate));
        }
        socket.setSslConfiguration(configuration);
        QByteArray received;
        connect(&socket, &QIODevice::readyRead, this, [&] { received += socket.readAll(); });
        socket.connectToHostEncrypted(localhost, port);
        QTRY_COMPARE_WITH_TIMEOUT(refused.count(), 1, patience);
        QTRY_COMPARE_WITH_TIMEOUT(socket.state(), QAbstractSocket::UnconnectedState, patience);
        QVERIFY(refused.at(0).at(0).value<Fingerprint>().isNull());
        QCOMPARE(ready.count(), 0);
        QVERIFY(!asked);
        QVERIFY(received.isEmpty());
    }

    void aServerWithoutAProperKeyIsNotTalkedTo() {
        QTcpServer server;
        QVERIFY(server.listen(QHostAddress::LocalHost));
        std::unique_ptr<QTcpSocket> accepted;
        connect(&server, &QTcpServer::newConnection, this, [&] {
            accepted.reset(server.nextPendingConnection());
            connect(accepted.get(), &QIODevice::readyRead, this, [&] { accepted->write("HTTP/1.0 400 Bad\r\n\r\n"); });
        });
        Guest guest;
        std::optional<Error> error;
        dialTls(guest.identity, localhost, server.serverPort(), guest.identity.fingerprint(), 60s, &guest.context,
                [&error](const auto &result) { error = result.error(); });
        QTRY_VERIFY_WITH_TIMEOUT(error, patience);
        QCOMPARE(error->code, QStringLiteral("wire.handshake-failed"));
    }

    void aSilentPeerIsGivenUp() {
        Home home;
        home.listener.setHandshakeDeadline(50ms);
        QTcpSocket socket;
        socket.connectToHost(localhost, home.port);
        QTRY_COMPARE_WITH_TIMEOUT(home.refusals.size(), std::size_t(1), patience);
        QTRY_COMPARE(socket.state(), QAbstractSocket::UnconnectedState);
    }

    void aTalkativeStrangerIsCutOff() {
        Home home;
        home.listener.setHandshakeDeadline(600s);
        QTcpSocket socket;
        socket.connectToHost(localhost, home.port);
        // The start of one long ClientHello: a record of 16 KiB whose message never completes.
        QByteArray record("\x16\x03\x01\x40\x00\x01\x00\xff\xff\x03\x03", 11);
        record += QByteArray(16384 - 6, 'x');
        socket.write(record);
        QTRY_COMPARE_WITH_TIMEOUT(home.refusals.size(), std::size_t(1), patience);
        QTRY_COMPARE(socket.state(), QAbstractSocket::UnconnectedState);
    }

    void whoKnocksWithoutEndIsToldOfNowAndThen() {
        Home home;
        home.listener.setHandshakeDeadline(600s);
        constexpr std::size_t knocks = 4 * TlsListener::reportBurst;
        std::vector<std::unique_ptr<QTcpSocket>> sockets;
        for (int i = 0; i < AdmissionGate::maximumTotal; ++i) {
            sockets.push_back(std::make_unique<QTcpSocket>());
            sockets.back()->connectToHost(localhost, home.port);
            QTRY_COMPARE(sockets.back()->state(), QAbstractSocket::ConnectedState);
        }
        for (std::size_t i = 0; i < knocks; ++i) {
            QTcpSocket socket;
            QSignalSpy ended(&socket, &QTcpSocket::errorOccurred);
            socket.connectToHost(localhost, home.port);
            QTRY_COMPARE(ended.count(), 1);
        }
        QVERIFY(home.refusals.size() >= std::size_t(TlsListener::reportBurst));
        QVERIFY(home.refusals.size() < knocks);
    }

    void manySilentPeersDoNotFillTheListener() {
        Home home;
        home.listener.setHandshakeDeadline(600s);
        std::vector<std::unique_ptr<QTcpSocket>> sockets;
        for (int i = 0; i < AdmissionGate::maximumTotal + 1; ++i) {
            sockets.push_back(std::make_unique<QTcpSocket>());
            sockets.back()->connectToHost(localhost, home.port);
        }
        QTRY_COMPARE(home.refusals.size(), std::size_t(1));
        QCOMPARE(home.refusals[0].second.code, QStringLiteral("wire.crowded"));
        sockets.pop_back();
        sockets.front()->abort();
        QTRY_COMPARE(home.refusals.size(), std::size_t(2));
        Guest guest;
        home.friends << guest.identity.fingerprint();
        guest.dial(home, home.identity.fingerprint());
        QTRY_VERIFY_WITH_TIMEOUT(guest.channel, patience);
    }
};

QTEST_GUILESS_MAIN(TestTlsAdmission)
#include "test_tls_admission.moc"
