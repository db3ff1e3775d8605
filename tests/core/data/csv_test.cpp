#include "core/data/csv.h"

#include <QBuffer>
#include <QTest>

using namespace hearth;

class CsvTest : public QObject {
    Q_OBJECT

  private Q_SLOTS:
    void recordsAreWhatRfc4180Says_data();
    void recordsAreWhatRfc4180Says();
    void errorsNameTheLine_data();
    void errorsNameTheLine();
    void longTextsPassThePiecesOfTheFile();
};

void CsvTest::recordsAreWhatRfc4180Says_data() {
    QTest::addColumn<QByteArray>("text");
    QTest::addColumn<QList<QStringList>>("records");
    const auto row = [](const char *name, const char *text, const QList<QStringList> &records) {
        QTest::newRow(name) << QByteArray(text) << records;
    };
    const auto s = [](const char *text) { return QString::fromUtf8(text); };
    row("nothing", "", {});
    row("two lines", "a,b\n1,2\n", {{s("a"), s("b")}, {s("1"), s("2")}});
    row("no line end at the end", "a,b", {{s("a"), s("b")}});
    row("lines of Windows", "a,b\r\n1,2\r\n", {{s("a"), s("b")}, {s("1"), s("2")}});
    row("a byte order mark",
        "\xef\xbb\xbf"
        "a,b\n",
        {{s("a"), s("b")}});
    row("such a mark within the file",
        "a,\xef\xbb\xbf\xef\xbb\xbf"
        "b\n",
        {{s("a"), QString(2, QChar(0xfeff)) + QLatin1Char('b')}});
    row("empty fields", ",\n", {{s(""), s("")}});
    row("empty lines are passed over", "a\n\n\r\nb\n", {{s("a")}, {s("b")}});
    row("separators and line ends in quotation marks", "\"a,b\",\"c\r\nd\"\n", {{s("a,b"), s("c\r\nd")}});
    row("doubled quotation marks", "\"say \"\"hi\"\"\",\"\"\n", {{s("say \"hi\""), s("")}});
    row("quoted at the end of a Windows line", "\"a\"\r\nb\r\n", {{s("a")}, {s("b")}});
    row("other scripts", "ä,漢字,🙂\n", {{s("ä"), s("漢字"), s("🙂")}});
}

void CsvTest::recordsAreWhatRfc4180Says() {
    QFETCH(QByteArray, text);
    QBuffer buffer(&text);
    QVERIFY(buffer.open(QIODevice::ReadOnly));
    CsvReader reader(buffer, ',', QStringLiteral("x.csv"));
    QList<QStringList> records;
    for (;;) {
        const auto record = reader.next();
        QVERIFY2(record, record ? "" : qPrintable(record.error().toString()));
        if (!*record)
            break;
        records << **record;
    }
    QTEST(records, "records");
}

void CsvTest::errorsNameTheLine_data() {
    QTest::addColumn<QByteArray>("text");
    QTest::addColumn<QString>("words");
    QTest::newRow("not closed") << QByteArray("a,b\n\"1\n2\n3") << QStringLiteral("Line 2 of x.csv");
    QTest::newRow("within a text") << QByteArray("a\nb\nthe \"best\"\n") << QStringLiteral("Line 3 of x.csv");
    QTest::newRow("after the last one") << QByteArray("\"a\"b\n") << QStringLiteral("Line 1 of x.csv");
    QTest::newRow("endless") << QByteArray("a\n\"") + QByteArray(9 << 20, 'x') << QStringLiteral("Line 2 of x.csv");
}

void CsvTest::errorsNameTheLine() {
    QFETCH(QByteArray, text);
    QFETCH(QString, words);
    QBuffer buffer(&text);
    QVERIFY(buffer.open(QIODevice::ReadOnly));
    CsvReader reader(buffer, ',', QStringLiteral("x.csv"));
    for (;;) {
        const auto record = reader.next();
        if (!record) {
            QVERIFY2(record.error().toString().contains(words), qPrintable(record.error().toString()));
            return;
        }
        QVERIFY(record->has_value());
    }
}

void CsvTest::longTextsPassThePiecesOfTheFile() {
    QByteArray text;
    for (int i = 0; i < 5000; ++i)
        text += "\"" + QByteArray(i % 97, 'a') + "\"\"\n\"," + QByteArray::number(i) + "\r\n";
    QBuffer buffer(&text);
    QVERIFY(buffer.open(QIODevice::ReadOnly));
    CsvReader reader(buffer, ',', QStringLiteral("x.csv"));
    for (int i = 0; i < 5000; ++i) {
        const auto record = reader.next();
        QVERIFY(record && *record);
        QCOMPARE((*record)->at(1), QString::number(i));
        QCOMPARE((*record)->at(0).size(), i % 97 + 2);
        QCOMPARE(reader.line(), 2 * i + 1);
    }
}

QTEST_GUILESS_MAIN(CsvTest)
#include "csv_test.moc"
