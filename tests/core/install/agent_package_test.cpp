// Debian packages as an installation reads them.
#include <archive.h>
#include <archive_entry.h>
#include <QCryptographicHash>
#include <QDir>
#include <QFile>
#include <QHash>
#include <QSysInfo>
#include <QTemporaryDir>
#include <QTest>

#include "core/install/agent_package.h"

using namespace hearth;

namespace {

void addMember(archive *writer, const char *name, const QByteArray &content) {
    archive_entry *entry = archive_entry_new();
    archive_entry_set_pathname(entry, name);
    archive_entry_set_size(entry, content.size());
    archive_entry_set_filetype(entry, AE_IFREG);
    archive_entry_set_perm(entry, 0644);
    archive_write_header(writer, entry);
    archive_write_data(writer, content.constData(), static_cast<size_t>(content.size()));
    archive_entry_free(entry);
}

QByteArray controlArchive(const QByteArray &control) {
    QByteArray bytes(1 << 20, '\0');
    size_t used = 0;
    archive *writer = archive_write_new();
    archive_write_add_filter_xz(writer);
    archive_write_set_format_gnutar(writer);
    archive_write_open_memory(writer, bytes.data(), static_cast<size_t>(bytes.size()), &used);
    addMember(writer, "./control", control);
    archive_write_free(writer);
    bytes.resize(static_cast<qsizetype>(used));
    return bytes;
}

void writePackage(const QString &path, const QByteArray &control) {
    archive *writer = archive_write_new();
    archive_write_set_format_ar_svr4(writer);
    archive_write_open_filename(writer, QFile::encodeName(path).constData());
    addMember(writer, "debian-binary", "2.0\n");
    addMember(writer, "control.tar.xz", controlArchive(control));
    archive_write_free(writer);
}

void writeBundle(const QString &path, const std::vector<std::pair<const char *, QByteArray>> &members) {
    archive *writer = archive_write_new();
    archive_write_add_filter_gzip(writer);
    archive_write_set_format_gnutar(writer);
    archive_write_open_filename(writer, QFile::encodeName(path).constData());
    for (const auto &[name, content] : members)
        addMember(writer, name, content);
    archive_write_free(writer);
}

QByteArray control(const QByteArray &version, const QByteArray &architecture = "amd64") {
    return "Package: hearth-agent\nVersion: " + version + "\nArchitecture: " + architecture +
           "\nInstalled-Size: 2048\nDepends: libc6 (>= 2.36), libqt6core6 (>= 6.4), liba1 | libb1 (= 3)\n"
           "Description: x\n y\n";
}

}  // namespace

class AgentPackageTest : public QObject {
    Q_OBJECT

  private Q_SLOTS:
    void init() { m_folder = std::make_unique<QTemporaryDir>(); }

    void aPackageSaysWhatItIs() {
        const QString path = m_folder->filePath(QStringLiteral("a.deb"));
        writePackage(path, control("0.1.0"));
        const auto package = readAgentPackage(path);
        QVERIFY2(package, qPrintable(package ? QString() : package.error().toString()));
        QCOMPARE(package->version, QStringLiteral("0.1.0"));
        QCOMPARE(package->architecture, QStringLiteral("amd64"));
        QCOMPARE(package->installedBytes, qint64(2048 * 1024));
        QCOMPARE(package->minimumLibc, std::optional(std::pair(2, 36)));
        QCOMPARE(package->dependencies.size(), size_t(3));
        QCOMPARE(package->dependencies[2], (QStringList{QStringLiteral("liba1"), QStringLiteral("libb1")}));
        QFile file(path);
        QVERIFY(file.open(QIODevice::ReadOnly));
        QCOMPARE(package->sha256, QCryptographicHash::hash(file.readAll(), QCryptographicHash::Sha256).toHex());
    }

    void aBundleSaysWhatItIs() {
        const QString path = m_folder->filePath(QStringLiteral("hearth-agent-bundle_0.1.0_arm64.tar.gz"));
        writeBundle(path, {{"control",
                            "Package: hearth-agent\nVersion: 0.1.0\nArchitecture: arm64\n"
                            "Installed-Size: 2048\n"},
                           {"usr/bin/hearth-agent", "#!/bin/sh\n"}});
        const auto bundle = readAgentPackage(path);
        QVERIFY2(bundle, qPrintable(bundle ? QString() : bundle.error().toString()));
        QCOMPARE(bundle->kind, PackageKind::Bundle);
        QCOMPARE(bundle->version, QStringLiteral("0.1.0"));
        QCOMPARE(bundle->architecture, QStringLiteral("arm64"));
        QCOMPARE(bundle->installedBytes, qint64(2048 * 1024));
        QVERIFY(bundle->dependencies.empty() && !bundle->minimumLibc);

        const QStringList folders{m_folder->path()};
        QVERIFY(!findAgentPackage(folders, QStringLiteral("arm64")));
        const auto found = findAgentPackage(folders, QStringLiteral("arm64"), PackageKind::Bundle);
        QVERIFY(found);
        QCOMPARE(found->path, path);
        QVERIFY(!findAgentPackage(folders, QStringLiteral("amd64"), PackageKind::Bundle));
    }

    void anArchiveThatDoesNotBeginWithItsControlFileIsNoBundle() {
        const QString path = m_folder->filePath(QStringLiteral("a.tar.gz"));
        writeBundle(path, {{"usr/bin/hearth-agent", "#!/bin/sh\n"},
                           {"control", "Package: hearth-agent\nVersion: 0.1.0\nArchitecture: arm64\n"}});
        const auto bundle = readAgentPackage(path);
        QVERIFY(!bundle);
        QCOMPARE(bundle.error().code, QStringLiteral("install.bad-package"));
    }

    void whatIsNoPackageIsSaid_data() {
        QTest::addColumn<QByteArray>("content");
        QTest::newRow("an empty file") << QByteArray();
        QTest::newRow("a text") << QByteArray("hello\n");
        QTest::newRow("an archive of something else") << QByteArray("!<arch>\nx");
    }

    void whatIsNoPackageIsSaid() {
        QFETCH(QByteArray, content);
        const QString path = m_folder->filePath(QStringLiteral("a.deb"));
        QFile file(path);
        QVERIFY(file.open(QIODevice::WriteOnly) && file.write(content) == content.size());
        file.close();
        const auto package = readAgentPackage(path);
        QVERIFY(!package);
        QCOMPARE(package.error().code, QStringLiteral("install.bad-package"));
    }

    void anotherPackageIsRefusedByName() {
        const QString path = m_folder->filePath(QStringLiteral("a.deb"));
        writePackage(path, "Package: bash\nVersion: 1\nArchitecture: amd64\n");
        const auto package = readAgentPackage(path);
        QVERIFY(!package);
        QVERIFY(package.error().cause.contains(QStringLiteral("bash")));
    }

    void theNewestThatFitsIsFound() {
        for (const char *version : {"0.9.0", "0.10.0", "0.10.0~rc1"}) {
            writePackage(m_folder->filePath(QStringLiteral("hearth-agent_%1_amd64.deb").arg(QLatin1String(version))),
                         control(version));
        }
        writePackage(m_folder->filePath(QStringLiteral("hearth-agent_1.0.0_arm64.deb")), control("1.0.0", "arm64"));
        const auto package =
            findAgentPackage({m_folder->filePath(QStringLiteral("none")), m_folder->path()}, QStringLiteral("amd64"));
        QVERIFY(package);
        QCOMPARE(package->version, QStringLiteral("0.10.0"));
    }

    void whereNoneFitsItSaysWhatThereIs() {
        writePackage(m_folder->filePath(QStringLiteral("hearth-agent_1.0.0_arm64.deb")), control("1.0.0", "arm64"));
        const auto package = findAgentPackage({m_folder->path()}, QStringLiteral("armhf"));
        QVERIFY(!package);
        QCOMPARE(package.error().code, QStringLiteral("install.no-package"));
        QVERIFY(package.error().what.contains(QStringLiteral("armhf")));
        QVERIFY(package.error().cause.contains(QStringLiteral("arm64.deb")));
    }

    void ofThisComputersProcessorItSaysHowToMakeOne() {
        const QString here = QSysInfo::currentCpuArchitecture();
        const auto package =
            findAgentPackage({m_folder->path()}, here == QLatin1String("x86_64") ? QStringLiteral("amd64") : here);
        QVERIFY(!package);
        QVERIFY2(package.error().advice.contains(QStringLiteral("ninja -C build/release package")),
                 qPrintable(package.error().toString()));
    }

    void versionsAreOrderedAsDpkgDoes_data() {
        QTest::addColumn<QString>("older");
        QTest::addColumn<QString>("newer");
        const auto row = [](const char *a, const char *b) {
            QTest::addRow("%s before %s", a, b) << QString::fromLatin1(a) << QString::fromLatin1(b);
        };
        row("0.9", "0.10");
        row("1.0~rc1", "1.0");
        row("1.0", "1.0+upgrade");
        row("1.0", "1.0a");
        row("1.0a", "1.0+");
        row("1.0", "1.0.0");
        row("0.1.0", "0.1.0+1470");
        row("0.1.0+999", "0.1.0+1470");
        row("09", "10");
        row("", "0.1");
    }

    void versionsAreOrderedAsDpkgDoes() {
        QFETCH(QString, older);
        QFETCH(QString, newer);
        QVERIFY(isOlderVersion(older, newer));
        QVERIFY(!isOlderVersion(newer, older));
        QVERIFY(!isOlderVersion(newer, newer));
    }

    void controlFilesOfAnyKind() {
        const auto fields = parseControl(" stray\nA: 1\n more\nB:2\nno colon\n:empty\n");
        QCOMPARE(fields.value("A"), QByteArray("1\nmore"));
        QCOMPARE(fields.value("B"), QByteArray("2"));
        QCOMPARE(fields.size(), 2);
        QCOMPARE(parseDependencies(" , x | , -y, Ü").size(), size_t(1));
        QVERIFY(!minimumLibc("libc6, libc6-dev (>= 2.40)"));
    }

  private:
    std::unique_ptr<QTemporaryDir> m_folder;
};

QTEST_GUILESS_MAIN(AgentPackageTest)
#include "agent_package_test.moc"
