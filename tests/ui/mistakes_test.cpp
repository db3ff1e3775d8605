// History's "Mistakes": the confusion matrix of a run, and the samples behind it.
#include <QListWidget>
#include <QSignalSpy>

#include "tests/core/data/picture_folder.h"
#include "tests/core/inference/evaluated_run.h"
#include "tests/ui/history_fixture.h"
#include "ui/base/icons.h"
#include "ui/base/theme.h"
#include "ui/history/confusion_matrix.h"

using namespace hearth;

class MistakesTest : public HistoryFixture, test::PictureFolder {
    Q_OBJECT

  private Q_SLOTS:
    void initTestCase() { speakEnglish(); }
    void cleanupTestCase() { m_language.reset(); }
    void init() {
        beginPage();
        makeFolder();
        saveClasses(QStringLiteral("train"), 3);
        saveClasses(QStringLiteral("test"), 2);
    }
    void cleanup() { endPage(); }

    void theHardestSamplesComeFirst() {
        open(mistakenCats());
        QCOMPARE(told(), QStringLiteral("After round 40, of 4 samples of the test set."));
        QCOMPARE(matrix()->shownClasses(), std::size_t{2});
        QCOMPARE(texts(), (QStringList{QStringLiteral("dog, taken for cat (97.0 %) · loss 3.5000"),
                                       QStringLiteral("cat, taken for dog (92.0 %) · loss 2.5000"),
                                       QStringLiteral("dog, right (60.0 %) · loss 0.5000"),
                                       QStringLiteral("cat, right (95.0 %) · loss 0.1000")}));
        QTRY_VERIFY_WITH_TIMEOUT(!samples()->item(0)->icon().isNull(), patience);
        QVERIFY(samples()->item(0)->toolTip().endsWith(QStringLiteral("test/red/1.png")));
    }

    void aLateRoundIsWrittenAsCountsAre() {
        EvaluationDetails details = mistakenCats();
        details.round = 12'345;
        open(details);
        QCOMPARE(told(), QStringLiteral("After round 12,345, of 4 samples of the test set."));
    }

    void aPictureIsAsSharpAsItsScreen_data() {
        QTest::addColumn<QSize>("picture");
        QTest::addColumn<double>("scale");
        QTest::addColumn<QSize>("pixels");
        QTest::newRow("a large one") << QSize(400, 200) << 1.0 << QSize(64, 32);
        QTest::newRow("a large one on a dense screen") << QSize(400, 200) << 2.0 << QSize(128, 64);
        QTest::newRow("a small one") << QSize(8, 8) << 1.5 << QSize(96, 96);
    }
    void aPictureIsAsSharpAsItsScreen() {
        QFETCH(QSize, picture);
        QFETCH(double, scale);
        QFETCH(QSize, pixels);
        QImage image(picture, QImage::Format_RGB32);
        image.fill(Qt::red);
        const QPixmap shown = thumbnail(image, 64, scale);
        QCOMPARE(shown.size(), pixels);
        QCOMPARE(shown.devicePixelRatio(), scale);
    }

    void aCellShowsTheSamplesBehindIt() {
        open(mistakenCats());
        QTest::mouseClick(matrix(), Qt::LeftButton, Qt::NoModifier, matrix()->rectOf({0, 1}).center());
        QCOMPARE(caption(), QStringLiteral("cat, taken for dog: 1 of them"));
        QCOMPARE(texts(), QStringList{QStringLiteral("cat, taken for dog (92.0 %) · loss 2.5000")});
        QVERIFY(!find<QPushButton>("mistakesHardest")->isChecked());
        QTest::keyClick(matrix(), Qt::Key_Left);
        QCOMPARE(caption(), QStringLiteral("cat: 1 are right"));
        QVERIFY(texts().isEmpty());
        QCOMPARE(plain(matrix()->accessibleDescription()), QStringLiteral("cat: 1 of 2 are right"));
        click("mistakesHardest");
        QCOMPARE(texts().size(), 4);
    }

    void theSameSamplesAreFollowed() {
        open(mistakenCats());
        click("mistakesFollowed");
        QCOMPARE(texts().at(2), QStringLiteral("dog: cat 70.0 % → dog 60.0 %"));
        QCOMPARE(caption(), QStringLiteral("The last 2 evaluations"));
    }

    void dataThatAreOthersNowAreSaid() {
        EvaluationDetails details = mistakenCats();
        details.samples = 5;
        open(details);
        QVERIFY(told().contains(QStringLiteral("It was evaluated on 5 samples; there are 4 now.")));
        QCOMPARE(texts().size(), 4);
    }

    void aRunThatWasNotEvaluatedSaysSo() {
        open({});
        QVERIFY(told().startsWith(QStringLiteral("Nothing is known of what this run gets wrong.")));
        QVERIFY(!matrix()->isVisible());
    }

    void manyClassesAreThoseWithTheMostMistakes() {
        EvaluationDetails details;
        for (int c = 0; c < 100; ++c) {
            details.classes[c] = {100 - c, 100, 100};
            for (int i = 0; i < c; ++i)
                details.add({100 * c + i, 1, static_cast<double>(c), static_cast<double>((c + 1) % 100), 0.5, true});
        }
        ConfusionMatrix many;
        many.show(details, {});
        many.resize(900, 700);
        QCOMPARE(many.shownClasses(), ConfusionMatrix::mostClasses);
        QSignalSpy chosen(&many, &ConfusionMatrix::chosen);
        QTest::mouseClick(&many, Qt::LeftButton, Qt::NoModifier, many.rectOf({60, 61}).center());
        QCOMPARE(chosen.count(), 1);
        QCOMPARE(chosen[0][0].value<ConfusionMatrix::Cell>(), (ConfusionMatrix::Cell{60, 61}));
        QVERIFY(many.accessibleDescription().contains(QStringLiteral("60 taken for 61")));
    }

    void everyNameAndNumberHasRoomInTheSmallestMatrix() {
        ConfusionMatrix shown;
        QStringList names;
        shown.show(tenClasses(names), names);
        shown.resize(shown.minimumSizeHint());
        const QFontMetrics metrics(smallFont());
        const QRect cell = shown.rectOf({3, 3});
        QVERIFY(cell.height() >= metrics.lineSpacing());
        QVERIFY(cell.width() >= 0.75 * metrics.horizontalAdvance(QStringLiteral("850")));
        QVERIFY(shown.rect().contains(shown.rectOf({9, 9})));
    }

    void aLongNameIsReadWhole() {
        ConfusionMatrix shown;
        QStringList names;
        shown.show(tenClasses(names), names);
        shown.resize(shown.minimumSizeHint());
        const QRect cell = shown.rectOf({3, 4});
        QCOMPARE(shown.toolTipAt({1, cell.center().y()}), names[3]);
        QCOMPARE(shown.toolTipAt({cell.center().x(), 1}), names[4]);
        QCOMPARE(shown.toolTipAt({1, 1}), QString());
        QVERIFY(shown.toolTipAt(shown.rectOf({3, 3}).center()).contains(QStringLiteral("are right")));
    }

  private:
    /// 850 of 1000 samples of each are right. `names` becomes theirs.
    static EvaluationDetails tenClasses(QStringList &names) {
        EvaluationDetails details;
        for (int c = 0; c < 10; ++c) {
            details.classes[c] = {850, 1000, 1000};
            names << QStringLiteral("a class with a name that is too long for any window, number %1").arg(c);
        }
        return details;
    }
    ConfusionMatrix *matrix() const { return find<ConfusionMatrix>("confusionMatrix"); }
    QListWidget *samples() const { return find<QListWidget>("mistakesSamples"); }
    QString told() const { return plain(find<QLabel>("mistakesTold")->text()); }
    QString caption() const { return plain(find<QLabel>("mistakesCaption")->text()); }
    QStringList texts() const {
        QStringList all;
        for (int i = 0; i < samples()->count(); ++i)
            all << plain(samples()->item(i)->text());
        return all;
    }
    /// The part of History for a run with these results; of no samples: none were written.
    void open(const EvaluationDetails &details) {
        const TrainedRun trained(m_runs->folder() + QStringLiteral("/early"));
        setData(trained, path());
        if (details.samples > 0)
            trained.write(EvaluationDetails::fileName(), details.toJson());
        showThree();
        choose({QStringLiteral("early")});
        QTRY_VERIFY_WITH_TIMEOUT(find<QPushButton>("historyShowMistakes")->isVisible(), patience);
        click("historyShowMistakes");
        QTRY_VERIFY_WITH_TIMEOUT(!told().isEmpty() && !told().startsWith(QStringLiteral("Reading")), patience);
    }
};

QTEST_MAIN(MistakesTest)
#include "mistakes_test.moc"
