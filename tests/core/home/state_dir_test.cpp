// The state folder, its lock, and socket names in deep places; addresses and device values.
#include <unistd.h>
#include <QCborArray>
#include <QDir>
#include <QFile>
#include <QFileInfo>
#include <QLocalSocket>
#include <QTemporaryDir>
#include <QTest>
#include <memory>
#include <vector>

#include "core/home/device_info.h"
#include "core/home/device_name.h"
#include "core/home/local_listener.h"
#include "core/home/state_dir.h"
#include "tests/core/base/no_files_left.h"
#include "tests/core/base/patience.h"

using namespace hearth;

class StateDirTest : public QObject {
    Q_OBJECT

  private Q_SLOTS:
    void init() { m_folder = std::make_unique<QTemporaryDir>(); }

    void aNewFolderIsPrivate() {
        const auto folder = openStateDir(m_folder->filePath(QStringLiteral("a/b/state")));
        QVERIFY(folder);
        constexpr auto others = QFile::ReadGroup | QFile::WriteGroup | QFile::ExeGroup | QFile::ReadOther |
                                QFile::WriteOther | QFile::ExeOther;
        QVERIFY(!(QFile::permissions(*folder) & others));
    }

    void aFolderThatOthersMayWriteIsRefused() {
        const QString path = m_folder->filePath(QStringLiteral("open"));
        QVERIFY(QDir().mkpath(path));
        QFile::setPermissions(path, QFile::ReadOwner | QFile::WriteOwner | QFile::ExeOwner | QFile::WriteOther);
        const auto folder = openStateDir(path);
        QVERIFY(!folder);
        QCOMPARE(folder.error().code, QStringLiteral("state.not-private"));
    }

    void aFolderOfAnotherUserIsRefusedWithItsOwner() {
        // Root can give one away; for everybody else that of the system is another user's.
        const bool isRoot = ::geteuid() == 0;
        const QString path = isRoot ? m_folder->filePath(QStringLiteral("given")) : QStringLiteral("/usr");
        if (isRoot) {
            QVERIFY(QDir().mkpath(path));
            QCOMPARE(::chown(QFile::encodeName(path).constData(), 1, 1), 0);
        }
        const auto folder = openStateDir(path);
        QVERIFY(!folder);
        QCOMPARE(folder.error().code, QStringLiteral("state.of-another-user"));
        QVERIFY(folder.error().cause.contains(QFileInfo(path).owner()));
        QVERIFY(!folder.error().toString().contains(QLatin1String("chmod")));
    }

    void aPlaceThatCannotBeAFolderIsAnError() { QVERIFY(!openStateDir(QStringLiteral("/dev/null/state"))); }

    void onlyOneHoldsTheLock() {
        auto first = lockStateDir(m_folder->path());
        QVERIFY(first);
        const auto second = lockStateDir(m_folder->path());
        QVERIFY(!second);
        QCOMPARE(second.error().code, QStringLiteral("agent.already-running"));
        { const OwnedFd released = std::move(*first); }
        QVERIFY(lockStateDir(m_folder->path()));
    }

    void aSocketWorksHoweverDeepTheFolder_data() {
        QTest::addColumn<int>("depth");
        QTest::newRow("in a short place") << 0;
        QTest::newRow("where the name fills a socket address") << 3;
        QTest::newRow("far beyond what a socket address holds") << 30;
    }

    void aSocketWorksHoweverDeepTheFolder() {
        QFETCH(int, depth);
        QString path = m_folder->path();
        for (int i = 0; i < depth; ++i)
            path += QStringLiteral("/a-folder-with-a-long-name");
        QVERIFY(QDir().mkpath(path));
        const auto name = LocalSocketName::of(path);
        QVERIFY(name);
        LocalListener listener;
        const auto listens = listener.listen(path, QStringLiteral("agent.sock"), SocketAccess::User);
        QVERIFY2(listens, qPrintable(listens ? QString() : listens.error().toString()));
        QVERIFY(QFileInfo::exists(path + QStringLiteral("/agent.sock")));
        QLocalSocket socket;
        socket.connectToServer(name->path());
        QVERIFY2(socket.waitForConnected(patience), qPrintable(socket.errorString()));
        listener.close();
        QVERIFY(!QFileInfo::exists(path + QStringLiteral("/agent.sock")));
    }

    void whoComesToASocketAfterFilesHaveRunOutGetsIn() {
        LocalListener listener;
        std::vector<std::unique_ptr<QLocalSocket>> taken;
        connect(&listener, &LocalListener::connected, this, [&](QLocalSocket *socket) { taken.emplace_back(socket); });
        QVERIFY(listener.listen(m_folder->path(), QStringLiteral("agent.sock"), SocketAccess::User));
        const auto name = LocalSocketName::of(m_folder->path());
        QVERIFY(name);
        QLocalSocket early, late;
        early.connectToServer(name->path());
        {
            const NoFilesLeft none;
            QVERIFY(isToldThatNoneIsTaken());
        }
        QVERIFY(taken.empty());
        late.connectToServer(name->path());
        QTRY_COMPARE_WITH_TIMEOUT(taken.size(), std::size_t(2), patience);
        QCOMPARE(early.state(), QLocalSocket::ConnectedState);
        QCOMPARE(late.state(), QLocalSocket::ConnectedState);
    }

    void aDeviceKeepsTheNameItWasGiven() {
        const auto given = deviceName(m_folder->path(), QStringLiteral("tx2"));
        QVERIFY(given);
        QCOMPARE(*deviceName(m_folder->path(), QString()), QStringLiteral("tx2"));
        QVERIFY(!deviceName(m_folder->path(), QStringLiteral("a\nb")));
        QVERIFY(!deviceName(m_folder->path(), QString(100, QLatin1Char('x'))));
    }

    void addressesAreSplitAndJoined_data() {
        QTest::addColumn<QString>("text");
        QTest::addColumn<QString>("host");
        QTest::addColumn<int>("port");
        QTest::newRow("IPv4") << QStringLiteral("10.0.0.2:47600") << QStringLiteral("10.0.0.2") << 47600;
        QTest::newRow("a name") << QStringLiteral("tx2.local:1") << QStringLiteral("tx2.local") << 1;
        QTest::newRow("IPv6") << QStringLiteral("[fe80::1%eth0]:80") << QStringLiteral("fe80::1%eth0") << 80;
        QTest::newRow("any port") << QStringLiteral("127.0.0.1:0") << QStringLiteral("127.0.0.1") << 0;
    }

    void addressesAreSplitAndJoined() {
        QFETCH(QString, text);
        QFETCH(QString, host);
        QFETCH(int, port);
        const auto parts = splitAddress(text);
        QVERIFY(parts);
        QCOMPARE(parts->host, host);
        QCOMPARE(int(parts->port), port);
        QCOMPARE(joinAddress(parts->host, parts->port), text);
    }

    void wordsThatAreNoAddressAreRefused_data() {
        QTest::addColumn<QString>("text");
        for (const char *text : {"", "10.0.0.2", ":80", "fe80::1:80", "a:70000", "a:-1", "a:b"})
            QTest::newRow(text) << QString::fromLatin1(text);
    }

    void wordsThatAreNoAddressAreRefused() {
        QFETCH(QString, text);
        QVERIFY(!splitAddress(text));
    }

    void aDeviceCrossesTheSocketUnchanged() {
        DeviceInfo info;
        info.id = QString(64, QLatin1Char('a'));
        info.name = QStringLiteral("tx2");
        info.address = QStringLiteral("10.0.0.2:47600");
        info.state = DeviceState::Training;
        info.agentPid = 12;
        info.memoryBytes = qint64(1) << 40;
        info.threads = 4;
        info.cores = 6;
        info.kind = DeviceKind::Laptop;
        info.onBattery = true;
        info.otherAddresses = {QStringLiteral("10.0.1.2:47600"), QStringLiteral("[fe80::1]:47600")};
        info.processor = QStringLiteral("ARM");
        info.lastError = QStringLiteral("none");
        const auto again = DeviceInfo::fromCbor(info.toCbor());
        QVERIFY(again);
        QVERIFY(*again == info);
    }

    void whatADeviceDoesNotTellIsUnknown_data() {
        QTest::addColumn<QCborValue>("kind");
        QTest::addColumn<QCborValue>("battery");
        QTest::newRow("one of an older version") << QCborValue() << QCborValue();
        QTest::newRow("one of a later version") << QCborValue(QStringLiteral("fridge")) << QCborValue(40);
        QTest::newRow("one that makes no sense") << QCborValue(7) << QCborValue(QStringLiteral("true"));
    }

    void whatADeviceDoesNotTellIsUnknown() {
        QFETCH(QCborValue, kind);
        QFETCH(QCborValue, battery);
        QCborMap map{{QStringLiteral("id"), QString(64, QLatin1Char('a'))}};
        if (!kind.isUndefined())
            map[QStringLiteral("kind")] = kind;
        if (!battery.isUndefined())
            map[QStringLiteral("on_battery")] = battery;
        const auto info = DeviceInfo::fromCbor(map);
        QVERIFY(info);
        QCOMPARE(info->kind, DeviceKind::Unknown);
        QVERIFY(!info->onBattery);
        // Nor is it told on.
        QVERIFY(!info->toCbor().contains(QStringLiteral("kind")));
        QVERIFY(!info->toCbor().contains(QStringLiteral("on_battery")));
    }

    void aDeviceThatLiesIsBounded() {
        QCborMap map;
        map[QStringLiteral("id")] = QString(64, QLatin1Char('a'));
        map[QStringLiteral("name")] = QString(100000, QLatin1Char('x')) + QChar(0x1b);
        map[QStringLiteral("other_addresses")] =
            QCborArray::fromStringList(QStringList(1000, QString(1000, QLatin1Char('y'))));
        map[QStringLiteral("threads")] = -4;
        map[QStringLiteral("memory_bytes")] = QStringLiteral("lots");
        const auto info = DeviceInfo::fromCbor(map);
        QVERIFY(info);
        QVERIFY(info->name.size() <= 256);
        QCOMPARE(info->otherAddresses, QStringList(16, QString(256, QLatin1Char('y'))));
        QCOMPARE(info->threads, 0);
        QCOMPARE(info->memoryBytes, 0);
        QVERIFY(!DeviceInfo::fromCbor(QCborMap()));
    }

  private:
    std::unique_ptr<QTemporaryDir> m_folder;
};

QTEST_GUILESS_MAIN(StateDirTest)
#include "state_dir_test.moc"
