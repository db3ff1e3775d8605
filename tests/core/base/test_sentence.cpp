#include <QCborArray>
#include <QTest>

#include "core/base/sentence.h"

using namespace hearth;

class TestSentence : public QObject {
    Q_OBJECT

    static constexpr QLatin1String key{"what"};

    static QCborMap with(const QString &text, const QCborValue &parts) {
        return {{key, text}, {QStringLiteral("sentences"), QCborMap{{key, parts}}}};
    }

  private Q_SLOTS:
    void fillsItsPlacesInTheirOrder() {
        const Sentence made = sentence("%2 waits for %1.").arg(QStringLiteral("a"), 12);
        QCOMPARE(made, QStringLiteral("12 waits for a."));
        QCOMPARE(made.source(), QByteArray("%2 waits for %1."));
        QCOMPARE(made.arguments().size(), std::size_t{2});
    }
    void anArgumentIsNoSourceText() {
        QCOMPARE(sentence("%1 and %2").arg(QStringLiteral("%2"), QStringLiteral("%1")), QStringLiteral("%2 and %1"));
        QCOMPARE(sentence("100 %").arg(QStringLiteral("a")), QStringLiteral("100 %"));
    }
    void wordsFollowTheirNumber_data() {
        QTest::addColumn<QString>("text");
        QTest::addColumn<QStringList>("arguments");
        QTest::addColumn<QString>("said");
        const QString files = QStringLiteral("%1 {1|file was|files were} left out of %2.");
        const QString box = QStringLiteral("box"), one = QStringLiteral("1");
        QTest::newRow("one") << files << QStringList{one, box} << QStringLiteral("1 file was left out of box.");
        QTest::newRow("several") << files << QStringList{QStringLiteral("21"), box}
                                 << QStringLiteral("21 files were left out of box.");
        QTest::newRow("none") << files << QStringList{QStringLiteral("0"), box}
                              << QStringLiteral("0 files were left out of box.");
        QTest::newRow("a fraction") << files << QStringList{QStringLiteral("1.0"), box}
                                    << QStringLiteral("1.0 files were left out of box.");
        const QString places = QStringLiteral("{2|The only one, %1,|Each of %2} %1");
        QTest::newRow("places in the words")
            << places << QStringList{box, one} << QStringLiteral("The only one, box, box");
        QTest::newRow("the other words") << places << QStringList{box, QStringLiteral("3")}
                                         << QStringLiteral("Each of 3 box");
        QTest::newRow("two numbers") << QStringLiteral("%1 row{1||s}, %2 field{2||s}")
                                     << QStringList{one, QStringLiteral("2")} << QStringLiteral("1 row, 2 fields");
        QTest::newRow("an argument that looks like a choice")
            << QStringLiteral("%1{1|a|b}") << QStringList{QStringLiteral("{1|c|d}")} << QStringLiteral("{1|c|d}b");
        for (const char *text : {"{\"text\": 1}", "{1|a}", "{1|a", "{3|a|b}", "{0|a|b}", "{", "{1", "{1|"})
            QTest::newRow(text) << QString::fromLatin1(text) << QStringList{one} << QString::fromLatin1(text);
    }
    void wordsFollowTheirNumber() {
        QFETCH(QString, text);
        QFETCH(QStringList, arguments);
        Sentence made = sentence(text.toUtf8().constData());
        for (const QString &argument : arguments)
            made = made.arg(argument);
        QTEST(made.english(), "said");
        QCborMap map;
        insertSentence(map, key, made);
        QCOMPARE(sentenceAt(map, key).source(), made.source());
    }
    void joinsWhatIsThere() {
        QCOMPARE(Sentence::joined({sentence("A."), {}, sentence("B."), QStringLiteral("C.")}),
                 QStringLiteral("A. B. C."));
        QVERIFY(Sentence::joined({}).isEmpty());
    }
    void survivesTheWireWithItsParts() {
        const Sentence made = sentence("%1 takes %2. %3")
                                  .arg(QStringLiteral("box"), Sentence::quantity(QStringLiteral("1.5 s")),
                                       sentence("It is %1.").arg(QStringLiteral("busy")));
        QCborMap map;
        insertSentence(map, key, made);
        QCOMPARE(map.value(key).toString(), QStringLiteral("box takes 1.5 s. It is busy."));
        const Sentence read = sentenceAt(QCborMap::fromJsonObject(map.toJsonObject()), key);
        QCOMPARE(read, made);
        QCOMPARE(read.source(), made.source());
        QCOMPARE(read.arguments()[1].kind(), Sentence::Kind::Quantity);
        QCOMPARE(read.arguments()[2].source(), QByteArray("It is %1."));
    }
    void aTextWithoutPartsIsWrittenAsEver() {
        QCborMap map;
        insertSentence(map, key, QStringLiteral("Words."));
        QCOMPARE(map, (QCborMap{{key, QStringLiteral("Words.")}}));
        QCOMPARE(sentenceAt(map, key).kind(), Sentence::Kind::Text);
    }

    void partsOfAPeerThatAreNotItsTextAreLeftOut_data() {
        QTest::addColumn<QCborValue>("parts");
        const QString words = QStringLiteral("Words.");
        QTest::newRow("another text") << QCborValue(QCborArray{QStringLiteral("Other words.")});
        QTest::newRow("no list") << QCborValue(5);
        QTest::newRow("an empty list") << QCborValue(QCborArray());
        QTest::newRow("a source that is a number") << QCborValue(QCborArray{1, words});
        QCborArray many{QStringLiteral("Words.")};
        for (int i = 0; i < 10; ++i)
            many.append(QStringLiteral("x"));
        QTest::newRow("too many arguments") << QCborValue(many);
        QTest::newRow("more places than a sentence has")
            << QCborValue(QCborArray{QStringLiteral("%1").repeated(500) + words, QString()});
        QCborValue deep = words;
        for (int i = 0; i < 100; ++i)
            deep = QCborArray{QStringLiteral("%1"), deep};
        QTest::newRow("nested too deep") << deep;
    }
    void partsOfAPeerThatAreNotItsTextAreLeftOut() {
        QFETCH(QCborValue, parts);
        const Sentence read = sentenceAt(with(QStringLiteral("Words."), parts), key);
        QCOMPARE(read, QStringLiteral("Words."));
        QCOMPARE(read.kind(), Sentence::Kind::Text);
    }
    void wordsOfAPeerCannotSteerATerminal() {
        const QString hostile = QStringLiteral("\u001b[2Jgone");
        const Sentence read = sentenceAt(with(hostile, QCborArray{QStringLiteral("%1"), hostile}), key);
        QCOMPARE(read, QStringLiteral(" [2Jgone"));
        QCOMPARE(read.kind(), Sentence::Kind::Text);
    }
};

QTEST_GUILESS_MAIN(TestSentence)
#include "test_sentence.moc"
