// Tables: what becomes of numbers, categories and what is missing, and which rows test.
#include <cmath>

#include "core/data/data_registry.h"
#include "core/data/table_columns.h"
#include "tests/core/data/picture_folder.h"

using namespace hearth;

namespace {

QString text(const char *words) {
    return QString::fromUtf8(words);
}

std::vector<float> row(const Dataset &data, Split split, qint64 index) {
    std::vector<float> values(static_cast<std::size_t>(data.sample().elements()));
    const auto read = data.readSamples(split, 0, std::span(&index, 1), std::as_writable_bytes(std::span(values)));
    return read ? values : std::vector<float>();
}

template <class T>
T label(const Dataset &data, Split split, qint64 index) {
    T value{};
    const auto read = data.readLabels(split, std::span(&index, 1), std::as_writable_bytes(std::span(&value, 1)));
    return read ? value : T(-1);
}

}  // namespace

class TableTest : public QObject, private test::PictureFolder {
    Q_OBJECT

  private Q_SLOTS:
    void init() {
        makeFolder();
        qputenv("XDG_DATA_HOME", path(text("home")).toUtf8());
    }
    void numbersAreStandardisedFromTrainingRows();
    void categoriesAndMissingValuesGetNumbersOfTheirOwn();
    void whatTellsNothingIsLeftOut();
    void labelsAreClassesOrQuantities_data();
    void labelsAreClassesOrQuantities();
    void rowsKeepTheirSideWhenOthersCome();
    void otherFormsAreTables_data();
    void otherFormsAreTables();
    void commasThatSeparateNothingStandBeforeDecimals_data();
    void commasThatSeparateNothingStandBeforeDecimals();
    void commasThatGroupDigitsStayInTexts_data();
    void commasThatGroupDigitsStayInTexts();
    void columnsThatHaveNumbersHaveThemInEveryFile();
    void categoriesAndLabelsMayHaveDecimalCommas();
    void numbersOfJsonLinesAreAsTheyAreWritten();
    void rowsThatCannotBeUsedAreNamed();
    void badTablesAreErrors_data();
    void badTablesAreErrors();
    void aTableOfTextsNamesTheirColumn();
    void oneClassMayBeAPartOfAJobsData();
    void aMillionClassesAreAnError();
    void aLookAtATableIsGivenUp();
    void whatWasChosenIsKept();
    void aFileThatChangedIsAnError();
};

void TableTest::numbersAreStandardisedFromTrainingRows() {
    save(text("train.csv"), "width,kind\n1,a\n2,a\n3,b\n6,b\n");
    save(text("test.csv"), "width,kind\n100,a\n3,b\n");
    const auto data = loadDataset(path());
    QVERIFY2(data, data ? "" : qPrintable(data.error().toString()));
    QCOMPARE((*data)->kind(), text("table"));
    QCOMPARE((*data)->count(Split::Train), 4);
    QCOMPARE((*data)->count(Split::Test), 2);
    QCOMPARE((*data)->labelNames(), QStringList({text("a"), text("b")}));
    const double deviation = std::sqrt((4.0 + 1 + 0 + 9) / 4);
    QCOMPARE(row(**data, Split::Train, 3), std::vector<float>{static_cast<float>(3 / deviation)});
    QCOMPARE(row(**data, Split::Test, 0), std::vector<float>{static_cast<float>(97 / deviation)});
    QCOMPARE(label<qint64>(**data, Split::Test, 1), 1);
}

void TableTest::categoriesAndMissingValuesGetNumbersOfTheirOwn() {
    save(text("train.csv"), "colour,width,kind\nred,1,a\nblue,NA,b\n,3,a\n");
    save(text("test.csv"), "colour,width,kind\ngreen,2,a\n?,,b\n");
    const auto data = loadDataset(path());
    QVERIFY2(data, data ? "" : qPrintable(data.error().toString()));
    QCOMPARE((*data)->sample().shape, (std::vector<qint64>{5}));
    // blue, red, no colour; width, no width
    QCOMPARE(row(**data, Split::Train, 0), (std::vector<float>{0, 1, 0, -1, 0}));
    QCOMPARE(row(**data, Split::Train, 1), (std::vector<float>{1, 0, 0, 0, 1}));
    QCOMPARE(row(**data, Split::Train, 2), (std::vector<float>{0, 0, 1, 1, 0}));
    QCOMPARE(row(**data, Split::Test, 0), (std::vector<float>{0, 0, 0, 0, 0}));
    QCOMPARE(row(**data, Split::Test, 1), (std::vector<float>{0, 0, 1, 0, 1}));
    QCOMPARE(*(*data)->readFields(Split::Test, 0), QStringList({text("green"), text("2"), text("a")}));
}

void TableTest::whatTellsNothingIsLeftOut() {
    QByteArray table = "id,same,free,width,kind\n";
    for (int i = 0; i < 300; ++i)
        table += QByteArray::number(i) + ",x,text " + QByteArray::number(i) + ',' + QByteArray::number(i * i % 17) +
                 (i % 2 ? ",a\n" : ",b\n");
    save(text("t.csv"), table);
    const auto data = loadDataset(path(text("t.csv")));
    QVERIFY2(data, data ? "" : qPrintable(data.error().toString()));
    QCOMPARE((*data)->sample().shape, (std::vector<qint64>{1}));
    QStringList left;
    for (const BrokenFile &each : (*data)->broken())
        left << each.file;
    QCOMPARE(left, QStringList({text("id"), text("same"), text("free")}));
    QCOMPARE((*data)->count(Split::Train) + (*data)->count(Split::Test), 300);
    QVERIFY((*data)->count(Split::Test) > 30 && (*data)->count(Split::Test) < 90);
}

void TableTest::labelsAreClassesOrQuantities_data() {
    QTest::addColumn<QByteArray>("labels");
    QTest::addColumn<QString>("task");
    QTest::addColumn<int>("classes");
    QTest::newRow("texts are classes") << QByteArray("a b c") << QString() << 3;
    QTest::newRow("whole numbers are classes") << QByteArray("0 1 10 2") << QString() << 4;
    QTest::newRow("other numbers are quantities") << QByteArray("0.5 1 2.5") << QString() << 0;
    QTest::newRow("whole numbers can be quantities") << QByteArray("0 1 2") << text("regression") << 0;
    QTest::newRow("other numbers can be classes") << QByteArray("0.5 1.5") << text("classification") << 2;
}

void TableTest::labelsAreClassesOrQuantities() {
    QFETCH(QByteArray, labels);
    QFETCH(QString, task);
    QFETCH(int, classes);
    QByteArray table = "x,y\n";
    const QList<QByteArray> all = labels.split(' ');
    for (int i = 0; i < 100; ++i)
        table += QByteArray::number(i * 7 % 31) + ',' + all[i % all.size()] + '\n';
    save(text("t.csv"), table);
    const auto data = registerDataset(text("t"), path(text("t.csv")), false, {}, {{}, task, {}, {}});
    QVERIFY2(data, data ? "" : qPrintable(data.error().toString()));
    QCOMPARE((*data)->classes(), classes);
    QCOMPARE((*data)->label().dtype, classes > 0 ? DType::Int64 : DType::Float32);
    if (labels == "0 1 10 2")
        QCOMPARE((*data)->labelNames().last(), text("10"));
    if (classes > 0)
        return;
    double sum = 0, squares = 0;
    for (qint64 i = 0; i < (*data)->count(Split::Train); ++i) {
        const auto value = static_cast<double>(label<float>(**data, Split::Train, i));
        sum += value;
        squares += value * value;
    }
    const auto count = static_cast<double>((*data)->count(Split::Train));
    QVERIFY(std::abs(sum / count) < 1e-6);
    QVERIFY(std::abs(squares / count - 1) < 1e-6);
}

void TableTest::rowsKeepTheirSideWhenOthersCome() {
    QByteArray table = "x,y\n";
    for (int i = 0; i < 100; ++i)
        table += QByteArray::number(i * 31 % 101) + (i % 2 ? ",a\n" : ",b\n");
    save(text("t.csv"), table);
    const auto before = loadDataset(path(text("t.csv")));
    QVERIFY(before);
    QStringList tested;
    for (qint64 i = 0; i < (*before)->count(Split::Test); ++i)
        tested << (*before)->readFields(Split::Test, i)->join(u',');
    save(text("t.csv"), QByteArray(table).replace('\n', "\r\n") + "200,a\r\n201,b\r\n");
    const auto after = loadDataset(path(text("t.csv")));
    QVERIFY(after);
    QStringList later;
    for (qint64 i = 0; i < (*after)->count(Split::Test); ++i)
        later << (*after)->readFields(Split::Test, i)->join(u',');
    QCOMPARE(later.first(tested.size()), tested);
}

void TableTest::otherFormsAreTables_data() {
    QTest::addColumn<QString>("name");
    QTest::addColumn<QByteArray>("line");
    QTest::addColumn<QByteArray>("header");
    QTest::newRow("tabs") << text("t.tsv") << QByteArray("%1\t%2\n") << QByteArray("x\ty\n");
    QTest::newRow("semicolons, and commas before decimals")
        << text("t.csv") << QByteArray("%1,0;%2\n") << QByteArray("x;y\n");
    QTest::newRow("JSON Lines by their other name")
        << text("t.ndjson") << QByteArray("{\"x\":%1,\"y\":\"%2\"}\n") << QByteArray();
    QTest::newRow("JSON Lines") << text("t.jsonl") << QByteArray("{\"x\":%1,\"y\":\"%2\"}\n") << QByteArray();
    QTest::newRow("no header") << text("t.csv") << QByteArray("%1,%2\n") << QByteArray();
}

void TableTest::otherFormsAreTables() {
    QFETCH(QString, name);
    QFETCH(QByteArray, line);
    QFETCH(QByteArray, header);
    QByteArray table = header;
    for (int i = 0; i < 100; ++i)
        table += QByteArray(line).replace("%1", QByteArray::number(i * 31 % 101)).replace("%2", i % 2 ? "a" : "b");
    save(name, table);
    const auto data = loadDataset(path(name));
    QVERIFY2(data, data ? "" : qPrintable(data.error().toString()));
    QCOMPARE((*data)->count(Split::Train) + (*data)->count(Split::Test), 100);
    QCOMPARE((*data)->labelNames(), QStringList({text("a"), text("b")}));
    QCOMPARE((*data)->sample().shape, (std::vector<qint64>{1}));
    QCOMPARE(row(**data, Split::Train, 3).size(), std::size_t{1});
}

void TableTest::commasThatSeparateNothingStandBeforeDecimals_data() {
    QTest::addColumn<QByteArray>("header");
    QTest::addColumn<char>("separator");
    QTest::newRow("semicolons") << QByteArray("width;price\n") << ';';
    QTest::newRow("tabs") << QByteArray("width\tprice\n") << '\t';
    QTest::newRow("semicolons, without names") << QByteArray() << ';';
    QTest::newRow("tabs, without names") << QByteArray() << '\t';
}

void TableTest::commasThatSeparateNothingStandBeforeDecimals() {
    QFETCH(QByteArray, header);
    QFETCH(char, separator);
    QByteArray table = header;
    for (int i = 0; i < 100; ++i)
        table += QByteArray::number(i * 31 % 101) + ",5" + separator + QByteArray::number(i * 7 % 89) + ",25\n";
    save(text("t.csv"), table);
    const auto data = loadDataset(path(text("t.csv")));
    QVERIFY2(data, data ? "" : qPrintable(data.error().toString()));
    QCOMPARE((*data)->count(Split::Train) + (*data)->count(Split::Test), 100);
    QCOMPARE((*data)->classes(), 0);  // prices are a quantity
    QCOMPARE((*data)->sample().shape, (std::vector<qint64>{1}));
    QCOMPARE((*data)->columns().size(), 2);
    const auto fields = (*data)->readFields(Split::Train, 0);
    QVERIFY(fields);
    for (const QString &field : *fields)
        QVERIFY2(field.endsWith(text("5")) && field.contains(u'.'), qPrintable(field));
}

void TableTest::commasThatGroupDigitsStayInTexts_data() {
    QTest::addColumn<int>("least");  // of the sizes
    QTest::addColumn<bool>("areTexts");
    QTest::newRow("some numbers have no comma") << 0 << true;
    QTest::newRow("all have three digits behind one") << 1000 << false;
}

void TableTest::commasThatGroupDigitsStayInTexts() {
    QFETCH(int, least);
    QFETCH(bool, areTexts);
    QByteArray table = "width\tsize\tkind\n";
    for (int i = 0; i < 100; ++i) {
        QByteArray size = QByteArray::number(least + i * 89);
        if (size.size() > 3)
            size.insert(size.size() - 3, ',');
        table += QByteArray::number(i * 31 % 101) + '\t' + size + (i % 2 ? "\ta\n" : "\tb\n");
    }
    save(text("t.tsv"), table);
    const auto data = loadDataset(path(text("t.tsv")));
    QVERIFY2(data, data ? "" : qPrintable(data.error().toString()));
    QCOMPARE((*data)->sample().shape, (std::vector<qint64>{areTexts ? 1 : 2}));
}

void TableTest::columnsThatHaveNumbersHaveThemInEveryFile() {
    QByteArray table = "number\tx\ty\n";
    for (int i = 0; i < 40; ++i)
        table += QByteArray::number(i) + (i % 2 ? "\t1,250\t1,250\n" : "\t2\t2\n");
    save(text("t.tsv"), table);
    save(text("t.json"),
         R"({"format":"hearth-data/1","name":"t","kind":"table","path":")" + path(text("t.tsv")).toUtf8() +
             R"(","label":"y","mean":0,"deviation":1,"columns":[{"name":"x","mean":0,"deviation":1,"lacks":true}]})");
    const auto data = loadDataset(path(text("t.json")));
    QVERIFY2(data, data ? "" : qPrintable(data.error().toString()));
    QCOMPARE((*data)->broken().size(), std::size_t{0});
    for (const Split split : {Split::Train, Split::Test}) {
        for (qint64 i = 0; i < (*data)->count(split); ++i) {
            const float size = label<float>(**data, split, i);
            QVERIFY(size == 1.25F || size == 2.0F);
            QCOMPARE(row(**data, split, i), (std::vector<float>{size, 0.0F}));
        }
    }
}

void TableTest::categoriesAndLabelsMayHaveDecimalCommas() {
    QByteArray table = "number\tx\ty\n";
    for (int i = 0; i < 40; ++i)
        table += QByteArray::number(i) + (i % 2 ? "\t1,5\t0,5\n" : "\t2,5\t2\n");
    save(text("t.tsv"), table);
    save(text("t.json"),
         R"({"format":"hearth-data/1","name":"t","kind":"table","path":")" + path(text("t.tsv")).toUtf8() +
             R"(","label":"y","classes":["0,5","2"],"columns":[{"name":"x","categories":["1,5","2,5"]}]})");
    const auto data = loadDataset(path(text("t.json")));
    QVERIFY2(data, data ? "" : qPrintable(data.error().toString()));
    QCOMPARE((*data)->broken().size(), std::size_t{0});
    QCOMPARE((*data)->count(Split::Train) + (*data)->count(Split::Test), 40);
    for (qint64 i = 0; i < (*data)->count(Split::Train); ++i) {
        const bool isFirst = label<qint64>(**data, Split::Train, i) == 0;
        QCOMPARE(row(**data, Split::Train, i), (std::vector<float>{isFirst ? 1.0F : 0.0F, isFirst ? 0.0F : 1.0F}));
    }
}

void TableTest::numbersOfJsonLinesAreAsTheyAreWritten() {
    const auto saveLines = [&](const QString &name, const char *lines) {
        save(name, QByteArray(lines).replace('\'', '"'));
    };
    saveLines(text("train.jsonl"),
              "{'id':9007199254740993,'share':0.1,'y':'a'}\n"
              "{'id':9007199254740993,'share':100000,'y':'b'}\n"
              "{'id':9007199254740993,'share':-0.25,'y':'b'}\n");
    saveLines(text("test.jsonl"), "{'id':1,'share':0.1,'y':'a'}\n");
    const auto data = loadDataset(path());
    QVERIFY2(data, data ? "" : qPrintable(data.error().toString()));
    const auto read = [&](qint64 index) { return (*data)->readFields(Split::Train, index).value_or(QStringList()); };
    QCOMPARE(read(0), QStringList({text("9007199254740993"), text("0.1"), text("a")}));
    QCOMPARE(read(1), QStringList({text("9007199254740993"), text("100000"), text("b")}));
    QCOMPARE(read(2), QStringList({text("9007199254740993"), text("-0.25"), text("b")}));
}

void TableTest::rowsThatCannotBeUsedAreNamed() {
    QByteArray table = "x,y\n";
    for (int i = 0; i < 50; ++i)
        table += QByteArray::number(i * 31 % 101) + (i % 2 ? ",a\n" : ",b\n");
    save(text("t.csv"), table + "1,a,2\n5,\n\xff\xfe,a\n7,\"two\nlines \xe2\x80\xae rtl\"\n");
    const auto data = loadDataset(path(text("t.csv")));
    QVERIFY2(data, data ? "" : qPrintable(data.error().toString()));
    QStringList left;
    for (const BrokenFile &each : (*data)->broken())
        left << each.file;
    QCOMPARE(left, QStringList({text("t.csv:52"), text("t.csv:53"), text("t.csv:54")}));
    QCOMPARE((*data)->classes(), 3);
}

void TableTest::badTablesAreErrors_data() {
    QTest::addColumn<QByteArray>("table");
    QTest::addColumn<QString>("code");
    QTest::addColumn<QString>("label");
    QTest::newRow("nothing at all") << QByteArray() << text("data.empty") << QString();
    QTest::newRow("a header alone") << QByteArray("x,y\n") << text("data.no-table") << QString();
    QTest::newRow("a quotation mark that is not closed")
        << QByteArray("x,y\n1,\"a\n2,b\n") << text("data.malformed") << QString();
    QTest::newRow("one column") << QByteArray("y\na\nb\nc\nd\na\nb\nc\nd\ne\nf\ng\nh\n") << text("data.no-table")
                                << QString();
    QTest::newRow("names that are no UTF-8") << QByteArray("\xf6,y\n1,a\n") << text("data.malformed") << text("y");
    QTest::newRow("UTF-16") << QByteArray("\xff\xfex\0,\0y\0\n\0", 10) << text("data.malformed") << text("y");
    QTest::newRow("another label") << QByteArray("x,y\n1,a\n") << text("data.no-column") << text("z");
}

void TableTest::badTablesAreErrors() {
    QFETCH(QByteArray, table);
    QFETCH(QString, label);
    save(text("t.csv"), table);
    const auto data = registerDataset(text("t"), path(text("t.csv")), false, {}, {label, {}, {}, {}});
    QVERIFY(!data);
    QTEST(data.error().code, "code");
    QVERIFY(!data.error().toString().isEmpty());
}

void TableTest::aTableOfTextsNamesTheirColumn() {
    QByteArray table = "comment;rating\n";
    for (int i = 0; i < 200; ++i)
        table += "words " + QByteArray::number(i) + (i % 2 ? ";good\n" : ";bad\n");
    save(text("t.csv"), table);
    const auto data = loadDataset(path(text("t.csv")));
    QVERIFY(!data);
    QCOMPARE(data.error().code, text("data.no-table"));
    QVERIFY2(data.error().advice.contains(text("--text \"comment\"")), qPrintable(data.error().advice));
}

void TableTest::oneClassMayBeAPartOfAJobsData() {
    for (const char *name : {"x,y\n", "text,label\n"}) {
        QByteArray table(name);
        for (int i = 0; i < 100; ++i)
            table += QByteArray::number(i * 31 % 101) + ",a\n";
        save(text("t.csv"), table);
        const auto data = loadDataset(path(text("t.csv")));
        QVERIFY2(data, data ? "" : qPrintable(data.error().toString()));
        QCOMPARE((*data)->labelNames(), QStringList{text("a")});
    }
}

void TableTest::aMillionClassesAreAnError() {
    QByteArray table = "x,y\n";
    for (int i = 0; i < 1'000'000; ++i)
        table += "1,c" + QByteArray::number(i) + '\n';
    save(text("t.csv"), table);
    const auto data = loadDataset(path(text("t.csv")));
    QVERIFY(!data);
    QCOMPARE(data.error().code, text("data.too-many"));
}

void TableTest::aLookAtATableIsGivenUp() {
    QByteArray table = "x,y\n";
    for (int i = 0; i < 10'000; ++i)
        table += QByteArray::number(i * 31 % 101) + (i % 2 == 0 ? ",a\n" : ",b\n");
    save(text("t.csv"), table);
    qint64 rows = 0;
    const auto data = registerDataset(text("t"), path(text("t.csv")), false, [&rows](qint64 done, qint64) {
        rows = done;
        return done == 0;
    });
    QVERIFY(!data);
    QCOMPARE(data.error().code, text("data.given-up"));
    QVERIFY2(rows > 0 && rows < 10'000, QByteArray::number(rows).constData());
    QVERIFY(registeredDatasets().isEmpty());
}

void TableTest::whatWasChosenIsKept() {
    QByteArray table = "y,x\n";
    for (int i = 0; i < 50; ++i)
        table += QByteArray::number(i % 3) + ',' + QByteArray::number(i * 31 % 101) + '\n';
    save(text("t.csv"), table);
    const DataChoice choice{text("y"), text("regression"), {}, {}};
    QVERIFY(registerDataset(text("t"), path(text("t.csv")), false, {}, choice));
    for (const auto &data : {loadDataset(text("t")), checkDataset(text("t"))}) {
        QVERIFY2(data, data ? "" : qPrintable(data.error().toString()));
        QCOMPARE((*data)->classes(), 0);
        QCOMPARE((*data)->sample().shape, (std::vector<qint64>{1}));
    }
    save(text("pets/a/1.png"), test::encoded(test::plain(Qt::red), "png"));
    QCOMPARE(registerDataset(text("pets"), path(text("pets")), false, {}, choice).error().code, text("data.no-choice"));
}

void TableTest::aFileThatChangedIsAnError() {
    QByteArray table = "x,y\n";
    for (int i = 0; i < 50; ++i)
        table += QByteArray::number(i * 31 % 101) + (i % 2 ? ",a\n" : ",b\n");
    save(text("t.csv"), table);
    const auto data = loadDataset(path(text("t.csv")));
    QVERIFY(data);
    save(text("t.csv"), "x,y\n");
    const qint64 last = (*data)->count(Split::Train) - 1;
    std::vector<float> value(1);
    const auto read = [&] {
        return (*data)->readSamples(Split::Train, 0, std::span(&last, 1), std::as_writable_bytes(std::span(value)));
    };
    QCOMPARE(read().error().code, text("data.unreadable"));
    // A disk that comes back has the same file, and is another one.
    QVERIFY(QFile::remove(path(text("t.csv"))));
    save(text("t.csv"), table);
    QVERIFY(read());
    save(text("t.csv"), QByteArray(table.size(), ','));
    QCOMPARE(read().error().code, text("data.changed"));
}

QTEST_GUILESS_MAIN(TableTest)
#include "table_test.moc"
