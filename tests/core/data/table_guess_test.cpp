// What Hearth takes the fields of a table for where nobody said it, what it tells of that, and that it stays.
#include "core/data/data_registry.h"
#include "core/data/dataset.h"
#include "tests/core/data/picture_folder.h"

using namespace hearth;

namespace {

QString text(const char *words) {
    return QString::fromUtf8(words);
}

/// Rows of "x,y"; every `every`-th one from line 17 on has `stray` in place of its `y`, which is no whole number.
QByteArray pricesWith(const QByteArray &stray, int every = 1000, int rows = 200) {
    QByteArray table = "x,y\n";
    for (int i = 0; i < rows; ++i)
        table +=
            QByteArray::number(i * 31 % 101) + ',' + (i % every == 15 ? stray : QByteArray::number(i + 0.5)) + '\n';
    return table;
}

/// A hundred rows like this one, with other numbers in place of a, b and c.
QByteArray rowsLike(const QByteArray &row) {
    QByteArray rows;
    for (int i = 0; i < 100; ++i) {
        rows += QByteArray(row)
                    .replace('a', QByteArray::number(i * 31 % 101))
                    .replace('b', QByteArray::number(i * 7 % 89))
                    .replace('c', QByteArray::number(i * 13 % 97)) +
                '\n';
    }
    return rows;
}

QString told(const Dataset &data) {
    QStringList all;
    for (const BrokenFile &each : data.broken())
        all << each.file + QStringLiteral(": ") + each.cause.english();
    return all.join(u'\n');
}

}  // namespace

class TableGuessTest : public QObject, private test::PictureFolder {
    Q_OBJECT

    Result<std::shared_ptr<const Dataset>> added(const QByteArray &table, const DataChoice &choice = {}) {
        save(text("t.csv"), table);
        return registerDataset(text("t"), path(text("t.csv")), false, {}, choice);
    }
    static qint64 samples(const Dataset &data) { return data.count(Split::Train) + data.count(Split::Test); }

  private Q_SLOTS:
    void init() {
        makeFolder();
        qputenv("XDG_DATA_HOME", path(text("home")).toUtf8());
    }

    void namesMayBeNumbers_data() {
        QTest::addColumn<QByteArray>("header");
        QTest::addColumn<QByteArray>("row");
        QTest::newRow("a text above numbers") << QByteArray("0,1,target") << QByteArray("a.5,b,c.25");
        QTest::newRow("between semicolons") << QByteArray("0;1;target") << QByteArray("a,5;b;c,25");
        QTest::newRow("years") << QByteArray("country,2019,2020,2021") << QByteArray("land a,a.5,b,c.25");
        QTest::newRow("numbers from 0") << QByteArray("0,1,2,3") << QByteArray("a,a.5,b,c.25");
    }
    void namesMayBeNumbers() {
        QFETCH(QByteArray, header);
        QFETCH(QByteArray, row);
        const QStringList columns = QString::fromLatin1(header).replace(u';', u',').split(u',');
        const auto data = added(header + '\n' + rowsLike(row));
        QVERIFY2(data, data ? "" : qPrintable(data.error().toString()));
        QCOMPARE((*data)->columns(), columns);
        QCOMPARE((*data)->classes(), 0);
        QCOMPARE(samples(**data), 100);
        QVERIFY2(told(**data).contains(text("t.csv:1: It is taken for the names of the columns")),
                 qPrintable(told(**data)));
        QCOMPARE(beginningOf(path(text("t.csv"))).columns, columns);
        const auto again = loadDataset(text("t"));
        QVERIFY2(again, again ? "" : qPrintable(again.error().toString()));
        QCOMPARE((*again)->columns(), columns);
        QCOMPARE(told(**again), told(**data));
    }

    void aFirstRowOfValuesIsOne_data() {
        QTest::addColumn<QByteArray>("first");
        QTest::addColumn<QByteArray>("row");
        QTest::newRow("a text above texts") << QByteArray("0,x") << QByteArray("a,y");
        QTest::newRow("no number above numbers") << QByteArray("7,None,8") << QByteArray("a,b.5,c.25");
        QTest::newRow("two fields that are alike") << QByteArray("3,3,sold") << QByteArray("a,b,c.25");
        QTest::newRow("numbers that do not count up") << QByteArray("0,2,1") << QByteArray("a,b,c.25");
        QTest::newRow("other rows count up as well") << QByteArray("0,1,2,x") << QByteArray("2000,2001,2002,y");
    }
    void aFirstRowOfValuesIsOne() {
        QFETCH(QByteArray, first);
        QFETCH(QByteArray, row);
        save(text("t.csv"), first + '\n' + rowsLike(row));
        const DataBeginning beginning = beginningOf(path(text("t.csv")));
        QCOMPARE(beginning.columns.value(0), text("column 1"));
        QCOMPARE(beginning.rows.value(0), QString::fromLatin1(first).split(u','));
    }

    void theNameOfAColumnDecides() {
        const QByteArray table = "10,20,30\n" + rowsLike("a,b,c.25");
        const auto values = added(table);
        QVERIFY2(values, values ? "" : qPrintable(values.error().toString()));
        QCOMPARE((*values)->columns().front(), text("column 1"));
        QVERIFY(unregisterDataset(text("t")));
        const auto names = added(table, {text("30"), {}, {}, {}});
        for (const auto &data : {names, loadDataset(text("t")), checkDataset(text("t"))}) {
            QVERIFY2(data, data ? "" : qPrintable(data.error().toString()));
            QCOMPARE((*data)->columns(), (QStringList{text("10"), text("20"), text("30")}));
            QCOMPARE(samples(**data), 100);
        }
    }

    /// One that was added when half of a line being numbers made a row of it.
    void anAddedTableKeepsItsColumns() {
        const QByteArray file = path(text("t.csv")).toUtf8();
        save(text("t.csv"), "0,1,target\n" + rowsLike("a.5,b,c.25"));
        save(text("home/hearth/data/t.json"),
             R"({"format":"hearth-data/1","name":"t","kind":"table","from":")" + file + R"(","path":")" + file +
                 R"(","label":"column 3","mean":48,"deviation":28,"columns":[{"name":"column 1","mean":50}]})");
        for (const auto &data : {loadDataset(text("t")), checkDataset(text("t")), loadDataset(text("t"))}) {
            QVERIFY2(data, data ? "" : qPrintable(data.error().toString()));
            QCOMPARE((*data)->columns(), (QStringList{text("column 1"), text("column 2"), text("column 3")}));
            QVERIFY2(told(**data).contains(text("t.csv:1: Its label is no number.")), qPrintable(told(**data)));
            QCOMPARE(samples(**data), 100);
        }
    }

    void aStrayFieldAmongQuantitiesIsLeftOut_data() {
        QTest::addColumn<QByteArray>("stray");
        for (const char *stray : {"None", "n/a", "#N/A", "-", "sold"})
            QTest::newRow(stray) << QByteArray(stray);
    }
    void aStrayFieldAmongQuantitiesIsLeftOut() {
        QFETCH(QByteArray, stray);
        const auto data = added(pricesWith(stray));
        QVERIFY2(data, data ? "" : qPrintable(data.error().toString()));
        QCOMPARE((*data)->classes(), 0);
        QCOMPARE(samples(**data), 199);
        QCOMPARE(told(**data), text("t.csv:17: Its label is no number."));
    }

    void manyFieldsMayStandForNoNumber() {
        const auto data = added(pricesWith("None", 20));
        QVERIFY2(data, data ? "" : qPrintable(data.error().toString()));
        QCOMPARE((*data)->classes(), 0);
        QCOMPARE(samples(**data), 190);
    }

    void whatStandsForNoNumberIsAClassAmongTexts_data() {
        QTest::addColumn<QByteArray>("labels");
        QTest::addColumn<QStringList>("classes");
        QTest::newRow("signs") << QByteArray("+ -") << QStringList{text("+"), text("-")};
        QTest::newRow("grades") << QByteArray("None mild severe")
                                << QStringList{text("None"), text("mild"), text("severe")};
        QTest::newRow("whole numbers") << QByteArray("0 1 None") << QStringList{text("0"), text("1"), text("None")};
    }
    void whatStandsForNoNumberIsAClassAmongTexts() {
        QFETCH(QByteArray, labels);
        const QList<QByteArray> all = labels.split(' ');
        QByteArray table = "x,y\n";
        for (int i = 0; i < 100; ++i)
            table += QByteArray::number(i * 31 % 101) + ',' + all[i % all.size()] + '\n';
        const auto data = added(table);
        QVERIFY2(data, data ? "" : qPrintable(data.error().toString()));
        QTEST((*data)->labelNames(), "classes");
        QCOMPARE(samples(**data), 100);
    }

    void manyTextsAmongQuantitiesAreAsked() {
        const QByteArray table = pricesWith("sold", 20);
        const auto open = added(table);
        QVERIFY(!open);
        QCOMPARE(open.error().code, text("data.no-table"));
        QVERIFY2(open.error().cause.contains(text("t.csv:17 has \"sold\"")), qPrintable(open.error().toString()));
        QVERIFY2(open.error().advice.contains(text("--task")), qPrintable(open.error().toString()));
        const auto quantities = added(table, {{}, text("regression"), {}, {}});
        QVERIFY2(quantities, quantities ? "" : qPrintable(quantities.error().toString()));
        QCOMPARE(samples(**quantities), 190);
        QVERIFY(unregisterDataset(text("t")));
        const auto classes = added(table, {{}, text("classification"), {}, {}});
        QVERIFY2(classes, classes ? "" : qPrintable(classes.error().toString()));
        QCOMPARE((*classes)->classes(), 191);
        QCOMPARE(samples(**classes), 200);
    }

    /// Read as missing they would be the large ones.
    void numbersThatAreWrittenInAnotherWayAreNotPassedOver_data() {
        QTest::addColumn<QByteArray>("stray");
        for (const char *stray : {"\"1,234\"", "\"1.234,56\"", "45 %", "1 234"})
            QTest::newRow(stray) << QByteArray(stray);
    }
    void numbersThatAreWrittenInAnotherWayAreNotPassedOver() {
        QFETCH(QByteArray, stray);
        for (const char *task : {"", "regression"}) {
            const auto data = added(pricesWith(stray), {{}, text(task), {}, {}});
            QVERIFY(!data);
            const QString named = QStringLiteral("t.csv:17 has \"%1\"").arg(QString::fromUtf8(stray).remove(u'"'));
            QVERIFY2(data.error().cause.contains(named), qPrintable(data.error().toString()));
        }
    }

    void textsAreNoQuantity() {
        QByteArray table = "x,y\n";
        for (int i = 0; i < 100; ++i)
            table += QByteArray::number(i * 31 % 101) + (i % 2 ? ",a\n" : ",b\n");
        const auto data = added(table, {{}, text("regression"), {}, {}});
        QVERIFY(!data);
        QCOMPARE(data.error().code, text("data.no-table"));
        QVERIFY2(data.error().cause.endsWith(text("no quantity: t.csv:2 has \"b\".")),
                 qPrintable(data.error().toString()));
    }

    void aStrayFieldOfAColumnCountsAsMissing() {
        save(text("set/train.csv"), pricesWith("sold").replace("x,y", "x,price").replace("\n", ",a\n"));
        save(text("set/test.csv"), "x,price,a\n1,2.5,a\n");
        const auto data = loadDataset(path(text("set")));
        QVERIFY2(data, data ? "" : qPrintable(data.error().toString()));
        QCOMPARE((*data)->sample().shape, (std::vector<qint64>{3}));  // x, price, no price
        QCOMPARE(told(**data), text("price: 1 field is no number and counts as missing: train.csv:17 has \"sold\"."));
        const qint64 at = 15;
        std::vector<float> row(3);
        QVERIFY((*data)->readSamples(Split::Train, 0, std::span(&at, 1), std::as_writable_bytes(std::span(row))));
        QCOMPARE(row[1], 0.0F);
        QCOMPARE(row[2], 1.0F);
    }

    void aColumnWithTooManyTextsNamesTheFirst_data() {
        QTest::addColumn<int>("rows");
        QTest::addColumn<QString>("cause");
        QTest::newRow("left out") << 200 << text("numbers, and fields that are none: train.csv:17 has \"sold\".");
        QTest::newRow("few different ones") << 40 << text("categories, since some are no numbers: train.csv:17 has");
    }
    void aColumnWithTooManyTextsNamesTheFirst() {
        QFETCH(int, rows);
        QFETCH(QString, cause);
        save(text("set/train.csv"), pricesWith("sold", 20, rows).replace("x,y", "x,price").replace("\n", ",a\n"));
        save(text("set/test.csv"), "x,price,a\n1,2.5,a\n");
        const auto data = loadDataset(path(text("set")));
        QVERIFY2(data, data ? "" : qPrintable(data.error().toString()));
        QCOMPARE((*data)->broken().size(), std::size_t{1});
        QCOMPARE((*data)->broken().front().file, text("price"));
        QVERIFY2((*data)->broken().front().cause.contains(cause), qPrintable(told(**data)));
    }

    void whatIsUsedNeverthelessIsNotLeftOut_data() {
        QTest::addColumn<QByteArray>("table");
        QTest::addColumn<QString>("doubtful");
        QTest::newRow("odd fields in a column")
            << pricesWith("sold").replace("x,y", "x,price").replace("\n", ",a\n") << text("price");
        QTest::newRow("a first line of numbers") << "0,1,target\n" + rowsLike("a.5,b,c.25") << text("t.csv:1");
    }
    void whatIsUsedNeverthelessIsNotLeftOut() {
        QFETCH(QByteArray, table);
        for (const auto &data : {added(table), loadDataset(text("t")), checkDataset(text("t"))}) {
            QVERIFY2(data, data ? "" : qPrintable(data.error().toString()));
            QCOMPARE((*data)->countBroken(BrokenFile::Fate::LeftOut), 0);
            QCOMPARE((*data)->countBroken(BrokenFile::Fate::Doubtful), 1);
            QTEST((*data)->broken().front().file, "doubtful");
        }
        const auto summary = summaryOf(text("t"));
        QVERIFY2(summary && *summary, summary ? "" : qPrintable(summary.error().toString()));
        QCOMPARE((*summary)->leftOut, 0);
        QCOMPARE((*summary)->doubtful, 1);
    }

    void aRowBelowNamesThatAreNumbersIsTooFew() {
        const auto data = added("0,1,target\n5.5,7,2.25\n");
        QVERIFY(!data);
        QCOMPARE(data.error().code, text("data.no-table"));
        QVERIFY2(data.error().cause.contains(text("It has 1 row, too few")), qPrintable(data.error().toString()));
        QVERIFY2(data.error().advice.startsWith(text("Add rows")), qPrintable(data.error().toString()));
    }

    /// One that was added when a single text made classes of all quantities.
    void whatLabelsWereFoundToBeStays() {
        const QByteArray file = path(text("t.csv")).toUtf8();
        QByteArray table = "x,y\n";
        for (int i = 0; i < 200; ++i)
            table += QByteArray::number(i * 31 % 101) + ',' + (i == 15 ? "None" : i % 2 == 0 ? "0.5" : "1.5") + '\n';
        save(text("t.csv"), table);
        save(text("home/hearth/data/t.json"),
             R"({"format":"hearth-data/1","name":"t","kind":"table","from":")" + file + R"(","path":")" + file +
                 R"(","label":"y","classes":["0.5","1.5","None"],"columns":[{"name":"x","mean":0,"deviation":1}]})");
        for (const auto &data : {loadDataset(text("t")), checkDataset(text("t")), loadDataset(text("t"))}) {
            QVERIFY2(data, data ? "" : qPrintable(data.error().toString()));
            QCOMPARE((*data)->labelNames(), (QStringList{text("0.5"), text("1.5"), text("None")}));
            QCOMPARE(samples(**data), 200);
        }
        // Anew it is what a single None leaves it.
        QVERIFY(unregisterDataset(text("t")));
        QCOMPARE(added(table).value()->classes(), 0);
    }
};

QTEST_GUILESS_MAIN(TableGuessTest)
#include "table_guess_test.moc"
