// Which of several connections of one device is its link.
#include <QSignalSpy>
#include <QTemporaryDir>
#include <QTest>
#include <memory>

#include "core/home/home_links.h"
#include "core/wire/tls_dial.h"

using namespace hearth;

namespace {

constexpr int patience = 20000;

/// A device that opens connections as the test likes.
class PlayedDevice {
  public:
    explicit PlayedDevice(quint16 port) : m_port(port) {}
    const Identity &identity() const { return m_identity; }

    bool connectTo(const Fingerprint &device) {
        bool done = false;
        dialTls(m_identity, QStringLiteral("127.0.0.1"), m_port, device, defaultDialDeadline, &m_context,
                [&](Result<std::unique_ptr<Channel>> channel) {
                    if (channel) {
                        m_rpcs.push_back(std::make_unique<Rpc>(channel->get()));
                        m_channels.push_back(std::move(*channel));
                    }
                    done = true;
                });
        return QTest::qWaitFor([&] { return done; }, patience) && !m_channels.empty();
    }
    void sayHello(std::size_t index) {
        DeviceInfo self;
        self.id = m_identity.fingerprint().toHex();
        self.name = QStringLiteral("played");
        const QCborMap hello{{QStringLiteral("device"), self.toCbor()},
                             {QStringLiteral("instance"), QStringLiteral("1")}};
        m_rpcs[index]->call(QStringLiteral("hello"), hello, Rpc::shortDeadline, &m_context,
                            [this](const Result<QCborMap> &answer) { m_answers += answer ? 1 : 0; });
    }
    bool wasAnswered() const { return m_answers > 0; }
    void close(std::size_t index) {
        m_channels[index]->close({QStringLiteral("test"), QStringLiteral("Done."), {}, {}});
    }
    bool isOpen(std::size_t index) const { return m_channels[index]->isOpen(); }

  private:
    quint16 m_port;
    Identity m_identity = *Identity::generate(QStringLiteral("played"));
    QObject m_context;
    std::vector<std::unique_ptr<Channel>> m_channels;
    std::vector<std::unique_ptr<Rpc>> m_rpcs;
    int m_answers = 0;
};

}  // namespace

class HomeLinksTest : public QObject {
    Q_OBJECT

  private Q_SLOTS:
    void init() {
        m_folder = std::make_unique<QTemporaryDir>();
        m_trust = std::make_unique<TrustStore>(*TrustStore::load(m_folder->filePath(QStringLiteral("trust.json"))));
        m_links = std::make_unique<HomeLinks>(m_identity, *m_trust, [this] {
            DeviceInfo self;
            self.id = m_identity.fingerprint().toHex();
            return QCborMap{{QStringLiteral("device"), self.toCbor()}};
        });
        const auto port = m_links->listen(QStringLiteral("127.0.0.1"), 0, 0);
        QVERIFY(port);
        m_device = std::make_unique<PlayedDevice>(*port);
        QVERIFY(m_trust->add({m_device->identity().fingerprint(), QStringLiteral("played"), {}}));
    }
    void cleanup() {
        m_device.reset();
        m_links.reset();
    }

    void theConnectionThatSaysHelloIsTheLink() {
        QSignalSpy linked(m_links.get(), &HomeLinks::linked);
        QSignalSpy unlinked(m_links.get(), &HomeLinks::unlinked);
        QVERIFY(connectPlayed());
        QVERIFY(connectPlayed());
        m_device->sayHello(0);  // the older one: the other was a moment slower on its way
        QTRY_VERIFY_WITH_TIMEOUT(m_device->wasAnswered(), patience);
        m_device->close(1);
        QVERIFY(connectPlayed());  // by then it has heard of the end of the other
        QCOMPARE(linked.size(), 1);
        QCOMPARE(unlinked.size(), 0);
        QVERIFY(m_links->isLinked(played()));
        QVERIFY(m_device->isOpen(0));
    }

    void aSecondHelloTakesOverFromTheFirst() {
        QSignalSpy unlinked(m_links.get(), &HomeLinks::unlinked);
        QVERIFY(connectPlayed());
        m_device->sayHello(0);
        QTRY_VERIFY_WITH_TIMEOUT(m_links->isLinked(played()), patience);
        QVERIFY(connectPlayed());
        QVERIFY(m_device->isOpen(0));
        m_device->sayHello(1);
        QTRY_VERIFY_WITH_TIMEOUT(!m_device->isOpen(0), patience);
        QVERIFY(m_links->isLinked(played()));
        QCOMPARE(unlinked.size(), 0);
        QVERIFY(m_device->isOpen(1));
    }

    void whoNeverSaysHelloKeepsFewConnections() {
        for (std::size_t i = 0; i <= HomeLinks::maximumWaiting; ++i)
            QVERIFY(connectPlayed());
        QTRY_VERIFY_WITH_TIMEOUT(!m_device->isOpen(0), patience);
        for (std::size_t i = 1; i <= HomeLinks::maximumWaiting; ++i)
            QVERIFY(m_device->isOpen(i));
        QVERIFY(!m_links->isLinked(played()));
    }

  private:
    bool connectPlayed() { return m_device->connectTo(m_identity.fingerprint()); }
    Fingerprint played() const { return m_device->identity().fingerprint(); }

    Identity m_identity = *Identity::generate(QStringLiteral("agent"));
    std::unique_ptr<QTemporaryDir> m_folder;
    std::unique_ptr<TrustStore> m_trust;
    std::unique_ptr<HomeLinks> m_links;
    std::unique_ptr<PlayedDevice> m_device;
};

QTEST_GUILESS_MAIN(HomeLinksTest)
#include "home_links_test.moc"
