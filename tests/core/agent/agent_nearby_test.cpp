// What an agent makes of announcements, and that they change nothing about the devices of the home.
#include "played_home.h"
#include "tests/core/discovery/played_source.h"

using namespace hearth;

namespace {

const QString strangerPrefix = QStringLiteral("0123456789abcdef");

}  // namespace

class AgentNearbyTest : public QObject {
    Q_OBJECT

  private Q_SLOTS:
    void init() {
        m_folder = std::make_unique<QTemporaryDir>();
        m_home = PlayedHome::start(*m_folder, QStringLiteral("one"));
        auto source = std::make_unique<PlayedSource>();
        m_source = source.get();
        m_home.agent->home().discover(std::move(source));
    }
    void cleanup() { m_home = {}; }

    void aDeviceThatOnlyThisMachineCanReachIsNotAnnounced() { QVERIFY(m_source->order().name.isEmpty()); }

    void withoutDiscoveryNothingIsNearby() {
        const PlayedHome other = PlayedHome::start(*m_folder, QStringLiteral("two"));
        QCOMPARE(other.agent->home().nearby(), Nearby{});
        QCOMPARE(other.agent->home().nearby().status.state, DiscoveryState::Off);
    }

    void theLocalSocketTellsWhoIsNearbyAndEveryChange() {
        m_source->announce("nano", "nano.local", QStringLiteral("10.0.0.5"), 47600, strangerPrefix);
        AgentClient client;
        QVERIFY(m_home.connectTo(client));
        QTRY_COMPARE_WITH_TIMEOUT(ask(client).devices.size(), std::size_t(1), patience);
        const NearbyDevice device = ask(client).devices.front();
        QCOMPARE(device.prefix, strangerPrefix);
        QCOMPARE(device.name, QStringLiteral("nano"));
        QCOMPARE(device.state, NearbyState::Found);
        QCOMPARE(ask(client).status.state, DiscoveryState::Running);

        Nearby latest;
        connect(&client, &AgentClient::nearbyChanged, this, [&](const Nearby &nearby) { latest = nearby; });
        client.subscribe();
        QTRY_COMPARE_WITH_TIMEOUT(latest.devices.size(), std::size_t(1), patience);
        Q_EMIT m_source->gone({2, false, "nano"});
        QTRY_VERIFY_WITH_TIMEOUT(latest.devices.empty(), patience);
    }

    void computersThatOfferSshAreLookedForWhenSomebodyAsks() {
        AgentClient client;
        QVERIFY(m_home.connectTo(client));
        QVERIFY(ask(client).computers.empty());
        QVERIFY(m_source->types().isEmpty());
        m_source->announce("nano", "nano.local", QStringLiteral("10.0.0.5"), 47600, strangerPrefix);
        std::optional<Nearby> answer;
        client.computers(this, [&](const Result<Nearby> &result) { answer = result.value_or(Nearby()); });
        QTRY_VERIFY_WITH_TIMEOUT(m_source->types().contains(QByteArray("_ssh._tcp")), patience);
        m_source->announceComputer("nano", "nano.local", QStringLiteral("10.0.0.5"));
        m_source->announceComputer("bare", "bare.local", QStringLiteral("10.0.0.6"));
        QTRY_VERIFY_WITH_TIMEOUT(answer.has_value(), patience);
        QCOMPARE(answer->devices.size(), std::size_t(1));
        QCOMPARE(answer->computers.size(), std::size_t(2));
        QCOMPARE(answer->computers.front().name, QStringLiteral("bare"));
        QVERIFY(!answer->computers.front().hasHearth);
        QVERIFY(answer->computers.back().hasHearth);
    }

    void aServiceOfSshMakesNoDevice() {
        ServiceSeen service;
        service.key = {2, false, "nano", "_ssh._tcp"};
        service.host = "nano.local";
        service.address = QHostAddress(QStringLiteral("10.0.0.5"));
        service.port = 22;
        service.txt = QByteArrayList{QByteArray("v=1"), QByteArray("id=" + strangerPrefix.toLatin1())};
        Q_EMIT m_source->seen(service);
        m_source->announce("other", "other.local", QStringLiteral("10.0.0.6"), 47600,
                           QStringLiteral("00112233445566ff"));
        const auto nearby = [this] { return m_home.agent->home().nearby(); };
        QTRY_VERIFY_WITH_TIMEOUT(!nearby().devices.empty(), patience);
        QCOMPARE(nearby().devices.size(), std::size_t(1));
        QCOMPARE(nearby().devices.front().name, QStringLiteral("other"));
    }

    void aFloodIsToldOfInFewNotes() {
        QSignalSpy changed(&m_home.agent->home(), &HomeService::nearbyChanged);
        for (int i = 0; i < 5000; ++i) {
            m_source->announce(qPrintable(QString::number(i % 100)), "nano.local", QStringLiteral("10.0.0.5"), 47600,
                               QStringLiteral("%1").arg(i % 100, 16, 16, QLatin1Char('0')));
        }
        QTRY_COMPARE_WITH_TIMEOUT(m_home.agent->home().nearby().devices.size(), std::size_t(100), patience);
        QVERIFY2(changed.size() <= 2, qPrintable(QString::number(changed.size())));
    }

    void whomAFloodKeptOffTheListIsFoundWhenItIsOver() {
        const int most = static_cast<int>(Nearby::maximumStrangers);
        const auto name = [](int i) { return QByteArray::number(i); };
        const auto announce = [&](int i) {
            m_source->announce(name(i), "nano.local", QStringLiteral("10.0.0.5"), 47600,
                               QStringLiteral("%1").arg(i, 16, 16, QLatin1Char('0')));
        };
        for (int i = 0; i < most; ++i)
            announce(i);
        m_source->announce("late", "late.local", QStringLiteral("10.0.0.6"), 47600, strangerPrefix);
        const auto nearby = [this] { return m_home.agent->home().nearby(); };
        QTRY_COMPARE_WITH_TIMEOUT(nearby().devices.size(), Nearby::maximumStrangers, patience);
        QVERIFY(nearby().status.isCrowded);
        m_source->withdraw({2, false, name(0)});
        QTRY_COMPARE_WITH_TIMEOUT(nearby().devices.back().prefix, strangerPrefix, patience);
        QTRY_VERIFY_WITH_TIMEOUT(!nearby().status.isCrowded, patience);
    }

    void anAnnouncementChangesNothingAboutADeviceOfTheHome() {
        PlayedHome two = PlayedHome::start(*m_folder, QStringLiteral("two"));
        QVERIFY(m_home.agent->trust().add({QStringLiteral("two"), two.agent->fingerprint(), {two.agent->address()}}));
        QVERIFY(
            two.agent->trust().add({QStringLiteral("one"), m_home.agent->fingerprint(), {m_home.agent->address()}}));
        const QString id = two.agent->fingerprint().toHex();
        QTRY_COMPARE_WITH_TIMEOUT(m_home.stateOf(id), DeviceState::Ready, patience);
        const DeviceInfo before = m_home.device(id);
        const auto trusted = [&] {
            return TrustStore::load(m_home.agent->stateDir() + QStringLiteral("/trust.json"))->devices().front();
        };
        const QStringList addresses = trusted().addresses;

        QSignalSpy changed(&m_home.agent->home(), &HomeService::nearbyChanged);
        m_source->announce("not two", "evil.local", QStringLiteral("10.66.66.66"), 666,
                           announcedPrefix(two.agent->fingerprint()));
        QTRY_VERIFY_WITH_TIMEOUT(!changed.isEmpty(), patience);
        QCOMPARE(m_home.agent->home().nearby().devices.front().state, NearbyState::Paired);
        QCOMPARE(m_home.agent->home().nearby().devices.front().name, QStringLiteral("two"));
        m_source->announce("two", "two.local", QStringLiteral("10.0.0.5"), 47600,
                           announcedPrefix(two.agent->fingerprint()));
        QTRY_COMPARE_WITH_TIMEOUT(m_home.agent->home().nearby().devices.front().state, NearbyState::Clone, patience);
        QCOMPARE(m_home.device(id), before);
        QCOMPARE(trusted().addresses, addresses);
        QCOMPARE(trusted().name, QStringLiteral("two"));
    }

    void aDeviceThatIsTrustedLaterIsPairedInTheListToo() {
        PlayedHome two = PlayedHome::start(*m_folder, QStringLiteral("two"));
        m_source->announce("x", "two.local", QStringLiteral("10.0.0.5"), 47600,
                           announcedPrefix(two.agent->fingerprint()));
        QTRY_COMPARE_WITH_TIMEOUT(m_home.agent->home().nearby().devices.size(), std::size_t(1), patience);
        QCOMPARE(m_home.agent->home().nearby().devices.front().state, NearbyState::Found);
        QVERIFY(m_home.agent->trust().add({QStringLiteral("two"), two.agent->fingerprint(), {two.agent->address()}}));
        QTRY_COMPARE_WITH_TIMEOUT(m_home.agent->home().nearby().devices.front().state, NearbyState::Paired, patience);
    }

    void whereADeviceWasReachedIsRemembered() {
        PlayedHome two = PlayedHome::start(*m_folder, QStringLiteral("two"));
        const QString dead = QStringLiteral("127.0.0.1:1");
        QVERIFY(
            m_home.agent->trust().add({QStringLiteral("two"), two.agent->fingerprint(), {dead, two.agent->address()}}));
        QVERIFY(two.agent->trust().add({QStringLiteral("one"), m_home.agent->fingerprint(), {}}));
        const auto addresses = [&] {
            return TrustStore::load(m_home.agent->stateDir() + QStringLiteral("/trust.json"))
                ->devices()
                .front()
                .addresses;
        };
        QTRY_COMPARE_WITH_TIMEOUT(addresses(), (QStringList{two.agent->address(), dead}), patience);
        const DeviceInfo seen = m_home.device(two.agent->fingerprint().toHex());
        QCOMPARE(seen.address, two.agent->address());
        QCOMPARE(seen.otherAddresses, QStringList{dead});
        // The other one has learnt where it is called from, without having dialled.
        QTRY_COMPARE_WITH_TIMEOUT(
            TrustStore::load(two.agent->stateDir() + QStringLiteral("/trust.json"))->devices().front().addresses,
            QStringList{m_home.agent->address()}, patience);
    }

    void theAnnouncementIsWithdrawnAtTheEnd() {
        struct Watched : PlayedSource {
            explicit Watched(bool *sign) : m_sign(sign) {}
            void stop() override { *m_sign = true; }
            bool *m_sign;
        };
        PlayedHome two = PlayedHome::start(*m_folder, QStringLiteral("two"));
        bool stopped = false;
        two.agent->home().discover(std::make_unique<Watched>(&stopped));
        two = {};
        QVERIFY(stopped);
    }

  private:
    Nearby ask(AgentClient &client) {
        std::optional<Nearby> answer;
        client.nearby(this, [&](const Result<Nearby> &result) { answer = result ? *result : Nearby{}; });
        return QTest::qWaitFor([&] { return answer.has_value(); }, patience) ? *answer : Nearby{};
    }

    std::unique_ptr<QTemporaryDir> m_folder;
    PlayedHome m_home;
    PlayedSource *m_source = nullptr;
};

QTEST_GUILESS_MAIN(AgentNearbyTest)
#include "agent_nearby_test.moc"
