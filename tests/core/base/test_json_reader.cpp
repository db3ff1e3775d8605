#include <QFile>
#include <QJsonDocument>
#include <QTemporaryDir>
#include <QTest>

#include "core/base/json_reader.h"

using namespace hearth;

namespace {

QJsonObject parse(const char *text) {
    return QJsonDocument::fromJson(text).object();
}

/// Reads a small job the way core does.
Result<void> readJob(const QJsonObject &object) {
    JsonReader reader(object, QStringLiteral("job.json"), QStringLiteral("/jobs/1"));
    reader.string("model");
    reader.integer("batch", 1, 1024);
    reader.number("rate", 0.0, 1.0, 0.5);
    reader.boolean("shuffle", true);
    reader.choice("kind", {QStringLiteral("sgd"), QStringLiteral("adam")}, QStringLiteral("sgd"));
    reader.array("layers", false);
    reader.object("input", false);
    return reader.finish();
}

}  // namespace

class TestJsonReader : public QObject {
    Q_OBJECT

  private Q_SLOTS:
    void readsWhatIsThereAndFillsInTheRest() {
        JsonReader reader(parse(R"({"a":5,"b":2.5,"c":"text","d":true,"e":[1],"f":{"g":1},"n":null})"),
                          QStringLiteral("x.json"));
        QCOMPARE(reader.integer("a", 0, 10), 5);
        QCOMPARE(reader.number("b"), 2.5);
        QCOMPARE(reader.string("c"), QStringLiteral("text"));
        QCOMPARE(reader.boolean("d"), true);
        QCOMPARE(reader.array("e").size(), 1);
        QCOMPARE(reader.object("f").size(), 1);
        QCOMPARE(reader.integer("n", 0, 10, 7), 7);
        QCOMPARE(reader.number("absent", 0, 10, 1.5), 1.5);
        QCOMPARE(reader.string("absent2", QStringLiteral("default")), QStringLiteral("default"));
        QVERIFY(reader.finish());
    }

    void errorsNameFileKeyAndRemedy_data() {
        QTest::addColumn<QByteArray>("text");
        QTest::addColumn<QString>("code");
        QTest::addColumn<QStringList>("words");
        const QString invalid = QStringLiteral("json.invalid");
        const auto words = [](std::initializer_list<const char *> list) {
            QStringList result;
            for (const char *word : list)
                result << QLatin1String(word);
            return result;
        };
        QTest::newRow("a missing key") << QByteArray(R"({"model":"m"})") << QStringLiteral("json.missing")
                                       << words({"job.json", "/jobs/1/batch"});
        QTest::newRow("a misspelt key") << QByteArray(R"({"model":"m","batch":1,"shufle":true})")
                                        << QStringLiteral("json.unknown-key")
                                        << words({"job.json", "/jobs/1/shufle", "Did you mean \"shuffle\"?"});
        QTest::newRow("an unknown key like no other")
            << QByteArray(R"({"model":"m","batch":1,"zzzzzzzzzz":true})") << QStringLiteral("json.unknown-key")
            << words({"zzzzzzzzzz", "Valid are:", "model"});
        QTest::newRow("a text for a number") << QByteArray(R"({"model":"m","batch":"8"})") << invalid
                                             << words({"/jobs/1/batch", "whole number", "the text \"8\""});
        QTest::newRow("a fraction for a whole number")
            << QByteArray(R"({"model":"m","batch":8.5})") << invalid << words({"/jobs/1/batch", "8.5"});
        QTest::newRow("a number too large")
            << QByteArray(R"({"model":"m","batch":1025})") << invalid << words({"1025", "from 1 to 1024"});
        QTest::newRow("a number too small")
            << QByteArray(R"({"model":"m","batch":0})") << invalid << words({"from 1 to 1024"});
        QTest::newRow("a number beyond exact whole numbers")
            << QByteArray(R"({"model":"m","batch":1e300})") << invalid << words({"/jobs/1/batch"});
        QTest::newRow("a real number out of range")
            << QByteArray(R"({"model":"m","batch":1,"rate":1.5})") << invalid << words({"1.5", "from 0 to 1"});
        QTest::newRow("a number for a text")
            << QByteArray(R"({"model":5,"batch":1})") << invalid << words({"/jobs/1/model", "the number 5"});
        QTest::newRow("an unknown choice") << QByteArray(R"({"model":"m","batch":1,"kind":"adm"})") << invalid
                                           << words({"\"adm\" is unknown", "Did you mean \"adam\"?"});
        QTest::newRow("a number for a boolean")
            << QByteArray(R"({"model":"m","batch":1,"shuffle":1})") << invalid << words({"true or false"});
        QTest::newRow("an object for a list")
            << QByteArray(R"({"model":"m","batch":1,"layers":{}})") << invalid << words({"must be a list"});
        QTest::newRow("a list for an object")
            << QByteArray(R"({"model":"m","batch":1,"input":[]})") << invalid << words({"must be an object"});
    }

    void errorsNameFileKeyAndRemedy() {
        QFETCH(QByteArray, text);
        QFETCH(QString, code);
        QFETCH(QStringList, words);
        const auto read = readJob(QJsonDocument::fromJson(text).object());
        QVERIFY(!read);
        QCOMPARE(read.error().code, code);
        for (const QString &word : words)
            QVERIFY2(read.error().toString().contains(word), qPrintable(read.error().toString()));
    }

    void theFirstErrorCounts() {
        JsonReader reader(parse(R"({"a":"x","b":"y"})"), QStringLiteral("x.json"));
        reader.integer("a", 0, 1);
        QVERIFY(!reader.ok());
        reader.integer("b", 0, 1);
        reader.reject(QStringLiteral("b"), QStringLiteral("Later."));
        QVERIFY(reader.finish().error().what.contains(QStringLiteral("\"/a\"")));
    }

    void placesArePointers() {
        QCOMPARE(jsonPointer(QString(), QStringLiteral("a")), QStringLiteral("/a"));
        QCOMPARE(jsonPointer(QStringLiteral("/a"), 3), QStringLiteral("/a/3"));
        QCOMPARE(jsonPointer(QStringLiteral("/a"), QStringLiteral("m/n~o")), QStringLiteral("/a/m~1n~0o"));
        JsonReader unknown(parse(R"({"b/c":1})"), QStringLiteral("x.json"), QStringLiteral("/a"));
        QVERIFY(unknown.finish().error().what.contains(QStringLiteral("\"/a/b~1c\"")));
        JsonReader list(QJsonValue(QJsonArray{1}), QStringLiteral("x.json"), QStringLiteral("/a/3"));
        list.integer("b", 0, 1);
        const Error error = list.finish().error();
        QVERIFY2(error.what.contains(QStringLiteral("\"/a/3\"")), qPrintable(error.toString()));
        QVERIFY2(error.cause.contains(QStringLiteral("an object, not a list")), qPrintable(error.toString()));
    }

    void numbersBeyondDoublesAreNoNumbers() {
        for (const char *number : {"1e999", "-1e999", "NaN", "Infinity"}) {
            const auto parsed = parseJsonObject(QByteArray("{\"a\":") + number + "}", QStringLiteral("x.json"));
            if (!parsed)
                continue;  // line and column are named
            JsonReader reader(*parsed, QStringLiteral("x.json"));
            reader.number("a");
            QVERIFY2(!reader.finish(), number);
        }
    }

    void syntaxErrorsNameLineAndColumn() {
        const auto parsed = parseJsonObject("{\n  \"a\": 1,\n  oops\n}", QStringLiteral("x.json"));
        QVERIFY(!parsed);
        QCOMPARE(parsed.error().code, QStringLiteral("json.syntax"));
        QVERIFY(parsed.error().what.contains(QStringLiteral("x.json")));
        QVERIFY2(parsed.error().cause.contains(QStringLiteral("Line 3")), qPrintable(parsed.error().cause));
        QCOMPARE(parseJsonObject("[1]", QStringLiteral("x")).error().code, QStringLiteral("json.not-an-object"));
        QVERIFY(!parseJsonObject("", QStringLiteral("x")));
        QVERIFY(!parseJsonObject(QByteArray(100'000, '['), QStringLiteral("x")));
    }

    void filesThatCannotBeReadAreNamed() {
        QTemporaryDir folder;
        const QString path = folder.filePath(QStringLiteral("a.json"));
        QCOMPARE(readJsonFile(path).error().code, QStringLiteral("file.unreadable"));
        QVERIFY(!readJsonFile(folder.path()));
        QFile file(path);
        QVERIFY(file.open(QIODevice::WriteOnly));
        file.write(R"({"a":1})");
        file.close();
        QVERIFY(readJsonFile(path));
        QCOMPARE(readJsonFile(path, 6).error().code, QStringLiteral("file.too-large"));
        QVERIFY(readJsonFile(path, 7));
    }

    void nearestWords_data() {
        QTest::addColumn<QString>("word");
        QTest::addColumn<QString>("expected");
        QTest::newRow("a letter too few") << QStringLiteral("momentm") << QStringLiteral("momentum");
        QTest::newRow("another case") << QStringLiteral("MOMENTUM") << QStringLiteral("momentum");
        QTest::newRow("nothing near") << QStringLiteral("elephant") << QString();
        QTest::newRow("a very long word") << QString(100'000, QLatin1Char('x')) << QString();
    }

    void nearestWords() {
        QFETCH(QString, word);
        QFETCH(QString, expected);
        QCOMPARE(nearestWord(word, {QStringLiteral("rate"), QStringLiteral("momentum")}).value_or(QString()), expected);
        QVERIFY(!nearestWord(word, {}));
    }
};

QTEST_GUILESS_MAIN(TestJsonReader)
#include "test_json_reader.moc"
