// What became of removals where devices were away, folders came back from backups, and people paired again.
#include <QFile>
#include <map>
#include <string>

#include "core/base/token_bucket.h"
#include "played_device.h"
#include "tests/core/base/watched_sync.h"

using namespace hearth;

namespace {

int invalidLists = 0;  // as the log tells

void countInvalidLists(QtMsgType, const QMessageLogContext &, const QString &message) {
    invalidLists += message.contains(QStringLiteral("A list of removed devices is not valid")) ? 1 : 0;
}

}  // namespace

class RemovalsAgentsTest : public QObject {
    Q_OBJECT

    std::unique_ptr<QTemporaryDir> m_folder;
    PlayedHome m_one, m_two, m_three;
    std::map<std::string, quint16> m_ports;

    QString file(const char *name) const { return m_folder->filePath(QString::fromLatin1(name)); }
    /// Where it was before, so that the others find it.
    PlayedHome start(const char *name) {
        PlayedHome home = PlayedHome::start(*m_folder, QString::fromLatin1(name), m_ports[name]);
        if (home.agent)
            m_ports[name] = splitAddress(home.agent->address())->port;
        return home;
    }
    static QString idOf(const PlayedHome &home) { return home.agent->fingerprint().toHex(); }
    static void pairBoth(const PlayedHome &home, const PlayedHome &other) {
        pair(home.agent->trust().pairing(), other.agent->trust().pairing(), *other.agent);
    }
    /// In both directions.
    static bool areLinked(const PlayedHome &home, const PlayedHome &other) {
        return QTest::qWaitFor(
            [&] {
                return home.stateOf(idOf(other)) == DeviceState::Ready &&
                       other.stateOf(idOf(home)) == DeviceState::Ready;
            },
            patience);
    }
    static bool knows(const PlayedHome &home, const QString &id) { return !home.device(id).id.isEmpty(); }
    static bool loses(const PlayedHome &home, const QString &id) {
        return QTest::qWaitFor([&] { return !knows(home, id); }, patience);
    }
    /// What `home` says about removals has reached `other`: a later word of it has.
    bool hasHeard(const PlayedHome &other, const PlayedHome &home) {
        const Identity marked = *Identity::generate(QStringLiteral("marked"));
        const IdentityFile device{QStringLiteral("marked"), marked.fingerprint(), {}};
        return home.agent->trust().add(device) && other.agent->trust().add(device) &&
               home.agent->trust().forget(QStringLiteral("marked")) && loses(other, marked.fingerprint().toHex());
    }

  private Q_SLOTS:
    void init() {
        m_folder = std::make_unique<QTemporaryDir>();
        m_ports.clear();
        m_one = start("one");
        m_two = start("two");
        m_three = start("three");
        QVERIFY(m_one.agent && m_two.agent && m_three.agent);
    }
    void cleanup() {
        m_one = {};
        m_two = {};
        m_three = {};
    }

    void whoLostItsListIsHeardAgain() {
        pairBoth(m_one, m_two);
        pairBoth(m_one, m_three);
        pairBoth(m_two, m_three);
        QVERIFY(areLinked(m_one, m_two));
        QVERIFY(hasHeard(m_two, m_one));  // a removal that the folder of "one" is about to know nothing of
        m_two = {};
        m_one = {};
        QVERIFY(QFile::remove(file("one/removals.json")));
        m_one = start("one");
        const QString third = idOf(m_three);
        QVERIFY(m_one.agent->trust().forget(QStringLiteral("three")));
        m_two = start("two");
        QVERIFY(knows(m_two, third));
        QVERIFY(loses(m_two, third));
    }

    void oldWordsOfAPairedDeviceRemoveNobody() {
        pairBoth(m_two, m_three);
        QVERIFY(areLinked(m_two, m_three));
        QVERIFY(m_two.agent->trust().forget(QStringLiteral("three")));
        pairBoth(m_one, m_three);
        QVERIFY(areLinked(m_one, m_three));
        pairBoth(m_one, m_two);
        QVERIFY(areLinked(m_one, m_two));
        QVERIFY(hasHeard(m_one, m_two));
        QVERIFY(knows(m_one, idOf(m_three)));
        m_one = {};
        m_one = start("one");
        QVERIFY(knows(m_one, idOf(m_three)));
    }

    void aPairingHoldsAgainstAnEarlierWordThatWasNotHeardYet() {
        pairBoth(m_one, m_two);
        pairBoth(m_one, m_three);
        QVERIFY(areLinked(m_one, m_two) && areLinked(m_one, m_three));
        m_two = {};
        QVERIFY(m_one.agent->trust().forget(QStringLiteral("three")));
        const QString first = idOf(m_one);
        QTRY_VERIFY_WITH_TIMEOUT(m_three.device(first).lastError.contains(QStringLiteral("removed this device")),
                                 patience);
        m_one = {};
        m_two = start("two");
        pairBoth(m_two, m_three);
        QVERIFY(areLinked(m_two, m_three));
        m_one = start("one");
        QVERIFY(areLinked(m_one, m_two));
        QVERIFY(hasHeard(m_two, m_one));
        QVERIFY(knows(m_two, idOf(m_three)));
    }

    void aPairedDeviceBringsWhatWasSaidBeforeInItsFirstLinkOnly_data() {
        QTest::addColumn<int>("linksBefore");
        QTest::addColumn<bool>("stays");
        QTest::newRow("a word in the first link was said before the pairing") << 0 << true;
        QTest::newRow("a word in the second link may have been said after it") << 1 << false;
    }
    void aPairedDeviceBringsWhatWasSaidBeforeInItsFirstLinkOnly() {
        QFETCH(int, linksBefore);
        QFETCH(bool, stays);
        PlayedDevice paired("paired"), signer("signer");
        QVERIFY(m_one.agent->trust().add(signer.file()));
        QVERIFY(m_one.agent->trust().add(paired.file()));
        auto words = Removals::load(file("words.json"), signer.identity());
        QVERIFY(words && words->remove(paired.identity().fingerprint()));
        for (int i = 0; i < linksBefore; ++i) {
            QVERIFY(paired.linkWith(m_one));
            QVERIFY(paired.endLinkWith(m_one));
        }
        QVERIFY(paired.linkWith(m_one));
        paired.pass(words->own());
        QVERIFY(paired.isHeard());
        QCOMPARE(knows(m_one, paired.id()), stays);
    }

    void aDeviceThatSignsWithoutEndCostsFewSaves() {
        constexpr std::size_t many = 100;
        PlayedDevice signer("signer");
        QVERIFY(m_one.agent->trust().add(signer.file()));
        Fingerprint last;
        last.bytes.fill(static_cast<quint8>(many));
        QVERIFY(m_one.agent->trust().add({QStringLiteral("last"), last, {}}));
        QVERIFY(signer.linkWith(m_one));
        auto removals = Removals::load(file("words.json"), signer.identity());
        QVERIFY(removals);
        std::vector<RemovalRoster> said;
        for (std::size_t i = 1; i <= many; ++i) {
            Fingerprint removed;
            removed.bytes.fill(static_cast<quint8>(i));
            QVERIFY(removals->remove(removed));
            said.push_back(removals->own());
        }
        WatchedSync::inodes.clear();
        for (const RemovalRoster &word : said)
            signer.say(QStringLiteral("removals"), word.toCbor());
        QVERIFY(loses(m_one, last.toHex()));
        QVERIFY2(WatchedSync::inodes.size() < many, qPrintable(QString::number(WatchedSync::inodes.size())));
    }

    void listsThatAreNotValidDoNotFillTheLog() {
        PlayedDevice odd("odd");
        QVERIFY(m_one.agent->trust().add(odd.file()));
        QVERIFY(odd.linkWith(m_one));
        invalidLists = 0;
        const QtMessageHandler before = qInstallMessageHandler(countInvalidLists);
        for (int i = 0; i < 4 * LogPace::burst; ++i)
            odd.pass({});
        const bool isHeard = odd.isHeard();
        qInstallMessageHandler(before);
        QVERIFY(isHeard);
        QVERIFY(invalidLists > 0);
        QVERIFY2(invalidLists < 2 * LogPace::burst, qPrintable(QString::number(invalidLists)));
    }

    void anEarlierListOfTrustBringsNobodyBack() {
        pairBoth(m_one, m_two);
        pairBoth(m_one, m_three);
        pairBoth(m_two, m_three);
        QVERIFY(areLinked(m_one, m_two));
        QVERIFY(QFile::copy(file("two/trust.json"), file("backup.json")));
        const QString third = idOf(m_three);
        QVERIFY(m_one.agent->trust().forget(QStringLiteral("three")));
        QVERIFY(loses(m_two, third));
        m_two = {};
        QVERIFY(QFile::remove(file("two/trust.json")));
        QVERIFY(QFile::rename(file("backup.json"), file("two/trust.json")));
        m_two = start("two");
        QVERIFY(m_two.agent);
        QVERIFY(!knows(m_two, third));
        QVERIFY(knows(m_two, idOf(m_one)));
    }
};

QTEST_GUILESS_MAIN(RemovalsAgentsTest)
#include "removals_agents_test.moc"
