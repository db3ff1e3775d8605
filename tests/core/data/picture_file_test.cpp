// One picture: read from its bytes, and made another size.
#include <QImageReader>
#include <QImageWriter>
#include <cmath>

#include "core/data/picture_file.h"
#include "core/data/resample.h"
#include "picture_folder.h"

using namespace hearth;
using namespace hearth::test;

namespace {

const QByteArray jpegStart("\xff\xd8", 2);

/// A JPEG that says how the camera was held.
QByteArray held(const QByteArray &jpeg, int orientation) {
    QByteArray exif("Exif\0\0MM\0*\0\0\0\x08\0\x01\x01\x12\0\x03\0\0\0\x01\0\0\0\0\0\0\0\0", 32);
    exif[25] = static_cast<char>(orientation);
    QByteArray segment("\xff\xe1", 2);
    segment += static_cast<char>(0);
    segment += static_cast<char>(exif.size() + 2);
    return jpegStart + segment + exif + jpeg.mid(2);
}

tl::expected<QImage, Sentence> decoded(const QByteArray &bytes) {
    return decodePicture(bytes, [](const QSize &) { return 1.0; });
}

}  // namespace

class PictureFileTest : public QObject {
    Q_OBJECT

  private Q_SLOTS:
    void aHundredMegapixelsOfAJpegAreReadSmall();
    void picturesAreUprightAsQtHasThem_data();
    void picturesAreUprightAsQtHasThem();
    void everyFormatIsRead_data();
    void everyFormatIsRead();
    void resamplingKeepsAnEvenColourAndMeans();
};

void PictureFileTest::aHundredMegapixelsOfAJpegAreReadSmall() {
    const QByteArray jpeg = encoded(plain(QColor(10, 200, 30), 10'000, 10'000), "jpg", 50);
    const auto picture = decodePicture(jpeg, [](const QSize &size) { return 224.0 / size.width(); });
    QVERIFY2(picture, picture ? "" : qPrintable(picture.error().english()));
    QCOMPARE(picture->size(), QSize(1250, 1250));
    QVERIFY(std::abs(picture->pixelColor(600, 600).green() - 200) < 4);
}

void PictureFileTest::picturesAreUprightAsQtHasThem_data() {
    QTest::addColumn<int>("orientation");
    for (int i = 1; i <= 8; ++i)
        QTest::addRow("orientation %d", i) << i;
}

void PictureFileTest::picturesAreUprightAsQtHasThem() {
    QFETCH(int, orientation);
    QByteArray jpeg = held(encoded(quarters(64, 32), "jpg"), orientation);
    QBuffer buffer(&jpeg);
    buffer.open(QIODevice::ReadOnly);
    QImageReader reader(&buffer, "jpg");
    reader.setAutoTransform(true);
    const QImage expected = reader.read();
    QVERIFY(!expected.isNull());
    QSize told;
    const auto picture = decodePicture(jpeg, [&](const QSize &size) {
        told = size;
        return 1.0;
    });
    QVERIFY(picture);
    QCOMPARE(told, expected.size());
    QCOMPARE(picture->size(), expected.size());
    for (const QPoint place : {QPoint(5, 5), QPoint(expected.width() - 5, 5), QPoint(5, expected.height() - 5)}) {
        const QColor a = picture->pixelColor(place), b = expected.pixelColor(place);
        QVERIFY(std::abs(a.red() - b.red()) < 12 && std::abs(a.green() - b.green()) < 12 &&
                std::abs(a.blue() - b.blue()) < 12);
    }
}

void PictureFileTest::everyFormatIsRead_data() {
    QTest::addColumn<QByteArray>("bytes");
    for (const char *format : {"png", "bmp", "ppm", "webp", "jpg"}) {
        if (QImageWriter::supportedImageFormats().contains(format))
            QTest::newRow(format) << encoded(plain(QColor(20, 120, 220)), format);
    }
    QTest::newRow("a grey JPEG") << encoded(plain(QColor(120, 120, 120)).convertToFormat(QImage::Format_Grayscale8),
                                            "jpg");
    QTest::newRow("a PNG with 16 bits") << encoded(plain(QColor(20, 120, 220)).convertToFormat(QImage::Format_RGBX64),
                                                   "png");
}

void PictureFileTest::everyFormatIsRead() {
    QFETCH(QByteArray, bytes);
    const auto picture = decoded(bytes);
    QVERIFY2(picture, picture ? "" : qPrintable(picture.error().english()));
    QCOMPARE(picture->format(), QImage::Format_RGB888);
    QVERIFY(std::abs(picture->pixelColor(20, 20).green() - 120) < 5);
    QImage clear(8, 8, QImage::Format_ARGB32);
    clear.fill(Qt::transparent);
    QCOMPARE(decoded(encoded(clear, "png"))->pixelColor(3, 3), QColor(Qt::white));
}

void PictureFileTest::resamplingKeepsAnEvenColourAndMeans() {
    const QImage even = resampled(plain(QColor(7, 130, 251), 500, 375), QRectF(10.5, 3.25, 300, 333), QSize(97, 224));
    for (int y = 0; y < even.height(); y += 13)
        QCOMPARE(even.pixelColor(50, y), QColor(7, 130, 251));
    // Stripes as fine as pixels become their mean, and do not beat.
    QImage stripes(400, 10, QImage::Format_RGB888);
    for (int x = 0; x < 400; ++x) {
        for (int y = 0; y < 10; ++y)
            stripes.setPixelColor(x, y, x % 2 == 0 ? Qt::black : Qt::white);
    }
    const QImage grey = resampled(stripes, stripes.rect(), QSize(100, 10));
    for (int x = 2; x < 98; ++x)
        QVERIFY(std::abs(grey.pixelColor(x, 5).red() - 128) < 4);
    // The same size is the same picture.
    const QImage same = quarters(40, 30);
    QCOMPARE(resampled(same, same.rect(), same.size()), same);
}

QTEST_GUILESS_MAIN(PictureFileTest)
#include "picture_file_test.moc"
