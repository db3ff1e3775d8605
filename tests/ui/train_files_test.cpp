// The files that the Train page writes, or has written.
#include <QAction>
#include <QDir>
#include <QMenu>
#include <QScrollArea>
#include <QTemporaryDir>

#include "tests/ui/train_fixture.h"

using namespace hearth;

class TrainFilesTest : public TrainFixture {
    Q_OBJECT

  private Q_SLOTS:
    void initTestCase() { speakEnglish(); }
    void cleanupTestCase() { m_language.reset(); }
    void init() { beginPage(); }
    void cleanup() { endWindow(); }

    void weightsAreSavedWhereTheUserSays() {
        auto *save = find<QAction>("trainSaveWeights");
        QVERIFY(!save->isEnabled());
        playAll();
        QVERIFY(save->isEnabled());
        m_questions->file = QString();
        save->trigger();
        QVERIFY(m_controller->calls.isEmpty());
        m_questions->file = QStringLiteral("/somewhere/mine.safetensors");
        save->trigger();
        QCOMPARE(m_controller->calls.last(), QStringLiteral("save /somewhere/mine.safetensors"));
        QVERIFY(subtitle().contains(QStringLiteral("saving the weights")));
        m_controller->tellSaved(m_questions->file);
        QVERIFY(subtitle().endsWith(QStringLiteral("weights saved as mine.safetensors")));
        Q_EMIT m_controller->failed({});
        QVERIFY(!subtitle().contains(QStringLiteral("mine")));
    }

    void nothingIsSavedOfAnotherRunThanTheOneThatWasShown_data() {
        QTest::addColumn<QString>("action");
        for (const char *action : {"trainSaveWeights", "trainSaveBest", "trainSavePicture"})
            QTest::newRow(action) << QString::fromLatin1(action);
    }
    void nothingIsSavedOfAnotherRunThanTheOneThatWasShown() {
        QFETCH(QString, action);
        playAll();
        m_controller->send({1000, 100, event::Best{50, 0.4123, 0.9, 1}, {}});
        Q_EMIT find<QMenu>("trainFilesMenu")->aboutToShow();
        const QTemporaryDir folder;
        m_questions->file = folder.filePath(QStringLiteral("mine"));
        m_questions->meanwhile = [this] {
            m_controller->open(QStringLiteral("another"));
            for (RunEvent one : m_events) {
                if (auto *run = std::get_if<event::Run>(&one.body))
                    run->id = QStringLiteral("another");
                m_controller->send(one);
            }
        };
        choose(qPrintable(action));
        QVERIFY(m_controller->calls.isEmpty());
        QVERIFY(QDir(folder.path()).isEmpty());
        QCOMPARE(text("errorWhat"), QStringLiteral("Nothing was saved."));
    }

    void theBestWeightsAreSavedOnceThereAreSome() {
        auto *save = find<QAction>("trainSaveBest");
        playAll();
        Q_EMIT find<QMenu>("trainFilesMenu")->aboutToShow();
        QVERIFY(!save->isEnabled());
        m_controller->send({1000, 100, event::Best{50, 0.4123, 0.9, 1}, {}});
        Q_EMIT find<QMenu>("trainFilesMenu")->aboutToShow();
        QCOMPARE(save->toolTip(), QStringLiteral("After round 50, with a loss of 0.4123"));
        m_questions->file = QStringLiteral("/somewhere/best.safetensors");
        save->trigger();
        QCOMPARE(m_controller->calls.last(), QStringLiteral("save best /somewhere/best.safetensors"));
    }

    void allPlotsAreSavedAsAPicture() {
        auto *save = find<QAction>("trainSavePicture");
        QVERIFY(!save->isEnabled());
        playAll();
        Q_EMIT find<QMenu>("trainFilesMenu")->aboutToShow();
        QVERIFY(save->isEnabled());
        const QTemporaryDir folder;
        m_questions->file = folder.filePath(QStringLiteral("plots.png"));
        save->trigger();
        QTRY_VERIFY_WITH_TIMEOUT(subtitle().endsWith(QStringLiteral("picture saved as plots.png")), patience);
        const QImage picture(m_questions->file);
        const QSize seen = find<QWidget>("plotScroll")->size();
        QVERIFY(picture.width() > 2 * seen.width() * 9 / 10);
        // Those out of sight are in it, too.
        QVERIFY(picture.height() > 2 * 2 * seen.height());
        const QRgb background = picture.pixel(2, 2);
        int drawn = 0;
        for (int y = picture.height() * 6 / 7; y < picture.height(); ++y) {
            for (int x = 0; x < picture.width(); ++x)
                drawn += picture.pixel(x, y) != background ? 1 : 0;
        }
        QVERIFY2(drawn > 5000, qPrintable(QString::number(drawn)));
        // None reaches beyond it.
        for (int y = 0; y < picture.height(); ++y)
            QCOMPARE(picture.pixel(picture.width() - 1, y), background);
    }

    void aPictureThatCannotBeWrittenIsSaid() {
        playAll();
        m_questions->file = QStringLiteral("/nowhere/at/all.png");
        find<QAction>("trainSavePicture")->trigger();
        QTRY_VERIFY_WITH_TIMEOUT(find<QWidget>("errorPanel")->isVisible(), patience);
        QVERIFY(text("errorWhat").contains(QStringLiteral("all.png")));
    }

    void aTraceIsForTheNextRunAlone() {
        auto *trace = find<QAction>("trainTrace");
        m_questions->file = QStringLiteral("/somewhere/q&a.json");
        trace->trigger();
        QCOMPARE(m_controller->calls.last(), QStringLiteral("trace /somewhere/q&a.json"));
        QVERIFY(trace->isChecked());
        QVERIFY(trace->text().contains(QStringLiteral("q&&a.json")));
        trace->trigger();
        QCOMPARE(m_controller->calls.last(), QStringLiteral("trace "));
        QVERIFY(!trace->isChecked());
        trace->trigger();
        Q_EMIT m_controller->startingChanged(true);
        QVERIFY(!trace->isChecked());
    }
};

QTEST_MAIN(TrainFilesTest)
#include "train_files_test.moc"
