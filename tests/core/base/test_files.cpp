#include <signal.h>
#include <sys/resource.h>
#include <sys/stat.h>

#include <QDir>
#include <QFile>
#include <QTemporaryDir>
#include <QTest>

#include "core/base/files.h"
#include "tests/core/base/watched_sync.h"

using namespace hearth;

namespace {

QByteArray read(const QString &path) {
    QFile file(path);
    return file.open(QIODevice::ReadOnly) ? file.readAll() : QByteArray();
}

/// No file may grow beyond `bytes` while this lives: what a full disk looks like to write().
struct FullDisk {
    rlimit before{};
    explicit FullDisk(rlim_t bytes) {
        signal(SIGXFSZ, SIG_IGN);
        getrlimit(RLIMIT_FSIZE, &before);
        const rlimit limit{bytes, before.rlim_max};
        setrlimit(RLIMIT_FSIZE, &limit);
    }
    ~FullDisk() { setrlimit(RLIMIT_FSIZE, &before); }
};

}  // namespace

class TestFiles : public QObject {
    Q_OBJECT

  private Q_SLOTS:
    void replacesTheWholeFile() {
        QTemporaryDir folder;
        const QString path = folder.filePath(QStringLiteral("a"));
        QVERIFY(saveFile(path, QByteArray("a longer first content")));
        QVERIFY(saveFile(path, QByteArray("second")));
        QCOMPARE(read(path), QByteArray("second"));
        QCOMPARE(QDir(folder.path()).entryList(QDir::Files).size(), 1);
    }

    void theFolderIsSyncedAfterTheFile() {
        QTemporaryDir folder;
        const QString path = folder.filePath(QStringLiteral("a"));
        WatchedSync::inodes.clear();
        QVERIFY(saveFile(path, QByteArray("first")));
        QVERIFY(WatchedSync::lastWasOf(folder.path()));
        // A link stays one.
        const QString inside = folder.filePath(QStringLiteral("inside"));
        QVERIFY(makePrivateFolder(inside));
        const QString link = inside + QStringLiteral("/link");
        QVERIFY(QFile::link(path, link));
        WatchedSync::inodes.clear();
        QVERIFY(saveFile(link, QByteArray("second")));
        QCOMPARE(read(path), QByteArray("second"));
        QVERIFY(WatchedSync::lastWasOf(folder.path()));
    }

    void aFolderThatCannotBeSynced_data() {
        QTest::addColumn<int>("code");
        QTest::addColumn<bool>("isError");
        QTest::newRow("the disk fails") << EIO << true;
        QTest::newRow("the file system syncs no folders") << EINVAL << false;
    }
    void aFolderThatCannotBeSynced() {
        QFETCH(int, code);
        QFETCH(bool, isError);
        QTemporaryDir folder;
        WatchedSync::ofFoldersFails = code;
        const auto saved = saveFile(folder.filePath(QStringLiteral("a")), QByteArray("x"));
        WatchedSync::ofFoldersFails = 0;
        QCOMPARE(!saved, isError);
        if (isError)
            QCOMPARE(saved.error().code, QStringLiteral("file.unsynced"));
    }

    void aFullDiskLeavesTheOldFile_data() {
        QTest::addColumn<int>("room");
        QTest::addColumn<int>("size");
        QTest::newRow("a large file") << 100'000 << 1'000'000;
        QTest::newRow("a file so small that it is buffered to the end") << 100 << 1'000;
        QTest::newRow("no room at all") << 0 << 1;
    }
    void aFullDiskLeavesTheOldFile() {
        QFETCH(int, room);
        QFETCH(int, size);
        QTemporaryDir folder;
        const QString path = folder.filePath(QStringLiteral("a"));
        QVERIFY(saveFile(path, QByteArray("old")));
        Result<void> saved;
        {
            const FullDisk full(static_cast<rlim_t>(room));
            saved = saveFile(path, QByteArray(size, 'x'));
        }
        QVERIFY(!saved);
        QCOMPARE(saved.error().code, QStringLiteral("file.unwritable"));
        QVERIFY(saved.error().what.contains(path));
        QVERIFY(!saved.error().cause.isEmpty());
        QCOMPARE(read(path), QByteArray("old"));
        QCOMPARE(QDir(folder.path()).entryList(QDir::Files).size(), 1);
    }

    void aWriterThatGivesUpLeavesTheOldFile() {
        QTemporaryDir folder;
        const QString path = folder.filePath(QStringLiteral("a"));
        QVERIFY(saveFile(path, QByteArray("old")));
        const auto saved = saveFile(path, [](QIODevice &device) -> Result<void> {
            device.write("half");
            return fail(QStringLiteral("test.no"), QStringLiteral("No."));
        });
        QVERIFY(!saved);
        QCOMPARE(saved.error().code, QStringLiteral("test.no"));
        QCOMPARE(read(path), QByteArray("old"));
    }

    void aMissingFolderIsAnError() {
        QTemporaryDir folder;
        const auto saved = saveFile(folder.filePath(QStringLiteral("no/such/a")), QByteArray("x"));
        QVERIFY(!saved);
        QCOMPARE(saved.error().code, QStringLiteral("file.unwritable"));
    }

    void onlyPlainFilesAreOpened() {
        QTemporaryDir folder;
        const QString plain = folder.filePath(QStringLiteral("plain")), pipe = folder.filePath(QStringLiteral("pipe"));
        QVERIFY(saveFile(plain, QByteArray("0123456789")));
        QCOMPARE(::mkfifo(QFile::encodeName(pipe).constData(), 0600), 0);
        QVERIFY(QFile::link(pipe, folder.filePath(QStringLiteral("link"))));
        for (const bool unbuffered : {false, true}) {
            QFile file(plain);
            QVERIFY(openPlainFile(file, unbuffered));
            QCOMPARE(file.size(), 10);
            QVERIFY(file.seek(7));
            QCOMPARE(file.readAll(), QByteArray("789"));
        }
        for (const char *name : {"pipe", "link", ".", "missing"}) {
            QFile file(folder.filePath(QLatin1String(name)));
            const auto open = openPlainFile(file);
            QVERIFY2(!open, name);
            QCOMPARE(open.error().code, QStringLiteral("file.unreadable"));
            QVERIFY(open.error().cause.endsWith(QLatin1Char('.')) && !file.isOpen());
        }
        QFile nothing(QStringLiteral("/dev/null"));
        QVERIFY(openPlainFile(nothing));
    }

    void privateFoldersAreForTheOwner() {
        QTemporaryDir folder;
        const QString path = folder.filePath(QStringLiteral("one/two/three"));
        // Whoever starts an agent decides what others may do by default.
        const mode_t before = ::umask(0);
        const bool made = makePrivateFolder(path) && makePrivateFolder(path);
        ::umask(before);
        QVERIFY(made);
        for (const auto &[each, mode] : {std::pair("one", 0755u), {"one/two", 0755u}, {"one/two/three", 0700u}}) {
            struct stat status {};
            QCOMPARE(stat(QFile::encodeName(folder.filePath(QLatin1String(each))).constData(), &status), 0);
            QCOMPARE(status.st_mode & 0777, mode);
        }
        QVERIFY(saveFile(folder.filePath(QStringLiteral("file")), QByteArray("x")));
        const auto taken = makePrivateFolder(folder.filePath(QStringLiteral("file/inside")));
        QVERIFY(!taken);
        QCOMPARE(taken.error().code, QStringLiteral("file.no-folder"));
    }
};

QTEST_GUILESS_MAIN(TestFiles)
#include "test_files.moc"
