// Who gets no channel: strangers, other keys, those who never finish a handshake.
#include <QSignalSpy>
#include <QSslConfiguration>
#include <QSslSocket>
#include <QTcpServer>
#include <QTcpSocket>
#include <QTest>
#include <QTimer>

#include "core/wire/tls_config.h"
#include "tests/core/wire/foreign_certificate.h"
#include "tests/core/wire/tls_ends.h"

using namespace hearth;
using namespace std::chrono_literals;

namespace {

/// What a device of the home begins with.
QByteArray recordedHello() {
    QTcpServer server;
    QSslSocket socket;
    socket.setSslConfiguration(tlsConfiguration(*Identity::generate(QStringLiteral("client"))));
    if (!server.listen(QHostAddress::LocalHost))
        return {};
    socket.connectToHostEncrypted(localhost, server.serverPort());
    if (!QTest::qWaitFor([&] { return server.hasPendingConnections(); }, patience))
        return {};
    const std::unique_ptr<QTcpSocket> accepted(server.nextPendingConnection());
    accepted->setParent(nullptr);
    QByteArray hello;
    (void)QTest::qWaitFor(
        [&] {
            hello += accepted->readAll();
            return hello.size() > 5 && hello.size() >= 5 + (uchar(hello[3]) << 8 | uchar(hello[4]));
        },
        patience);
    return hello;
}

}  // namespace

class TestTlsAdmission : public QObject {
    Q_OBJECT

  private Q_SLOTS:
    void aStrangerIsRefused() {
        Home home;
        Guest guest;
        guest.dial(home, home.identity.fingerprint());
        QTRY_VERIFY_WITH_TIMEOUT(guest.error, patience);
        QCOMPARE(guest.code(), QStringLiteral("wire.refused"));
        QTRY_COMPARE_WITH_TIMEOUT(home.refusals.size(), std::size_t(1), patience);
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
        QTRY_COMPARE_WITH_TIMEOUT(socket.state(), QAbstractSocket::UnconnectedState, patience);
    }

    void whoDoesNotBeginWithAHelloIsCutOff_data() {
        QTest::addColumn<QByteArray>("bytes");
        QTest::newRow("a hello longer than is read") << QByteArray("\x16\x03\x01\x40\x00\x01\x00\x3f\xfc", 9);
        QTest::newRow("garbage") << QByteArray(9, '\xa5');
        QTest::newRow("a short hello and much behind it")
            << QByteArray("\x16\x03\x01\x00\x08\x01\x00\x00\x04", 9) + QByteArray(TlsListener::handshakeBytes, 'x');
    }
    void whoDoesNotBeginWithAHelloIsCutOff() {
        QFETCH(QByteArray, bytes);
        Home home;
        QTcpSocket socket;
        socket.connectToHost(localhost, home.port);
        socket.write(bytes);
        QTRY_COMPARE_WITH_TIMEOUT(home.refusals.size(), std::size_t(1), patience);
        QCOMPARE(home.refusals[0].second.code, QStringLiteral("wire.handshake-failed"));
        QTRY_COMPARE_WITH_TIMEOUT(socket.state(), QAbstractSocket::UnconnectedState, patience);
    }

    void aStrangerWhoIsTalkativeAfterAProperHelloIsCutOff() {
        Home home;
        QTcpSocket socket;
        socket.connectToHost(localhost, home.port);
        socket.write(recordedHello());
        // A record of 16 KiB that never completes.
        socket.write(QByteArray("\x17\x03\x03\x40\x00", 5) + QByteArray(16000, 'x'));
        QTRY_COMPARE_WITH_TIMEOUT(home.refusals.size(), std::size_t(1), patience);
        QVERIFY2(home.refusals[0].second.cause.contains(QStringLiteral("too much")),
                 qPrintable(home.refusals[0].second.cause));
        QTRY_COMPARE_WITH_TIMEOUT(socket.state(), QAbstractSocket::UnconnectedState, patience);
    }

    void aRepeatedHelloLeadsNowhere() {
        Home home;
        const QByteArray hello = recordedHello();
        for (std::size_t i = 0; i < 3; ++i) {
            QTcpSocket socket;
            socket.connectToHost(localhost, home.port);
            socket.write(hello);
            QTRY_VERIFY_WITH_TIMEOUT(socket.bytesAvailable() > 0, patience);  // it is answered as any other
            socket.disconnectFromHost();
            QTRY_COMPARE_WITH_TIMEOUT(home.refusals.size(), i + 1, patience);
        }
        QVERIFY(home.channels.empty());
    }

    void aHelloMayComeByteByByte() {
        Home home;
        Guest guest;
        home.friends << guest.identity.fingerprint();
        QTcpServer between;
        QVERIFY(between.listen(QHostAddress::LocalHost));
        std::unique_ptr<QTcpSocket> left;
        QTcpSocket right;
        QByteArray waiting;
        QTimer drip;
        drip.setInterval(0);
        connect(&drip, &QTimer::timeout, this, [&] {
            if (waiting.isEmpty())
                return;
            right.write(waiting.left(1));
            right.flush();
            waiting.remove(0, 1);
        });
        connect(&between, &QTcpServer::newConnection, this, [&] {
            left.reset(between.nextPendingConnection());
            left->setParent(nullptr);
            connect(left.get(), &QIODevice::readyRead, this, [&] { waiting += left->readAll(); });
            connect(&right, &QIODevice::readyRead, this, [&] { left->write(right.readAll()); });
            right.setSocketOption(QAbstractSocket::LowDelayOption, 1);
            right.connectToHost(localhost, home.port);
            connect(&right, &QTcpSocket::connected, &drip, qOverload<>(&QTimer::start));
        });
        guest.dial(between.serverPort(), home.identity.fingerprint());
        QTRY_VERIFY_WITH_TIMEOUT(guest.channel, patience);
    }

    void whoKnocksWithoutEndIsToldOfNowAndThen() {
        Home home;
        constexpr std::size_t knocks = 4 * LogPace::burst;
        std::vector<std::unique_ptr<QTcpSocket>> sockets;
        int ended = 0;
        for (std::size_t i = 0; i < knocks; ++i) {
            sockets.push_back(std::make_unique<QTcpSocket>());
            connect(sockets.back().get(), &QTcpSocket::disconnected, this, [&ended] { ++ended; });
            sockets.back()->connectToHost(localhost, home.port);
            QTRY_COMPARE_WITH_TIMEOUT(sockets.back()->state(), QAbstractSocket::ConnectedState, patience);
        }
        QTRY_COMPARE_WITH_TIMEOUT(ended, int(knocks) - AdmissionGate::maximumStrangers, patience);
        QVERIFY(home.refusals.size() >= std::size_t(LogPace::burst));
        QVERIFY(home.refusals.size() < knocks - AdmissionGate::maximumStrangers);
    }

    void manySilentPeersMakeRoomForOneWhoSpeaks() {
        Home home;
        std::vector<std::unique_ptr<QTcpSocket>> sockets;
        for (int i = 0; i < AdmissionGate::maximumStrangers; ++i) {
            sockets.push_back(std::make_unique<QTcpSocket>());
            sockets.back()->connectToHost(localhost, home.port);
            QTRY_COMPARE_WITH_TIMEOUT(sockets.back()->state(), QAbstractSocket::ConnectedState, patience);
        }
        Guest guest;
        home.friends << guest.identity.fingerprint();
        guest.dial(home, home.identity.fingerprint());
        QTRY_VERIFY_WITH_TIMEOUT(guest.channel, patience);
        QCOMPARE(home.refusals.size(), std::size_t(1));
        QCOMPARE(home.refusals[0].second.code, QStringLiteral("wire.crowded"));
        QTRY_COMPARE_WITH_TIMEOUT(sockets.front()->state(), QAbstractSocket::UnconnectedState, patience);
        QCOMPARE(sockets.back()->state(), QAbstractSocket::ConnectedState);
    }
};

QTEST_GUILESS_MAIN(TestTlsAdmission)
#include "test_tls_admission.moc"
