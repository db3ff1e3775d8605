// What devices are called in a home: given by its person, kept by its agent, never changed by what is announced.
#include "core/base/json_reader.h"
#include "core/discovery/discovery_source.h"
#include "core/home/device_name.h"
#include "played_home.h"
#include "tests/core/discovery/played_source.h"

using namespace hearth;

namespace {

using Home = PlayedHome;

}  // namespace

class RenameTest : public QObject {
    Q_OBJECT

  private Q_SLOTS:
    void init() { m_folder = std::make_unique<QTemporaryDir>(); }

    void aGivenNameStays() {
        Home one = start(QStringLiteral("one"));
        Home two = start(QStringLiteral("two"));
        QVERIFY(one.meet(two));
        const QString id = two.agent->fingerprint().toHex();
        QTRY_COMPARE_WITH_TIMEOUT(one.stateOf(id), DeviceState::Ready, patience);
        QSignalSpy changed(&one.agent->book(), &DeviceBook::changed);
        QVERIFY(one.agent->home().rename(QStringLiteral("two"), QStringLiteral("  Kitchen ")));
        QCOMPARE(one.device(id).name, QStringLiteral("Kitchen"));
        QVERIFY(!changed.isEmpty());
        QCOMPARE(two.agent->name(), QStringLiteral("two"));

        // Whatever it calls itself when it comes again, or tells of itself.
        QVERIFY(two.agent->home().rename({two.agent->fingerprint().toHex()}, QStringLiteral("Bathroom")));
        const auto port = splitAddress(two.agent->address())->port;
        two = {};
        QTRY_COMPARE_WITH_TIMEOUT(one.stateOf(id), DeviceState::Lost, patience);
        two = start({}, port, QStringLiteral("two"));
        QTRY_COMPARE_WITH_TIMEOUT(one.stateOf(id), DeviceState::Ready, patience);
        QCOMPARE(two.agent->name(), QStringLiteral("Bathroom"));
        QCOMPARE(one.device(id).name, QStringLiteral("Kitchen"));
        // Nor where it is trusted once more.
        QVERIFY(one.agent->trust().add({QStringLiteral("two"), two.agent->fingerprint(), {two.agent->address()}}));
        QCOMPARE(one.device(id).name, QStringLiteral("Kitchen"));

        // And it is known after a restart, before the device is there.
        two = {};
        one = {};
        one = start(QStringLiteral("one"));
        QCOMPARE(one.device(id).name, QStringLiteral("Kitchen"));
    }

    void thisDeviceAnnouncesItsNewName() {
        const Home home = start(QStringLiteral("one"), 0, {}, QStringLiteral("0.0.0.0"));
        auto owned = std::make_unique<PlayedSource>();
        PlayedSource *source = owned.get();
        home.agent->home().discover(std::move(owned));
        QCOMPARE(source->order().name, QStringLiteral("one"));
        QVERIFY(home.agent->home().rename(QStringLiteral("one"), QStringLiteral("Laptop")));
        QVERIFY(source->isStopped());
        QCOMPARE(source->order().name, QStringLiteral("Laptop"));
        QCOMPARE(home.agent->devices().front().name, QStringLiteral("Laptop"));
        QCOMPARE(*deviceName(home.agent->stateDir(), {}), QStringLiteral("Laptop"));
    }

    void aNameThatCannotBeIsRefused_data() {
        QTest::addColumn<QString>("device");
        QTest::addColumn<QString>("name");
        QTest::addColumn<QString>("code");
        const QString two = QStringLiteral("two"), bad = QStringLiteral("device.bad-name");
        QTest::newRow("none") << two << QString() << bad;
        QTest::newRow("only spaces") << two << QStringLiteral("  ") << bad;
        QTest::newRow("one that is too long") << two << QString(65, QLatin1Char('x')) << bad;
        QTest::newRow("one with a line end") << two << QStringLiteral("a\nb") << bad;
        QTest::newRow("one that turns the writing around") << two << QStringLiteral("a") + QChar(0x202e) << bad;
        QTest::newRow("one that looks like a key") << two << QString(64, QLatin1Char('a')) << bad;
        QTest::newRow("that of this device") << two << QStringLiteral("ONE") << QStringLiteral("device.name-taken");
        QTest::newRow("a device that is none")
            << QStringLiteral("three") << QStringLiteral("x") << QStringLiteral("device.unknown");
    }

    void aNameThatCannotBeIsRefused() {
        QFETCH(QString, device);
        QFETCH(QString, name);
        QFETCH(QString, code);
        const Home home = start(QStringLiteral("one"));
        const auto other = Identity::generate(QStringLiteral("two"));
        QVERIFY(home.agent->trust().add({QStringLiteral("two"), other->fingerprint(), {}}));
        const auto renamed = home.agent->home().rename(device, name);
        QVERIFY(!renamed);
        QCOMPARE(renamed.error().code, code);
        QCOMPARE(home.agent->devices().back().name, QStringLiteral("two"));
    }

    void whatCannotBeStoredDoesNotCount() {
        const Home home = start(QStringLiteral("one"));
        const auto other = Identity::generate(QStringLiteral("two"));
        QVERIFY(home.agent->trust().add({QStringLiteral("two"), other->fingerprint(), {}}));
        // In place of the file a folder: nothing can be written there, not even by root.
        const QString path = home.agent->stateDir() + QStringLiteral("/trust.json");
        QVERIFY(QFile::remove(path));
        QVERIFY(QDir().mkpath(path + QStringLiteral("/full")));
        QVERIFY(!home.agent->home().rename(QStringLiteral("two"), QStringLiteral("Kitchen")));
        QCOMPARE(home.agent->devices().back().name, QStringLiteral("two"));
    }

    void theLocalSocketRenames() {
        const Home home = start(QStringLiteral("one"));
        AgentClient client;
        QVERIFY(home.connectTo(client));
        std::optional<Result<void>> answer;
        const auto take = [&](const Result<void> &result) { answer = result; };
        client.rename(QStringLiteral("one"), QStringLiteral("Laptop"), this, take);
        QTRY_VERIFY_WITH_TIMEOUT(answer.has_value(), patience);
        QVERIFY(*answer);
        QCOMPARE(home.agent->name(), QStringLiteral("Laptop"));
        answer.reset();
        client.rename(QStringLiteral("one"), QStringLiteral("PC"), this, take);
        QTRY_VERIFY_WITH_TIMEOUT(answer.has_value(), patience);
        QCOMPARE(answer->error().code, QStringLiteral("device.unknown"));
    }

  private:
    /// An empty name: the one that it keeps in its folder.
    Home start(const QString &name, quint16 port = 0, const QString &folder = {}, const QString &host = {}) {
        AgentOptions options;
        options.stateDir = m_folder->filePath(folder.isEmpty() ? name : folder);
        options.name = name;
        options.listenHost = host.isEmpty() ? QStringLiteral("127.0.0.1") : host;
        options.port = port;
        auto agent = Agent::start(options);
        if (!agent) {
            qWarning("%s", qUtf8Printable(agent.error().toString()));
            return {};
        }
        Home home{std::move(*agent), nullptr};
        home.service = std::make_unique<LocalService>(*home.agent);
        return home.service->listen() ? std::move(home) : Home{};
    }

    std::unique_ptr<QTemporaryDir> m_folder;
};

QTEST_GUILESS_MAIN(RenameTest)
#include "rename_test.moc"
