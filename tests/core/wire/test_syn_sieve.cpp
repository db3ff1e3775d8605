// What the kernel does with connections on this machine: nothing here is played.
#include <netinet/in.h>
#include <netinet/tcp.h>
#include <sys/socket.h>
#include <unistd.h>

#include <QTcpServer>
#include <QTcpSocket>
#include <QTest>
#include <memory>

#include "core/wire/stranger_brake.h"
#include "core/wire/syn_sieve.h"
#include "tests/core/base/patience.h"

using namespace hearth;

namespace {

/// Asks for a connection from an address of its own. Within this machine the answer has come when connect() returns.
class Knock {
  public:
    Knock(const QHostAddress &from, quint16 port) : m_fd(::socket(AF_INET6, SOCK_STREAM | SOCK_NONBLOCK, 0)) {
        const sockaddr_in6 own = toNative(from, 0);
        const sockaddr_in6 to =
            toNative(QHostAddress(from.protocol() == QAbstractSocket::IPv4Protocol ? QStringLiteral("::ffff:127.0.0.1")
                                                                                   : QStringLiteral("::1")),
                     port);
        m_isBound = ::bind(m_fd, reinterpret_cast<const sockaddr *>(&own), sizeof own) == 0;
        ::connect(m_fd, reinterpret_cast<const sockaddr *>(&to), sizeof to);
    }
    ~Knock() { ::close(m_fd); }
    Knock(const Knock &) = delete;
    Knock &operator=(const Knock &) = delete;
    bool isBound() const { return m_isBound; }
    bool isAnswered() const {
        tcp_info info{};
        socklen_t length = sizeof info;
        return ::getsockopt(m_fd, IPPROTO_TCP, TCP_INFO, &info, &length) == 0 && info.tcpi_state == TCP_ESTABLISHED;
    }

  private:
    static sockaddr_in6 toNative(const QHostAddress &address, quint16 port) {
        sockaddr_in6 native{};
        native.sin6_family = AF_INET6;
        native.sin6_port = htons(port);
        const Q_IPV6ADDR bytes = address.toIPv6Address();
        std::copy(std::begin(bytes.c), std::end(bytes.c), std::begin(native.sin6_addr.s6_addr));
        return native;
    }
    int m_fd;
    bool m_isBound = false;
};

QHostAddress local(int number) {
    return QHostAddress(quint32(0x7f000000 + number));
}

}  // namespace

class TestSynSieve : public QObject {
    Q_OBJECT

    QTcpServer m_server;

    bool isAnswered(const QHostAddress &from) {
        const Knock knock(from, m_server.serverPort());
        return knock.isBound() && knock.isAnswered();
    }

  private Q_SLOTS:
    void initTestCase() { QVERIFY(m_server.listen(QHostAddress::Any)); }
    void cleanup() {
        removeSieve(m_server.socketDescriptor());
        while (m_server.hasPendingConnections())
            delete m_server.nextPendingConnection();
    }

    void whoIsShutOutGetsNoAnswerUntilTheSieveIsGone() {
        QVERIFY(sieveConnections(m_server.socketDescriptor(), {}, {local(5)}, 1));
        const Knock shut(local(5), m_server.serverPort());
        QVERIFY(shut.isBound());
        QVERIFY(!shut.isAnswered());
        QVERIFY(isAnswered(local(6)));
        QVERIFY(!shut.isAnswered());
        removeSieve(m_server.socketDescriptor());
        QTRY_VERIFY_WITH_TIMEOUT(shut.isAnswered(), patience);  // TCP asks again after 1, 3, 7 and 15 seconds
    }

    void bothProtocolsAreJudged() {
        const QHostAddress v6(QHostAddress::LocalHostIPv6);
        const QList<QHostAddress> others{QHostAddress(QStringLiteral("fe80::1")), local(9),
                                         QHostAddress(QStringLiteral("::2")), QHostAddress(QStringLiteral("1::1"))};
        QVERIFY(sieveConnections(m_server.socketDescriptor(), {}, others, 0));
        QVERIFY(isAnswered(v6));
        QVERIFY(isAnswered(local(5)));
        QVERIFY(sieveConnections(m_server.socketDescriptor(), {}, others + QList<QHostAddress>{v6}, 1));
        QVERIFY(!isAnswered(v6));
        QVERIFY(isAnswered(local(5)));
        QVERIFY(sieveConnections(m_server.socketDescriptor(), {}, others + QList<QHostAddress>{local(5)}, 1));
        QVERIFY(isAnswered(v6));
        QVERIFY(!isAnswered(local(5)));
    }

    void theLongestListsFit() {
        QList<QHostAddress> passed;
        QList<QHostAddress> shutOut;
        const auto numbered = [](const char *prefix, int number) {
            return QHostAddress(QLatin1String(prefix) + QString::number(number, 16));
        };
        for (int i = 0; i < StrangerBrake::maximumPassed; ++i)
            passed << numbered("2001:db8::", i);
        for (int i = 1; i < StrangerBrake::maximumShutOut; ++i)
            shutOut << numbered("2001:db8:1::", i);
        shutOut << QHostAddress(QHostAddress::LocalHostIPv6);
        // Again and again: the kernel holds the old one until the new one is there.
        QVERIFY(sieveConnections(m_server.socketDescriptor(), passed, shutOut, 0.25));
        const auto sieved = sieveConnections(m_server.socketDescriptor(), passed, shutOut, 0.5);
        QVERIFY2(sieved, qPrintable(sieved ? QString() : sieved.error().toString()));
        QVERIFY(!isAnswered(QHostAddress(QHostAddress::LocalHostIPv6)));
        QVERIFY(isAnswered(local(5)));
    }

    void aConnectionThatIsThereGoesOn() {
        QTcpSocket client;
        client.connectToHost(QHostAddress::LocalHost, m_server.serverPort());
        QVERIFY(client.waitForConnected(patience));
        std::unique_ptr<QTcpSocket> accepted;
        const quint16 port = client.localPort();
        // Those of the tests before may come first.
        const auto isAccepted = [&] {
            while (m_server.hasPendingConnections() && !(accepted && accepted->peerPort() == port)) {
                accepted.reset(m_server.nextPendingConnection());
                accepted->setParent(nullptr);
            }
            return accepted && accepted->peerPort() == port;
        };
        QTRY_VERIFY_WITH_TIMEOUT(isAccepted(), patience);
        QVERIFY(sieveConnections(m_server.socketDescriptor(), {}, {QHostAddress(QHostAddress::LocalHost)}, 0));
        client.write("hello");
        QTRY_COMPARE_WITH_TIMEOUT(accepted->bytesAvailable(), 5, patience);
    }

    void whatIsNoSocketIsAnError() {
        const auto sieved = sieveConnections(-1, {}, {}, 1);
        QVERIFY(!sieved);
        QCOMPARE(sieved.error().code, QStringLiteral("wire.no-sieve"));
    }
};

QTEST_GUILESS_MAIN(TestSynSieve)
#include "test_syn_sieve.moc"
