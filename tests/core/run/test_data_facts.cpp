// What a device tells of its data, and what is believed of it.
#include <QJsonArray>
#include <QTest>

#include "core/run/data_facts.h"

using namespace hearth;

namespace {

QString text(const char *words) {
    return QString::fromUtf8(words);
}

DataFacts facts() {
    DataFacts told;
    told.name = text("photos");
    told.kind = text("pictures");
    told.counts = {800, 0, 200};
    told.parts = {{text("tokens"), {DType::Int64, {64}, false}, WholeRange{0, 999}},
                  {text("picture"), {DType::UInt8, {3, 64, 64}, false}, {}}};
    told.label = {DType::Int64, {}, false};
    told.classes = 2;
    told.labelNames = {text("cat"), text("dog")};
    told.columns = {text("a")};
    told.preparation = {{text("kind"), text("table")}};
    told.input.pad = {2, 2};
    told.ownSizes = true;
    told.isDecoded = true;
    told.bytes = 123456;
    return told;
}

}  // namespace

class TestDataFacts : public QObject {
    Q_OBJECT
  private Q_SLOTS:
    void whatIsWrittenIsRead() {
        const auto read = DataFacts::fromText(facts().toText(), text("desk"));
        QVERIFY2(read, read ? "" : qPrintable(read.error().toString()));
        QVERIFY(*read == facts());
        QCOMPARE(read->count(Split::Test), qint64{200});
    }

    void aPeerIsNotBelieved_data() {
        QTest::addColumn<QString>("key");
        QTest::addColumn<QJsonValue>("value");
        const auto row = [](const char *name, const char *key, const QJsonValue &value) {
            QTest::newRow(name) << text(key) << value;
        };
        const auto part = [](const QJsonArray &shape, const QJsonValue &range = {}) {
            QJsonObject made{{text("name"), text("x")}, {text("dtype"), text("I64")}, {text("shape"), shape}};
            if (!range.isNull())
                made[text("range")] = range;
            return QJsonArray{made};
        };
        QStringList many;
        for (int i = 0; i < 20; ++i)
            many << QString::number(i);
        row("a format of another version", "format", text("hearth-data-facts/2"));
        row("a key that nobody knows", "extra", 1);
        row("more samples than anybody has", "counts", QJsonArray{double(qint64{1} << 41), 0, 0});
        row("more samples than their order has room for", "counts", QJsonArray{(1 << 26) + 1, 0, 0});
        row("no sample to learn from", "counts", QJsonArray{0, 0, 10});
        row("fewer than no samples", "counts", QJsonArray{-1, 0, 0});
        row("half a sample", "counts", QJsonArray{1.5, 0, 0});
        row("two splits", "counts", QJsonArray{1, 0});
        row("no parts", "parts", QJsonArray());
        row("more parts than a network takes", "parts", QJsonArray::fromStringList(many));
        row("a part that is none", "parts", QJsonArray{1});
        row("a sample of more than a gibibyte", "parts", part({1 << 27, 2}));
        row("a product beyond all numbers", "parts", part({1 << 27, 1 << 27, 1 << 27, 1 << 27}));
        row("no width", "parts", part({0}));
        row("nine dimensions", "parts", part({1, 1, 1, 1, 1, 1, 1, 1, 1}));
        row("a range upside down", "parts", part({1}, QJsonArray{2, 1}));
        row("a range of three", "parts", part({1}, QJsonArray{0, 1, 2}));
        row("more classes than there can be", "classes", 1'000'001);
        row("a name too few", "label_names", QJsonArray{text("cat")});
        row("a name that is a number", "label_names", QJsonArray{text("cat"), 1});
        row("a class with an endless name", "label_names", QJsonArray{text("cat"), QString(1001, QLatin1Char('x'))});
        row("an endless name", "name", QString(201, QLatin1Char('x')));
        row("an endless column", "columns", QJsonArray{QString(1001, QLatin1Char('x'))});
        row("a label of no type", "label", QJsonObject{{text("dtype"), text("I7")}, {text("shape"), QJsonArray()}});
        row("an input that is none", "input", QJsonObject{{text("scale"), text("large")}});
        row("a range of words", "parts", part({1}, QJsonArray{text("few"), text("many")}));
        row("fewer than no bytes", "bytes", -1);
        row("more bytes than sums have room for", "bytes", double(qint64{1} << 54));
        row("a tokenizer in a file of this device", "preparation",
            QJsonObject{{text("kind"), text("text")}, {text("tokenizer"), text("/etc/hostname")}});
        row("a path of this device", "preparation",
            QJsonObject{{text("kind"), text("table")}, {text("path"), text("/home")}});
        row("a unit of what is learnt that is none", "preparation",
            QJsonObject{{text("kind"), text("table")}, {text("deviation"), 0}});
    }
    void aPeerIsNotBelieved() {
        QFETCH(QString, key);
        QFETCH(QJsonValue, value);
        QJsonObject told = facts().toJson();
        told[key] = value;
        const auto read = DataFacts::fromJson(told, text("desk"));
        QVERIFY(!read);
        QVERIFY2(read.error().toString().contains(text("desk")), qPrintable(read.error().toString()));
    }

    void whatIsMissingIsAnError() {
        const QStringList keys = facts().toJson().keys();
        for (const QString &key : keys) {
            QJsonObject told = facts().toJson();
            told.remove(key);
            QVERIFY2(!DataFacts::fromJson(told, text("desk")), qPrintable(key));
        }
    }
};

QTEST_GUILESS_MAIN(TestDataFacts)
#include "test_data_facts.moc"
