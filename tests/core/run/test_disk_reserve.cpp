#include <sys/resource.h>
#include <sys/stat.h>

#include <QFileInfo>
#include <QTemporaryDir>
#include <QTest>
#include <csignal>
#include <limits>

#include "core/run/disk_reserve.h"

using namespace hearth;

namespace {

constexpr qint64 mebibyte = 1 << 20;

qint64 allocatedBytes(const QString &path) {
    struct stat about {};
    return ::stat(QFile::encodeName(path).constData(), &about) == 0 ? qint64{about.st_blocks} * 512 : -1;
}

}  // namespace

class TestDiskReserve : public QObject {
    Q_OBJECT

  private Q_SLOTS:
    void theSpaceIsAllocatedUntilItIsGivenUp() {
        DiskReserve reserve(m_path, mebibyte);
        QVERIFY(!reserve.giveUp());
        QVERIFY(reserve.take());
        QVERIFY(reserve.take());
        QVERIFY(allocatedBytes(m_path) >= mebibyte);
        QVERIFY(reserve.giveUp());
        QVERIFY(!QFileInfo::exists(m_path));
        QVERIFY(!reserve.giveUp());
        QVERIFY(reserve.takeAgain());
        DiskReserve vast(m_path + QStringLiteral("-vast"), std::numeric_limits<qint64>::max() / 4);
        QVERIFY(!vast.takeAgain());
        QVERIFY(!vast.giveUp());
        QVERIFY(allocatedBytes(m_path) >= mebibyte);
    }

    void nothingStaysAtTheEnd() {
        {
            DiskReserve reserve(m_path, mebibyte);
            QVERIFY(reserve.take());
        }
        QVERIFY(!QFileInfo::exists(m_path));
    }

    void whatACrashHasLeftIsTakenOver() {
        QFile left(m_path);
        QVERIFY(left.open(QIODevice::WriteOnly) && left.write("half") == 4);
        left.close();
        DiskReserve reserve(m_path, mebibyte);
        QVERIFY(reserve.take());
        QVERIFY(allocatedBytes(m_path) >= mebibyte);
    }

    void withoutEnoughSpaceNothingIsHeld() {
        // A limit on the size of files stands for the full disk.
        const auto former = std::signal(SIGXFSZ, SIG_IGN);
        rlimit old{};
        QCOMPARE(::getrlimit(RLIMIT_FSIZE, &old), 0);
        rlimit tight{mebibyte / 2, old.rlim_max};
        QCOMPARE(::setrlimit(RLIMIT_FSIZE, &tight), 0);
        DiskReserve reserve(m_path, mebibyte);
        const bool taken = reserve.take();
        QCOMPARE(::setrlimit(RLIMIT_FSIZE, &old), 0);
        std::signal(SIGXFSZ, former);
        QVERIFY(!taken);
        QVERIFY(!reserve.giveUp());
        QVERIFY(!QFileInfo::exists(m_path));
    }

  private:
    QTemporaryDir m_folder;
    const QString m_path = m_folder.filePath(QStringLiteral("reserve"));
};

QTEST_GUILESS_MAIN(TestDiskReserve)
#include "test_disk_reserve.moc"
