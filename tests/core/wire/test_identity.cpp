#include <openssl/evp.h>
#include <openssl/pem.h>
#include <openssl/rsa.h>
#include <openssl/x509.h>
#include <sys/stat.h>

#include <QCryptographicHash>
#include <QDir>
#include <QFile>
#include <QTemporaryDir>
#include <QTest>

#include "core/wire/identity.h"
#include "tests/core/base/watched_sync.h"
#include "tests/core/wire/foreign_certificate.h"

using namespace hearth;

class TestIdentity : public QObject {
    Q_OBJECT

  private Q_SLOTS:
    void hexSurvivesBothWays() {
        const auto identity = Identity::generate(QStringLiteral("a"));
        QVERIFY(identity);
        const QString hex = identity->fingerprint().toHex();
        QCOMPARE(hex.size(), 64);
        QCOMPARE(hex, hex.toLower());
        QCOMPARE(*Fingerprint::fromHex(hex), identity->fingerprint());
    }

    void wrongHexIsRefused_data() {
        QTest::addColumn<QString>("text");
        QTest::newRow("empty") << QString();
        QTest::newRow("one digit short") << QString(63, QLatin1Char('a'));
        QTest::newRow("one digit long") << QString(65, QLatin1Char('a'));
        QTest::newRow("upper case") << QString(64, QLatin1Char('A'));
        QTest::newRow("not a digit") << QString(63, QLatin1Char('a')) + QLatin1Char('g');
        QTest::newRow("digits of another script") << QString(64, QChar(0x0661));
    }

    void wrongHexIsRefused() {
        QFETCH(QString, text);
        const auto parsed = Fingerprint::fromHex(text);
        QVERIFY(!parsed);
        QCOMPARE(parsed.error().code, QStringLiteral("identity.bad-fingerprint"));
    }

    void theFingerprintIsOfTheSubjectPublicKeyInfo() {
        const auto identity = Identity::generate(QStringLiteral("a"));
        const QByteArray spki = identity->certificate().publicKey().toDer();
        const QByteArray hash = QCryptographicHash::hash(spki, QCryptographicHash::Sha256);
        QCOMPARE(identity->fingerprint().toHex(), QString::fromLatin1(hash.toHex()));
        QCOMPARE(*fingerprintOf(identity->certificate()), identity->fingerprint());
    }

    void anyNameGives_data() {
        QTest::addColumn<QString>("name");
        QTest::newRow("an empty one") << QString();
        QTest::newRow("a long one") << QString(500, QLatin1Char('x'));
        QTest::newRow("one of emoji") << QString::fromUcs4(U"😀😀😀😀😀😀😀😀😀😀😀😀😀😀😀😀😀😀😀😀😀😀");
    }

    void anyNameGives() {
        QFETCH(QString, name);
        QVERIFY(Identity::generate(name));
    }

    void theKeyFileIsPrivateAndKept() {
        QTemporaryDir folder;
        const QString state = folder.filePath(QStringLiteral("state"));
        const auto first = Identity::loadOrCreate(state, QStringLiteral("name"));
        QVERIFY2(first, qPrintable(first ? QString() : first.error().toString()));
        struct stat status {};
        QCOMPARE(::stat(QFile::encodeName(state + QStringLiteral("/key.pem")).constData(), &status), 0);
        QCOMPARE(status.st_mode & 0777, 0600u);
        QCOMPARE(::stat(QFile::encodeName(state).constData(), &status), 0);
        QCOMPARE(status.st_mode & 0777, 0700u);
        QCOMPARE(QDir(state).entryList(QDir::Files),
                 (QStringList{QStringLiteral("cert.pem"), QStringLiteral("key.pem")}));
        const auto second = Identity::loadOrCreate(state);
        QVERIFY(second);
        QCOMPARE(second->fingerprint(), first->fingerprint());
        QCOMPARE(second->certificate(), first->certificate());
    }

    void theFolderIsSyncedWithTheKeyInIt() {
        QTemporaryDir folder;
        WatchedSync::inodes.clear();
        const auto identity = Identity::loadOrCreate(folder.path());
        QVERIFY(identity);
        QVERIFY(WatchedSync::lastWasOf(folder.path()));
        QTemporaryDir other;
        QVERIFY(identity->save(other.filePath(QStringLiteral("run.pem"))));
        QVERIFY(WatchedSync::lastWasOf(other.path()));
    }

    void aKeyThatOthersCanUseIsRefused_data() {
        QTest::addColumn<int>("mode");
        QTest::newRow("the group can read") << 0640;
        QTest::newRow("others can read") << 0604;
        QTest::newRow("the group can write") << 0620;
    }

    void aKeyThatOthersCanUseIsRefused() {
        QFETCH(int, mode);
        QTemporaryDir folder;
        QVERIFY(Identity::loadOrCreate(folder.path()));
        ::chmod(QFile::encodeName(folder.filePath(QStringLiteral("key.pem"))).constData(), static_cast<mode_t>(mode));
        const auto identity = Identity::loadOrCreate(folder.path());
        QVERIFY(!identity);
        QCOMPARE(identity.error().code, QStringLiteral("identity.key-exposed"));
        QVERIFY(identity.error().what.contains(QStringLiteral("key.pem")));
    }

    void aLostCertificateIsMadeAgainForTheSameKey() {
        QTemporaryDir folder;
        const auto first = Identity::loadOrCreate(folder.path());
        QVERIFY(QFile::remove(folder.filePath(QStringLiteral("cert.pem"))));
        const auto second = Identity::loadOrCreate(folder.path());
        QVERIFY(second);
        QCOMPARE(second->fingerprint(), first->fingerprint());
    }

    void damagedFilesAreRefused_data() {
        QTest::addColumn<QString>("file");
        QTest::addColumn<QByteArray>("content");
        const auto rsa = foreignCertificate(EVP_RSA_gen(2048));
        const auto p384 = foreignCertificate(EVP_EC_gen("P-384"));
        const auto p256 = foreignCertificate(EVP_EC_gen("P-256"));
        QTest::newRow("an empty key") << QStringLiteral("key.pem") << QByteArray();
        QTest::newRow("a key of random bytes") << QStringLiteral("key.pem") << QByteArray(1000, 'x');
        QTest::newRow("an RSA key") << QStringLiteral("key.pem") << rsa.keyPem;
        QTest::newRow("a P-384 key") << QStringLiteral("key.pem") << p384.keyPem;
        QTest::newRow("another P-256 key") << QStringLiteral("key.pem") << p256.keyPem;
        QTest::newRow("another certificate") << QStringLiteral("cert.pem") << p256.certificatePem;
        QTest::newRow("an RSA certificate") << QStringLiteral("cert.pem") << rsa.certificatePem;
        QTest::newRow("an empty certificate") << QStringLiteral("cert.pem") << QByteArray();
    }

    void damagedFilesAreRefused() {
        QFETCH(QString, file);
        QFETCH(QByteArray, content);
        QTemporaryDir folder;
        QVERIFY(Identity::loadOrCreate(folder.path()));
        QFile damaged(folder.filePath(file));
        QVERIFY(damaged.open(QIODevice::WriteOnly | QIODevice::Truncate));
        QCOMPARE(damaged.write(content), content.size());
        damaged.close();
        const auto identity = Identity::loadOrCreate(folder.path());
        QVERIFY(!identity);
        QCOMPARE(identity.error().code, QStringLiteral("identity.unusable"));
    }

    void onlyP256HasAFingerprint_data() {
        QTest::addColumn<QByteArray>("certificate");
        QTest::newRow("no certificate") << QByteArray();
        QTest::newRow("RSA") << foreignCertificate(EVP_RSA_gen(2048)).certificatePem;
        QTest::newRow("P-384") << foreignCertificate(EVP_EC_gen("P-384")).certificatePem;
        QTest::newRow("Ed25519")
            << foreignCertificate(EVP_PKEY_Q_keygen(nullptr, nullptr, "ED25519"), nullptr).certificatePem;
    }

    void onlyP256HasAFingerprint() {
        QFETCH(QByteArray, certificate);
        QVERIFY(!fingerprintOf(QSslCertificate(certificate, QSsl::Pem)));
    }

    void oneFileCarriesAnIdentityToTheNextProcess() {
        QTemporaryDir folder;
        const QString path = folder.filePath(QStringLiteral("run.pem"));
        const auto first = Identity::generate(QStringLiteral("first"));
        const auto second = Identity::generate(QStringLiteral("second"));
        QVERIFY(first->save(path));
        QVERIFY(second->save(path));  // in the place of the first
        struct stat status {};
        QCOMPARE(::stat(QFile::encodeName(path).constData(), &status), 0);
        QCOMPARE(status.st_mode & 0777, 0600u);
        QCOMPARE(QDir(folder.path()).entryList(QDir::Files), QStringList{QStringLiteral("run.pem")});
        const auto read = Identity::load(path);
        QVERIFY2(read, qPrintable(read ? QString() : read.error().toString()));
        QCOMPARE(read->fingerprint(), second->fingerprint());
        QCOMPARE(read->certificate(), second->certificate());
        QCOMPARE(read->key(), second->key());
    }

    void aFileOfAnIdentityIsCheckedLikeAKey_data() {
        QTest::addColumn<QString>("change");
        QTest::newRow("missing") << QStringLiteral("remove");
        QTest::newRow("readable by others") << QStringLiteral("expose");
        QTest::newRow("without its certificate") << QStringLiteral("cut");
        QTest::newRow("empty") << QStringLiteral("empty");
    }

    void aFileOfAnIdentityIsCheckedLikeAKey() {
        QFETCH(QString, change);
        QTemporaryDir folder;
        const QString path = folder.filePath(QStringLiteral("run.pem"));
        QVERIFY(Identity::generate(QStringLiteral("a"))->save(path));
        QFile file(path);
        if (change == QLatin1String("remove"))
            QVERIFY(file.remove());
        else if (change == QLatin1String("expose"))
            QVERIFY(file.setPermissions(file.permissions() | QFile::ReadOther));
        else
            QVERIFY(file.resize(change == QLatin1String("cut") ? 250 : 0));
        QVERIFY(!Identity::load(path));
    }

    void aFolderThatCannotBeMadeIsAnError() {
        QTemporaryDir folder;
        QFile file(folder.filePath(QStringLiteral("taken")));
        QVERIFY(file.open(QIODevice::WriteOnly));
        QVERIFY(!Identity::loadOrCreate(folder.filePath(QStringLiteral("taken/state"))));
    }
};

QTEST_GUILESS_MAIN(TestIdentity)
#include "test_identity.moc"
