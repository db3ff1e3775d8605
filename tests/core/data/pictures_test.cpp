// Sets of pictures from folders and tables, and the names they have.
#include <QJsonDocument>
#include <QStandardPaths>
#include <algorithm>

#include "core/base/json_reader.h"
#include "core/data/data_registry.h"
#include "core/data/dataset.h"
#include "picture_folder.h"

using namespace hearth;
using namespace hearth::test;

class PicturesTest : public QObject, private PictureFolder {
    Q_OBJECT

  private Q_SLOTS:
    void initTestCase() { QStandardPaths::setTestModeEnabled(true); }
    void init() { makeFolder(); }
    void aFolderPerClassIsDividedByContent();
    void foldersOfTrainAndTestAreKept();
    void aTableOfFilesAndLabelsIsRead();
    void whatCannotBeUsedIsNamedWithItsCause_data();
    void whatCannotBeUsedIsNamedWithItsCause();
    void aFolderThatMakesNoSetIsRefused_data();
    void aFolderThatMakesNoSetIsRefused();
    void aFolderAroundTheFolderOfTheClassesIsRefused_data();
    void aFolderAroundTheFolderOfTheClassesIsRefused();
    void oneClassMayBeAPartOfAJobsData_data();
    void oneClassMayBeAPartOfAJobsData();
    void strangeNamesAreFilesAsAnyOther();
    void aRegisteredSetStaysAsItWasUntilItIsChecked();
    void aValidationSetIsTakenFromTraining();
};

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
    QTest::newRow("a photo of an iPhone")
        << QByteArray("\0\0\0\x18", 4) + "ftypheic" << QStringLiteral("Convert such pictures to JPEG");
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

void PicturesTest::aFolderAroundTheFolderOfTheClassesIsRefused_data() {
    QTest::addColumn<QString>("chosen");
    QTest::newRow("one folder around it") << QStringLiteral("animals");
    QTest::newRow("two folders around it") << QString();
}

void PicturesTest::aFolderAroundTheFolderOfTheClassesIsRefused() {
    QFETCH(QString, chosen);
    saveClasses(QStringLiteral("animals/animals"), 10);
    const auto found = findPictures(path(chosen));
    QVERIFY(!found);
    QCOMPARE(found.error().code, QStringLiteral("data.no-pictures"));
    QVERIFY2(found.error().cause.contains(QLatin1String("All its pictures are in one class")),
             qPrintable(found.error().toString()));
    QCOMPARE(found.error().advice,
             QStringLiteral("If the folders in %1/animals/animals are the classes, choose that folder instead.")
                 .arg(path()));
    QVERIFY(findPictures(path(QStringLiteral("animals/animals"))));
}

void PicturesTest::oneClassMayBeAPartOfAJobsData_data() {
    QTest::addColumn<QString>("chosen");
    QTest::newRow("folders of which one alone has pictures") << QStringLiteral("alone");
    QTest::newRow("a table with one label") << QStringLiteral("alone.csv");
}

void PicturesTest::oneClassMayBeAPartOfAJobsData() {
    QFETCH(QString, chosen);
    QByteArray table("file,label\n");
    for (int i = 0; i < 40; ++i) {
        const QString name = QStringLiteral("alone/cat/%1.png").arg(i);
        save(name, encoded(plain(QColor(255, i, 0)), "png"));
        table += name.toUtf8() + ",cat\n";
    }
    save(QStringLiteral("alone/notes/1.txt"), "no picture");
    save(QStringLiteral("alone.csv"), table);
    const auto found = findPictures(path(chosen));
    QVERIFY2(found, found ? "" : qPrintable(found.error().toString()));
    QCOMPARE(found->classes, QStringList{QStringLiteral("cat")});
    QCOMPARE(found->splits[0].size() + found->splits[2].size(), 40U);
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

void PicturesTest::aRegisteredSetStaysAsItWasUntilItIsChecked() {
    const QString name = QStringLiteral("pets of the test");
    (void)unregisterDataset(name);
    saveClasses(QStringLiteral("pets"), 15);
    const auto added = registerDataset(name, path(QStringLiteral("pets")), false);
    QVERIFY2(added, added ? "" : qPrintable(added.error().toString()));
    QVERIFY(registeredDatasets().contains(name));
    QCOMPARE(shownDataset(*pathOfDataset(name)), name);
    QCOMPARE(shownDataset(path()), path());
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
