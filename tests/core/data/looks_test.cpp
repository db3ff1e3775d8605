// How much is read for a look at data.
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

QTEST_GUILESS_MAIN(LooksTest)
#include "looks_test.moc"
