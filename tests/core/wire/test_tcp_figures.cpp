// What the kernel tells of connections on this machine.
#include <linux/filter.h>
#include <sys/socket.h>

#include <QTcpServer>
#include <QTcpSocket>
#include <QTest>
#include <memory>
#include <utility>

#include "core/wire/tcp_figures.h"
#include "tests/core/base/patience.h"

using namespace hearth;

namespace {

/// A connection within this machine whose client end has an address of its own.
struct Connection {
    Connection(const QHostAddress &listen, const QHostAddress &to, const QHostAddress &from) {
        if (!server.listen(listen))
            return;
        client.bind(from);
        client.connectToHost(to, server.serverPort());
        if (client.waitForConnected(patience) && server.waitForNewConnection(patience))
            far.reset(server.nextPendingConnection());
    }
    /// What is sent to the far end is lost on its way from now on, and nobody says so.
    bool loseAll() const {
        sock_filter nothing{BPF_RET | BPF_K, 0, 0, 0};
        const sock_fprog program{1, &nothing};
        return ::setsockopt(static_cast<int>(far->socketDescriptor()), SOL_SOCKET, SO_ATTACH_FILTER, &program,
                            sizeof program) == 0;
    }
    bool loseNothing() const {
        const int unused = 0;
        return ::setsockopt(static_cast<int>(far->socketDescriptor()), SOL_SOCKET, SO_DETACH_FILTER, &unused,
                            sizeof unused) == 0;
    }
    /// Of what the client sends.
    std::chrono::milliseconds unconfirmed() const { return tcpFigures(client.socketDescriptor())->unconfirmed; }
    bool send(const QByteArray &bytes) {
        client.write(bytes);
        const qint64 before = far->bytesAvailable();
        return QTest::qWaitFor([&] { return far->bytesAvailable() == before + bytes.size(); }, patience);
    }
    QTcpServer server;
    QTcpSocket client;
    std::unique_ptr<QTcpSocket> far;
};

}  // namespace

class TestTcpFigures : public QObject {
    Q_OBJECT

  private Q_SLOTS:
    void segmentsThatArriveAreCounted() {
        Connection connection(QHostAddress(QHostAddress::LocalHost), QHostAddress(QHostAddress::LocalHost),
                              QHostAddress(QStringLiteral("127.0.0.1")));
        QVERIFY(connection.far);
        const auto before = tcpFigures(connection.far->socketDescriptor());
        QVERIFY(before);
        QVERIFY(connection.send("hello"));
        const auto after = tcpFigures(connection.far->socketDescriptor());
        QVERIFY(after);
        QVERIFY(after->segmentsArrived > before->segmentsArrived);
        const auto isDelivered = [&] { return tcpFigures(connection.client.socketDescriptor())->allDelivered; };
        QTRY_VERIFY_WITH_TIMEOUT(isDelivered(), patience);
    }

    void whatIsNoConnectionHasNoFigures() {
        QVERIFY(!tcpFigures(-1));
        QVERIFY(!tcpFigures(0));
    }

    void whatIsLostOnItsWayIsUnconfirmedUntilItArrives() {
        Connection connection(QHostAddress(QHostAddress::LocalHost), QHostAddress(QHostAddress::LocalHost),
                              QHostAddress(QStringLiteral("127.0.0.1")));
        QVERIFY(connection.far);
        QVERIFY(connection.send("hello"));
        QCOMPARE(connection.unconfirmed(), std::chrono::milliseconds(0));
        QVERIFY(connection.loseAll());
        connection.client.write("hello");
        QTRY_VERIFY_WITH_TIMEOUT(connection.unconfirmed() >= std::chrono::milliseconds(300), patience);
        // The other direction is well.
        connection.far->write("hello");
        QTRY_COMPARE_WITH_TIMEOUT(connection.client.bytesAvailable(), qint64(5), patience);
        QVERIFY(connection.unconfirmed() >= std::chrono::milliseconds(300));
        QVERIFY(connection.loseNothing());
        QTRY_COMPARE_WITH_TIMEOUT(connection.far->bytesAvailable(), qint64(10), patience);
        QTRY_COMPARE_WITH_TIMEOUT(connection.unconfirmed(), std::chrono::milliseconds(0), patience);
    }

    void whatAProgramDoesNotReadIsConfirmed() {
        Connection connection(QHostAddress(QHostAddress::LocalHost), QHostAddress(QHostAddress::LocalHost),
                              QHostAddress(QStringLiteral("127.0.0.1")));
        QVERIFY(connection.far);
        connection.far->setReadBufferSize(1);
        connection.client.write(QByteArray(64 << 20, 'x'));
        qint64 left = 0;  // until the kernels take no more
        QTRY_VERIFY_WITH_TIMEOUT(
            std::exchange(left, connection.client.bytesToWrite()) == connection.client.bytesToWrite(), patience);
        QVERIFY(left > 0);
        QTRY_VERIFY_WITH_TIMEOUT(!tcpFigures(connection.client.socketDescriptor())->allDelivered, patience);
        QVERIFY(!QTest::qWaitFor([&] { return connection.unconfirmed() > std::chrono::milliseconds(0); }, 1000));
    }

    void allConnectionsBetweenTwoAddressesAreCounted_data() {
        QTest::addColumn<QHostAddress>("listen");
        QTest::newRow("over IPv4") << QHostAddress(QHostAddress::AnyIPv4);
        QTest::newRow("over a socket for IPv6 and IPv4") << QHostAddress(QHostAddress::Any);
    }
    void allConnectionsBetweenTwoAddressesAreCounted() {
        QFETCH(QHostAddress, listen);
        // Addresses that no other program of this machine comes from.
        const QHostAddress here(QStringLiteral("127.77.0.1")), host(QStringLiteral("127.77.0.2")),
            other(QStringLiteral("127.77.0.3")), elsewhere(QStringLiteral("127.77.0.4"));
        Connection one(listen, here, host);
        Connection two(listen, here, host);
        Connection stranger(listen, here, other);
        Connection apart(listen, elsewhere, host);
        QVERIFY(one.far && two.far && stranger.far && apart.far);
        const auto before = segmentsFrom(host, here);
        QVERIFY(before);
        QVERIFY(stranger.send("hello"));
        QVERIFY(apart.send("hello"));
        QCOMPARE(segmentsFrom(host, here), before);
        QVERIFY(one.send("hello"));
        QVERIFY(two.send("hello"));
        QVERIFY(*segmentsFrom(host, here) >= *before + 2);
        // As an IPv4 address looks on a socket for both.
        QCOMPARE(segmentsFrom(QHostAddress(QStringLiteral("::ffff:127.77.0.2")),
                              QHostAddress(QStringLiteral("::ffff:127.77.0.1"))),
                 segmentsFrom(host, here));
    }

    void anAddressThatThisMachineHasNoMoreIsKnown_data() {
        QTest::addColumn<QString>("address");
        QTest::addColumn<bool>("isLost");
        QTest::newRow("one that it has") << QStringLiteral("127.0.0.1") << false;
        QTest::newRow("the same on a socket for IPv6 and IPv4") << QStringLiteral("::ffff:127.0.0.1") << false;
        // RFC 5737: nobody has it.
        QTest::newRow("another one") << QStringLiteral("192.0.2.1") << true;
        QTest::newRow("the other on a socket for IPv6 and IPv4") << QStringLiteral("::ffff:192.0.2.1") << true;
    }
    void anAddressThatThisMachineHasNoMoreIsKnown() {
        QFETCH(QString, address);
        QTEST(isAddressLost(QHostAddress(address)), "isLost");
    }
};

QTEST_GUILESS_MAIN(TestTcpFigures)
#include "test_tcp_figures.moc"
