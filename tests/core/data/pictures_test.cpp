#include <QBuffer>
#include <QImageReader>
#include <QImageWriter>
#include <QJsonDocument>
#include <QStandardPaths>
#include <QTemporaryDir>
#include <QTest>
#include <algorithm>
#include <cmath>
#include <set>

#include "core/base/json_reader.h"
#include "core/data/data_registry.h"
#include "core/data/dataset.h"
#include "core/data/fitted_pictures.h"
#include "core/data/picture_file.h"
#include "core/data/resample.h"

using namespace hearth;

namespace {

const QByteArray jpegStart("\xff\xd8", 2);

QImage plain(QColor colour, int width = 40, int height = 30) {
    QImage picture(width, height, QImage::Format_RGB888);
    picture.fill(colour);
    return picture;
}

/// Four quarters of different colours: red, green, blue, white.
QImage quarters(int width, int height) {
    QImage picture(width, height, QImage::Format_RGB888);
    for (int y = 0; y < height; ++y) {
        for (int x = 0; x < width; ++x) {
            const bool right = x >= width / 2, low = y >= height / 2;
            picture.setPixelColor(x, y, low ? (right ? Qt::white : Qt::blue) : (right ? Qt::green : Qt::red));
        }
    }
    return picture;
}

QByteArray encoded(const QImage &picture, const char *format, int quality = 95) {
    QBuffer buffer;
    buffer.open(QIODevice::WriteOnly);
    picture.save(&buffer, format, quality);
    return buffer.data();
}

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

/// Everything that epoch and index make of a set.
std::vector<std::byte> epochOf(const Dataset &data, qint64 epoch) {
    std::vector<qint64> all(static_cast<std::size_t>(data.count(Split::Train)));
    for (std::size_t i = 0; i < all.size(); ++i)
        all[i] = static_cast<qint64>(i);
    std::vector<std::byte> bytes(all.size() * static_cast<std::size_t>(data.sampleBytes()));
    return data.readEpoch(epoch, 0, all, bytes) ? bytes : std::vector<std::byte>();
}

}  // namespace

class PicturesTest : public QObject {
    Q_OBJECT

  private Q_SLOTS:
    void initTestCase();
    void init();
    void aFolderPerClassIsDividedByContent();
    void foldersOfTrainAndTestAreKept();
    void aTableOfFilesAndLabelsIsRead();
    void whatCannotBeUsedIsNamedWithItsCause_data();
    void whatCannotBeUsedIsNamedWithItsCause();
    void aFolderThatMakesNoSetIsRefused_data();
    void aFolderThatMakesNoSetIsRefused();
    void strangeNamesAreFilesAsAnyOther();
    void aHundredMegapixelsOfAJpegAreReadSmall();
    void picturesAreUprightAsQtHasThem_data();
    void picturesAreUprightAsQtHasThem();
    void everyFormatIsRead_data();
    void everyFormatIsRead();
    void resamplingKeepsAnEvenColourAndMeans();
    void fitsAreWhatTheySay();
    void augmentationIsAFunctionOfSeedEpochAndSample();
    void augmentationIsReadStrictly();
    void aRegisteredSetStaysAsItWasUntilItIsChecked();
    void aValidationSetIsTakenFromTraining();

  private:
    QString path(const QString &name = {}) const { return m_folder->filePath(name); }
    void save(const QString &name, const QByteArray &bytes) {
        QVERIFY(QDir().mkpath(QFileInfo(path(name)).absolutePath()));
        QFile file(path(name));
        QVERIFY(file.open(QIODevice::WriteOnly));
        QCOMPARE(file.write(bytes), bytes.size());
    }
    /// `count` different pictures of each of two classes.
    void saveClasses(const QString &folder, int count) {
        for (int i = 0; i < count; ++i) {
            const QString name = QStringLiteral("%1/%2/%3.png").arg(folder);
            save(name.arg(QStringLiteral("red")).arg(i), encoded(plain(QColor(255, i, 0)), "png"));
            save(name.arg(QStringLiteral("blue")).arg(i), encoded(plain(QColor(0, i, 255)), "png"));
        }
    }

    std::unique_ptr<QTemporaryDir> m_folder;
};

void PicturesTest::initTestCase() {
    QStandardPaths::setTestModeEnabled(true);
}

void PicturesTest::init() {
    m_folder = std::make_unique<QTemporaryDir>();
    QVERIFY(m_folder->isValid());
}

void PicturesTest::aFolderPerClassIsDividedByContent() {
    saveClasses(QStringLiteral("pets"), 40);
    save(QStringLiteral("pets/red/copy of 7.png"), encoded(plain(QColor(255, 7, 0)), "png"));
    const auto found = findPictures(path(QStringLiteral("pets")));
    QVERIFY2(found, found ? "" : qPrintable(found.error().toString()));
    QCOMPARE(found->classes, QStringList({QStringLiteral("blue"), QStringLiteral("red")}));
    QVERIFY(found->broken.empty());
    const auto &train = found->splits[0], &test = found->splits[2];
    QCOMPARE(train.size() + test.size(), 81);
    QVERIFY2(test.size() >= 8 && test.size() <= 26, qPrintable(QString::number(test.size())));
    const auto has = [](const auto &entries, const QString &file) {
        return std::ranges::find(entries, file, &PictureEntry::file) != entries.end();
    };
    QCOMPARE(has(train, QStringLiteral("red/7.png")), has(train, QStringLiteral("red/copy of 7.png")));
    // One more picture moves no other.
    const auto before = test;
    save(QStringLiteral("pets/red/new.png"), encoded(plain(QColor(200, 0, 100)), "png"));
    const auto again = findPictures(path(QStringLiteral("pets")));
    QVERIFY(again);
    for (const PictureEntry &entry : before)
        QVERIFY(has(again->splits[2], entry.file));
}

void PicturesTest::foldersOfTrainAndTestAreKept() {
    saveClasses(QStringLiteral("pets/train"), 3);
    saveClasses(QStringLiteral("pets/val"), 2);
    saveClasses(QStringLiteral("pets/Test"), 1);
    const auto data = loadDataset(path(QStringLiteral("pets")));
    QVERIFY2(data, data ? "" : qPrintable(data.error().toString()));
    QCOMPARE((*data)->name(), QStringLiteral("pets"));
    QCOMPARE((*data)->count(Split::Train), 6);
    QCOMPARE((*data)->count(Split::Validation), 4);
    QCOMPARE((*data)->count(Split::Test), 2);
    QVERIFY(QDir(path(QStringLiteral("pets/Test"))).removeRecursively());
    const auto without = findPictures(path(QStringLiteral("pets")));
    QVERIFY(without);
    QCOMPARE(without->splits[2], without->splits[1]);
}

void PicturesTest::aTableOfFilesAndLabelsIsRead() {
    saveClasses(QStringLiteral("images"), 6);
    QByteArray table("id,filename,label\r\n");
    for (int i = 0; i < 6; ++i)
        table += QStringLiteral("%1,\"red/%1.png\",10\n%1,blue/%1.png,9\n").arg(i).toUtf8();
    save(QStringLiteral("all.csv"), table + "7,/etc/passwd,9\n8,../secret.png,9\n9,,3\n");
    QVERIFY(holdsPictures(path(QStringLiteral("all.csv"))));
    const auto found = findPictures(path(QStringLiteral("all.csv")));
    QVERIFY2(found, found ? "" : qPrintable(found.error().toString()));
    // Numbers in their own order.
    QCOMPARE(found->classes, QStringList({QStringLiteral("9"), QStringLiteral("10")}));
    QCOMPARE(found->splits[0].size() + found->splits[2].size(), 12);
    QCOMPARE(found->broken.size(), 3);
    QVERIFY(found->broken[0].cause.contains(QStringLiteral("outside")));
    QVERIFY(found->broken[2].cause.contains(QStringLiteral("Line 16")));

    save(QStringLiteral("broken.csv"), "file,label\nred/0.png,\"1\nred/1.png,2\n");
    const auto broken = findPictures(path(QStringLiteral("broken.csv")));
    QVERIFY(!broken);
    QVERIFY2(broken.error().toString().contains(QStringLiteral("Line 2 of")), qPrintable(broken.error().toString()));
}

void PicturesTest::whatCannotBeUsedIsNamedWithItsCause_data() {
    QTest::addColumn<QByteArray>("bytes");
    QTest::addColumn<QString>("cause");
    const QByteArray jpeg = encoded(quarters(200, 100), "jpg"), png = encoded(quarters(200, 100), "png");
    QTest::newRow("no bytes at all") << QByteArray() << QStringLiteral("It is empty.");
    QTest::newRow("a JPEG cut short") << jpeg.left(jpeg.size() / 2) << QStringLiteral("It is cut short.");
    QTest::newRow("a JPEG's first bytes") << jpeg.left(20) << QStringLiteral("It is");
    QTest::newRow("a PNG cut short") << png.left(png.size() / 2) << QStringLiteral("It is damaged: ");
    QTest::newRow("a text") << QByteArray("hello") << QStringLiteral("It is no picture");
    QTest::newRow("a map of 64 million pixels")
        << QByteArray("P6\n8000 8000\n255\nabc") << QStringLiteral("8000×8000 pixels");
}

void PicturesTest::whatCannotBeUsedIsNamedWithItsCause() {
    QFETCH(QByteArray, bytes);
    QFETCH(QString, cause);
    saveClasses(QStringLiteral("pets"), 20);
    save(QStringLiteral("pets/red/bad.jpg"), bytes);
    const auto found = findPictures(path(QStringLiteral("pets")));
    QVERIFY2(found, found ? "" : qPrintable(found.error().toString()));
    QCOMPARE(found->splits[0].size() + found->splits[2].size(), 40);
    QCOMPARE(found->broken.size(), 1);
    QCOMPARE(found->broken[0].file, QStringLiteral("red/bad.jpg"));
    QVERIFY2(found->broken[0].cause.contains(cause), qPrintable(found->broken[0].cause.english()));
}

void PicturesTest::aFolderThatMakesNoSetIsRefused_data() {
    QTest::addColumn<QString>("folder");
    QTest::addColumn<QString>("word");
    QTest::newRow("nothing there") << QStringLiteral("nowhere") << QStringLiteral("does not exist");
    QTest::newRow("no folders in it") << QStringLiteral("flat") << QStringLiteral("no folders, one for each class");
    QTest::newRow("no picture in them") << QStringLiteral("texts") << QStringLiteral("None of its 2 files can be used");
}

void PicturesTest::aFolderThatMakesNoSetIsRefused() {
    QFETCH(QString, folder);
    QFETCH(QString, word);
    save(QStringLiteral("flat/a.png"), encoded(plain(Qt::red), "png"));
    save(QStringLiteral("texts/a/x.txt"), "x");
    save(QStringLiteral("texts/b/y.txt"), "y");
    QVERIFY(QDir().mkpath(path(QStringLiteral("locked"))));
    const auto found = folder == QLatin1String("nowhere")
                           ? registerDataset(QStringLiteral("x"), path(folder), false).transform([](const auto &) {
                                 return PictureFiles();
                             })
                           : findPictures(path(folder));
    QVERIFY(!found);
    const QString text = found.error().toString();
    QVERIFY2(text.contains(word) || text.contains(QStringLiteral("There is nothing at")), qPrintable(text));
}

void PicturesTest::strangeNamesAreFilesAsAnyOther() {
    saveClasses(QStringLiteral("pets"), 10);
    const QString name = QStringLiteral("pets/red/two\nlines \u202etxt.png");
    save(name, encoded(plain(Qt::red), "png"));
    const auto found = findPictures(path(QStringLiteral("pets")));
    QVERIFY(found);
    QCOMPARE(found->splits[0].size() + found->splits[2].size(), 21);
    // The list survives its form on the disk.
    QJsonObject object;
    found->addTo(object);
    const auto text = QJsonDocument(object).toJson();
    JsonReader reader(QJsonDocument::fromJson(text).object(), QStringLiteral("x"));
    QCOMPARE(PictureFiles::read(reader), *found);
    QVERIFY(reader.finish());
}

void PicturesTest::aHundredMegapixelsOfAJpegAreReadSmall() {
    const QByteArray jpeg = encoded(plain(QColor(10, 200, 30), 10'000, 10'000), "jpg", 50);
    const auto picture = decodePicture(jpeg, [](const QSize &size) { return 224.0 / size.width(); });
    QVERIFY2(picture, picture ? "" : qPrintable(picture.error().english()));
    QCOMPARE(picture->size(), QSize(1250, 1250));
    QVERIFY(std::abs(picture->pixelColor(600, 600).green() - 200) < 4);
}

void PicturesTest::picturesAreUprightAsQtHasThem_data() {
    QTest::addColumn<int>("orientation");
    for (int i = 1; i <= 8; ++i)
        QTest::addRow("orientation %d", i) << i;
}

void PicturesTest::picturesAreUprightAsQtHasThem() {
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

void PicturesTest::everyFormatIsRead_data() {
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

void PicturesTest::everyFormatIsRead() {
    QFETCH(QByteArray, bytes);
    const auto picture = decoded(bytes);
    QVERIFY2(picture, picture ? "" : qPrintable(picture.error().english()));
    QCOMPARE(picture->format(), QImage::Format_RGB888);
    QVERIFY(std::abs(picture->pixelColor(20, 20).green() - 120) < 5);
    QImage clear(8, 8, QImage::Format_ARGB32);
    clear.fill(Qt::transparent);
    QCOMPARE(decoded(encoded(clear, "png"))->pixelColor(3, 3), QColor(Qt::white));
}

void PicturesTest::resamplingKeepsAnEvenColourAndMeans() {
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

void PicturesTest::fitsAreWhatTheySay() {
    save(QStringLiteral("pets/train/a/1.png"), encoded(quarters(100, 50), "png"));
    save(QStringLiteral("pets/test/a/1.png"), encoded(quarters(100, 50), "png"));
    const auto data = loadDataset(path(QStringLiteral("pets")));
    QVERIFY(data);
    const auto pixels = [&](PictureFit fit, qint64 channels = 3) {
        const auto fitted = fitPictures(*data, {{channels, 20, 20}, fit});
        std::vector<std::byte> bytes(static_cast<std::size_t>(fitted->sampleBytes()));
        const qint64 index = 0;
        return fitted->readSamples(Split::Test, 0, std::span(&index, 1), bytes) ? bytes : std::vector<std::byte>();
    };
    const auto red = [](const std::vector<std::byte> &bytes, int x, int y) {
        return std::to_integer<int>(bytes[static_cast<std::size_t>(y) * 20 + static_cast<std::size_t>(x)]);
    };
    for (const PictureFit fit : {PictureFit::Crop, PictureFit::Stretch}) {
        const auto bytes = pixels(fit);
        QCOMPARE(bytes.size(), 1200);
        QCOMPARE(red(bytes, 1, 1), 255);
        QCOMPARE(red(bytes, 18, 1), 0);
        QCOMPARE(red(bytes, 18, 18), 255);
    }
    const auto whole = pixels(PictureFit::Whole);
    QCOMPARE(red(whole, 1, 2), 0);  // border
    QCOMPARE(red(whole, 1, 7), 255);
    QCOMPARE(red(whole, 18, 12), 255);
    QCOMPARE(red(pixels(PictureFit::Stretch, 1), 1, 1), 76);  // 0.299 of 255
}

void PicturesTest::augmentationIsAFunctionOfSeedEpochAndSample() {
    saveClasses(QStringLiteral("pets"), 12);
    for (int i = 0; i < 8; ++i)
        save(QStringLiteral("pets/mixed/%1.jpg").arg(i), encoded(quarters(120 + i, 90), "jpg"));
    const auto data = loadDataset(path(QStringLiteral("pets")));
    QVERIFY(data);
    PictureInput input{{3, 16, 16}, PictureFit::Crop, {.crop = 0.3, .shift = 2, .flip = true, .colour = 0.4}, 7};
    const auto once = fitPictures(*data, input), again = fitPictures(*data, input);
    input.seed = 8;
    const auto other = fitPictures(*data, input);
    QCOMPARE(epochOf(*once, 3), epochOf(*again, 3));
    QVERIFY(!epochOf(*once, 3).empty());
    QVERIFY(epochOf(*once, 3) != epochOf(*once, 4));
    QVERIFY(epochOf(*once, 3) != epochOf(*other, 3));
    // Tests are not varied.
    std::vector<std::byte> first(static_cast<std::size_t>(once->sampleBytes())), second(first);
    const qint64 index = 0;
    QVERIFY(once->readSamples(Split::Test, 0, std::span(&index, 1), first));
    QVERIFY(other->readSamples(Split::Test, 0, std::span(&index, 1), second));
    QCOMPARE(first, second);
    // What is drawn is spread over what it may be.
    std::set<int> shifts;
    int flipped = 0;
    for (int i = 0; i < 400; ++i) {
        const Variation drawn = Variation::of(input.augmentation, 1, 0, i, QSizeF(100, 80), QSize(16, 16));
        QVERIFY(drawn.crop.left() >= 0 && drawn.crop.right() <= 1 + 1e-12 && drawn.crop.top() >= 0 &&
                drawn.crop.bottom() <= 1 + 1e-12);
        QVERIFY(drawn.crop.width() * drawn.crop.height() >= 0.3 - 1e-9);
        QVERIFY(drawn.brightness >= 0.6 && drawn.brightness < 1.4);
        shifts.insert(drawn.shift.x());
        flipped += drawn.flip ? 1 : 0;
    }
    QCOMPARE(shifts, std::set<int>({-2, -1, 0, 1, 2}));
    QVERIFY(flipped > 140 && flipped < 260);
}

void PicturesTest::augmentationIsReadStrictly() {
    const auto read = [](const QJsonObject &object) {
        return Augmentation::fromJson(object, QStringLiteral("job.json"), QStringLiteral("/augment"));
    };
    const Augmentation all{.crop = 0.25, .shift = 4, .flip = true, .colour = 0.5};
    QCOMPARE(*read(all.toJson()), all);
    QVERIFY(read({})->isNone());
    for (const QJsonObject &wrong : {QJsonObject{{QStringLiteral("crop"), 0}},
                                     {{QStringLiteral("flop"), true}},
                                     {{QStringLiteral("shift"), -1}},
                                     {{QStringLiteral("colour"), 1.5}}})
        QVERIFY(!read(wrong));
}

void PicturesTest::aRegisteredSetStaysAsItWasUntilItIsChecked() {
    const QString name = QStringLiteral("pets of the test");
    (void)unregisterDataset(name);
    saveClasses(QStringLiteral("pets"), 15);
    const auto added = registerDataset(name, path(QStringLiteral("pets")), false);
    QVERIFY2(added, added ? "" : qPrintable(added.error().toString()));
    QVERIFY(registeredDatasets().contains(name));
    const qint64 before = (*added)->count(Split::Train) + (*added)->count(Split::Test);
    QCOMPARE(registerDataset(name, path(QStringLiteral("pets")), false).error().code, QStringLiteral("data.taken"));
    QCOMPARE(registerDataset(QStringLiteral("../x"), path(), false).error().code, QStringLiteral("data.bad-name"));
    save(QStringLiteral("pets/red/bad.png"), "PNG");
    save(QStringLiteral("pets/red/more.png"), encoded(plain(Qt::magenta), "png"));
    const auto loaded = loadDataset(name);
    QVERIFY(loaded);
    QCOMPARE((*loaded)->count(Split::Train) + (*loaded)->count(Split::Test), before);
    const auto checked = checkDataset(name);
    QVERIFY(checked);
    QCOMPARE((*checked)->count(Split::Train) + (*checked)->count(Split::Test), before + 1);
    QCOMPARE((*checked)->broken().size(), 1);
    // What goes away is an error that names the file.
    QVERIFY(QDir(path(QStringLiteral("pets"))).removeRecursively());
    std::vector<std::byte> bytes(static_cast<std::size_t>((*checked)->sampleBytes()));
    const qint64 index = 0;
    const auto read = (*checked)->readSamples(Split::Train, 0, std::span(&index, 1), bytes);
    QVERIFY(!read);
    QVERIFY2(read.error().toString().contains(QStringLiteral("/pets/blue/")), qPrintable(read.error().toString()));
    QVERIFY(unregisterDataset(name));
    QCOMPARE(loadDataset(name).error().code, QStringLiteral("data.unknown"));
}

void PicturesTest::aValidationSetIsTakenFromTraining() {
    saveClasses(QStringLiteral("pets/train"), 50);
    saveClasses(QStringLiteral("pets/test"), 1);
    const auto data = loadDataset(path(QStringLiteral("pets")));
    QVERIFY(data);
    const auto apart = withValidation(*data, 0.2, 3);
    QVERIFY(apart);
    const qint64 learnt = (*apart)->count(Split::Train), judged = (*apart)->count(Split::Validation);
    QCOMPARE(learnt + judged, 100);
    QVERIFY2(judged >= 8 && judged <= 35, qPrintable(QString::number(judged)));
    QCOMPARE((*apart)->count(Split::Test), 2);
    QCOMPARE(withValidation(*apart, 0.5, 1).value()->count(Split::Train), learnt);  // it has one
    QCOMPARE(withValidation(*data, 1e-4, 3).error().code, QStringLiteral("job.validation"));
}

QTEST_GUILESS_MAIN(PicturesTest)
#include "pictures_test.moc"
