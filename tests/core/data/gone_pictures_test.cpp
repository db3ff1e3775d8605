// Pictures that somebody deletes after they were listed: what a run that begins makes of them.
#include <QStandardPaths>
#include <algorithm>

#include "core/data/data_registry.h"
#include "core/data/fitted_pictures.h"
#include "core/data/joined_dataset.h"
#include "core/data/picture_file.h"
#include "picture_folder.h"

using namespace hearth;
using namespace hearth::test;

class GonePicturesTest : public QObject, private PictureFolder {
    Q_OBJECT

  private Q_SLOTS:
    void initTestCase() { QStandardPaths::setTestModeEnabled(true); }
    void init() { makeFolder(); }
    void whatIsGoneIsNotAway_data();
    void whatIsGoneIsNotAway();
    void allOthersKeepTheirNumbers();
    void whatIsSetApartForValidationStays();
    void setsThatAreJoinedAddUpWhatIsGone();
    void nothingIsTakenForGoneWhereTheFolderIsAway();
    void dataOfWhichNothingIsLeftAreRefused_data();
    void dataOfWhichNothingIsLeftAreRefused();

  private:
    std::shared_ptr<const Dataset> listed(const QString &name) {
        saveClasses(name, 30);
        return loadDataset(path(name)).value_or(nullptr);
    }
    static qint64 labelOf(const Dataset &data, Split split, qint64 index) {
        qint64 label = -1;
        const auto read = data.readLabels(split, std::span(&index, 1), std::as_writable_bytes(std::span(&label, 1)));
        return read ? label : -1;
    }
    static std::vector<std::byte> pictureAt(const Dataset &data, Split split, qint64 index) {
        std::vector<std::byte> bytes(static_cast<std::size_t>(data.sampleBytes()));
        return data.readSamples(split, 0, std::span(&index, 1), bytes) ? bytes : std::vector<std::byte>();
    }
};

void GonePicturesTest::whatIsGoneIsNotAway_data() {
    QTest::addColumn<QString>("file");
    QTest::addColumn<QString>("code");
    const QString gone = QStringLiteral("data.gone"), away = QStringLiteral("data.unreadable");
    QTest::newRow("it is there") << QStringLiteral("cat/1.png") << QString();
    QTest::newRow("it is gone, and others are there") << QStringLiteral("cat/2.png") << gone;
    QTest::newRow("it is empty") << QStringLiteral("cat/empty.png") << gone;
    QTest::newRow("its folder is empty") << QStringLiteral("dog/1.png") << away;
    QTest::newRow("its folder is gone") << QStringLiteral("bird/1.png") << away;
    QTest::newRow("a link to nowhere") << QStringLiteral("cat/link.png") << away;
    QTest::newRow("it is a folder") << QStringLiteral("cat") << away;
}

void GonePicturesTest::whatIsGoneIsNotAway() {
    QFETCH(QString, file);
    QFETCH(QString, code);
    save(QStringLiteral("cat/1.png"), encoded(plain(Qt::red), "png"));
    save(QStringLiteral("cat/empty.png"), {});
    QVERIFY(QFile::link(path(QStringLiteral("disk/1.png")), path(QStringLiteral("cat/link.png"))));
    QVERIFY(QDir().mkpath(path(QStringLiteral("dog"))));
    const auto read = readPictureBytes(path(file));
    QCOMPARE(read ? QString() : read.error().code, code);
    QCOMPARE(isGone(path(file)), code == QLatin1String("data.gone"));
    if (!read) {
        QVERIFY2(read.error().what.contains(path(file)), qPrintable(read.error().toString()));
        QCOMPARE(read.error().advice.contains(QLatin1String("Check again")), isGone(path(file)));
    }
}

void GonePicturesTest::allOthersKeepTheirNumbers() {
    const auto data = listed(QStringLiteral("pets"));
    QVERIFY(data);
    const auto small = [](std::shared_ptr<const Dataset> of) { return fitPictures(std::move(of), {{3, 8, 8}}); };
    const auto before = small(data);
    const std::vector<qint64> gone{3, 4};
    QVERIFY(QFile::remove(data->fileOf(Split::Train, gone[0])));
    QVERIFY(QFile::resize(data->fileOf(Split::Train, gone[1]), 0));
    QVERIFY(QFile::remove(data->fileOf(Split::Test, 0)));
    const auto present = withoutGone(data);
    QVERIFY2(present, present ? "" : qPrintable(present.error().toString()));
    QCOMPARE((*present)->gone().count, qint64{3});
    QVERIFY((*present)->gone().first.startsWith(path(QStringLiteral("pets/"))));
    const auto after = small(*present);
    QCOMPARE(after->gone().count, qint64{3});
    for (const Split split : {Split::Train, Split::Test}) {
        QCOMPARE(after->count(split), before->count(split));
        for (qint64 i = 0; i < after->count(split); ++i) {
            QCOMPARE(after->fileOf(split, i), before->fileOf(split, i));
            const bool isLost = split == Split::Train ? std::ranges::count(gone, i) > 0 : i == 0;
            const std::vector<std::byte> picture = pictureAt(*after, split, i);
            QVERIFY(!picture.empty());
            if (isLost) {
                QCOMPARE(labelOf(*after, split, i), qint64{-100});
                QVERIFY(std::ranges::all_of(picture, [](std::byte byte) { return byte == std::byte{0}; }));
                continue;
            }
            QCOMPARE(labelOf(*after, split, i), labelOf(*before, split, i));
            QVERIFY(picture == pictureAt(*before, split, i));
        }
    }
    // What comes back counts again.
    const auto whole = listed(QStringLiteral("pets"));
    QVERIFY(whole);
    const auto again = withoutGone(whole);
    QVERIFY(again);
    QVERIFY(*again == whole);
}

void GonePicturesTest::whatIsSetApartForValidationStays() {
    const auto data = listed(QStringLiteral("pets"));
    QVERIFY(data);
    const auto before = withValidation(data, 0.3, 7);
    QVERIFY(before);
    QVERIFY(QFile::remove(data->fileOf(Split::Train, 0)));
    const auto after = withoutGone(data).and_then([](const auto &present) { return withValidation(present, 0.3, 7); });
    QVERIFY(after);
    for (const Split split : {Split::Train, Split::Validation}) {
        QCOMPARE((*after)->count(split), (*before)->count(split));
        for (qint64 i = 0; i < (*after)->count(split); ++i)
            QCOMPARE((*after)->fileOf(split, i), (*before)->fileOf(split, i));
    }
}

void GonePicturesTest::setsThatAreJoinedAddUpWhatIsGone() {
    std::vector<std::shared_ptr<const Dataset>> sets;
    for (const char *name : {"pets", "more"}) {
        const auto data = listed(QLatin1String(name));
        QVERIFY(data);
        QVERIFY(QFile::remove(data->fileOf(Split::Train, 1)));
        const auto present = withoutGone(data);
        QVERIFY(present);
        sets.push_back(*present);
    }
    const qint64 first = sets.front()->count(Split::Train);
    const auto joined = joinDatasets(std::move(sets));
    QVERIFY2(joined, joined ? "" : qPrintable(joined.error().toString()));
    QCOMPARE((*joined)->gone().count, qint64{2});
    QVERIFY((*joined)->gone().first.startsWith(path(QStringLiteral("pets/"))));
    QCOMPARE(labelOf(**joined, Split::Train, 1), qint64{-100});
    QCOMPARE(labelOf(**joined, Split::Train, first + 1), qint64{-100});
    QVERIFY(labelOf(**joined, Split::Train, first) >= 0);
}

void GonePicturesTest::nothingIsTakenForGoneWhereTheFolderIsAway() {
    const auto data = listed(QStringLiteral("pets"));
    QVERIFY(data);
    QVERIFY(QDir().rename(path(QStringLiteral("pets")), path(QStringLiteral("unplugged"))));
    const auto present = withoutGone(data);
    QVERIFY(present);
    QVERIFY(*present == data);
}

void GonePicturesTest::dataOfWhichNothingIsLeftAreRefused_data() {
    QTest::addColumn<int>("split");
    QTest::addColumn<QString>("tells");
    QTest::newRow("to train with") << static_cast<int>(Split::Train)
                                   << QStringLiteral("None of the files to train with is left");
    QTest::newRow("to test with") << static_cast<int>(Split::Test)
                                  << QStringLiteral("None of the files to test with is left");
}

void GonePicturesTest::dataOfWhichNothingIsLeftAreRefused() {
    QFETCH(int, split);
    QFETCH(QString, tells);
    const auto data = listed(QStringLiteral("pets"));
    QVERIFY(data);
    const Split lost = static_cast<Split>(split);
    for (qint64 i = 0; i < data->count(lost); ++i)
        QVERIFY(QFile::resize(data->fileOf(lost, i), 0));
    const auto present = withoutGone(data);
    QVERIFY(!present);
    QCOMPARE(present.error().code, QStringLiteral("data.gone"));
    QVERIFY2(present.error().cause.contains(tells), qPrintable(present.error().toString()));
    QVERIFY(present.error().advice.contains(QLatin1String("Check again")));
}

QTEST_GUILESS_MAIN(GonePicturesTest)
#include "gone_pictures_test.moc"
