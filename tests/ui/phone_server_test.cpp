// Who gets the page for a phone, by which requests, and what one connection and all of them may take.
#include <QHostAddress>
#include <QSignalSpy>
#include <QTcpSocket>
#include <QTest>
#include <QUrl>
#include <chrono>
#include <memory>
#include <vector>

#include "tests/core/base/patience.h"
#include "ui/phone/phone_server.h"

using namespace hearth;

class PhoneServerTest : public QObject {
    Q_OBJECT

    static std::unique_ptr<QTcpSocket> connectTo(const PhoneServer &server, const QHostAddress &from = loopback(1)) {
        auto socket = std::make_unique<QTcpSocket>();
        const QSignalSpy connected(socket.get(), &QTcpSocket::connected);
        if (!socket->bind(from))
            qFatal("%s", qPrintable(socket->errorString()));
        socket->connectToHost(loopback(1), server.serverPort());
        if (!QTest::qWaitFor([&connected] { return !connected.isEmpty(); }, patience))
            qFatal("%s", qPrintable(socket->errorString()));
        return socket;
    }
    static QHostAddress loopback(int number) { return QHostAddress(QStringLiteral("127.0.0.%1").arg(number)); }
    /// With a word to say, at a port that is free; its connections last as long as a test.
    static std::unique_ptr<PhoneServer> serve() {
        auto server = std::make_unique<PhoneServer>();
        server->setContent([](PhoneServer::Part) { return QByteArray("content"); });
        server->setConnectionTime(std::chrono::hours(1));
        if (const auto begun = server->begin({0, 0}); !begun)
            qFatal("%s", qPrintable(begun.error().toString()));
        return server;
    }
    static bool ended(const QTcpSocket &socket) { return socket.state() == QAbstractSocket::UnconnectedState; }
    static QByteArray pathOf(const PhoneServer &server) {
        return QUrl(server.addressAt(loopback(1))).path().toLatin1();
    }
    /// "GET /…"; all that is answered.
    static QByteArray ask(const PhoneServer &server, const QByteArray &request) {
        const auto socket = connectTo(server);
        socket->write(request + " HTTP/1.1\r\nHost: hearth\r\n\r\n");
        if (!QTest::qWaitFor([&socket] { return ended(*socket); }, patience))
            qFatal("no answer and no refusal");
        return socket->readAll();
    }
    static bool isServed(const PhoneServer &server) {
        return ask(server, "GET " + pathOf(server)).startsWith("HTTP/1.1 200 ");
    }

  private Q_SLOTS:
    void anAnswerMayNotBeKeptOrUsedElsewhere_data() {
        QTest::addColumn<QByteArray>("part");
        for (const char *part : {"", "state", "other"})
            QTest::addRow("/%s", part) << QByteArray(part);
    }
    void anAnswerMayNotBeKeptOrUsedElsewhere() {
        QFETCH(QByteArray, part);
        const auto server = serve();
        const QByteArray answer = ask(*server, "GET " + pathOf(*server) + part).toLower();
        for (const char *header : {"cache-control: no-store", "referrer-policy: no-referrer",
                                   "x-content-type-options: nosniff", "content-security-policy: default-src 'none'; "})
            QVERIFY2(answer.contains(QByteArray("\r\n") + header), header);
        QVERIFY(!answer.contains("access-control-allow-origin"));
    }

    void otherAddressesAreNotFound_data() {
        QTest::addColumn<QString>("path");
        QTest::newRow("no secret") << QStringLiteral("/");
        QTest::newRow("no secret, and a part") << QStringLiteral("/state");
        QTest::newRow("another secret") << QStringLiteral("/AAAAAAAAAAAAAAAAAAAAAA/state");
        QTest::newRow("half of it") << QStringLiteral("/half/");
        QTest::newRow("no such part") << QStringLiteral("/whole/other");
        QTest::newRow("without its end") << QStringLiteral("/whole");
        QTest::newRow("below another folder") << QStringLiteral("//whole/");
        QTest::newRow("a way back") << QStringLiteral("/whole/../whole/state");
    }
    void otherAddressesAreNotFound() {
        QFETCH(QString, path);
        const auto server = serve();
        const QString secret = QString::fromLatin1(pathOf(*server)).remove(QLatin1Char('/'));
        QCOMPARE(secret.size(), qsizetype(22));
        path.replace(QLatin1String("whole"), secret).replace(QLatin1String("half"), secret.left(11));
        const QByteArray answer = ask(*server, "GET " + path.toLatin1());
        QVERIFY2(answer.startsWith("HTTP/1.1 404 "), answer.constData());
        QVERIFY(answer.endsWith("\r\n\r\n"));
    }

    void onlyReadingIsPossible_data() {
        QTest::addColumn<QByteArray>("verb");
        for (const char *verb : {"POST", "PUT", "DELETE", "HEAD", "OPTIONS", "get"})
            QTest::newRow(verb) << QByteArray(verb);
    }
    void onlyReadingIsPossible() {
        QFETCH(QByteArray, verb);
        const auto server = serve();
        const QByteArray answer = ask(*server, verb + ' ' + pathOf(*server));
        QVERIFY2(answer.startsWith("HTTP/1.1 405 "), answer.constData());
        QVERIFY(answer.endsWith("\r\n\r\n"));
    }

    void aRequestIsBounded() {
        const auto server = serve();
        const auto socket = connectTo(*server);
        socket->write("GET /" + QByteArray(2 * PhoneServer::mostBytes, 'a'));
        QTRY_VERIFY_WITH_TIMEOUT(ended(*socket), patience);
        QVERIFY(socket->readAll().isEmpty());
    }

    void whoIsSilentIsCutOff() {
        const auto server = serve();
        server->setConnectionTime(std::chrono::milliseconds(1));
        const auto socket = connectTo(*server);
        QTRY_VERIFY_WITH_TIMEOUT(ended(*socket), patience);
    }

    void connectionsAreBounded_data() {
        QTest::addColumn<int>("most");
        QTest::addColumn<bool>("fromOneAddress");
        QTest::newRow("of one address") << PhoneServer::mostOfOneAddress << true;
        QTest::newRow("of all") << PhoneServer::mostConnections << false;
    }
    void connectionsAreBounded() {
        QFETCH(int, most);
        QFETCH(bool, fromOneAddress);
        const auto server = serve();
        const auto from = [&](int connection) {
            return loopback(fromOneAddress ? 1 : 1 + connection / PhoneServer::mostOfOneAddress);
        };
        std::vector<std::unique_ptr<QTcpSocket>> idle;
        for (int i = 0; i < most; ++i)
            idle.push_back(connectTo(*server, from(i)));
        const auto tooMany = connectTo(*server, from(most));
        QTRY_VERIFY_WITH_TIMEOUT(ended(*tooMany), patience);
        for (const auto &socket : idle)
            QVERIFY(!ended(*socket));
        idle.erase(idle.begin());
        QTRY_VERIFY_WITH_TIMEOUT(isServed(*server), patience);
    }

    void whoTakesAllOfItsConnectionsLeavesOthersTheirs() {
        const auto server = serve();
        std::vector<std::unique_ptr<QTcpSocket>> idle;
        for (int i = 0; i < PhoneServer::mostOfOneAddress; ++i)
            idle.push_back(connectTo(*server, loopback(2)));
        QVERIFY(isServed(*server));
    }

    void whoMayAsk_data() {
        QTest::addColumn<QString>("peer");
        QTest::addColumn<bool>("may");
        for (const char *peer : {"127.0.0.1", "::1", "192.168.1.7", "10.1.2.3", "172.16.0.1", "169.254.3.4", "fd12::1",
                                 "fe80::1", "::ffff:192.168.1.7", "203.0.113.9", "2001:db8:1::9"})
            QTest::newRow(peer) << QString::fromLatin1(peer) << true;
        for (const char *peer : {"203.0.114.9", "2001:db8:2::9", "::ffff:203.0.114.9"})
            QTest::newRow(peer) << QString::fromLatin1(peer) << false;
    }
    void whoMayAsk() {
        QFETCH(QString, peer);
        QFETCH(bool, may);
        const QList<Subnet> own{{QHostAddress(QStringLiteral("203.0.113.1")), 24},
                                {QHostAddress(QStringLiteral("2001:db8:1::1")), 64}};
        QCOMPARE(mayAskPhonePage(QHostAddress(peer), own), may);
    }

    void portsThatAreTakenAreNamed() {
        QTcpServer other;
        QVERIFY(other.listen(QHostAddress(QHostAddress::Any)));
        PhoneServer server;
        const auto begun = server.begin({other.serverPort(), other.serverPort()});
        QVERIFY(!begun);
        QCOMPARE(begun.error().code, QStringLiteral("phone.no-port"));
        QVERIFY(begun.error().cause.english().contains(QString::number(other.serverPort())));
    }

    void anAddressOfIPv6StandsInBrackets() {
        PhoneServer server;
        QVERIFY(server.begin({0, 0}));
        const QString address = server.addressAt(QHostAddress(QStringLiteral("fd12::2")));
        QVERIFY2(address.startsWith(QStringLiteral("http://[fd12::2]:%1/").arg(server.serverPort())),
                 qPrintable(address));
    }
};

QTEST_MAIN(PhoneServerTest)
#include "phone_server_test.moc"
