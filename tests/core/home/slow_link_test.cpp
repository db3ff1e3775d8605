// Two ends of a link over 100 kbit/s with much to say: slow is not gone.
#include <QSignalSpy>
#include <QTcpServer>
#include <QTcpSocket>
#include <QTemporaryDir>
#include <QTest>
#include <QTimer>
#include <memory>

#include "core/home/home_links.h"

using namespace hearth;

namespace {

constexpr int patience = 60000;
constexpr qint64 bytesPerSecond = 100'000 / 8;
constexpr std::chrono::milliseconds step{50};

/// Passes on what comes, in both directions, no faster than the slow link would; keeps little itself.
class SlowRoad : public QObject {
  public:
    explicit SlowRoad(quint16 to) {
        connect(&m_server, &QTcpServer::newConnection, this, [this, to] {
            QTcpSocket *near = m_server.nextPendingConnection();
            auto *far = new QTcpSocket(near);
            far->connectToHost(QHostAddress(QHostAddress::LocalHost), to);
            for (QTcpSocket *socket : {near, far})
                socket->setReadBufferSize(bytesPerSecond);
            auto *timer = new QTimer(near);
            connect(timer, &QTimer::timeout, near, [this, near, far] {
                pass(near, far);
                pass(far, near);
            });
            timer->start(step);
        });
        m_server.listen(QHostAddress(QHostAddress::LocalHost));
    }
    QString address() const { return joinAddress(QStringLiteral("127.0.0.1"), m_server.serverPort()); }
    /// From now on nothing comes through, no end of a connection either.
    void block() { m_blocked = true; }

  private:
    void pass(QTcpSocket *from, QTcpSocket *to) const {
        if (!m_blocked && to->state() == QTcpSocket::ConnectedState)
            to->write(from->read(bytesPerSecond * step.count() / 1000));
    }
    QTcpServer m_server;
    bool m_blocked = false;
};

struct End {
    explicit End(const QTemporaryDir &folder, const char *name)
        : identity(*Identity::generate(QLatin1String(name))),
          trust(*TrustStore::load(folder.filePath(QLatin1String(name)) + QStringLiteral(".json"))) {}
    void open() {
        links = std::make_unique<HomeLinks>(identity, trust, [this] {
            DeviceInfo self;
            self.id = identity.fingerprint().toHex();
            return QCborMap{{QStringLiteral("device"), self.toCbor()}};
        });
    }
    Identity identity;
    TrustStore trust;
    std::unique_ptr<HomeLinks> links;
};

}  // namespace

class SlowLinkTest : public QObject {
    Q_OBJECT

  private Q_SLOTS:
    void aSlowLinkThatIsFullIsKeptAndASilentOneIsCut() {
        const QTemporaryDir folder;
        End near(folder, "near");
        End far(folder, "far");
        QVERIFY(far.trust.add({near.identity.fingerprint(), QStringLiteral("near"), {}}));
        far.open();
        int arrived = 0;
        far.links->onNotify(QStringLiteral("much"), [&](const Fingerprint &, const QCborMap &) { ++arrived; });
        const auto port = far.links->listen(QStringLiteral("127.0.0.1"), 0, 0);
        QVERIFY(port);
        SlowRoad road(*port);
        QVERIFY(near.trust.add({far.identity.fingerprint(), QStringLiteral("far"), {road.address()}}));
        near.open();
        near.links->onNotify(QStringLiteral("much"), [&](const Fingerprint &, const QCborMap &) { ++arrived; });
        QSignalSpy lostNear(near.links.get(), &HomeLinks::unlinked);
        QSignalSpy lostFar(far.links.get(), &HomeLinks::unlinked);
        near.links->dialKnown();
        QTRY_VERIFY_WITH_TIMEOUT(near.links->isLinked(far.identity.fingerprint()), patience);
        QTRY_VERIFY_WITH_TIMEOUT(far.links->isLinked(near.identity.fingerprint()), patience);

        // Four seconds' worth each way; the beats wait behind it.
        const QCborMap much{{QStringLiteral("bytes"), QByteArray(4 * bytesPerSecond, 'x')}};
        near.links->notify(far.identity.fingerprint(), QStringLiteral("much"), much);
        far.links->notify(near.identity.fingerprint(), QStringLiteral("much"), much);
        QTRY_COMPARE_WITH_TIMEOUT(arrived, 2, patience);
        QVERIFY(lostNear.isEmpty());
        QVERIFY(lostFar.isEmpty());

        // The road is blocked, and no socket closes.
        road.block();
        QTRY_COMPARE_WITH_TIMEOUT(lostNear.size(), 1, patience);
        QTRY_COMPARE_WITH_TIMEOUT(lostFar.size(), 1, patience);
        QCOMPARE(lostNear[0][1].value<Error>().code, QStringLiteral("link.silent"));
        QCOMPARE(lostFar[0][1].value<Error>().code, QStringLiteral("link.silent"));
    }
};

QTEST_GUILESS_MAIN(SlowLinkTest)
#include "slow_link_test.moc"
