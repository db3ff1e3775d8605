// Devices that were removed come back, words about removals are forged and repeated, and the state folder is tampered
// with.
#include <unistd.h>
#include <QDir>
#include <QFile>

#include "attack_log.h"
#include "attacker.h"
#include "core/wire/tls_dial.h"

using namespace hearth;
using namespace std::chrono_literals;

class RemovalTest : public QObject {
    Q_OBJECT

    std::unique_ptr<QTemporaryDir> m_folder;
    PlayedHome m_one, m_two;

    static QString idOf(const PlayedHome &home) { return home.agent->fingerprint().toHex(); }
    /// A link as a paired device has one, by the key of `home`'s state folder; nothing where it is refused.
    std::unique_ptr<Channel> link(const QString &name, const Agent &to, QString *code = nullptr) {
        const auto identity = Identity::loadOrCreate(m_folder->filePath(name), name);
        const auto target = targetOf(to);
        std::optional<Result<std::unique_ptr<Channel>>> outcome;
        dialTls(*identity, target.host, target.port, to.fingerprint(), 30s, this,
                [&](auto result) { outcome = std::move(result); });
        if (!QTest::qWaitFor([&] { return outcome.has_value(); }, patience))
            return nullptr;
        if (!*outcome && code)
            *code = outcome->error().code;
        return *outcome ? std::move(**outcome) : nullptr;
    }

  private Q_SLOTS:
    void init() {
        m_folder = std::make_unique<QTemporaryDir>();
        m_one = PlayedHome::start(*m_folder, QStringLiteral("one"));
        m_two = PlayedHome::start(*m_folder, QStringLiteral("two"));
        pair(m_one.agent->trust().pairing(), m_two.agent->trust().pairing(), *m_two.agent);
        QTRY_COMPARE_WITH_TIMEOUT(m_one.stateOf(idOf(m_two)), DeviceState::Ready, patience);
        QTRY_COMPARE_WITH_TIMEOUT(m_two.stateOf(idOf(m_one)), DeviceState::Ready, patience);
    }
    void cleanup() {
        m_one = {};
        m_two = {};
    }

    void aRemovedDeviceIsRefusedWhenItComesBack() {
        QVERIFY(m_one.agent->trust().forget(QStringLiteral("two")));
        const QString id = idOf(m_two);
        m_two = {};
        constexpr int tries = 10;
        for (int i = 0; i < tries; ++i) {
            QString code;
            QVERIFY(!link(QStringLiteral("two"), *m_one.agent, &code));
            QCOMPARE(code, QStringLiteral("wire.refused"));
        }
        QVERIFY(m_one.device(id).id.isEmpty());
        // Also by an agent that has started again meanwhile.
        const auto port = splitAddress(m_one.agent->address())->port;
        m_one = {};
        m_one = PlayedHome::start(*m_folder, QStringLiteral("one"), port);
        QVERIFY(m_one.agent);
        QString code;
        QVERIFY(!link(QStringLiteral("two"), *m_one.agent, &code));
        QCOMPARE(code, QStringLiteral("wire.refused"));
        noteAttack("a removed device that comes back", tries + 1);
    }

    void aRemovedDeviceIsAStrangerWhoMayOnlyAsk() {
        QVERIFY(m_one.agent->trust().forget(QStringLiteral("two")));
        const auto identity = Identity::loadOrCreate(m_folder->filePath(QStringLiteral("two")), QStringLiteral("two"));
        m_two = {};
        Attacker back(*m_one.agent, *identity);
        back.hello(QStringLiteral("two"));
        back.send(PairingConfirm{});
        QVERIFY(back.isThrownOut());
        QVERIFY(!isTrusted(*m_one.agent));
        noteAttack("a removed device that pairs by itself", 1);
    }

    void wordsOfWhomNobodyTrustsRemoveNobody_data() {
        QTest::addColumn<QString>("how");
        QTest::newRow("a word of a stranger") << "stranger";
        QTest::newRow("a word in the name of a trusted device") << "forged";
        QTest::newRow("a word with nothing in it") << "empty";
    }
    void wordsOfWhomNobodyTrustsRemoveNobody() {
        QFETCH(QString, how);
        PlayedHome three = PlayedHome::start(*m_folder, QStringLiteral("three"));
        pair(m_one.agent->trust().pairing(), three.agent->trust().pairing(), *three.agent);
        QTRY_COMPARE_WITH_TIMEOUT(m_one.stateOf(idOf(three)), DeviceState::Ready, patience);
        const Fingerprint innocent = m_two.agent->fingerprint();
        three = {};
        // A trusted device passes on what somebody else has signed.
        const Identity stranger = *Identity::generate(QStringLiteral("stranger"));
        auto words = Removals::load(m_folder->filePath(QStringLiteral("words.json")), stranger);
        QVERIFY(words->remove(innocent));
        RemovalRoster word = words->own();
        if (how == QLatin1String("forged"))
            word.signer = Identity::loadOrCreate(m_folder->filePath(QStringLiteral("three")))->fingerprint();
        const auto channel = link(QStringLiteral("three"), *m_one.agent);
        QVERIFY(channel);
        Rpc rpc(channel.get());
        DeviceInfo info;
        info.id = channel->peer().toHex();
        std::optional<Result<QCborMap>> answer;
        rpc.call(QStringLiteral("hello"), {{QStringLiteral("device"), info.toCbor()}}, 1min, this,
                 [&](const auto &result) { answer = result; });
        QTRY_VERIFY_WITH_TIMEOUT(answer.has_value(), patience);
        rpc.notify(QStringLiteral("removals"), how == QLatin1String("empty") ? QCborMap() : word.toCbor());
        // What is asked afterwards is answered afterwards.
        answer.reset();
        rpc.call(QStringLiteral("nothing"), {}, 1min, this, [&](const auto &result) { answer = result; });
        QTRY_VERIFY_WITH_TIMEOUT(answer.has_value(), patience);
        QVERIFY(!m_one.device(innocent.toHex()).id.isEmpty());
        QVERIFY(channel->isOpen());
        noteAttack("forged removals", 1);
    }

    void anOldWordRemovesNobodyAgain() {
        PlayedHome three = PlayedHome::start(*m_folder, QStringLiteral("three"));
        pair(m_one.agent->trust().pairing(), three.agent->trust().pairing(), *three.agent);
        pair(m_two.agent->trust().pairing(), three.agent->trust().pairing(), *three.agent);
        QTRY_COMPARE_WITH_TIMEOUT(m_two.stateOf(idOf(three)), DeviceState::Ready, patience);
        QVERIFY(m_two.agent->trust().forget(QStringLiteral("three")));
        QTRY_VERIFY_WITH_TIMEOUT(m_one.device(idOf(three)).id.isEmpty(), patience);
        const auto before = Removals::load(m_folder->filePath(QStringLiteral("two/removals.json")),
                                           *Identity::loadOrCreate(m_folder->filePath(QStringLiteral("two"))));
        QVERIFY(before);
        const RemovalRoster old = before->own();
        // People at both ends take it back; then somebody repeats the word.
        pair(three.agent->trust().pairing(), m_one.agent->trust().pairing(), *m_one.agent);
        QTRY_COMPARE_WITH_TIMEOUT(m_one.stateOf(idOf(three)), DeviceState::Ready, patience);
        const QString id = idOf(three);
        three = {};
        QTRY_COMPARE_WITH_TIMEOUT(m_one.stateOf(id), DeviceState::Lost, patience);
        const auto channel = link(QStringLiteral("three"), *m_one.agent);
        QVERIFY(channel);
        Rpc rpc(channel.get());
        constexpr int tries = 5;
        for (int i = 0; i < tries; ++i)
            rpc.notify(QStringLiteral("removals"), old.toCbor());
        std::optional<Result<QCborMap>> answer;
        rpc.call(QStringLiteral("nothing"), {}, 1min, this, [&](const auto &result) { answer = result; });
        QTRY_VERIFY_WITH_TIMEOUT(answer.has_value(), patience);
        QVERIFY(!m_one.device(id).id.isEmpty());
        noteAttack("old removals, repeated", tries);
    }

    void aRemovedDeviceRemovesNobodyInTurn() {
        PlayedHome three = PlayedHome::start(*m_folder, QStringLiteral("three"));
        pair(m_one.agent->trust().pairing(), three.agent->trust().pairing(), *three.agent);
        pair(m_two.agent->trust().pairing(), three.agent->trust().pairing(), *three.agent);
        QTRY_COMPARE_WITH_TIMEOUT(m_two.stateOf(idOf(three)), DeviceState::Ready, patience);
        QVERIFY(m_one.agent->trust().forget(QStringLiteral("three")));
        QTRY_VERIFY_WITH_TIMEOUT(m_two.device(idOf(three)).id.isEmpty(), patience);
        QVERIFY(three.agent->trust().forget(QStringLiteral("one")));
        // Its word travels over a link of a device that is trusted, and counts for nothing.
        const auto words = Removals::load(m_folder->filePath(QStringLiteral("three/removals.json")),
                                          *Identity::loadOrCreate(m_folder->filePath(QStringLiteral("three"))));
        QVERIFY(words && words->own().epoch > 0);
        const QString id = idOf(m_one);
        m_one = {};
        QTRY_COMPARE_WITH_TIMEOUT(m_two.stateOf(id), DeviceState::Lost, patience);
        const auto channel = link(QStringLiteral("one"), *m_two.agent);
        QVERIFY(channel);
        Rpc rpc(channel.get());
        rpc.notify(QStringLiteral("removals"), words->own().toCbor());
        std::optional<Result<QCborMap>> answer;
        rpc.call(QStringLiteral("nothing"), {}, 1min, this, [&](const auto &result) { answer = result; });
        QTRY_VERIFY_WITH_TIMEOUT(answer.has_value(), patience);
        QVERIFY(!m_two.device(id).id.isEmpty());
        noteAttack("removals by a removed device", 1);
    }

    void linksInTheStateFolderAreNotFollowed_data() {
        QTest::addColumn<QString>("file");
        for (const char *file : {"trust.json", "removals.json", "ignored.json", "trials.json", "key.pem", "agent.lock"})
            QTest::newRow(file) << QString::fromLatin1(file);
    }
    void linksInTheStateFolderAreNotFollowed() {
        QFETCH(QString, file);
        m_two = {};
        const QString path = m_folder->filePath(QStringLiteral("two/") + file);
        const QString elsewhere = m_folder->filePath(QStringLiteral("elsewhere"));
        if (!QFile::exists(path)) {
            QFile made(elsewhere);
            QVERIFY(made.open(QIODevice::WriteOnly));
        } else {
            QVERIFY(QFile::rename(path, elsewhere));
        }
        const QByteArray before = [&] {
            QFile read(elsewhere);
            return read.open(QIODevice::ReadOnly) ? read.readAll() : QByteArray("?");
        }();
        QCOMPARE(::symlink(qPrintable(elsewhere), qPrintable(path)), 0);
        const auto agent = PlayedHome::startAgent(*m_folder, QStringLiteral("two"));
        QVERIFY(!agent);
        QVERIFY(!agent.error().advice.isEmpty());
        QFile after(elsewhere);
        QVERIFY(after.open(QIODevice::ReadOnly));
        QCOMPARE(after.readAll(), before);
        noteAttack("links in the state folder", 1);
    }

    void aStateFolderThatOthersMayWriteIsRefused() {
        m_two = {};
        const QString folder = m_folder->filePath(QStringLiteral("two"));
        QVERIFY(QFile::setPermissions(folder, QFile::permissions(folder) | QFile::WriteOther));
        AgentOptions options;
        options.stateDir = folder;
        options.listenHost = QStringLiteral("127.0.0.1");
        options.port = 0;
        QCOMPARE(Agent::start(options).error().code, QStringLiteral("state.not-private"));
        QVERIFY(QFile::setPermissions(folder, QFile::ReadOwner | QFile::WriteOwner | QFile::ExeOwner));
        noteAttack("a state folder that others may write", 1);
    }
};

QTEST_GUILESS_MAIN(RemovalTest)
#include "removal_test.moc"
