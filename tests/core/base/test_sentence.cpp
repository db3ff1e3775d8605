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
