// The Plan page says in German why it refuses a change.
#include "tests/ui/plan_page_fixture.h"

using namespace hearth;

class ErrorWordsTest : public PlanPageFixture {
    Q_OBJECT

  private Q_SLOTS:
    void initTestCase() {
        speakEnglish();
        m_language.reset();
        m_language = std::make_unique<Language>(QLocale(QLocale::German, QLocale::Germany));
    }
    void cleanupTestCase() { m_language.reset(); }

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
