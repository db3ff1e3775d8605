// Who was removed, in words that their signers stand for.
#include <QCborArray>
#include <QFile>
#include <QTemporaryDir>
#include <QTest>

#include "core/home/removals.h"

using namespace hearth;

class RemovalsTest : public QObject {
    Q_OBJECT

    std::unique_ptr<QTemporaryDir> m_folder;
    Identity m_own, m_other, m_third;

    QString path(const char *name = "removals.json") const { return m_folder->filePath(QString::fromLatin1(name)); }
    Result<Removals> load() const { return Removals::load(path(), m_own); }
    Result<Removals> loadOther() const { return Removals::load(path("other.json"), m_other); }

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

    void onlyWhatIsNewCounts() {
        auto other = loadOther();
        auto removals = load();
        QVERIFY(other->remove(m_third.fingerprint()));
        const RemovalRoster first = other->own();
        QCOMPARE(removals->news(first), std::optional(std::vector{m_third.fingerprint()}));
        QVERIFY(removals->take(first));
        QVERIFY(!removals->news(first));
        QVERIFY(other->remove(m_own.fingerprint()));
        const RemovalRoster second = other->own();
        QCOMPARE(removals->news(second), std::optional(std::vector{m_own.fingerprint()}));
        QVERIFY(removals->take(second));
        // The older word again, as an attacker or a device that was away repeats it.
        QVERIFY(!removals->news(first));
        QVERIFY(removals->take(first));
        QCOMPARE(removals->words().size(), std::size_t(1));
        QVERIFY(removals->words().front() == second);
        const auto again = load();
        QVERIFY(again && !again->news(second) && !again->news(first));
    }

    void theOwnWordComesFromNobodyElse() {
        auto removals = load();
        QVERIFY(removals->remove(m_third.fingerprint()));
        QVERIFY(!removals->news(removals->own()));
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
    }
    void aDamagedFileIsNotTakenForAnEmptyOne() {
        QFETCH(QByteArray, text);
        QFile file(path());
        QVERIFY(file.open(QIODevice::WriteOnly));
        file.write(text);
        file.close();
        QVERIFY(!load());
    }
};

QTEST_GUILESS_MAIN(RemovalsTest)
#include "removals_test.moc"
