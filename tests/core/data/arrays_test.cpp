// Data sets of NumPy files.
#include <QDir>
#include <QFile>
#include <QTemporaryDir>
#include <QTest>
#include <QtEndian>
#include <cstring>

#include "core/data/dataset.h"
#include "core/data/npy.h"

using namespace hearth;

namespace {

QByteArray npy(const QByteArray &type, const QByteArray &shape, const QByteArray &numbers, int version = 1,
               const QByteArray &order = "False") {
    QByteArray header = "{'descr': '" + type + "', 'fortran_order': " + order + ", 'shape': (" + shape + "), }";
    const qsizetype before = version == 1 ? 10 : 12;
    header += QByteArray(63 - (before + header.size()) % 64, ' ') + '\n';
    QByteArray length(version == 1 ? 2 : 4, '\0');
    if (version == 1)
        qToLittleEndian(static_cast<quint16>(header.size()), length.data());
    else
        qToLittleEndian(static_cast<quint32>(header.size()), length.data());
    return QByteArray("\x93NUMPY", 6) + static_cast<char>(version) + '\0' + length + header + numbers;
}

template <class T>
QByteArray bytesOf(const std::vector<T> &values) {
    return {reinterpret_cast<const char *>(values.data()), static_cast<qsizetype>(values.size() * sizeof(T))};
}

}  // namespace

class ArraysTest : public QObject {
    Q_OBJECT

  private Q_SLOTS:
    void init();
    void partsAndLabelsAreServed();
    void labelsMayBeRealNumbers();
    void chosenPartsComeInTheChosenOrder();
    void formatsOfNumPyAreRead_data();
    void formatsOfNumPyAreRead();
    void errorsNameTheFileAndTheRemedy_data();
    void errorsNameTheFileAndTheRemedy();
    void aFileThatBecomesShorterIsAnError();

  private:
    QString path(const char *name) const { return m_folder->filePath(QLatin1String(name)); }
    void save(const char *name, const QByteArray &content) const {
        QFile file(path(name));
        QVERIFY(file.open(QIODevice::WriteOnly));
        file.write(content);
    }

    std::unique_ptr<QTemporaryDir> m_folder;
};

/// Three samples of two tokens, a mask of one byte each and a float; a label for each token.
void ArraysTest::init() {
    m_folder = std::make_unique<QTemporaryDir>();
    save("tokens.npy", npy("<i4", "3, 2", bytesOf(std::vector<qint32>{1, 2, 3, 4, 5, 6})));
    save("mask.npy", npy("|u1", "3, 2", QByteArray("\1\1\1\0\1\1", 6)));
    save("size.npy", npy("<f4", "3,", bytesOf(std::vector<float>{0.5F, 1.5F, 2.5F})));
    save("labels.npy", npy("<i8", "3, 2", bytesOf(std::vector<qint64>{0, -100, 2, 1, 0, 3})));
    save("test-tokens.npy", npy("<i4", "1, 2", bytesOf(std::vector<qint32>{9, 0})));
    save("test-mask.npy", npy("|u1", "1, 2", QByteArray("\1\1", 2)));
    save("test-size.npy", npy("<f4", "1,", bytesOf(std::vector<float>{3.5F})));
    save("test-labels.npy", npy("<i4", "1, 2", bytesOf(std::vector<qint32>{4, -100})));
    save("mine.json", R"({"format":"hearth-data/1","name":"mine","kind":"arrays",
        "train":{"inputs":{"tokens":"tokens.npy","mask":"mask.npy","size":"size.npy"},"labels":"labels.npy"},
        "test":{"inputs":{"tokens":"test-tokens.npy","mask":"test-mask.npy","size":"test-size.npy"},
                "labels":"test-labels.npy"}})");
}

void ArraysTest::partsAndLabelsAreServed() {
    const auto data = loadDataset(path("mine.json"));
    QVERIFY2(data, data ? "" : qPrintable(data.error().toString()));
    QCOMPARE((*data)->count(Split::Train), qint64{3});
    QCOMPARE((*data)->count(Split::Test), qint64{1});
    const std::vector<DataPart> parts{{QStringLiteral("mask"), {DType::UInt8, {2}, false}, {}},
                                      {QStringLiteral("size"), {DType::Float32, {}, false}, {}},
                                      {QStringLiteral("tokens"), {DType::Int32, {2}, false}, WholeRange{0, 9}}};
    QCOMPARE((*data)->parts(), parts);
    QCOMPARE((*data)->sampleBytes(), qint64{2 + 4 + 8});
    QCOMPARE((*data)->label(), (Slot{DType::Int64, {2}, false}));
    QCOMPARE((*data)->classes(), 5);
    const std::vector<qint64> indices{2, 0};
    std::vector<qint32> tokens(4);
    QVERIFY((*data)->readSamples(Split::Train, 2, indices, std::as_writable_bytes(std::span(tokens))));
    QCOMPARE(tokens, (std::vector<qint32>{5, 6, 1, 2}));
    std::vector<qint64> labels(4);
    QVERIFY((*data)->readLabels(Split::Train, indices, std::as_writable_bytes(std::span(labels))));
    QCOMPARE(labels, (std::vector<qint64>{0, 3, 0, -100}));
    std::vector<qint64> narrow(2);
    QVERIFY((*data)->readLabels(Split::Test, std::vector<qint64>{0}, std::as_writable_bytes(std::span(narrow))));
    QCOMPARE(narrow, (std::vector<qint64>{4, -100}));
}

void ArraysTest::labelsMayBeRealNumbers() {
    save("labels.npy", npy("<f4", "3, 2", bytesOf(std::vector<float>{0.5F, NAN, -2, 1e6F, 0, 3})));
    save("test-labels.npy", npy("<f4", "1, 2", bytesOf(std::vector<float>{4, -100})));
    const auto data = loadDataset(path("mine.json"));
    QVERIFY2(data, data ? "" : qPrintable(data.error().toString()));
    QCOMPARE((*data)->label(), (Slot{DType::Float32, {2}, false}));
    QCOMPARE((*data)->classes(), 0);
    std::vector<float> labels(4);
    QVERIFY((*data)->readLabels(Split::Train, std::vector<qint64>{1, 0}, std::as_writable_bytes(std::span(labels))));
    QCOMPARE(labels[0], -2.0F);
    QCOMPARE(labels[1], 1e6F);
    QCOMPARE(labels[2], 0.5F);
    QVERIFY(std::isnan(labels[3]));
}

void ArraysTest::chosenPartsComeInTheChosenOrder() {
    const auto data = loadDataset(path("mine.json"));
    QVERIFY(data);
    const auto chosen = withParts(*data, {2, 0});
    QCOMPARE(chosen->parts()[0].name, QStringLiteral("tokens"));
    QCOMPARE(chosen->sampleBytes(), qint64{8 + 2});
    QCOMPARE(chosen->classes(), 5);
    std::vector<quint8> mask(2);
    QVERIFY(chosen->readSamples(Split::Train, 1, std::vector<qint64>{1}, std::as_writable_bytes(std::span(mask))));
    QCOMPARE(mask, (std::vector<quint8>{1, 0}));
}

void ArraysTest::formatsOfNumPyAreRead_data() {
    QTest::addColumn<QByteArray>("content");
    QTest::addColumn<QString>("wrong");  // empty: it is read
    const auto s = [](const char *text) { return QString::fromLatin1(text); };
    const QByteArray eight(8, '\0');
    QTest::newRow("format 1.0") << npy("<i4", "2,", eight) << QString();
    QTest::newRow("format 2.0") << npy("<i4", "2,", eight, 2) << QString();
    QTest::newRow("no numbers") << npy("<i4", "0, 5", {}) << QString();
    QTest::newRow("format 3.0") << npy("<i4", "2,", eight, 3) << s("1.0 or 2.0");
    QTest::newRow("another kind of file") << QByteArray("PK\3\4 and so on") << s("does not begin");
    QTest::newRow("nothing") << QByteArray() << s("does not begin");
    QTest::newRow("the magic alone") << QByteArray("\x93NUMPY\1\0", 8) << s("ends in its header");
    QTest::newRow("big-endian") << npy(">i4", "2,", eight) << s("astype");
    QTest::newRow("objects") << npy("|O", "2,", eight) << s("of type \"|O\"");
    QTest::newRow("Fortran's order") << npy("<i4", "2,", eight, 1, "True") << s("ascontiguousarray");
    QTest::newRow("a single number") << npy("<i8", "", eight) << s("single number");
    QTest::newRow("cut short") << npy("<i4", "3,", eight) << s("8 of 12 bytes");
    QTest::newRow("too long") << npy("<i4", "1,", eight) << s("4 bytes behind");
    QTest::newRow("too large") << npy("<i4", "4000000000, 4000000000, 4000000000", eight) << s("too large");
    QTest::newRow("a negative size") << npy("<i4", "-1,", eight) << s("header cannot be read");
    QTest::newRow("nine dimensions") << npy("<i4", "1,1,1,1,1,1,1,1,2", eight) << s("header cannot be read");
    QTest::newRow("code in place of a dictionary")
        << npy("<i4' if True else '", "2,", eight) << s("header cannot be read");
}

void ArraysTest::formatsOfNumPyAreRead() {
    QFETCH(QByteArray, content);
    QFETCH(QString, wrong);
    const auto header = readNpyHeader(content, content.size(), QStringLiteral("x.npy"));
    QCOMPARE(header.has_value(), wrong.isEmpty());
    if (!header) {
        const QString text = header.error().toString();
        QVERIFY2(text.contains(wrong) && text.contains(QStringLiteral("x.npy")), qPrintable(text));
    } else {
        QCOMPARE(header->offset % 64, 0);
    }
}

void ArraysTest::errorsNameTheFileAndTheRemedy_data() {
    QTest::addColumn<QString>("file");
    QTest::addColumn<QByteArray>("content");
    QTest::addColumn<QStringList>("words");
    const auto s = [](const char *text) { return QString::fromLatin1(text); };
    const auto row = [&](const char *name, const char *file, const QByteArray &content, const QStringList &words) {
        QTest::newRow(name) << s(file) << content << words;
    };
    row("fewer samples than labels", "mask.npy", npy("|u1", "2, 2", "\1\1\1\1"),
        {s("mask.npy"), s("2 samples"), s("3 labels")});
    row("samples of no numbers", "mask.npy", npy("|u1", "3, 0", {}), {s("mask.npy"), s("nothing in them")});
    row("test samples of another length", "test-tokens.npy", npy("<i4", "1, 1", bytesOf(std::vector<qint32>{9})),
        {s("test-tokens.npy"), s("another shape or type"), s("/tokens.npy")});
    row("test labels of whole numbers beside real ones", "labels.npy",
        npy("<f4", "3, 2", bytesOf(std::vector<float>{0, 0, 0, 0, 0, 0})),
        {s("test-labels.npy"), s("another shape or type"), s("/labels.npy")});
    row("a negative label", "labels.npy", npy("<i8", "3, 2", bytesOf(std::vector<qint64>{0, -1, 2, 1, 0, 3})),
        {s("labels.npy"), s("label -1"), s("-100 is ignored")});
    row("a file that is not there", "mine.json",
        R"({"format":"hearth-data/1","name":"mine","kind":"arrays","train":{"inputs":{"a":"no.npy"},"labels":"labels.npy"},
            "test":{"inputs":{"a":"no.npy"},"labels":"labels.npy"}})",
        {s("no.npy does not exist"), s("Correct the path")});
    row("a label beyond the classes", "mine.json",
        R"({"format":"hearth-data/1","name":"mine","kind":"arrays","classes":["a","b"],
            "train":{"inputs":{"tokens":"tokens.npy"},"labels":"labels.npy"},
            "test":{"inputs":{"tokens":"test-tokens.npy"},"labels":"test-labels.npy"}})",
        {s("labels.npy"), s("label 3"), s("2 classes")});
    row("other inputs for the test", "mine.json",
        R"({"format":"hearth-data/1","name":"mine","kind":"arrays","train":{"inputs":{"a":"tokens.npy"},"labels":"labels.npy"},
            "test":{"inputs":{"b":"tokens.npy"},"labels":"labels.npy"}})",
        {s("/test"), s("called b"), s("training: a")});
    row("a kind that is none", "mine.json", R"({"format":"hearth-data/1","name":"mine","kind":"array"})",
        {s("/kind"), s("Did you mean \"arrays\"?")});
}

void ArraysTest::errorsNameTheFileAndTheRemedy() {
    QFETCH(QString, file);
    QFETCH(QByteArray, content);
    QFETCH(QStringList, words);
    save(file.toLatin1().constData(), content);
    const auto data = loadDataset(path("mine.json"));
    QVERIFY(!data);
    const QString text = data.error().toString();
    for (const QString &word : words)
        QVERIFY2(text.contains(word), qPrintable(text));
}

void ArraysTest::aFileThatBecomesShorterIsAnError() {
    const auto data = loadDataset(path("mine.json"));
    QVERIFY(data);
    QVERIFY(QFile::resize(path("tokens.npy"), 128));
    std::vector<qint32> tokens(2);
    const auto read =
        (*data)->readSamples(Split::Train, 2, std::vector<qint64>{2}, std::as_writable_bytes(std::span(tokens)));
    QVERIFY(!read);
    QVERIFY(read.error().toString().contains(QStringLiteral("not as long as it was")));
}

QTEST_GUILESS_MAIN(ArraysTest)
#include "arrays_test.moc"
