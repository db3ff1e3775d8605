// Errors of core in German: every refusal of an edit has its words, with all its parts, and the Plan page says them.
#include <QRegularExpression>

#include "tests/ui/plan_page_fixture.h"
#include "ui/words/error_words.h"
#include "ui/words/format.h"

using namespace hearth;

namespace {

QStringList placesIn(const QString &text) {
    static const QRegularExpression place(QStringLiteral("%\\d"));
    QStringList found;
    for (const QRegularExpressionMatch &match : place.globalMatch(text))
        found << match.captured();
    found.removeDuplicates();
    found.sort();
    return found;
}

QString translated(const char *sentence) {
    return QCoreApplication::translate("EditRefusal", sentence);
}

constexpr int reasonCount = static_cast<int>(RefusalReason::NoPlanFits) + 1;

}  // namespace

class ErrorWordsTest : public PlanPageFixture {
    Q_OBJECT

  private Q_SLOTS:
    void initTestCase() {
        speakEnglish();
        m_language.reset();
        m_language = std::make_unique<Language>(QLocale(QLocale::German, QLocale::Germany));
    }
    void cleanupTestCase() { m_language.reset(); }

    void everyRefusalHasGermanWordsWithTheSameParts_data() {
        QTest::addColumn<int>("reason");
        for (int reason = 1; reason < reasonCount; ++reason) {
            const RefusalWords &words = wordsOf(static_cast<RefusalReason>(reason));
            QTest::addRow("%s %s %s", words.code, words.what, words.cause) << reason;
        }
    }
    void everyRefusalHasGermanWordsWithTheSameParts() {
        QFETCH(int, reason);
        const RefusalWords &words = wordsOf(static_cast<RefusalReason>(reason));
        QVERIFY(*words.code != '\0' && *words.what != '\0');
        for (const char *sentence : {words.what, words.cause, words.advice}) {
            if (*sentence == '\0')
                continue;
            const QString english = QString::fromLatin1(sentence);
            QVERIFY2(translated(sentence) != english, sentence);
            QCOMPARE(placesIn(translated(sentence)), placesIn(english));
        }
    }

    void numbersAndBytesAreWrittenAsInTheWindow() {
        const double needed = 3.5 * (qint64{1} << 30), available = 2.0 * (qint64{1} << 30);
        const EditRefusal refusal(RefusalReason::Memory, {QStringLiteral("nx1"), needed, available,
                                                          QStringLiteral("conv1"), QStringLiteral("conv2"), 2,
                                                          static_cast<qint64>(needed), static_cast<qint64>(available)});
        QCOMPARE(refusal.what, QStringLiteral("nx1 would need 3.8 GB and has 2.1 GB."));
        const QString text = errorText(refusal);
        QVERIFY2(plain(text).startsWith(QStringLiteral("nx1 bräuchte 3,5 GiB und hat 2,0 GiB.")), qPrintable(text));
        QVERIFY2(text.contains(QStringLiteral("von conv1 bis conv2 (Stufe 2)")), qPrintable(text));
        QVERIFY2(text.contains(formatCount(static_cast<qint64>(needed))), qPrintable(text));
    }

    void anErrorThatLostItsPartsIsTranslatedByItsCode() {
        const Error sliced = EditRefusal(RefusalReason::NoPlanFits, {});
        QVERIFY(errorText(sliced).startsWith(QStringLiteral("Kein Plan, der das Festgehaltene behält")));
        const Error other{QStringLiteral("x"), QStringLiteral("What."), QStringLiteral("Why."), {}};
        QCOMPARE(errorText(other), other.toString());
        QCOMPARE(errorText(EditRefusal(other)), other.toString());
    }

    void anArgumentThatLooksLikeAPlaceStaysAsItIs() {
        QCOMPARE(filledWith(QStringLiteral("%1, %2, %3 %"), {QStringLiteral("%2"), QStringLiteral("b")}),
                 QStringLiteral("%2, b, %3 %"));
    }

    void thePlanPageSaysWhyADragIsRefused() {
        openPlanPage();
        dragBorder(0, 5);
        QVERIFY2(message().startsWith(QStringLiteral("Stufe 2 hätte keine Schichten. Sie endet mit classifier.")),
                 qPrintable(message()));
        auto *strip = find<LayerStrip>("layerStrip");
        strip->setFocus();
        QTest::keyClick(strip, Qt::Key_L);
        dragBorder(0, 3);
        QVERIFY2(message().endsWith(QStringLiteral("ist festgehalten. Dort würde keine Stufe beginnen. "
                                                   "Zuerst freigeben.")),
                 qPrintable(message()));
        click("lock-local-2");
        const auto *rest = find<QWidget>("planRest");
        dragChip("chip-local-2", rest, rest->rect().center(), false);
        QCOMPARE(message(),
                 QStringLiteral("local-2 ist an seinem Platz festgehalten. Es würde ruhen. Zuerst freigeben."));
        endWindow();
    }
};

QTEST_MAIN(ErrorWordsTest)
#include "error_words_test.moc"
