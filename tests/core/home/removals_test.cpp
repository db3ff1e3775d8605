// Who was removed, in words that their signers stand for.
#include <QCborArray>
#include <QFile>
#include <QTemporaryDir>
#include <QTest>

#include "core/home/removals.h"
#include "tests/core/base/watched_sync.h"

using namespace hearth;

class RemovalsTest : public QObject {
    Q_OBJECT

    std::unique_ptr<QTemporaryDir> m_folder;
    Identity m_own, m_other, m_third;

    QString path(const char *name = "removals.json") const { return m_folder->filePath(QString::fromLatin1(name)); }
    Result<Removals> load() const { return Removals::load(path(), m_own); }
    Result<Removals> loadOther() const { return Removals::load(path("other.json"), m_other); }

    static Fingerprint any(int number) {
        Fingerprint device;
        device.bytes.fill(static_cast<quint8>(number));
        return device;
    }

  private Q_SLOTS:
    void initTestCase() {
        m_own = *Identity::generate(QStringLiteral("own"));
        m_other = *Identity::generate(QStringLiteral("other"));
        m_third = *Identity::generate(QStringLiteral("third"));
    }
    void init() { m_folder = std::make_unique<QTemporaryDir>(); }

    void aWordIsGenuineAndTravels() {
        auto removals = load();
        QVERIFY(removals);
        QVERIFY(removals->words().empty());
        QVERIFY(removals->remove(m_third.fingerprint()));
        const RemovalRoster word = removals->own();
        QCOMPARE(word.epoch, quint64(1));
        QVERIFY(word.isGenuine());
        const auto read = RemovalRoster::fromCbor(QCborValue::fromCbor(QCborValue(word.toCbor()).toCbor()).toMap());
        QVERIFY(read);
        QVERIFY(*read == word);
    }

    void theEpochGrowsAndIsKept() {
        {
            auto removals = load();
            QVERIFY(removals->remove(m_third.fingerprint()));
            QVERIFY(removals->remove(m_other.fingerprint()));
            QVERIFY(removals->remove(m_other.fingerprint()));  // said already
            QVERIFY(removals->readmit(m_other.fingerprint()));
            QVERIFY(removals->readmit(m_other.fingerprint()));
            QCOMPARE(removals->own().epoch, quint64(3));
        }
        const auto again = load();
        QVERIFY(again);
        QCOMPARE(again->own().epoch, quint64(3));
        QCOMPARE(again->own().removed, std::set<Fingerprint>{m_third.fingerprint()});
    }

    void onlyWhatIsNewIsKept() {
        auto other = loadOther();
        auto removals = load();
        QVERIFY(other->remove(m_third.fingerprint()));
        const RemovalRoster first = other->own();
        QCOMPARE(removals->take(first), Result<bool>(true));
        QVERIFY(removals->hasRemoved(m_other.fingerprint(), m_third.fingerprint()));
        QCOMPARE(removals->take(first), Result<bool>(false));
        QVERIFY(other->remove(m_own.fingerprint()));
        const RemovalRoster second = other->own();
        QCOMPARE(removals->take(second), Result<bool>(true));
        QVERIFY(removals->hasRemoved(m_other.fingerprint(), m_own.fingerprint()));
        // The older word again, as an attacker or a device that was away repeats it.
        QCOMPARE(removals->take(first), Result<bool>(false));
        QCOMPARE(removals->words().size(), std::size_t(1));
        QVERIFY(removals->words().front() == second);
        const auto again = load();
        QVERIFY(again && again->hasRemoved(m_other.fingerprint(), m_own.fingerprint()));
    }

    void severalAreTakenInTheirOrderWithOneSave() {
        using Told = Removals::Told;
        auto other = loadOther();
        QVERIFY(other->remove(m_third.fingerprint()));
        const Told first{other->own(), {}};
        QVERIFY(other->remove(any(1)));
        const Told second{other->own(), {}};
        auto one = load();
        WatchedSync::inodes.clear();
        QCOMPARE(one->takeAll({first}).news.size(), std::size_t(1));
        const std::size_t syncs = WatchedSync::inodes.size();
        QVERIFY(syncs > 0);
        QVERIFY(QFile::remove(path()));
        auto several = load();
        WatchedSync::inodes.clear();
        const auto taken = several->takeAll({first, second, first});
        QCOMPARE(WatchedSync::inodes.size(), syncs);
        QVERIFY(!taken.trouble);
        QVERIFY(taken.news == (std::vector<std::size_t>{0, 1}));
        QVERIFY(load()->words().front() == second.word);
    }

    void anOwnWordThatCameBackFromABackup_data() {
        QTest::addColumn<int>("said");  // before the backup came back
        QTest::newRow("others have a later number") << 3;
        QTest::newRow("others have the same number") << 1;
    }
    void anOwnWordThatCameBackFromABackup() {
        QFETCH(int, said);
        auto before = load();
        for (int i = 0; i < said; ++i)
            QVERIFY(before->remove(any(i + 1)));
        const RemovalRoster theirs = before->own();
        QVERIFY(QFile::remove(path()));
        auto removals = load();
        QVERIFY(removals->remove(m_third.fingerprint()));
        QCOMPARE(removals->own().epoch, quint64(1));
        QCOMPARE(removals->take(theirs), Result<bool>(true));
        QVERIFY(removals->own().epoch > theirs.epoch);
        QVERIFY(removals->own().isGenuine());
        std::set<Fingerprint> all = theirs.removed;
        all.insert(m_third.fingerprint());
        QCOMPARE(removals->own().removed, all);
        const RemovalRoster joined = removals->own();
        QCOMPARE(removals->take(theirs), Result<bool>(false));
        QCOMPARE(removals->take(joined), Result<bool>(false));
        QVERIFY(load()->own() == joined);
    }

    void anOwnWordThatSaysAllIsTakenAsItIs() {
        auto before = load();
        QVERIFY(before->remove(any(1)) && before->remove(any(2)));
        const RemovalRoster theirs = before->own();
        QVERIFY(QFile::remove(path()));
        auto removals = load();
        QCOMPARE(removals->take(theirs), Result<bool>(true));
        QVERIFY(removals->own() == theirs);
    }

    void aPairingOverrulesWhatWasKnown() {
        auto other = loadOther();
        auto removals = load();
        QVERIFY(other->remove(m_third.fingerprint()));
        QVERIFY(removals->take(other->own()));
        QVERIFY(removals->readmit(m_third.fingerprint()));
        QVERIFY(!removals->hasRemoved(m_other.fingerprint(), m_third.fingerprint()));
        QVERIFY(!load()->hasRemoved(m_other.fingerprint(), m_third.fingerprint()));
        // A later word that says the same again is still the one that was overruled.
        QVERIFY(other->remove(any(1)));
        QVERIFY(removals->take(other->own()));
        QVERIFY(!removals->hasRemoved(m_other.fingerprint(), m_third.fingerprint()));
        QVERIFY(removals->hasRemoved(m_other.fingerprint(), any(1)));
        // Taken back there and removed once more: that is another removal.
        QVERIFY(other->readmit(m_third.fingerprint()));
        QVERIFY(removals->take(other->own()));
        QVERIFY(other->remove(m_third.fingerprint()));
        QVERIFY(removals->take(other->own()));
        QVERIFY(removals->hasRemoved(m_other.fingerprint(), m_third.fingerprint()));
        QVERIFY(load()->hasRemoved(m_other.fingerprint(), m_third.fingerprint()));
    }

    void whatAPairedDeviceBringsAlongWasSaidBefore_data() {
        QTest::addColumn<bool>("itsOwn");
        QTest::newRow("its own list") << true;
        QTest::newRow("another one's word against it") << false;
    }
    void whatAPairedDeviceBringsAlongWasSaidBefore() {
        QFETCH(bool, itsOwn);
        auto other = loadOther();
        auto removals = load();
        QVERIFY(other->remove(m_third.fingerprint()) && other->remove(any(1)));
        const Fingerprint paired = itsOwn ? m_other.fingerprint() : m_third.fingerprint();
        QVERIFY(removals->readmit(paired));
        QCOMPARE(removals->take(other->own(), paired), Result<bool>(true));
        QVERIFY(!removals->hasRemoved(m_other.fingerprint(), m_third.fingerprint()));
        QCOMPARE(removals->hasRemoved(m_other.fingerprint(), any(1)), !itsOwn);
        QVERIFY(other->remove(any(2)));
        QVERIFY(removals->take(other->own()));
        QVERIFY(removals->hasRemoved(m_other.fingerprint(), any(2)));
    }

    void onlyWhoIsTrustedRemoves() {
        auto other = loadOther();
        auto removals = load();
        auto trust = TrustStore::load(path("trust.json"));
        QVERIFY(trust->add({m_third.fingerprint(), QStringLiteral("third"), {}}));
        QVERIFY(other->remove(m_third.fingerprint()));
        QVERIFY(removals->take(other->own()));
        QVERIFY(!removals->removedFrom(*trust));
        QVERIFY(trust->add({m_other.fingerprint(), QStringLiteral("other"), {}}));
        QCOMPARE(removals->removedFrom(*trust), std::optional(m_third.fingerprint()));
        QVERIFY(trust->remove(m_third.fingerprint()));
        QVERIFY(!removals->removedFrom(*trust));
        // The own word needs nobody's trust.
        QVERIFY(removals->remove(m_other.fingerprint()));
        QCOMPARE(removals->removedFrom(*trust), std::optional(m_other.fingerprint()));
    }

    void aForgedWordIsNone_data() {
        QTest::addColumn<QString>("how");
        for (const char *how : {"another signer", "a higher epoch", "one more device", "one less device", "another key",
                                "a broken signature", "no signature", "a device twice", "no signer", "an epoch of 0",
                                "an epoch below 0", "too many devices", "a device of 31 bytes"})
            QTest::newRow(how) << QString::fromLatin1(how);
    }
    void aForgedWordIsNone() {
        QFETCH(QString, how);
        auto other = loadOther();
        QVERIFY(other->remove(m_third.fingerprint()));
        QVERIFY(RemovalRoster::fromCbor(other->own().toCbor()));
        RemovalRoster word = other->own();
        QCborMap map;
        if (how == QLatin1String("another signer"))
            word.signer = m_own.fingerprint();
        else if (how == QLatin1String("a higher epoch"))
            word.epoch = 7;
        else if (how == QLatin1String("one more device"))
            word.removed.insert(m_own.fingerprint());
        else if (how == QLatin1String("one less device"))
            word.removed.clear();
        else if (how == QLatin1String("another key"))
            word.signature.key = signWith(m_third, "hearth-removals/1", word.statement())->key;
        else if (how == QLatin1String("a broken signature"))
            word.signature.bytes[8] = static_cast<char>(word.signature.bytes[8] ^ 1);
        else if (how == QLatin1String("no signature"))
            word.signature = {};
        else if (how == QLatin1String("no signer"))
            word.signer = {};
        map = word.toCbor();
        QCborArray list = map[QStringLiteral("removed")].toArray();
        if (how == QLatin1String("a device twice"))
            list.append(list.first());
        if (how == QLatin1String("a device of 31 bytes"))
            list.append(QByteArray(31, 'x'));
        for (int i = 0; how == QLatin1String("too many devices") && i < 300; ++i)
            list.append(QByteArray::number(i).leftJustified(32));
        map[QStringLiteral("removed")] = list;
        if (how == QLatin1String("an epoch of 0"))
            map[QStringLiteral("epoch")] = 0;
        if (how == QLatin1String("an epoch below 0"))
            map[QStringLiteral("epoch")] = -1;
        const auto read = RemovalRoster::fromCbor(map);
        QVERIFY(!read);
        QCOMPARE(read.error().code, QStringLiteral("roster.invalid"));
    }

    void aSignatureForOneKindOfStatementIsNoneForAnother() {
        const auto signature = signWith(m_own, "hearth-removals/1", "x");
        QVERIFY(signature);
        QVERIFY(hasSigned(m_own.fingerprint(), *signature, "hearth-removals/1", "x"));
        QVERIFY(!hasSigned(m_own.fingerprint(), *signature, "hearth-other/1", "x"));
        QVERIFY(!hasSigned(m_own.fingerprint(), *signature, "hearth-removals/1", "y"));
        QVERIFY(!hasSigned(m_other.fingerprint(), *signature, "hearth-removals/1", "x"));
    }

    void aFullListDropsNobodyNew() {
        auto removals = load();
        for (std::size_t i = 0; i < RemovalRoster::maximumRemoved + 2; ++i) {
            Fingerprint device;
            device.bytes[0] = static_cast<quint8>(255 - i % 256);
            device.bytes[1] = static_cast<quint8>(i / 256 + 1);
            QVERIFY(removals->remove(device));
            QVERIFY(removals->own().removed.contains(device));
        }
        QCOMPARE(removals->own().removed.size(), RemovalRoster::maximumRemoved);
        QVERIFY(load());
    }

    void aDamagedFileIsNotTakenForAnEmptyOne_data() {
        QTest::addColumn<QByteArray>("text");
        QTest::newRow("no JSON") << QByteArray("{");
        QTest::newRow("another format") << QByteArray(R"({"format":"hearth-trust/1","words":[]})");
        QTest::newRow("a word that is none") << QByteArray(R"({"format":"hearth-removals/1","words":["AAAA"]})");
        QTest::newRow("an exception to no word")
            << QByteArray(R"({"format":"hearth-removals/1","words":[],"overruled":[["aa","bb"]]})");
    }
    void aDamagedFileIsNotTakenForAnEmptyOne() {
        QFETCH(QByteArray, text);
        QFile file(path());
        QVERIFY(file.open(QIODevice::WriteOnly));
        file.write(text);
        file.close();
        const auto loaded = load();
        QVERIFY(!loaded);
        QVERIFY(loaded.error().advice.contains(QStringLiteral("tell what it said")));
    }
};

QTEST_GUILESS_MAIN(RemovalsTest)
#include "removals_test.moc"
