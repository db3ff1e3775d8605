// How much is read for a look at data, and what a person is told to do where it finds none.
#include "core/data/data_registry.h"
#include "tests/core/data/picture_folder.h"

using namespace hearth;

namespace {

QString text(const char *words) {
    return QString::fromUtf8(words);
}

}  // namespace

class LooksTest : public QObject, private test::PictureFolder {
    Q_OBJECT

  private Q_SLOTS:
    void init() {
        makeFolder();
        qputenv("XDG_DATA_HOME", path(text("home")).toUtf8());
    }
    void ofRowsThatCannotBeUsedOnlyTheBeginningIsRead_data();
    void ofRowsThatCannotBeUsedOnlyTheBeginningIsRead();
    void belowAFirstLineOfNumbersOnlyTheBeginningIsRead_data();
    void belowAFirstLineOfNumbersOnlyTheBeginningIsRead();
    void theFirstRowsThatCanBeUsedAreShown();
    void whatIsWrongWithATableIsToldWithItsCure_data();
    void whatIsWrongWithATableIsToldWithItsCure();
};

void LooksTest::ofRowsThatCannotBeUsedOnlyTheBeginningIsRead_data() {
    QTest::addColumn<QByteArray>("line");
    QTest::newRow("lines of other fields than the first one") << QByteArray("1;2;3\n");
    QTest::newRow("long lines of such") << QByteArray("1;2;") + QByteArray(100'000, 'x') + '\n';
    QTest::newRow("empty lines") << QByteArray("\n");
}

void LooksTest::ofRowsThatCannotBeUsedOnlyTheBeginningIsRead() {
    QFETCH(QByteArray, line);
    constexpr qsizetype bytes = 16 << 20;
    save(text("t.csv"), "sep=;\n" + line.repeated(bytes / line.size()));
    int pieces = 0;
    const DataBeginning beginning = beginningOf(path(text("t.csv")), [&pieces](qint64, qint64) {
        ++pieces;
        return true;
    });
    QCOMPARE(beginning.columns.size(), 2);
    QVERIFY(beginning.rows.isEmpty());
    // All of the file has 256 pieces of 64 KiB.
    QVERIFY2(pieces > 0 && pieces < 40, QByteArray::number(pieces).constData());
}

void LooksTest::belowAFirstLineOfNumbersOnlyTheBeginningIsRead_data() {
    QTest::addColumn<QByteArray>("line");
    QTest::newRow("long lines") << QByteArray("3,4,") + QByteArray(100'000, 'x') + '\n';
    QTest::newRow("empty lines") << QByteArray("\n");
}

void LooksTest::belowAFirstLineOfNumbersOnlyTheBeginningIsRead() {
    QFETCH(QByteArray, line);
    constexpr qsizetype bytes = 16 << 20;
    save(text("t.csv"), "1,2,3\n" + line.repeated(bytes / line.size()));
    int pieces = 0;
    const DataBeginning beginning = beginningOf(path(text("t.csv")), [&pieces](qint64, qint64) {
        ++pieces;
        return true;
    });
    QCOMPARE(beginning.columns.size(), 3);
    QVERIFY2(pieces > 0 && pieces < 80, QByteArray::number(pieces).constData());
}

void LooksTest::theFirstRowsThatCanBeUsedAreShown() {
    save(text("t.csv"), "x,y\n1\n1,2,3\n4,a\n\n5,b\n");
    const DataBeginning beginning = beginningOf(path(text("t.csv")));
    QCOMPARE(beginning.label, text("y"));
    const QList<QStringList> rows{{text("4"), text("a")}, {text("5"), text("b")}};
    QCOMPARE(beginning.rows, rows);
    QVERIFY(beginningOf(path(text("t.csv")), [](qint64, qint64) { return false; }).rows.isEmpty());
}

void LooksTest::whatIsWrongWithATableIsToldWithItsCure_data() {
    QTest::addColumn<QByteArray>("header");
    QTest::addColumn<QByteArray>("row");  // of some number, one of two texts, its own number, a quantity but for one
    QTest::addColumn<int>("rows");
    QTest::addColumn<QString>("task");
    QTest::addColumn<QString>("advice");
    const QString none;
    QTest::newRow("too few rows") << QByteArray("x,y\n") << QByteArray("%1,%2\n") << 1 << none
                                  << text("Add rows, or make a folder with a train.csv and a test.csv.");
    QTest::newRow("rows without a label")
        << QByteArray("x,y\n") << QByteArray("%1,\n") << 60 << none
        << text("Correct them, or choose another column under \"Learn\", or say --label COLUMN.");
    QTest::newRow("no column but the label")
        << QByteArray("n,y\n") << QByteArray("%3,%2\n") << 60 << none
        << text(
               "Add columns of numbers or categories, or choose another column under \"Learn\", or say --label "
               "COLUMN.");
    QTest::newRow("texts as a quantity") << QByteArray("x,y\n") << QByteArray("%1,%2\n") << 60 << text("regression")
                                         << text("Choose \"classes\" beside \"Learn\", or say --task classification.");
    QTest::newRow("a number that cannot be read as a quantity")
        << QByteArray("x,y\n") << QByteArray("%1,%4\n") << 60 << text("regression")
        << text("Correct such fields or leave them empty.");
    QTest::newRow("such a number as nobody says what")
        << QByteArray("x,y\n") << QByteArray("%1,%4\n") << 60 << none
        << text(
               "Correct such fields or leave them empty, or say whether labels are classes or a quantity: beside "
               "\"Learn\", or with --task classification or --task regression.");
    QTest::newRow("one number as a quantity") << QByteArray("x,y\n") << QByteArray("%1,7\n") << 60 << text("regression")
                                              << text("Choose another column under \"Learn\", or say --label COLUMN.");
}

void LooksTest::whatIsWrongWithATableIsToldWithItsCure() {
    QFETCH(QByteArray, header);
    QFETCH(QByteArray, row);
    QFETCH(int, rows);
    QFETCH(QString, task);
    QByteArray table = header;
    for (int i = 0; i < rows; ++i)
        table += QByteArray(row)
                     .replace("%1", QByteArray::number(i * 31 % 101))
                     .replace("%2", i % 2 ? "a" : "b")
                     .replace("%3", QByteArray::number(i))
                     .replace("%4", i == 15 ? QByteArray("1 234") : QByteArray::number(i) + ".5");
    save(text("t.csv"), table);
    const auto data = registerDataset(text("t"), path(text("t.csv")), false, {}, {{}, task, {}, {}});
    QVERIFY(!data);
    QCOMPARE(data.error().code, text("data.no-table"));
    QTEST(data.error().advice.english(), "advice");
}

QTEST_GUILESS_MAIN(LooksTest)
#include "looks_test.moc"
