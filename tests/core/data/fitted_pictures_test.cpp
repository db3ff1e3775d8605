// Pictures as a network takes them: fitted and varied.
#include <QStandardPaths>
#include <set>

#include "core/data/data_registry.h"
#include "core/data/fitted_pictures.h"
#include "picture_folder.h"

using namespace hearth;
using namespace hearth::test;

namespace {

/// Everything that epoch and index make of a set.
std::vector<std::byte> epochOf(const Dataset &data, qint64 epoch) {
    std::vector<qint64> all(static_cast<std::size_t>(data.count(Split::Train)));
    for (std::size_t i = 0; i < all.size(); ++i)
        all[i] = static_cast<qint64>(i);
    std::vector<std::byte> bytes(all.size() * static_cast<std::size_t>(data.sampleBytes()));
    return data.readEpoch(epoch, 0, all, bytes) ? bytes : std::vector<std::byte>();
}

}  // namespace

class FittedPicturesTest : public QObject, private PictureFolder {
    Q_OBJECT

  private Q_SLOTS:
    void initTestCase() { QStandardPaths::setTestModeEnabled(true); }
    void init() { makeFolder(); }
    void fitsAreWhatTheySay();
    void augmentationIsAFunctionOfSeedEpochAndSample();
    void augmentationIsReadStrictly();
};

void FittedPicturesTest::fitsAreWhatTheySay() {
    save(QStringLiteral("pets/train/a/1.png"), encoded(quarters(100, 50), "png"));
    save(QStringLiteral("pets/test/a/1.png"), encoded(quarters(100, 50), "png"));
    save(QStringLiteral("pets/train/b/1.png"), encoded(plain(Qt::red), "png"));
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

void FittedPicturesTest::augmentationIsAFunctionOfSeedEpochAndSample() {
    saveClasses(QStringLiteral("pets"), 12);
    for (int i = 0; i < 8; ++i)
        save(QStringLiteral("pets/mixed/%1.jpg").arg(i), encoded(quarters(120 + i, 90), "jpg"));
    const auto data = loadDataset(path(QStringLiteral("pets")));
    QVERIFY(data);
    PictureInput input{
        {3, 16, 16}, PictureFit::Crop, {.crop = 0.3, .shift = 2, .flip = true, .colour = 0.4, .randomOps = 2}, 7};
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
    std::set<PictureOp> ops;
    int flipped = 0, turned = 0;
    for (int i = 0; i < 400; ++i) {
        const Variation drawn = Variation::of(input.augmentation, 1, 0, i, QSizeF(100, 80), QSize(16, 16));
        QVERIFY(drawn.crop.left() >= 0 && drawn.crop.right() <= 1 + 1e-12 && drawn.crop.top() >= 0 &&
                drawn.crop.bottom() <= 1 + 1e-12);
        QVERIFY(drawn.crop.width() * drawn.crop.height() >= 0.3 - 1e-9);
        QVERIFY(drawn.brightness >= 0.6 && drawn.brightness < 1.4);
        shifts.insert(drawn.shift.x());
        flipped += drawn.flip ? 1 : 0;
        QCOMPARE(drawn.ops.size(), 2U);
        for (const DrawnOp &op : drawn.ops) {
            ops.insert(op.op);
            turned += op.turned ? 1 : 0;
        }
    }
    QCOMPARE(static_cast<int>(ops.size()), pictureOps);
    QVERIFY(turned > 300 && turned < 500);
    QCOMPARE(shifts, std::set<int>({-2, -1, 0, 1, 2}));
    QVERIFY(flipped > 140 && flipped < 260);
}

void FittedPicturesTest::augmentationIsReadStrictly() {
    const auto read = [](const QJsonObject &object) {
        return Augmentation::fromJson(object, QStringLiteral("job.json"), QStringLiteral("/augment"));
    };
    const Augmentation all{.crop = 0.25,
                           .shift = 4,
                           .flip = true,
                           .colour = 0.5,
                           .randomOps = 2,
                           .magnitude = 5,
                           .mixup = 0.2,
                           .cutmix = 1};
    QCOMPARE(*read(all.toJson()), all);
    QVERIFY(read({})->isNone());
    for (const qint64 side : {28, 224}) {
        const auto usual = Augmentation::usual(Augmentation::Strength::Strong, side);
        QCOMPARE(*read(usual.toJson()), usual);
    }
    QVERIFY(read({{QStringLiteral("magnitude"), 12}})->isNone());
    for (const QJsonObject &wrong : {QJsonObject{{QStringLiteral("crop"), 0}},
                                     {{QStringLiteral("flop"), true}},
                                     {{QStringLiteral("shift"), -1}},
                                     {{QStringLiteral("random_ops"), 9}},
                                     {{QStringLiteral("magnitude"), 31}},
                                     {{QStringLiteral("mixup"), 0.01}},
                                     {{QStringLiteral("cutmix"), 3}},
                                     {{QStringLiteral("colour"), 1.5}}})
        QVERIFY(!read(wrong));
}

QTEST_GUILESS_MAIN(FittedPicturesTest)
#include "fitted_pictures_test.moc"
