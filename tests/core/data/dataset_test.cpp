#include "core/data/dataset.h"

#include <QFile>
#include <QTemporaryDir>
#include <QTest>

#include "core/data/data_registry.h"
#include "idx_file.h"

using namespace hearth;

class DatasetTest : public QObject {
    Q_OBJECT

  private Q_SLOTS:
    void init();
    void fashionMnistIsComplete();
    void onesOwnFilesAreServed();
    void colourImagesKeepTheirChannels();
    void errorsNameTheFileAndTheRemedy_data();
    void errorsNameTheFileAndTheRemedy();
    void anUnknownNameListsWhatThereIs();
    void aMissingPackageIsNamed();
    void whatDataAreCalledBecomesAName_data();
    void whatDataAreCalledBecomesAName();

  private:
    QString save(const char *name, const QByteArray &content) {
        const QString path = m_folder->filePath(QString::fromLatin1(name));
        QFile file(path);
        if (!file.open(QIODevice::WriteOnly) || file.write(content) != content.size())
            qFatal("no place for test files");
        return path;
    }
    QString description() { return m_folder->filePath(QStringLiteral("mine.json")); }

    std::unique_ptr<QTemporaryDir> m_folder;
};

/// A small valid data set: 3 training and 2 test images of 1×2.
void DatasetTest::init() {
    m_folder = std::make_unique<QTemporaryDir>();
    save("train-x.gz", gzip(idx({3, 1, 2}, "aabbcc")));
    save("train-y.gz", gzip(idx({3}, QByteArray("\0\1\0", 3))));
    save("test-x", idx({2, 1, 2}, "ddee"));
    save("test-y", idx({2}, QByteArray("\1\1", 2)));
    save("mine.json",
         R"({"format":"hearth-data/1","name":"mine","classes":["cat","dog"],
             "train":{"images":"train-x.gz","labels":"train-y.gz"},"test":{"images":"test-x","labels":"test-y"}})");
}

void DatasetTest::fashionMnistIsComplete() {
    const auto data = loadDataset(QStringLiteral("fashion-mnist"));
    QVERIFY2(data, data ? "" : qPrintable(data.error().toString()));
    QCOMPARE((*data)->count(Split::Train), qint64{60000});
    QCOMPARE((*data)->count(Split::Test), qint64{10000});
    QCOMPARE((*data)->sample().shape, (std::vector<qint64>{1, 28, 28}));
    QCOMPARE((*data)->classes(), 10);
    QCOMPARE((*data)->labelNames().at(9), QStringLiteral("Ankle boot"));
    const std::vector<qint64> indices{0, 1, 2, 59999};
    std::vector<qint64> labels(4);
    QVERIFY((*data)->readLabels(Split::Train, indices, std::as_writable_bytes(std::span(labels))));
    QCOMPARE(labels, (std::vector<qint64>{9, 0, 0, 5}));
    std::vector<qint64> all(10000), testLabels(10000);
    for (std::size_t i = 0; i < all.size(); ++i)
        all[i] = static_cast<qint64>(i);
    QVERIFY((*data)->readLabels(Split::Test, all, std::as_writable_bytes(std::span(testLabels))));
    QCOMPARE(std::count(testLabels.begin(), testLabels.end(), 3), 1000);
}

void DatasetTest::onesOwnFilesAreServed() {
    const auto data = loadDataset(description());
    QVERIFY2(data, data ? "" : qPrintable(data.error().toString()));
    QCOMPARE((*data)->name(), QStringLiteral("mine"));
    QCOMPARE((*data)->sample().shape, (std::vector<qint64>{1, 1, 2}));
    QCOMPARE((*data)->sample().bytes(), qint64{2});
    QCOMPARE((*data)->count(Split::Test), qint64{2});
    const std::vector<qint64> indices{2, 0, 2};
    QByteArray samples(6, '\0');
    QVERIFY((*data)->readSamples(Split::Train, 0, indices, std::as_writable_bytes(std::span(samples.data(), 6))));
    QCOMPARE(samples, QByteArray("ccaacc"));
    std::vector<qint64> labels(3);
    QVERIFY((*data)->readLabels(Split::Train, std::vector<qint64>{0, 1, 2}, std::as_writable_bytes(std::span(labels))));
    QCOMPARE(labels, (std::vector<qint64>{0, 1, 0}));
}

void DatasetTest::colourImagesKeepTheirChannels() {
    save("train-x.gz", gzip(idx({3, 2, 1, 1}, "aabbcc")));
    save("test-x", idx({2, 2, 1, 1}, "ddee"));
    const auto data = loadDataset(description());
    QVERIFY2(data, data ? "" : qPrintable(data.error().toString()));
    QCOMPARE((*data)->sample().shape, (std::vector<qint64>{2, 1, 1}));
}

void DatasetTest::errorsNameTheFileAndTheRemedy_data() {
    QTest::addColumn<QString>("file");
    QTest::addColumn<QByteArray>("content");
    QTest::addColumn<QString>("code");
    QTest::addColumn<QStringList>("words");
    const auto s = [](const char *text) { return QString::fromLatin1(text); };
    const auto row = [&](const char *name, const char *file, const QByteArray &content, const char *code,
                         const QStringList &words) { QTest::newRow(name) << s(file) << content << s(code) << words; };
    row("images cut short", "train-x.gz", gzip(idx({3, 1, 2}, "aabbc")), "data.cut-short",
        {s("train-x.gz"), s("21 of 22")});
    row("fewer labels than images", "train-y.gz", idx({2}, QByteArray("\0\1", 2)), "data.malformed",
        {s("train-y.gz"), s("2 labels for the 3 images")});
    row("a label beyond the classes", "test-y", idx({2}, QByteArray("\0\2", 2)), "data.malformed",
        {s("test-y"), s("Label 1 is 2"), s("2 classes")});
    row("labels in place of images", "test-x", idx({2}, "ab"), "data.malformed", {s("test-x"), s("3 dimensions")});
    row("images in place of labels", "test-y", idx({2, 1, 1}, "ab"), "data.malformed", {s("test-y"), s("1 dimension")});
    row("test images of another size", "test-x", idx({2, 2, 2}, "ddddeeee"), "data.malformed",
        {s("test-x"), s("another size")});
    row("a misspelled key", "mine.json",
        R"({"format":"hearth-data/1","name":"mine","clases":["a"],"train":{"images":"x","labels":"y"},"test":{"images":"x","labels":"y"}})",
        "json.missing", {s("mine.json"), s("classes")});
    row("a key too many", "mine.json",
        R"({"format":"hearth-data/1","name":"mine","classes":["a"],"train":{"images":"x","lables":"y"},"test":{"images":"x","labels":"y"}})",
        "json.missing", {s("mine.json"), s("/train/labels")});
    row("a file that is not there", "mine.json",
        R"({"format":"hearth-data/1","name":"mine","classes":["a"],"train":{"images":"x","labels":"y"},"test":{"images":"x","labels":"y"}})",
        "data.missing", {s("\"mine\" is not here"), s("/x does not exist"), s("Correct the path")});
}

void DatasetTest::errorsNameTheFileAndTheRemedy() {
    QFETCH(QString, file);
    QFETCH(QByteArray, content);
    QFETCH(QStringList, words);
    save(file.toLatin1().constData(), content);
    const auto data = loadDataset(description());
    QVERIFY(!data);
    const QString text = data.error().toString();
    for (const QString &word : words)
        QVERIFY2(text.contains(word), qPrintable(text));
    QTEST(data.error().code, "code");
}

void DatasetTest::anUnknownNameListsWhatThereIs() {
    const auto data = loadDataset(QStringLiteral("fashion-minst"));
    QVERIFY(!data);
    QCOMPARE(data.error().code, QStringLiteral("data.unknown"));
    QVERIFY2(data.error().toString().contains(QStringLiteral("Did you mean \"fashion-mnist\"?")),
             qPrintable(data.error().toString()));
}

void DatasetTest::whatDataAreCalledBecomesAName_data() {
    QTest::addColumn<QString>("called");
    QTest::addColumn<QString>("name");
    QTest::newRow("a name") << QStringLiteral("Meine Fotos_2.1-b") << QStringLiteral("Meine Fotos_2.1-b");
    QTest::newRow("signs") << QStringLiteral("Cats & dogs (2024)") << QStringLiteral("Cats dogs 2024");
    QTest::newRow("a sign at the beginning") << QStringLiteral("_private") << QStringLiteral("private");
    QTest::newRow("an accent of its own") << QStringLiteral("cafe\u0301") << QStringLiteral("caf\u00e9");
    QTest::newRow("too long") << QString(100, QLatin1Char('a')) << QString(80, QLatin1Char('a'));
    QTest::newRow("a description's own end") << QStringLiteral("mine.json") << QStringLiteral("mine");
    QTest::newRow("nothing that a name may have") << QStringLiteral("(!)") << QString();
}

void DatasetTest::whatDataAreCalledBecomesAName() {
    QFETCH(QString, called);
    QFETCH(QString, name);
    QCOMPARE(nameForData(called), name);
    const QString nothing = m_folder->filePath(QStringLiteral("nothing"));
    QCOMPARE(registerDataset(nameForData(called), nothing, false).error().code,
             name.isEmpty() ? QStringLiteral("data.bad-name") : QStringLiteral("data.missing"));
}

void DatasetTest::aMissingPackageIsNamed() {
    const auto data = loadFashionMnist(m_folder->path());
    QVERIFY(!data);
    QCOMPARE(data.error().code, QStringLiteral("data.missing"));
    const QString text = data.error().toString();
    QVERIFY2(text.contains(QStringLiteral("sudo apt install dataset-fashion-mnist")), qPrintable(text));
    QVERIFY(text.contains(QStringLiteral("train-images-idx3-ubyte.gz")));
}

QTEST_GUILESS_MAIN(DatasetTest)
#include "dataset_test.moc"
