// Strangers at the port of a real agent: keys and protocols that are not accepted, and bytes that are no protocol.
#include <QSslConfiguration>
#include <QSslSocket>
#include <QTcpSocket>
#include <QtEndian>

#include "attack_log.h"
#include "attacker.h"
#include "core/wire/tls_config.h"
#include "tests/core/wire/foreign_certificate.h"

using namespace hearth;
using namespace std::chrono_literals;

namespace {

QByteArray framed(const QByteArray &message) {
    QByteArray frame(2, Qt::Uninitialized);
    qToBigEndian(static_cast<quint16>(message.size()), frame.data());
    return frame + message;
}

struct Foreign {
    QByteArray key;
    QByteArray certificate;
    QSsl::KeyAlgorithm algorithm = QSsl::Ec;
    QSsl::SslProtocol protocol = QSsl::TlsV1_3;

    static Foreign of(const ForeignCertificate &made, QSsl::KeyAlgorithm algorithm = QSsl::Ec,
                      QSsl::SslProtocol protocol = QSsl::TlsV1_3) {
        return {made.keyPem, made.certificatePem, algorithm, protocol};
    }
};

}  // namespace

class StrangerTest : public QObject {
    Q_OBJECT

    std::unique_ptr<QTemporaryDir> m_folder;
    PlayedHome m_home;

    quint16 port() const { return splitAddress(m_home.agent->address())->port; }
    bool isClean() {
        return !isTrusted(*m_home.agent) && m_home.agent->devices().size() == 1 &&
               m_home.agent->trust().pairing().status().phase == PairingPhase::None;
    }
    /// A proper one is let in to pair, so nothing was broken.
    bool stillPairs() {
        Attacker proper(*m_home.agent);
        if (!proper.isConnected())
            return false;
        proper.hello();
        return QTest::qWaitFor(
            [&] { return m_home.agent->trust().pairing().status().phase == PairingPhase::WantsToPair; }, patience);
    }

  private Q_SLOTS:
    void init() {
        m_folder = std::make_unique<QTemporaryDir>();
        m_home = PlayedHome::start(*m_folder, QStringLiteral("home"));
        m_home.agent->trust().pairing().setLimits(withoutPauses());
    }
    void cleanup() { m_home = {}; }

    void whatIsNotAcceptedNeverPairs_data() {
        QTest::addColumn<Foreign>("foreign");
        QTest::newRow("no certificate") << Foreign();
        QTest::newRow("RSA of 1024 bits") << Foreign::of(foreignCertificate(EVP_RSA_gen(1024)), QSsl::Rsa);
        QTest::newRow("RSA of 4096 bits") << Foreign::of(foreignCertificate(EVP_RSA_gen(4096)), QSsl::Rsa);
        QTest::newRow("another curve") << Foreign::of(foreignCertificate(EVP_EC_gen("P-384")));
        QTest::newRow("an expired certificate")
            << Foreign::of(foreignCertificate(EVP_EC_gen("P-256"), EVP_sha256(), -7200, -3600));
        QTest::newRow("a certificate of the future")
            << Foreign::of(foreignCertificate(EVP_EC_gen("P-256"), EVP_sha256(), 3600, 7200));
        QTest::newRow("TLS 1.2") << Foreign::of(foreignCertificate(EVP_EC_gen("P-256")), QSsl::Ec, QSsl::TlsV1_2);
        ForeignCertificate mixed = foreignCertificate(EVP_EC_gen("P-256"));
        QTest::newRow("a certificate of somebody else")
            << Foreign{foreignCertificate(EVP_EC_gen("P-256")).keyPem, mixed.certificatePem, QSsl::Ec, QSsl::TlsV1_3};
    }
    void whatIsNotAcceptedNeverPairs() {
        QFETCH(Foreign, foreign);
        QSslSocket socket;
        QSslConfiguration configuration;
        configuration.setProtocol(foreign.protocol);
        configuration.setPeerVerifyMode(QSslSocket::VerifyNone);
        configuration.setAllowedNextProtocols({pairingProtocol()});
        if (!foreign.key.isEmpty()) {
            configuration.setPrivateKey(QSslKey(foreign.key, foreign.algorithm));
            configuration.setLocalCertificate(QSslCertificate(foreign.certificate));
        }
        socket.setSslConfiguration(configuration);
        QByteArray received;
        connect(&socket, &QIODevice::readyRead, this, [&] { received += socket.readAll(); });
        connect(&socket, &QSslSocket::encrypted, this, [&] {
            socket.write(framed(encodePairingMessage(PairingHello{QStringLiteral("x"), 1, QByteArray(32, 'c')})));
        });
        socket.connectToHostEncrypted(QStringLiteral("127.0.0.1"), port());
        QTRY_COMPARE_WITH_TIMEOUT(socket.state(), QAbstractSocket::UnconnectedState, patience);
        QVERIFY(received.isEmpty());
        QVERIFY(isClean());
        QVERIFY(stillPairs());
        noteAttack(QTest::currentDataTag(), 1);
    }

    void bytesThatAreNoTlsAreCutOff_data() {
        QTest::addColumn<QByteArray>("bytes");
        QTest::newRow("garbage") << QByteArray(3000, '\xa5');
        QTest::newRow("a page is asked for") << QByteArray("GET / HTTP/1.1\r\nHost: x\r\n\r\n");
        QTest::newRow("a giant length before TLS")
            << QByteArray("\x16\x03\x01\x40\x00\x01\x00\xff\xff\x03\x03", 11) + QByteArray(16384, 'x');
        QTest::newRow("a pairing message without TLS") << framed(encodePairingMessage(PairingConfirm{}));
    }
    void bytesThatAreNoTlsAreCutOff() {
        QFETCH(QByteArray, bytes);
        QTcpSocket socket;
        socket.connectToHost(QHostAddress::LocalHost, port());
        QTRY_COMPARE_WITH_TIMEOUT(socket.state(), QAbstractSocket::ConnectedState, patience);
        socket.write(bytes);
        QTRY_COMPARE_WITH_TIMEOUT(socket.state(), QAbstractSocket::UnconnectedState, patience);
        QVERIFY(isClean());
        QVERIFY(stillPairs());
        noteAttack(QTest::currentDataTag(), 1);
    }

    void bytesThatAreNoPairingEndIt_data() {
        QTest::addColumn<QByteArray>("bytes");
        QTest::newRow("a giant length inside of TLS") << QByteArray("\xff\xff", 2);
        QTest::newRow("a message of no bytes") << QByteArray("\0\0", 2);
        QTest::newRow("garbage inside of TLS") << QByteArray(2000, '\x5a');
        QTest::newRow("frames of the home's links") << QByteArray("H\x01\x01\x00\x05\x00\x00\x00\xa1\x61k\x61x", 13);
        QByteArray flood;
        for (int i = 0; i < 200; ++i)
            flood += framed(encodePairingMessage(PairingConfirm{}));
        QTest::newRow("more than a pairing needs") << flood;
        QTest::newRow("a CBOR string that says it is huge")
            << framed(QByteArray("\x7b\x7f\xff\xff\xff\xff\xff\xff\xff", 9));
        QTest::newRow("a thousand nested arrays") << framed(QByteArray(512, '\x9f'));
    }
    void bytesThatAreNoPairingEndIt() {
        QFETCH(QByteArray, bytes);
        QSslSocket socket;
        QSslConfiguration configuration = tlsConfiguration(*Identity::generate(QStringLiteral("stranger")));
        configuration.setPeerVerifyMode(QSslSocket::VerifyNone);
        configuration.setAllowedNextProtocols({pairingProtocol()});
        socket.setSslConfiguration(configuration);
        bool wasIn = false;
        connect(&socket, &QSslSocket::encrypted, this, [&] {
            wasIn = true;
            socket.write(bytes);
        });
        socket.connectToHostEncrypted(QStringLiteral("127.0.0.1"), port());
        QTRY_VERIFY_WITH_TIMEOUT(wasIn, patience);
        QTRY_COMPARE_WITH_TIMEOUT(socket.state(), QAbstractSocket::UnconnectedState, patience);
        QVERIFY(isClean());
        QVERIFY(stillPairs());
        noteAttack(QTest::currentDataTag(), 1);
    }

    void slowBytesHoldNoPlaceForLong() {
        PairingLimits limits = withoutPauses();
        limits.times.step = 300ms;
        m_home.agent->trust().pairing().setLimits(limits);
        QSslSocket socket;
        QSslConfiguration configuration = tlsConfiguration(*Identity::generate(QStringLiteral("slow")));
        configuration.setPeerVerifyMode(QSslSocket::VerifyNone);
        configuration.setAllowedNextProtocols({pairingProtocol()});
        socket.setSslConfiguration(configuration);
        const QByteArray hello =
            framed(encodePairingMessage(PairingHello{QStringLiteral("slow"), 1, QByteArray(32, 'c')}));
        qsizetype sent = 0;
        QTimer drip;
        drip.setInterval(20);
        connect(&drip, &QTimer::timeout, this, [&] {
            if (sent + 1 < hello.size() && socket.isEncrypted())
                socket.write(hello.mid(sent++, 1));
        });
        // The first at once: its time begins now.
        connect(&socket, &QSslSocket::encrypted, this, [&] {
            socket.write(hello.mid(sent++, 1));
            drip.start();
        });
        socket.connectToHostEncrypted(QStringLiteral("127.0.0.1"), port());
        QTRY_VERIFY_WITH_TIMEOUT(sent > 0, patience);
        QTRY_COMPARE_WITH_TIMEOUT(socket.state(), QAbstractSocket::UnconnectedState, patience);
        QVERIFY(sent < hello.size());
        QVERIFY(isClean());
        m_home.agent->trust().pairing().setLimits(withoutPauses());
        QVERIFY(stillPairs());
        noteAttack("slow bytes", 1);
    }

    void aCrowdOfStrangersDoesNotKeepPairedDevicesOut() {
        PlayedHome nano = PlayedHome::start(*m_folder, QStringLiteral("nano"));
        pair(m_home.agent->trust().pairing(), nano.agent->trust().pairing(), *nano.agent);
        const QString id = nano.agent->fingerprint().toHex();
        QTRY_COMPARE_WITH_TIMEOUT(m_home.stateOf(id), DeviceState::Ready, patience);
        const auto port = splitAddress(nano.agent->address())->port;
        nano = {};
        QTRY_COMPARE_WITH_TIMEOUT(m_home.stateOf(id), DeviceState::Lost, patience);
        // Half-open ones fill all common places, and one who pairs holds the place for pairing.
        std::vector<std::unique_ptr<QTcpSocket>> crowd;
        for (int i = 0; i < 40; ++i) {
            crowd.push_back(std::make_unique<QTcpSocket>());
            crowd.back()->connectToHost(QHostAddress::LocalHost, this->port());
        }
        QVERIFY(m_home.agent->trust().pairing().cancel());
        nano = PlayedHome::start(*m_folder, QStringLiteral("nano"), port);
        QVERIFY(nano.agent);
        QTRY_COMPARE_WITH_TIMEOUT(m_home.stateOf(id), DeviceState::Ready, patience);
        noteAttack("a crowd that knocks and says nothing", 40);
    }
};

QTEST_GUILESS_MAIN(StrangerTest)
#include "stranger_test.moc"
