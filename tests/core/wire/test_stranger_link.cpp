// What two devices that do not trust each other have of a connection: a few small messages, and little time.
#include <QSignalSpy>
#include <QSslConfiguration>
#include <QSslSocket>
#include <QTest>
#include <QtEndian>

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
