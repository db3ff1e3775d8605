// Texts with labels, as people and GLUE have them, and plain texts for language models.
#include "core/data/texts.h"

#include <QJsonArray>
#include <algorithm>
#include <iterator>
#include <numeric>

#include "core/base/json_reader.h"
#include "core/data/data_registry.h"
#include "core/data/preparation.h"
#include "tests/core/data/picture_folder.h"

using namespace hearth;

namespace {

QString text(const char *words) {
    return QString::fromUtf8(words);
}

std::vector<qint64> numbers(const Dataset &data, Split split, std::size_t part, qint64 index) {
    std::vector<qint64> values(static_cast<std::size_t>(data.parts()[part].slot.elements()));
    const auto read = data.readSamples(split, part, std::span(&index, 1), std::as_writable_bytes(std::span(values)));
    return read ? values : std::vector<qint64>();
}

std::vector<qint64> labels(const Dataset &data, Split split, qint64 index) {
    std::vector<qint64> values(static_cast<std::size_t>(data.label().elements()));
    const auto read = data.readLabels(split, std::span(&index, 1), std::as_writable_bytes(std::span(values)));
    return read ? values : std::vector<qint64>();
}

/// Of one side of plain texts whose tokens are bytes.
QByteArrayList linesOf(const std::shared_ptr<const Dataset> &data, Split split) {
    constexpr qint64 firstByte = 3;  // what is below is no byte, as the token that ends each piece
    const auto tokens = fitTexts(data, 1);
    std::vector<qint64> indices(static_cast<std::size_t>(tokens->count(split))), values(indices.size());
    std::iota(indices.begin(), indices.end(), qint64{0});
    if (!tokens->readSamples(split, 0, indices, std::as_writable_bytes(std::span(values))))
        return {};
    QByteArray bytes;
    for (const qint64 token : values) {
        if (token >= firstByte)
            bytes += static_cast<char>(token - firstByte);
    }
    return bytes.trimmed().split('\n');
}

}  // namespace

class TextsTest : public QObject, private test::PictureFolder {
    Q_OBJECT

  private Q_SLOTS:
    void init() {
        makeFolder();
        qputenv("XDG_DATA_HOME", path(text("home")).toUtf8());
    }
    void textsBecomeTokensOfAnyLength();
    void glueIsKnown_data();
    void glueIsKnown();
    void otherColumnsAreChosen();
    void plainTextsAreBlocks();
    void plainTextsHaveNothingToChoose_data();
    void plainTextsHaveNothingToChoose();
    void namesDividePlainTexts_data();
    void namesDividePlainTexts();
    void largePlainTextsKeepAllLinesInOrder_data();
    void largePlainTextsKeepAllLinesInOrder();
    void whatIsReadOfPlainTextsCounts();
    void aPlainTextThatCannotBeReadToItsEndIsNoData();
    void textsThatAreNoneAreNamed();
    void whatTextsWentThroughIsKept();
};

void TextsTest::textsBecomeTokensOfAnyLength() {
    save(text("train.csv"), "text,label\nab,x\n\"c,\nd\",y\n");
    save(text("test.csv"), "text,label\n,y\n");
    const auto data = loadDataset(path());
    QVERIFY2(data, data ? "" : qPrintable(data.error().toString()));
    QCOMPARE((*data)->kind(), text("text"));
    QCOMPARE((*data)->sample().shape, (std::vector<qint64>{usualTextLength}));
    const auto fitted = fitTexts(*data, 4);
    QCOMPARE(numbers(*fitted, Split::Train, 0, 0), (std::vector<qint64>{100, 101, 1, 0}));
    QCOMPARE(numbers(*fitted, Split::Train, 1, 0), (std::vector<qint64>{1, 1, 1, 0}));
    QCOMPARE(numbers(*fitted, Split::Train, 0, 1), (std::vector<qint64>{102, 47, 13, 1}));
    QCOMPARE(numbers(*fitted, Split::Test, 0, 0), (std::vector<qint64>{1, 0, 0, 0}));
    QCOMPARE(labels(*fitted, Split::Train, 1), (std::vector<qint64>{1}));
    QCOMPARE((*data)->readFields(Split::Train, 0)->first(), text("ab"));
}

void TextsTest::glueIsKnown_data() {
    QTest::addColumn<QByteArray>("train");
    QTest::addColumn<QByteArray>("test");
    QTest::addColumn<QStringList>("classes");
    QTest::addColumn<QStringList>("texts");
    QTest::newRow("SST-2") << QByteArray("sentence\tlabel\n\"it 's fine \t1\nbad \t0\n")
                           << QByteArray("index\tsentence\n0\tsomething\n") << QStringList{text("0"), text("1")}
                           << QStringList{text("sentence")};
    QTest::newRow("CoLA") << QByteArray("gj04\t1\t\tOur friends.\ngj04\t0\t*\tThe \"bottle.\n")
                          << QByteArray("index\tsentence\n0\tsomething\n") << QStringList{text("0"), text("1")}
                          << QStringList{text("sentence")};
    QTest::newRow("MRPC") << QByteArray(
                                 "\xef\xbb\xbfQuality\t#1 ID\t#2 ID\t#1 String\t#2 String\r\n"
                                 "1\t7\t8\tHe said \"no.\tHe said no.\r\n0\t7\t8\tYes.\tNo.\r\n")
                          << QByteArray("index\t#1 ID\t#2 ID\t#1 String\t#2 String\n0\t1\t2\ta\tb\n")
                          << QStringList{text("0"), text("1")} << QStringList{text("#1 String"), text("#2 String")};
    QTest::newRow("MNLI") << QByteArray(
                                 "index\tpromptID\tpairID\tgenre\tsentence1\tsentence2\tlabel1\tgold_label\n"
                                 "0\t1\t1n\tfiction\tA \"man.\tSomeone.\tneutral\tentailment\n"
                                 "1\t1\t1c\tfiction\tA man.\tNobody.\tneutral\tcontradiction\n")
                          << QByteArray("index\tpromptID\tpairID\tgenre\tsentence1\tsentence2\n0\t1\t1\tx\ta\tb\n")
                          << QStringList{text("contradiction"), text("entailment")}
                          << QStringList{text("sentence1"), text("sentence2")};
}

void TextsTest::glueIsKnown() {
    QFETCH(QByteArray, train);
    QFETCH(QByteArray, test);
    QFETCH(QStringList, texts);
    save(text("glue/train.tsv"), train);
    save(text("glue/dev.tsv"), train);
    save(text("glue/test.tsv"), test);
    const auto facts = findTexts(path(text("glue")), {});
    QVERIFY2(facts, facts ? "" : qPrintable(facts.error().toString()));
    QTEST(facts->labels.classes, "classes");
    QCOMPARE(facts->texts, texts);
    const auto data = loadDataset(path(text("glue")));
    QVERIFY2(data, data ? "" : qPrintable(data.error().toString()));
    QCOMPARE((*data)->count(Split::Train), 2);
    QCOMPARE((*data)->count(Split::Validation), 2);
    // Nobody publishes the labels of the test set.
    QCOMPARE((*data)->count(Split::Test), 2);
    QCOMPARE((*data)->broken().size(), std::size_t{1});
    QCOMPARE((*data)->broken().front().file, text("test.tsv"));
    QCOMPARE((*data)->parts().size(), std::size_t{3});
    QCOMPARE((*data)->parts()[2].range->most, texts.size() - 1);
}

void TextsTest::otherColumnsAreChosen() {
    QByteArray lines;
    for (int i = 0; i < 60; ++i)
        lines += R"({"id":)" + QByteArray::number(i) + R"(,"what":"words )" + QByteArray::number(i) + R"(","kind":")" +
                 (i % 2 ? "a" : "b") + "\"}\n";
    save(text("notes.jsonl"), lines);
    const DataChoice choice{text("kind"), {}, {text("what")}, {}};
    for (const auto &data : {registerDataset(text("notes"), path(text("notes.jsonl")), false, {}, choice),
                             loadDataset(text("notes")), checkDataset(text("notes"))}) {
        QVERIFY2(data, data ? "" : qPrintable(data.error().toString()));
        QCOMPARE((*data)->kind(), text("text"));
        QCOMPARE((*data)->labelNames(), QStringList({text("a"), text("b")}));
        QCOMPARE((*data)->count(Split::Train) + (*data)->count(Split::Test), 60);
    }
    const auto none = registerDataset(text("none"), path(text("notes.jsonl")), false, {}, {{}, {}, {text("text")}, {}});
    QCOMPARE(none.error().code, text("data.no-column"));
    // Without a name for labels the last column is learnt.
    const auto same = registerDataset(text("none"), path(text("notes.jsonl")), false, {}, {{}, {}, {text("what")}, {}});
    QCOMPARE(same.error().code, text("data.same-column"));
    const auto other = registerDataset(text("none"), path(text("notes.jsonl")), false, {},
                                       {{}, {}, {text("what")}, path(text("nothing"))});
    QVERIFY(!other);
}

void TextsTest::plainTextsAreBlocks() {
    save(text("book/train.txt"), QByteArray("0123456789").repeated(3));
    save(text("book/test.md"), QByteArray("ab").repeated(300));
    const auto data = registerDataset(text("book"), path(text("book")), false);
    QVERIFY2(!data, "30 letters are no block of 128");
    QCOMPARE(data.error().code, text("data.empty"));
    save(text("book/train.txt"), QByteArray("0123456789").repeated(30));
    const auto more = registerDataset(text("book"), path(text("book")), false);
    QVERIFY2(more, more ? "" : qPrintable(more.error().toString()));
    QCOMPARE((*more)->count(Split::Train), 2);
    QCOMPARE((*more)->count(Split::Test), 4);
    QCOMPARE((*more)->classes(), 259);
    const auto fitted = fitTexts(*more, 5);
    QCOMPARE(fitted->count(Split::Train), 60);
    QCOMPARE(numbers(*fitted, Split::Train, 0, 1), (std::vector<qint64>{56, 57, 58, 59, 60}));
    QCOMPARE(labels(*fitted, Split::Train, 1), (std::vector<qint64>{57, 58, 59, 60, 51}));
    // A file ends with a token of its own.
    QCOMPARE(labels(*fitted, Split::Train, 59), (std::vector<qint64>{57, 58, 59, 60, 1}));
    QCOMPARE(loadDataset(text("book")).value()->count(Split::Test), 4);
}

void TextsTest::plainTextsHaveNothingToChoose_data() {
    QTest::addColumn<QString>("label");
    QTest::addColumn<QString>("task");
    QTest::addColumn<QStringList>("texts");
    QTest::newRow("a label") << text("stars") << QString() << QStringList();
    QTest::newRow("a task") << QString() << text("classification") << QStringList();
    QTest::newRow("a column of texts") << QString() << QString() << QStringList{text("review")};
}

void TextsTest::plainTextsHaveNothingToChoose() {
    QFETCH(QString, label);
    QFETCH(QString, task);
    QFETCH(QStringList, texts);
    save(text("book/train.txt"), QByteArray("0123456789").repeated(30));
    save(text("book/test.txt"), QByteArray("0123456789").repeated(30));
    const auto data = registerDataset(text("book"), path(text("book")), false, {}, {label, task, texts, {}});
    QVERIFY(!data);
    QCOMPARE(data.error().code, text("data.no-choice"));
    QVERIFY2(data.error().toString().contains(text("the columns text and label")), qPrintable(data.error().toString()));
    QVERIFY(registeredDatasets().isEmpty());
    // One with a task that says nothing was added once.
    const QByteArray book = path(text("book")).toUtf8();
    save(text("home/hearth/data/book.json"),
         R"({"format":"hearth-data/1","name":"book","kind":"text","task":"classification","from":")" + book +
             R"(","path":")" + book + R"(","tokenizer":"bytes"} )");
    for (const auto &added : {loadDataset(text("book")), checkDataset(text("book"))}) {
        QVERIFY2(added, added ? "" : qPrintable(added.error().toString()));
        QCOMPARE((*added)->count(Split::Train), 2);
    }
}

void TextsTest::namesDividePlainTexts_data() {
    QTest::addColumn<QStringList>("train");
    QTest::addColumn<QStringList>("test");
    QTest::newRow("of files") << QStringList{text("train.txt")} << QStringList{text("test.txt")};
    QTest::newRow("of folders") << QStringList{text("train/a.txt"), text("train/b/c.txt")}
                                << QStringList{text("Test/a.txt")};
    QTest::newRow("of folders before those of files")
        << QStringList{text("training/test.txt")} << QStringList{text("testing/train.txt")};
    QTest::newRow("of folders, a validation set being both")
        << QStringList{text("train/a.txt")} << QStringList{text("dev/a.txt")};
}

void TextsTest::namesDividePlainTexts() {
    QFETCH(QStringList, train);
    QFETCH(QStringList, test);
    // Samples of 128 tokens, of so many letters that none would be there by chance.
    for (const QString &name : train)
        save(text("corpus/") + name, QByteArray(1000, 'a'));
    for (const QString &name : test)
        save(text("corpus/") + name, QByteArray(500, 'b'));
    const auto data = loadDataset(path(text("corpus")));
    QVERIFY2(data, data ? "" : qPrintable(data.error().toString()));
    QCOMPARE((*data)->count(Split::Train), 1000 * train.size() / usualTextLength);
    QCOMPARE((*data)->count(Split::Test), 500 / usualTextLength);
    QCOMPARE(numbers(**data, Split::Train, 0, 0).front(), 'a' + 3);
    QCOMPARE(numbers(**data, Split::Test, 0, 0).front(), 'b' + 3);
}

void TextsTest::largePlainTextsKeepAllLinesInOrder_data() {
    QTest::addColumn<QByteArray>("begin");  // of each line, before its number
    QTest::addColumn<int>("count");
    QTest::newRow("short lines") << QByteArray() << 150'000;
    QTest::newRow("lines of umlauts") << text("äöüß ").toUtf8() << 60'000;
    QTest::newRow("lines that are longer than a piece") << text("ü").repeated(10'000).toUtf8() << 60;
}

void TextsTest::largePlainTextsKeepAllLinesInOrder() {
    QFETCH(QByteArray, begin);
    QFETCH(int, count);
    QByteArrayList lines;
    for (int i = 0; i < count; ++i)
        lines << begin + QByteArray::number(i);
    save(text("book.txt"), lines.join('\n') + '\n');
    const auto data = loadDataset(path(text("book.txt")));
    QVERIFY2(data, data ? "" : qPrintable(data.error().toString()));
    const QByteArrayList learnt = linesOf(*data, Split::Train), judged = linesOf(*data, Split::Test);
    const auto numberOf = [&begin](const QByteArray &line) { return line.mid(begin.size()).toInt(); };
    QByteArrayList both;
    // It gives all lines in order only where each side has its own in order.
    std::ranges::merge(learnt, judged, std::back_inserter(both), {}, numberOf, numberOf);
    QCOMPARE(both, lines);
}

void TextsTest::whatIsReadOfPlainTextsCounts() {
    for (const char *file : {"book/train.txt", "book/test.txt"})
        save(text(file), QByteArray(3000, 'a'));
    // Its size is 0 wherever one asks.
    QVERIFY(QFile::link(text("/proc/self/status"), path(text("book/more.txt"))));
    const auto data = loadDataset(path(text("book")));
    QVERIFY2(data, data ? "" : qPrintable(data.error().toString()));
    QVERIFY((*data)->broken().empty());
    QVERIFY2((*data)->fileBytes() > 6000, QByteArray::number((*data)->fileBytes()).constData());
}

void TextsTest::aPlainTextThatCannotBeReadToItsEndIsNoData() {
    for (const char *file : {"book/train.txt", "book/test.txt"})
        save(text(file), QByteArray(3000, 'a'));
    // It is opened, and nothing is where it begins.
    QVERIFY(QFile::link(text("/proc/self/mem"), path(text("book/more.txt"))));
    const auto data = loadDataset(path(text("book")));
    QVERIFY(!data);
    QCOMPARE(data.error().code, text("data.unreadable"));
    QVERIFY2(data.error().what.contains(text("more.txt")), qPrintable(data.error().toString()));
}

void TextsTest::textsThatAreNoneAreNamed() {
    save(text("book/train.txt"), QByteArray("0123456789").repeated(30));
    save(text("book/test.txt"), QByteArray("0123456789").repeated(30));
    save(text("book/latin.txt"), "gr\xfc\xdf dich");
    save(text("book/latin-at-last.txt"), QByteArray("0123456789\n").repeated(5000) + "gr\xfc\xdf dich");
    save(text("book/empty.txt"), "");
    const auto data = loadDataset(path(text("book")));
    QVERIFY2(data, data ? "" : qPrintable(data.error().toString()));
    QCOMPARE((*data)->broken().size(), std::size_t{2});
    QCOMPARE((*data)->broken().front().file, text("latin-at-last.txt"));
    QCOMPARE((*data)->broken().back().file, text("latin.txt"));
    QCOMPARE((*data)->count(Split::Train), 2);  // nothing of their good parts
}

void TextsTest::whatTextsWentThroughIsKept() {
    save(text("bert/vocab.txt"), "[PAD]\n[UNK]\n[CLS]\n[SEP]\ncat\n");
    save(text("bert/tokenizer_config.json"), "{\"do_lower_case\":true}");
    save(text("bert/model.safetensors"), "large");
    save(text("set/train.csv"), "text,label\ncat,x\ndog,y\n");
    save(text("set/test.csv"), "text,label\ncat,x\n");
    const DataChoice choice{{}, {}, {}, path(text("bert"))};
    const auto data = registerDataset(text("set"), path(text("set")), false, {}, choice);
    QVERIFY2(data, data ? "" : qPrintable(data.error().toString()));
    QVERIFY(QDir().mkpath(path(text("run"))));
    QVERIFY(savePreparation(**data, path(text("run"))));
    QCOMPARE(QDir(path(text("run/tokenizer"))).entryList(QDir::Files),
             QStringList({text("tokenizer_config.json"), text("vocab.txt")}));
    const auto kept = readJsonFile(path(text("run/data.json")));
    QVERIFY(kept);
    QCOMPARE(kept->value(text("tokenizer")).toString(), text("tokenizer"));
    QCOMPARE(kept->value(text("classes")).toArray().size(), 2);
}

QTEST_GUILESS_MAIN(TextsTest)
#include "texts_test.moc"
