// Which of several connections of one device is its link.
#include <QCborArray>
#include <QSignalSpy>
#include <QTemporaryDir>
#include <QTest>
#include <algorithm>
#include <functional>
#include <memory>
#include <optional>
#include <utility>

#include "core/base/host_port.h"
#include "core/home/home_links.h"
#include "tests/core/wire/patient_dial.h"

using namespace hearth;

namespace {

/// A device that opens connections as the test likes, takes any, and answers what it is asked when the test likes.
class PlayedDevice {
  public:
    PlayedDevice(Identity identity, quint16 port) : m_identity(std::move(identity)), m_port(port) {
        m_listener.setHandshakeDeadline(std::chrono::minutes(10));
        QObject::connect(&m_listener, &TlsListener::channelReady, &m_context,
                         [this](Channel *channel) { take(std::unique_ptr<Channel>(channel)); });
    }
    Fingerprint fingerprint() const { return m_identity.fingerprint(); }

    QString listen() {
        const auto port = m_listener.listen(QHostAddress::LocalHost, 0, 0);
        return port ? joinAddress(QStringLiteral("127.0.0.1"), *port) : QString();
    }

    bool connectTo(const Fingerprint &device) {
        return dialPatiently(m_identity, m_port, device,
                             [this](std::unique_ptr<Channel> channel) { take(std::move(channel)); })
            .has_value();
    }
    void sayHello(std::size_t index) {
        m_rpcs[index]->call(QStringLiteral("hello"), hello(), Rpc::shortDeadline, &m_context,
                            [this](const Result<QCborMap> &answer) { m_answers += answer ? 1 : 0; });
    }
    bool wasAnswered() const { return m_answers > 0; }
    int answers() const { return m_answers; }
    /// So many of those that it hears.
    void declineHellos(int count) { m_declined = count; }
    bool wasAsked() const { return m_asked.has_value(); }
    void answer() { m_asked->ok(); }
    /// As after a new start of its agent.
    void forgetAll() { m_instance += QLatin1Char('1'); }
    void close(std::size_t index) {
        m_channels[index]->close({QStringLiteral("test"), QStringLiteral("Done."), {}, {}});
    }
    void notify(std::size_t index, const QCborMap &args) { m_rpcs[index]->notify(QStringLiteral("beat"), args); }
    bool isOpen(std::size_t index) const { return m_channels[index]->isOpen(); }

  private:
    void take(std::unique_ptr<Channel> channel) {
        m_rpcs.push_back(std::make_unique<Rpc>(channel.get()));
        m_rpcs.back()->handle(QStringLiteral("hello"), [this](const QCborMap &, const Reply &reply) {
            if (m_declined > 0)
                reply.fail({QStringLiteral("test"), QStringLiteral("Not now."), {}, {}});
            else
                reply.ok(hello());
            m_declined = std::max(0, m_declined - 1);
        });
        m_rpcs.back()->handle(QStringLiteral("ask"), [this](const QCborMap &, const Reply &reply) { m_asked = reply; });
        m_channels.push_back(std::move(channel));
    }
    QCborMap hello() const {
        DeviceInfo self;
        self.id = m_identity.fingerprint().toHex();
        self.name = QStringLiteral("played");
        return {{QStringLiteral("device"), self.toCbor()}, {QStringLiteral("instance"), m_instance}};
    }

    Identity m_identity;
    quint16 m_port;
    QObject m_context;
    TlsListener m_listener{m_identity, [](const Fingerprint &) { return true; }};
    std::vector<std::unique_ptr<Channel>> m_channels;
    std::vector<std::unique_ptr<Rpc>> m_rpcs;
    QString m_instance = QStringLiteral("1");
    std::optional<Reply> m_asked;
    int m_answers = 0;
    int m_declined = 0;
};

}  // namespace

class HomeLinksTest : public QObject {
    Q_OBJECT

  private Q_SLOTS:
    void initTestCase() {
        if (m_identity.fingerprint() < m_lower.fingerprint())
            std::swap(m_identity, m_lower);
    }
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
        m_port = *port;
        m_device = std::make_unique<PlayedDevice>(m_lower, *port);
        QVERIFY(m_trust->add({played(), QStringLiteral("played"), {}}));
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

    void aHelloThatIsRepeatedIsAnsweredAndNotToldAgain() {
        QSignalSpy linked(m_links.get(), &HomeLinks::linked);
        QVERIFY(connectPlayed());
        for (int i = 0; i < 3; ++i)
            m_device->sayHello(0);
        QTRY_COMPARE_WITH_TIMEOUT(m_device->answers(), 3, patience);
        QCOMPARE(linked.size(), 1);
    }

    void aHelloThatIsNotAnsweredIsSaidOverAnotherConnection() {
        m_device->declineHellos(1);
        QVERIFY(m_trust->add({played(), QStringLiteral("played"), {m_device->listen()}}));
        m_links->dialKnown();
        QTRY_VERIFY_WITH_TIMEOUT(m_links->isLinked(played()), patience);
        QTRY_VERIFY_WITH_TIMEOUT(!m_device->isOpen(0), patience);
        QVERIFY(m_device->isOpen(1));
    }

    void whatWasAskedIsAnsweredWhenTheOtherDirectionTakesOver() {
        QSignalSpy unlinked(m_links.get(), &HomeLinks::unlinked);
        QVERIFY(replaceWhileAsked());
        QVERIFY(m_device->isOpen(0));
        QVERIFY(m_device->isOpen(1));
        QVERIFY(!m_answer);
        m_device->answer();
        QTRY_VERIFY_WITH_TIMEOUT(m_answer.has_value(), patience);
        QVERIFY2(m_answer->has_value(), m_answer->has_value() ? "" : qUtf8Printable(m_answer->error().toString()));
        QCOMPARE(unlinked.size(), 0);
    }

    void whatWasAskedOverTheReplacedLinkFailsWithTheNewOne_data() {
        QTest::addColumn<QString>("end");
        QTest::newRow("when that breaks") << QStringLiteral("broken");
        QTest::newRow("when the device is forgotten") << QStringLiteral("forgotten");
        QTest::newRow("when the device has started again") << QStringLiteral("restarted");
    }
    void whatWasAskedOverTheReplacedLinkFailsWithTheNewOne() {
        QFETCH(QString, end);
        QSignalSpy unlinked(m_links.get(), &HomeLinks::unlinked);
        if (end == QLatin1String("restarted")) {
            QVERIFY(replaceWhileAsked([this] { m_device->forgetAll(); }));
        } else {
            QVERIFY(replaceWhileAsked());
            QVERIFY(!m_answer);
            if (end == QLatin1String("broken"))
                m_device->close(1);
            else
                m_links->forget(played(), {QStringLiteral("test"), QStringLiteral("Forgotten."), {}, {}});
        }
        QTRY_VERIFY_WITH_TIMEOUT(m_answer.has_value(), patience);
        QVERIFY(!m_answer->has_value());
        QTRY_VERIFY_WITH_TIMEOUT(!m_device->isOpen(0), patience);
        QCOMPARE(unlinked.size(), 1);
    }

    void whoNeverSaysHelloKeepsFewConnections() {
        for (std::size_t i = 0; i <= HomeLinks::maximumWaiting; ++i)
            QVERIFY(connectPlayed());
        QTRY_VERIFY_WITH_TIMEOUT(!m_device->isOpen(0), patience);
        for (std::size_t i = 1; i <= HomeLinks::maximumWaiting; ++i)
            QVERIFY(m_device->isOpen(i));
        QVERIFY(!m_links->isLinked(played()));
    }

    void anAddressThatLeadsBackHereIsNoAlarm() {
        QSignalSpy otherKey(m_links.get(), &HomeLinks::otherKey);
        QSignalSpy refused(m_links.get(), &HomeLinks::refused);
        const Identity away = *Identity::generate(QStringLiteral("away"));
        const QString here = joinAddress(QStringLiteral("127.0.0.1"), m_port);
        QVERIFY(m_trust->add({away.fingerprint(), QStringLiteral("away"), {here}}));
        m_links->dialKnown();
        QTRY_VERIFY_WITH_TIMEOUT(!refused.isEmpty(), patience);  // the caller has seen the key by then
        QCOMPARE(otherKey.size(), 0);
    }

    void whatIsNoWordsOfAgentsEndsTheLink_data() {
        QTest::addColumn<QCborMap>("args");
        QTest::newRow("a text as long as a book") << QCborMap{{1, QString(64 << 10, QLatin1Char('x'))}};
        QCborArray list;
        for (int i = 0; i < 5000; ++i)
            list.append(i);
        QTest::newRow("thousands of numbers") << QCborMap{{1, list}};
        QCborMap keys;
        for (int i = 0; i < 2000; ++i)
            keys[i] = 0;
        QTest::newRow("thousands of keys") << keys;
        QCborMap nested;
        for (int i = 0; i < 40; ++i)
            nested = {{1, nested}};
        QTest::newRow("maps deep in each other") << nested;
    }
    void whatIsNoWordsOfAgentsEndsTheLink() {
        QFETCH(QCborMap, args);
        QSignalSpy unlinked(m_links.get(), &HomeLinks::unlinked);
        QVERIFY(connectPlayed());
        m_device->sayHello(0);
        QTRY_VERIFY_WITH_TIMEOUT(m_links->isLinked(played()), patience);
        m_device->notify(0, args);
        QTRY_COMPARE_WITH_TIMEOUT(unlinked.size(), 1, patience);
        QTRY_VERIFY_WITH_TIMEOUT(!m_device->isOpen(0), patience);
    }

  private:
    bool connectPlayed() { return m_device->connectTo(m_identity.fingerprint()); }
    Fingerprint played() const { return m_device->fingerprint(); }

    /// The agent has dialled the device, waits for an answer, and then the device dials it: that link takes over.
    bool replaceWhileAsked(const std::function<void()> &meanwhile = {}) {
        m_answer.reset();
        if (!m_trust->add({played(), QStringLiteral("played"), {m_device->listen()}}))
            return false;
        m_links->dialKnown();
        if (!QTest::qWaitFor([this] { return m_links->isLinked(played()); }, patience))
            return false;
        m_links->rpc(played())->call(QStringLiteral("ask"), {}, Rpc::shortDeadline * 2, this,
                                     [this](const Result<QCborMap> &answer) { m_answer = answer; });
        if (!QTest::qWaitFor([this] { return m_device->wasAsked(); }, patience))
            return false;
        if (meanwhile)
            meanwhile();
        const Rpc *before = m_links->rpc(played());
        if (!connectPlayed())
            return false;
        m_device->sayHello(1);
        return QTest::qWaitFor([this] { return m_device->wasAnswered(); }, patience) &&
               m_links->rpc(played()) != before;
    }

    Identity m_identity = *Identity::generate(QStringLiteral("one"));
    Identity m_lower = *Identity::generate(QStringLiteral("another"));
    std::unique_ptr<QTemporaryDir> m_folder;
    std::unique_ptr<TrustStore> m_trust;
    std::unique_ptr<HomeLinks> m_links;
    quint16 m_port = 0;  // of the links
    std::unique_ptr<PlayedDevice> m_device;
    std::optional<Result<QCborMap>> m_answer;  // to what the device was asked
};

QTEST_GUILESS_MAIN(HomeLinksTest)
#include "home_links_test.moc"
