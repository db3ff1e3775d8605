// What new rows and texts become, long after the data that a network learnt from are gone.
#include "core/data/preparation.h"

#include <QJsonDocument>

#include "core/base/json_reader.h"
#include "core/data/data_registry.h"
#include "core/data/row_reader.h"
#include "core/data/tokenizer.h"
#include "tests/core/data/picture_folder.h"

using namespace hearth;

namespace {

QString text(const char *words) {
    return QString::fromUtf8(words);
}

QByteArray trainingBytes(const Dataset &data, qint64 index) {
    QByteArray all;
    for (std::size_t part = 0; part < data.parts().size(); ++part) {
        QByteArray bytes(data.parts()[part].slot.bytes(), Qt::Uninitialized);
        if (!data.readSamples(Split::Train, part, std::span(&index, 1), bytesOf(bytes)))
            return {};
        all += bytes;
    }
    return all;
}

QByteArray newBytes(const RowCoder &coder, const RowReader &rows, const RowReader::Row &row) {
    QStringList used;
    for (const qsizetype place : rows.places())
        used << row.fields[place];
    QByteArray all;
    for (std::size_t part = 0; part < coder.parts().size(); ++part) {
        QByteArray bytes(coder.parts()[part].slot.bytes(), Qt::Uninitialized);
        coder.encode(used, part, bytesOf(bytes));
        all += bytes;
    }
    return all;
}

}  // namespace

class PreparationTest : public QObject, private test::PictureFolder {
    Q_OBJECT

  private Q_SLOTS:
    void init() {
        makeFolder();
        qputenv("XDG_DATA_HOME", path(text("home")).toUtf8());
    }
    void newRowsBecomeWhatTrainingRowsDid_data();
    void newRowsBecomeWhatTrainingRowsDid();
    void plainTextsKeepTheirTokenizer();
    void picturesHaveNone();
    void filesThatCannotBeAskedAreErrors_data();
    void filesThatCannotBeAskedAreErrors();
    void rowsThatCannotBeUsedAreNamed();
    void aLineWithoutEndIsAnError();
    void brokenPreparationsAreErrors_data();
    void brokenPreparationsAreErrors();

  private:
    /// Of a set that nobody registered.
    std::shared_ptr<const Preparation> keptOf(const QString &set) {
        const auto data = loadDataset(set);
        if (!data || !QDir().mkpath(path(text("run"))) || !savePreparation(**data, path(text("run"))))
            return nullptr;
        return Preparation::load(path(text("run"))).value_or(nullptr);
    }
};

void PreparationTest::newRowsBecomeWhatTrainingRowsDid_data() {
    QTest::addColumn<QByteArray>("train");
    QTest::addColumn<QByteArray>("test");
    QTest::addColumn<QString>("name");
    QTest::addColumn<QByteArray>("later");
    QTest::addColumn<bool>("isLabelled");
    const auto row = [](const char *name, const char *train, const char *test, const char *file, const char *later,
                        bool isLabelled = true) {
        QTest::newRow(name) << QByteArray(train) << QByteArray(test) << text(file) << QByteArray(later) << isLabelled;
    };
    const char *table = "id,width,colour,kind\n7,1,red,a\n9,2.5,blue,b\n1,NA,,a\n";
    const char *more = "id,width,colour,kind\n3,1,red,a\n";
    row("a table", table, more, "new.csv", table);
    row("its columns in another order", table, more, "new.csv",
        "kind,colour,width,more,id\na,red,1,x,7\nb,blue,2.5,y,9\na,,NA,z,1\n");
    row("without a label", table, more, "new.csv", "colour,width,id\nred,1,7\nblue,2.5,9\n,NA,1\n", false);
    row("as TSV", table, more, "new.tsv", "id\tcolour\twidth\n7\tred\t1\n9\tblue\t2.5\n1\t\tNA\n", false);
    row("with semicolons and decimal commas", table, more, "new.csv", "id;colour;width\n7;red;1\n9;blue;2,5\n1;;NA\n",
        false);
    row("with the same number of decimals wherever there are some", "size,colour,kind\n1.25,red,a\n2,blue,b\n",
        "size,colour,kind\n3,red,a\n", "new.tsv", "size\tcolour\n1,250\tred\n2\tblue\n", false);
    row("as JSON Lines", table, more, "new.jsonl",
        "{\"id\":7,\"colour\":\"red\",\"width\":1}\n{\"id\":9,\"colour\":\"blue\",\"width\":2.5}\n"
        "{\"id\":1,\"colour\":\"\",\"width\":\"NA\"}\n",
        false);
    const char *quantities = "size,price\n1,2.5\n2,3.5\n7,9.25\n";
    row("quantities", quantities, "size,price\n4,1\n", "new.csv", quantities);
    row("names that are numbers", "0,1,2,target\n5,7,6,1.5\n4,8,1,2.5\n9,1,3,9.25\n", "0,1,2,target\n1,2,9,3\n",
        "new.csv", "2,1,0\n6,7,5\n1,8,4\n3,1,9\n", false);
    const char *texts = "text,label\na cat,x\n\"dog, dog\",y\nnone of these,x\n";
    row("texts of a table", texts, "text,label\ncat,x\n", "new.csv", texts);
    row("texts alone in a table", texts, "text,label\ncat,x\n", "new.tsv", "text\na cat\ndog, dog\nnone of these\n",
        false);
    row("a text in each line", texts, "text,label\ncat,x\n", "new.txt", "a cat\n\ndog, dog\r\nnone of these", false);
    const char *pairs = "sentence1,sentence2,label\na cat,a dog,x\ndog,cat cat cat cat cat cat cat cat,y\n";
    row("pairs of texts", pairs, "sentence1,sentence2,label\ncat,dog,x\n", "new.csv", pairs);
    row("a tab between the texts of a pair", pairs, "sentence1,sentence2,label\ncat,dog,x\n", "new.txt",
        "a cat\ta dog\ndog\tcat cat cat cat cat cat cat cat\n", false);
}

void PreparationTest::newRowsBecomeWhatTrainingRowsDid() {
    QFETCH(QByteArray, train);
    QFETCH(QByteArray, test);
    QFETCH(QString, name);
    QFETCH(QByteArray, later);
    QFETCH(bool, isLabelled);
    constexpr qint64 length = 8;
    save(text("words/own.txt"), "[PAD]\n[UNK]\n[CLS]\n[SEP]\ncat\ndog\na\n");
    save(text("set/train.csv"), train);
    save(text("set/test.csv"), test);
    const DataChoice choice{
        {},
        {},
        {},
        train.startsWith("text") || train.startsWith("sentence1") ? path(text("words/own.txt")) : QString()};
    const auto data = registerDataset(text("set"), path(text("set")), false, {}, choice);
    QVERIFY2(data, data ? "" : qPrintable(data.error().toString()));
    const auto fitted = fitTexts(*data, length);
    QVERIFY(QDir().mkpath(path(text("run"))));
    QVERIFY(savePreparation(*fitted, path(text("run"))));
    std::vector<QByteArray> wanted;
    for (qint64 i = 0; i < fitted->count(Split::Train); ++i)
        wanted.push_back(trainingBytes(*fitted, i));
    for (const char *gone : {"set", "words", "home"})
        QVERIFY(QDir(path(text(gone))).removeRecursively());

    const auto kept = Preparation::load(path(text("run")));
    QVERIFY2(kept, kept ? "" : qPrintable(kept.error().toString()));
    QCOMPARE((*kept)->labels().classes, (*data)->labelNames());
    save(name, later);
    const auto rows = RowReader::open(path(name), **kept);
    QVERIFY2(rows, rows ? "" : qPrintable(rows.error().toString()));
    QCOMPARE((*rows)->label() >= 0, isLabelled);
    const auto coder = (*kept)->coder(length);
    QCOMPARE(coder->parts(), fitted->parts());
    for (const QByteArray &sample : wanted) {
        const auto row = (*rows)->next();
        QVERIFY(row && *row);
        QVERIFY2(!(*row)->broken, qPrintable((*row)->where));
        QCOMPARE(newBytes(*coder, **rows, **row), sample);
    }
    QVERIFY(!*(*rows)->next());
}

void PreparationTest::plainTextsKeepTheirTokenizer() {
    save(text("book/train.txt"), QByteArray("0123456789").repeated(30));
    save(text("book/test.txt"), QByteArray("0123456789").repeated(30));
    const auto kept = keptOf(path(text("book")));
    QVERIFY(kept);
    QVERIFY(kept->kind() == Preparation::Kind::PlainTexts);
    QCOMPARE(kept->tokenizer()->encode(text("a")), std::vector<int>{100});
    QVERIFY(!kept->coder(8));
}

void PreparationTest::picturesHaveNone() {
    saveClasses(text("pets"), 10);
    QVERIFY(!keptOf(path(text("pets"))));
    QVERIFY(!QFile::exists(path(text("run/data.json"))));
}

void PreparationTest::filesThatCannotBeAskedAreErrors_data() {
    QTest::addColumn<QByteArray>("content");
    QTest::addColumn<QString>("name");
    QTest::addColumn<QString>("code");
    QTest::addColumn<QString>("says");
    QTest::newRow("a column is missing") << QByteArray("widths,kind\n1,a\n") << text("new.csv")
                                         << text("data.no-column") << text("\"width\"");
    QTest::newRow("it is empty") << QByteArray("") << text("new.csv") << text("data.empty") << text("new.csv");
    QTest::newRow("it is not there") << QByteArray("width\n1\n") << text("gone.csv") << text("file.unreadable")
                                     << text("gone.csv");
    QTest::newRow("it is a folder") << QByteArray("width\n1\n") << text("set") << text("data.no-rows")
                                    << text("folder");
    QTest::newRow("a quotation mark is open")
        << QByteArray("\"width,kind\n1,a\n") << text("new.csv") << text("data.malformed") << text("Line 1");
}

void PreparationTest::filesThatCannotBeAskedAreErrors() {
    QFETCH(QByteArray, content);
    QFETCH(QString, name);
    QFETCH(QString, says);
    save(text("set/train.csv"), "width,kind\n1,a\n2,b\n");
    save(text("set/test.csv"), "width,kind\n1,a\n");
    const auto kept = keptOf(path(text("set")));
    QVERIFY(kept);
    save(text("new.csv"), content);
    const auto rows = RowReader::open(path(name), *kept);
    QVERIFY(!rows);
    QTEST(rows.error().code, "code");
    QVERIFY2(rows.error().toString().contains(says), qPrintable(rows.error().toString()));
    QVERIFY(!rows.error().advice.isEmpty());
}

void PreparationTest::rowsThatCannotBeUsedAreNamed() {
    save(text("set/train.csv"), "width,kind\n1,a\n2,b\n");
    save(text("set/test.csv"), "width,kind\n1,a\n");
    const auto kept = keptOf(path(text("set")));
    QVERIFY(kept);
    save(text("new.csv"), "width,kind\n1,a\n1,a,too many\n\n2\n3,\xff\n4,b\n");
    const auto rows = RowReader::open(path(text("new.csv")), *kept);
    QVERIFY(rows);
    QStringList broken;
    int fine = 0;
    for (auto row = (*rows)->next(); row && *row; row = (*rows)->next()) {
        if ((*row)->broken)
            broken << (*row)->where;
        else
            ++fine;
    }
    QCOMPARE(broken, QStringList({text("new.csv:3"), text("new.csv:5"), text("new.csv:6")}));
    QCOMPARE(fine, 2);
}

void PreparationTest::aLineWithoutEndIsAnError() {
    save(text("set/train.csv"), "text,label\na,x\nb,y\n");
    save(text("set/test.csv"), "text,label\na,x\n");
    const auto kept = keptOf(path(text("set")));
    QVERIFY(kept);
    save(text("new.txt"), "a\n" + QByteArray(CsvLimits::recordBytes, 'a'));
    const auto rows = RowReader::open(path(text("new.txt")), *kept);
    QVERIFY(rows);
    QCOMPARE((*rows)->next()->value().where, text("new.txt:1"));
    const auto next = (*rows)->next();
    QVERIFY(!next);
    QCOMPARE(next.error().code, text("data.malformed"));
    QVERIFY(next.error().what.contains(text("new.txt")));
}

void PreparationTest::brokenPreparationsAreErrors_data() {
    QTest::addColumn<QByteArray>("content");
    QTest::addColumn<QString>("code");
    const auto row = [](const char *name, const char *content, const char *code) {
        QTest::newRow(name) << QByteArray(content) << text(code);
    };
    row("there is none", "", "run.no-preparation");
    row("no JSON", "{", "json.syntax");
    row("of pictures", R"({"format":"hearth-data/1","name":"x","kind":"pictures"})", "json.invalid");
    row("a table without columns", R"({"format":"hearth-data/1","name":"x","kind":"table","path":"/x","label":"y",
        "classes":["a"],"columns":[],"broken":[]})",
        "json.invalid");
    row("a deviation of nothing", R"({"format":"hearth-data/1","name":"x","kind":"table","path":"/x","label":"y",
        "classes":["a"],"columns":[{"name":"a","mean":1,"deviation":0}],"broken":[]})",
        "json.invalid");
    row("three texts", R"({"format":"hearth-data/1","name":"x","kind":"text","path":"/x","tokenizer":"bytes",
        "texts":["a","b","c"],"label":"y"})",
        "json.invalid");
    row("a tokenizer that is gone", R"({"format":"hearth-data/1","name":"x","kind":"text","path":"/x",
        "tokenizer":"tokenizer","texts":["a"],"label":"y","classes":["a"]})",
        "file.unreadable");
}

void PreparationTest::brokenPreparationsAreErrors() {
    QFETCH(QByteArray, content);
    if (!content.isEmpty())
        save(text("run/data.json"), content);
    const auto kept = Preparation::load(path(text("run")));
    QVERIFY(!kept);
    QTEST(kept.error().code, "code");
}

QTEST_GUILESS_MAIN(PreparationTest)
#include "preparation_test.moc"
