// Decoded pictures that are read back: the same bytes, and only where that pays.
#include <QDateTime>
#include <QFile>
#include <cmath>
#include <thread>

#include "core/data/picture_cache.h"
#include "core/data/picture_file.h"
#include "picture_folder.h"

using namespace hearth;
using namespace hearth::test;

namespace {

constexpr qint64 plenty = qint64{1} << 30;

/// No two alike, and grainy as photographs are.
QImage photograph(int width, int height, int number) {
    QImage picture(width, height, QImage::Format_RGB888);
    unsigned grain = 12345U + static_cast<unsigned>(number);
    for (int y = 0; y < height; ++y) {
        uchar *row = picture.scanLine(y);
        for (int x = 0; x < 3 * width; ++x) {
            const int column = x / 3;
            grain = grain * 1664525U + 1013904223U;
            row[x] = static_cast<uchar>(128 + 80 * std::sin((column + number * 40) * 0.01 + y * 0.005) + (grain >> 29));
        }
    }
    return picture;
}

double eighth(const QSize &) {
    return 0.125;
}
double whole(const QSize &) {
    return 1;
}

QImage read(const QString &path, const ScaleChoice &scale) {
    const auto picture = readPictureFile(path, scale);
    if (!picture)
        qFatal("%s", qPrintable(picture.error().toString()));
    return picture->copy();  // holds no memory of all threads
}

}  // namespace

class PictureCacheTest : public QObject {
    Q_OBJECT

    QTemporaryDir m_photographs;
    QStringList m_files;
    std::vector<QImage> m_decoded;  // an eighth of each

    /// A folder of its own for each.
    std::unique_ptr<QTemporaryDir> m_folder;
    void begin(qint64 most = plenty) {
        auto cache = PictureCache::open(m_folder->path(), most);
        if (!cache)
            qFatal("%s", qPrintable(cache.error().toString()));
        PictureCache::use(std::move(*cache));
    }
    PictureCache::Usage usage() const { return PictureCache::usage(m_folder->path()); }
    QStringList entries() const { return QDir(m_folder->path()).entryList(QDir::Files, QDir::Name); }
    void readAll() const {
        for (std::size_t i = 0; i < m_decoded.size(); ++i)
            QCOMPARE(read(m_files[static_cast<qsizetype>(i)], eighth), m_decoded[i]);
    }

  private Q_SLOTS:
    void initTestCase() {
        for (int i = 0; i < 3; ++i) {
            m_files << m_photographs.filePath(QStringLiteral("%1.jpg").arg(i));
            QVERIFY(photograph(4000, 3000, i).save(m_files.back(), "jpg", 90));
            m_decoded.push_back(read(m_files.back(), eighth));
            QCOMPARE(m_decoded.back().size(), QSize(500, 375));
        }
    }
    void init() { m_folder = std::make_unique<QTemporaryDir>(); }
    void cleanup() { PictureCache::use({}); }

    void whatIsReadBackIsWhatDecodingGave() {
        begin();
        readAll();
        QCOMPARE(usage().pictures, 3);
        QVERIFY(usage().bytes > 0 && usage().bytes < qint64{3} * 500 * 375 * 3);
        readAll();
        begin();  // another program
        readAll();
        QCOMPARE(usage().pictures, 3);
        // It is read: what it says is told.
        const QString first = m_folder->filePath(entries().front());
        QVERIFY(QFile::remove(first));
        QVERIFY(QFile::copy(m_folder->filePath(entries().front()), first));
        std::size_t others = 0;
        for (std::size_t i = 0; i < m_decoded.size(); ++i)
            others += read(m_files[static_cast<qsizetype>(i)], eighth) != m_decoded[i] ? 1 : 0;
        QCOMPARE(others, std::size_t(1));
    }

    void eachPartOfTheSizeIsKeptForItself() {
        begin();
        const QImage half = read(m_files[0], [](const QSize &) { return 0.5; });
        QCOMPARE(half.size(), QSize(2000, 1500));
        QCOMPARE(read(m_files[0], eighth), m_decoded[0]);
        for (const QString &entry : entries())
            QVERIFY(entry.contains(QStringLiteral("-4000x3000-")));
        QCOMPARE(read(m_files[0], [](const QSize &) { return 0.5; }), half);
        QCOMPARE(read(m_files[0], eighth), m_decoded[0]);
    }

    void whatIsDecodedAsFastAsItIsReadIsNotKept() {
        begin();
        const QString small = m_photographs.filePath(QStringLiteral("small.jpg"));
        QVERIFY(photograph(500, 375, 9).save(small, "jpg", 90));
        (void)read(small, whole);
        (void)read(m_files[0], whole);
        QCOMPARE(usage().pictures, 0);
    }

    void anotherPictureInThePlaceOfOneIsDecoded() {
        const QString path = m_photographs.filePath(QStringLiteral("changing.jpg"));
        QVERIFY(QFile::copy(m_files[0], path));
        begin();
        QCOMPARE(read(path, eighth), m_decoded[0]);
        QVERIFY(QFile::remove(path) && QFile::copy(m_files[1], path));
        QFile later(path);
        QVERIFY(later.open(QIODevice::ReadWrite));
        QVERIFY(later.setFileTime(QDateTime::currentDateTime().addSecs(60), QFileDevice::FileModificationTime));
        later.close();
        QCOMPARE(read(path, eighth), m_decoded[1]);
        QVERIFY(QFile::remove(path));
        QVERIFY(!readPictureFile(path, eighth));
    }

    void whatIsDamagedIsDecodedAgain_data() {
        QTest::addColumn<qint64>("at");
        QTest::addColumn<bool>("cut");
        QTest::newRow("its mark") << qint64{0} << false;
        QTest::newRow("its size") << qint64{8} << false;
        QTest::newRow("its checksum") << qint64{16} << false;
        QTest::newRow("its pixels") << qint64{5000} << false;
        QTest::newRow("cut short") << qint64{5000} << true;
        QTest::newRow("empty") << qint64{0} << true;
    }

    void whatIsDamagedIsDecodedAgain() {
        QFETCH(qint64, at);
        QFETCH(bool, cut);
        begin();
        QCOMPARE(read(m_files[0], eighth), m_decoded[0]);
        QCOMPARE(usage().pictures, 1);
        const qint64 whole = usage().bytes;
        QFile file(m_folder->filePath(entries().front()));
        QVERIFY(file.open(QIODevice::ReadWrite));
        if (cut) {
            QVERIFY(file.resize(at));
        } else {
            QVERIFY(file.seek(at));
            const char byte = file.peek(1)[0];
            QCOMPARE(file.write(QByteArray(1, static_cast<char>(~byte))), 1);
        }
        file.close();
        begin();
        QCOMPARE(read(m_files[0], eighth), m_decoded[0]);
        QCOMPARE(usage().bytes, whole);  // it is whole again
        QCOMPARE(read(m_files[0], eighth), m_decoded[0]);
    }

    void aFullCacheKeepsWhatIsThere() {
        begin();
        QCOMPARE(read(m_files[0], eighth), m_decoded[0]);
        const qint64 one = usage().bytes;
        begin(one * 3 / 2);
        readAll();
        QCOMPARE(usage().pictures, 1);
        readAll();
    }

    void whatWasNotUsedForLongestMakesRoom() {
        begin();
        readAll();
        const QStringList all = entries();
        QFile oldest(m_folder->filePath(all[1]));
        QVERIFY(oldest.open(QIODevice::ReadWrite));
        QVERIFY(oldest.setFileTime(QDateTime::currentDateTime().addDays(-9), QFileDevice::FileModificationTime));
        oldest.close();
        begin(usage().bytes);
        QStringList left = all;
        left.removeAt(1);
        QCOMPARE(entries(), left);
        readAll();
        QVERIFY(QFile(m_folder->filePath(QStringLiteral("strange.picture"))).open(QIODevice::WriteOnly));
        begin();
        QVERIFY(!entries().contains(QStringLiteral("strange.picture")));
    }

    void threadsAndProgramsShareIt() {
        begin();
        auto other = PictureCache::open(m_folder->path(), plenty);
        QVERIFY(other);
        std::vector<std::thread> threads;
        std::atomic<int> wrong = 0;
        threads.reserve(4);
        for (int t = 0; t < 4; ++t) {
            threads.emplace_back([&] {
                for (std::size_t i = 0; i < 2 * m_decoded.size(); ++i) {
                    const std::size_t which = i % m_decoded.size();
                    wrong += read(m_files[static_cast<qsizetype>(which)], eighth) == m_decoded[which] ? 0 : 1;
                }
            });
        }
        for (std::thread &thread : threads)
            thread.join();
        QCOMPARE(wrong.load(), 0);
        const PictureCache::Usage before = usage();
        QCOMPARE(before.pictures, 3);
        const PictureCache::Usage removed = PictureCache::clear(m_folder->path());
        QCOMPARE(removed.pictures, 3);
        QCOMPARE(removed.bytes, before.bytes);
        readAll();  // nobody had said so
    }
};

QTEST_GUILESS_MAIN(PictureCacheTest)
#include "picture_cache_test.moc"
