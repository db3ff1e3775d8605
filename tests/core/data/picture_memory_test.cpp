// Many threads with large files and pictures: together they hold no more than they may.
#include <QBuffer>
#include <QTest>
#include <atomic>
#include <thread>
#include <vector>

#include "core/data/picture_file.h"
#include "core/data/picture_memory.h"

using namespace hearth;

namespace {

QByteArray encoded(const char *format) {
    QImage picture(400, 300, QImage::Format_RGB888);
    picture.fill(Qt::red);
    QBuffer buffer;
    buffer.open(QIODevice::WriteOnly);
    picture.save(&buffer, format);
    return buffer.data();
}

}  // namespace

class PictureMemoryTest : public QObject {
    Q_OBJECT

  private Q_SLOTS:
    void threadsHoldNoMoreThanThereIs();
    void whatIsLargerThanAllGoesAlone();
    void aPictureHoldsItsMemoryWhileACopyIsUsed_data();
    void aPictureHoldsItsMemoryWhileACopyIsUsed();
};

void PictureMemoryTest::threadsHoldNoMoreThanThereIs() {
    constexpr qint64 all = 100, each = 30;
    ByteBudget budget(all);
    std::atomic<qint64> held = 0, most = 0;
    const auto work = [&] {
        for (int i = 0; i < 500; ++i) {
            const auto lease = budget.take(each);
            const qint64 now = held += each;
            for (qint64 before = most; before < now && !most.compare_exchange_weak(before, now);)
                ;
            std::this_thread::yield();
            held -= each;
        }
    };
    std::vector<std::thread> threads;
    for (int i = 0; i < 16; ++i)
        threads.emplace_back(work);
    for (std::thread &thread : threads)
        thread.join();
    QVERIFY2(most <= all, qPrintable(QString::number(most)));
    QVERIFY2(most >= each, qPrintable(QString::number(most)));
}

void PictureMemoryTest::whatIsLargerThanAllGoesAlone() {
    ByteBudget budget(100);
    QCOMPARE(budget.free(), 100);
    {
        const auto all = budget.take(1000);
        QCOMPARE(budget.free(), 0);
    }
    QCOMPARE(budget.free(), 100);
}

void PictureMemoryTest::aPictureHoldsItsMemoryWhileACopyIsUsed_data() {
    QTest::addColumn<QByteArray>("bytes");
    QTest::newRow("PNG") << encoded("png");
    QTest::newRow("JPEG") << encoded("jpg");
}

void PictureMemoryTest::aPictureHoldsItsMemoryWhileACopyIsUsed() {
    QFETCH(QByteArray, bytes);
    QImage copy;
    {
        const auto picture = decodePicture(bytes, [](const QSize &) { return 1.0; });
        QVERIFY2(picture, picture ? "" : qPrintable(picture.error().english()));
        copy = *picture;
    }
    const QColor colour = copy.pixelColor(200, 150);
    QVERIFY2(colour.red() > 250 && colour.green() < 5, qPrintable(colour.name()));
    QVERIFY(pictureMemory().free() <= PictureLimits::decodedBytes - 3 * 400 * 300);
    copy = QImage();
    QCOMPARE(pictureMemory().free(), PictureLimits::decodedBytes);
}

QTEST_GUILESS_MAIN(PictureMemoryTest)
#include "picture_memory_test.moc"
