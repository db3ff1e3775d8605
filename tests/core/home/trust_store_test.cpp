// The list of trusted devices: what is kept, what is refused, and that a damaged file is never an empty one.
#include <unistd.h>
#include <QFile>
#include <QFileInfo>
#include <QJsonArray>
#include <QJsonDocument>
#include <QTemporaryDir>
#include <QTest>

#include "core/home/trust_store.h"

using namespace hearth;

namespace {

/// Single quotes stand for double ones (moc does not read raw strings with brackets).
QByteArray json(QByteArray text) {
    return text.replace('\'', '"');
}

Fingerprint fingerprint(quint8 seed) {
    Fingerprint print;
    print.bytes.fill(seed);
    return print;
}

QByteArray storeText(const QByteArray &devices) {
    return json("{'format':'hearth-trust/1','devices':[") + devices + "]}";
}

QByteArray entry(quint8 seed, const QByteArray &name = "tx2") {
    return json("{'name':'") + name + json("','fingerprint':'") + fingerprint(seed).toHex().toLatin1() + json("'}");
}

}  // namespace

class TrustStoreTest : public QObject {
    Q_OBJECT

  private Q_SLOTS:
    void init() { m_folder = std::make_unique<QTemporaryDir>(); }

    void aMissingFileIsAnEmptyHome() {
        const auto store = TrustStore::load(path());
        QVERIFY(store);
        QVERIFY(store->devices().empty());
        QVERIFY(!store->trusts(fingerprint(1)));
    }

    void whatIsAddedIsThereAfterReading() {
        auto store = TrustStore::load(path());
        QVERIFY(store->add({fingerprint(1), QStringLiteral("tx2"), {QStringLiteral("10.0.0.2:47600")}}));
        QVERIFY(store->add({fingerprint(2), QStringLiteral("nano"), {}}));
        const auto again = TrustStore::load(path());
        QVERIFY(again);
        QCOMPARE(again->devices().size(), std::size_t(2));
        QCOMPARE(again->find(fingerprint(1))->name, QStringLiteral("tx2"));
        QCOMPARE(again->find(fingerprint(1))->addresses, QStringList{QStringLiteral("10.0.0.2:47600")});
        QVERIFY(again->trusts(fingerprint(2)));
    }

    void addressesBesideTheOneInUseAreListed() {
        auto store = TrustStore::load(path());
        const QString here = QStringLiteral("10.0.0.2:47600"), there = QStringLiteral("10.0.1.2:47600");
        QVERIFY(store->add({fingerprint(1), QStringLiteral("tx2"), {here, there}}));
        QCOMPARE(store->addressesBeside(fingerprint(1), there), QStringList{here});
        QCOMPARE(store->addressesBeside(fingerprint(1), {}), (QStringList{here, there}));
        QCOMPARE(store->addressesBeside(fingerprint(2), here), QStringList());
    }

    void addingAgainReplacesNameAndAddresses() {
        auto store = TrustStore::load(path());
        QVERIFY(store->add({fingerprint(1), QStringLiteral("old"), {}}));
        QVERIFY(store->add({fingerprint(1), QStringLiteral("new"), {QStringLiteral("[fe80::1]:1")}}));
        QCOMPARE(store->devices().size(), std::size_t(1));
        QCOMPARE(TrustStore::load(path())->find(fingerprint(1))->name, QStringLiteral("new"));
    }

    void whatIsRemovedIsNoLongerTrusted() {
        auto store = TrustStore::load(path());
        QVERIFY(store->add({fingerprint(1), QStringLiteral("tx2"), {}}));
        QVERIFY(store->remove(fingerprint(1)));
        QVERIFY(!store->trusts(fingerprint(1)));
        QVERIFY(!TrustStore::load(path())->trusts(fingerprint(1)));
    }

    void onlyTheOwnerMayReadTheFile() {
        auto store = TrustStore::load(path());
        QVERIFY(store->add({fingerprint(1), QStringLiteral("tx2"), {}}));
        constexpr auto others = QFile::ReadGroup | QFile::WriteGroup | QFile::ReadOther | QFile::WriteOther;
        QVERIFY(!(QFile::permissions(path()) & others));
    }

    void nobodyWithoutAKeyIsTrusted() {
        auto store = TrustStore::load(path());
        QVERIFY(!store->add({Fingerprint(), QStringLiteral("ghost"), {}}));
        QVERIFY(!store->trusts(Fingerprint()));
    }

    void whatCouldNotBeReadAgainIsNotAdded_data() {
        QTest::addColumn<QString>("name");
        QTest::addColumn<QStringList>("addresses");
        const QString name = QStringLiteral("nano"), address = QStringLiteral("10.0.0.2:47600");
        QTest::newRow("no name") << QString() << QStringList();
        QTest::newRow("a name without end") << QString(65, QLatin1Char('x')) << QStringList();
        QTest::newRow("half a pair of surrogates") << QString(QChar(0xd850)) << QStringList();
        QTest::newRow("what steers a terminal") << QStringLiteral("a\x1b[2J") << QStringList();
        QTest::newRow("a place without a port") << name << QStringList{QStringLiteral("10.0.0.2")};
        QTest::newRow("too many addresses") << name << QStringList(17, address);
    }
    void whatCouldNotBeReadAgainIsNotAdded() {
        QFETCH(QString, name);
        QFETCH(QStringList, addresses);
        auto store = TrustStore::load(path());
        QVERIFY(store->add({fingerprint(1), QStringLiteral("tx2"), {}}));
        const auto added = store->add({fingerprint(2), name, addresses});
        QVERIFY(!added);
        QCOMPARE(added.error().code, QStringLiteral("trust.bad-device"));
        QVERIFY(!added.error().advice.isEmpty());
        const auto again = TrustStore::load(path());
        QVERIFY(again && again->trusts(fingerprint(1)) && !again->trusts(fingerprint(2)));
    }

    void aFailedSaveChangesNothing() {
        if (::geteuid() == 0) {
            // Root writes anywhere; a folder in the file's place stops everybody.
            QVERIFY(QDir().mkpath(path()));
            auto store = TrustStore::load(path());
            QVERIFY(!store);
            return;
        }
        auto store = TrustStore::load(path());
        QVERIFY(store->add({fingerprint(1), QStringLiteral("tx2"), {}}));
        QFile::setPermissions(m_folder->path(), QFile::ReadOwner | QFile::ExeOwner);
        const auto added = store->add({fingerprint(2), QStringLiteral("nano"), {}});
        QFile::setPermissions(m_folder->path(), QFile::ReadOwner | QFile::WriteOwner | QFile::ExeOwner);
        QVERIFY(!added);
        QVERIFY(!store->trusts(fingerprint(2)));
        QVERIFY(TrustStore::load(path())->trusts(fingerprint(1)));
    }

    void aDamagedFileIsAnError_data() {
        QTest::addColumn<QByteArray>("text");
        QTest::newRow("an empty file") << QByteArray();
        QTest::newRow("a file cut short") << storeText(entry(1)).chopped(10);
        QTest::newRow("no JSON") << QByteArray("\0\0\0\0", 4);
        QTest::newRow("another format") << json("{'format':'hearth-trust/2','devices':[]}");
        QTest::newRow("an unknown key") << json("{'format':'hearth-trust/1','devices':[],'all':true}");
        QTest::newRow("a device without a key") << storeText(json("{'name':'tx2'}"));
        QTest::newRow("a short fingerprint") << storeText(json("{'name':'tx2','fingerprint':'abcd'}"));
        QTest::newRow("the empty key") << storeText(entry(0));
        QTest::newRow("a device twice") << storeText(entry(1) + "," + entry(1));
        QTest::newRow("a device that is a number") << storeText("7");
        QTest::newRow("a name without end") << storeText(entry(1, QByteArray(5000, 'x')));
        QTest::newRow("too many devices") << [] {
            QByteArrayList list;
            for (int i = 0; i <= TrustStore::maximumDevices; ++i) {
                Fingerprint print = fingerprint(9);
                print.bytes[0] = static_cast<quint8>(i);
                print.bytes[1] = static_cast<quint8>(i >> 8);
                list << json("{'name':'n','fingerprint':'") + print.toHex().toLatin1() + json("'}");
            }
            return storeText(list.join(','));
        }();
    }

    void aDamagedFileIsAnError() {
        QFETCH(QByteArray, text);
        write(text);
        const auto store = TrustStore::load(path());
        QVERIFY(!store);
        QCOMPARE(store.error().code, QStringLiteral("trust.damaged"));
        QVERIFY(store.error().what.contains(path()));
        QVERIFY(!store.error().advice.isEmpty());
        QFile file(path());
        QVERIFY(file.open(QIODevice::ReadOnly));
        QCOMPARE(file.readAll(), text);
    }

    void aFileThatOthersMayWriteIsRefused() {
        write(storeText(entry(1)));
        QFile::setPermissions(path(), QFile::ReadOwner | QFile::WriteOwner | QFile::WriteGroup);
        QVERIFY(!TrustStore::load(path()));
    }

    void aLinkIsRefused() {
        write(storeText(entry(1)));
        const QString link = m_folder->filePath(QStringLiteral("link.json"));
        QVERIFY(QFile::link(path(), link));
        QVERIFY(!TrustStore::load(link));
    }

    void anIdentityFileComesBackAsItWas() {
        const IdentityFile file{QStringLiteral("tx2"), fingerprint(3), {QStringLiteral("10.0.0.2:47600")}};
        const auto again = IdentityFile::fromJson(file.toJson(), QStringLiteral("x.json"));
        QVERIFY(again);
        QCOMPARE(again->fingerprint, file.fingerprint);
        QCOMPARE(again->name, file.name);
        QCOMPARE(again->addresses, file.addresses);
    }

    void aWrongIdentityFileNamesTheKey() {
        QJsonObject json = IdentityFile{QStringLiteral("tx2"), fingerprint(3), {}}.toJson();
        json[QStringLiteral("adresses")] = QJsonArray();
        const auto file = IdentityFile::fromJson(json, QStringLiteral("x.json"));
        QVERIFY(!file);
        QVERIFY(file.error().toString().contains(QStringLiteral("x.json")));
        QVERIFY(file.error().toString().contains(QStringLiteral("adresses")));
    }

  private:
    QString path() const { return m_folder->filePath(QStringLiteral("trust.json")); }
    void write(const QByteArray &text) {
        QFile file(path());
        QVERIFY(file.open(QIODevice::WriteOnly));
        file.write(text);
        file.close();
        file.setPermissions(QFile::ReadOwner | QFile::WriteOwner);
    }
    std::unique_ptr<QTemporaryDir> m_folder;
};

QTEST_GUILESS_MAIN(TrustStoreTest)
#include "trust_store_test.moc"
