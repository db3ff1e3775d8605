// Own data on the Job page: a job is made to fit them without an editor.
#include <QComboBox>
#include <QDialog>
#include <QLineEdit>
#include <QRadioButton>
#include <QScrollBar>
#include <QTableWidget>

#include "core/data/data_registry.h"
#include "tests/ui/job_page_fixture.h"
#include "ui/job/weights_card.h"

using namespace hearth;

class JobFitTest : public JobPageFixture {
    Q_OBJECT

    bool isShown(const char *label) const { return find<QLabel>(label)->isVisible(); }

  private Q_SLOTS:
    void initTestCase() { beginTests(); }
    void cleanupTestCase() { m_language.reset(); }
    void init() { openJobPage(); }
    void cleanup() { endWindow(); }

    void aNetworkIsFittedToItsPicturesByOneButton() {
        makeHoliday();
        m_questions->file = m_folder->filePath(QStringLiteral("holiday"));
        click("jobDataFile");
        const auto *fit = find<QPushButton>("jobFitData");
        QTRY_VERIFY_WITH_TIMEOUT(fit->isVisible(), patience);
        QVERIFY2(fit->toolTip().contains(QLatin1String("tells 2 classes apart")), qPrintable(fit->toolTip()));
        // The button says what to do.
        QVERIFY2(isShown("jobFit") && !text("jobFit").contains(QLatin1String("Fit to these data")),
                 qPrintable(text("jobFit")));
        QVERIFY(!isShown("jobFitted"));
        click("jobFitData");
        QCOMPARE(job().model, QStringLiteral("fashion-cnn:classes=2"));
        QVERIFY(isShown("jobFitted"));
        QVERIFY2(text("jobFitted").contains(QLatin1String("tells 2 classes apart")), qPrintable(text("jobFitted")));
        QTRY_VERIFY_WITH_TIMEOUT(text("modelFacts").contains(QLatin1String("gives 2")), patience);
        QVERIFY(!fit->isVisible() && !isShown("jobFit"));
        QCOMPARE(started().model, QStringLiteral("fashion-cnn:classes=2"));
        goTo("railJob");
        find<QRadioButton>("model-resnet18")->click();
        QVERIFY(!isShown("jobFitted"));
    }

    void ofChosenWeightsThoseThatFitAreTakenThen() {
        makeHoliday();
        auto *card = m_window->findChild<WeightsCard *>();
        card->setWeights(
            StartWeights{QStringLiteral("a"), QStringLiteral("a"), m_folder->filePath(QStringLiteral("a"))});
        m_questions->file = m_folder->filePath(QStringLiteral("holiday"));
        click("jobDataFile");
        const auto *fit = find<QPushButton>("jobFitData");
        QTRY_VERIFY_WITH_TIMEOUT(fit->isVisible(), patience);
        QVERIFY(!card->weights()->partial);
        click("jobFitData");
        QVERIFY(card->weights()->partial);
        QVERIFY2(text("jobFitted").contains(QLatin1String("those of the chosen weights that fit")),
                 qPrintable(text("jobFitted")));
    }

    void aTableOfPricesIsTrainedWithoutAnEditor() {
        const QString name = QStringLiteral("prices");
        QByteArray rows = "rooms,metres,price\n";
        for (int i = 0; i < 60; ++i)
            rows += QByteArray::number(i % 5) + ',' + QByteArray::number(i * 31 % 101) + ',' +
                    QByteArray::number(i * 1000.5) + '\n';
        QVERIFY(registerDataset(name, write(QStringLiteral("prices.csv"), rows), false));
        m_window->jobDraft().setData(name);
        QTRY_VERIFY_WITH_TIMEOUT(text("jobFit").contains(QLatin1String("Choose the model mlp")), patience);
        QVERIFY(!find<QPushButton>("jobFitData")->isVisible());
        find<QRadioButton>("model-mlp")->click();
        QTRY_VERIFY_WITH_TIMEOUT(find<QPushButton>("jobFitData")->isVisible(), patience);
        click("jobFitData");
        QCOMPARE(job().model, QStringLiteral("mlp:classes=1,features=2"));
        QCOMPARE(job().loss, QStringLiteral("mean-squared-error"));
        QTRY_VERIFY_WITH_TIMEOUT(text("modelFacts").contains(QLatin1String("gives 1")), patience);
        QVERIFY(!isShown("jobFit"));
        QCOMPARE(started().loss, QStringLiteral("mean-squared-error"));
        QVERIFY(unregisterDataset(name));
    }

    void weightsOfPyTorchAreToldAsWhatTheyAre() {
        m_questions->file =
            write(QStringLiteral("resnet.pth"), QByteArray("PK\x03\x04", 4) + QByteArray(26, '\0') + "resnet/data.pkl");
        click("jobModelFile");
        QTRY_VERIFY_WITH_TIMEOUT(text("modelError").contains(QLatin1String("save_pretrained()")), patience);
        QVERIFY2(!text("modelError").contains(QLatin1String("JSON")), qPrintable(text("modelError")));
    }

    void anArchiveOfPhotosIsToldAsOne() {
        m_questions->file =
            write(QStringLiteral("photos.zip"), QByteArray("PK\x03\x04", 4) + QByteArray(26, '\0') + "cat/1.jpg");
        click("jobDataAdd");
        click("addDataFile");
        click("addDataAdd");
        QTRY_VERIFY_WITH_TIMEOUT(text("addDataTold").contains(QLatin1String("Unpack it")), patience);
        click("addDataClose");
    }

    void oneClassAloneIsTold() {
        QByteArray rows = "width,animal\n";
        for (int i = 0; i < 60; ++i)
            rows += QByteArray::number(i * 31 % 61) + ",cat\n";
        m_questions->file = write(QStringLiteral("cats.csv"), rows);
        click("jobDataAdd");
        click("addDataFile");
        click("addDataAdd");
        QTRY_VERIFY_WITH_TIMEOUT(text("addDataTold").startsWith(QLatin1String("All samples are in one class")),
                                 patience);
        click("addDataAdd");
        QVERIFY(unregisterDataset(QStringLiteral("cats")));
    }

    void theColumnOfTheTextsIsChosen() {
        QByteArray rows = "Kommentar;Bewertung\n";
        for (int i = 0; i < 100; ++i)
            rows += (i % 2 ? "sonnig " : "trueb ") + QByteArray::number(i) + (i % 2 ? ";gut\n" : ";schlecht\n");
        m_questions->file = write(QStringLiteral("wetter.csv"), rows);
        click("jobDataAdd");
        click("addDataFile");
        auto *texts = find<QComboBox>("addDataTexts");
        QTRY_VERIFY_WITH_TIMEOUT(texts->isVisible(), patience);
        QCOMPARE(texts->currentIndex(), 0);
        QVERIFY(!find<QLineEdit>("addDataTokenizer")->isVisible());
        click("addDataAdd");
        QTRY_VERIFY_WITH_TIMEOUT(text("addDataTold").contains(QLatin1String("\"Kommentar\" has texts")), patience);
        texts->setCurrentIndex(texts->findText(QStringLiteral("Kommentar")));
        QVERIFY(find<QLineEdit>("addDataTokenizer")->isVisible());
        click("addDataAdd");
        QTRY_VERIFY_WITH_TIMEOUT(registeredDatasets().contains(QLatin1String("wetter")), patience);
        const auto data = loadDataset(QStringLiteral("wetter"));
        QVERIFY(data);
        QCOMPARE((*data)->labelNames(), QStringList({QStringLiteral("gut"), QStringLiteral("schlecht")}));
        QCOMPARE((*data)->parts().front().name, QStringLiteral("tokens"));
        QVERIFY(unregisterDataset(QStringLiteral("wetter")));
    }

    void aNameThatIsProposedIsTakenByEnter() {
        const QString name = QStringLiteral("Cats dogs 2024");
        QByteArray rows = "width,animal\n";
        for (int i = 0; i < 60; ++i)
            rows += QByteArray::number(i * 31 % 61) + (i % 2 ? ",cat\n" : ",dog\n");
        m_questions->file = write(QStringLiteral("Cats & dogs (2024).csv"), rows);
        click("jobDataAdd");
        click("addDataFile");
        auto *line = find<QLineEdit>("addDataName");
        QCOMPARE(line->text(), name);
        QTest::keyClick(line, Qt::Key_Return);
        QTRY_VERIFY_WITH_TIMEOUT(registeredDatasets().contains(name), patience);
        QTRY_VERIFY_WITH_TIMEOUT(m_window->findChild<QDialog *>(QStringLiteral("addDataDialog")) == nullptr, patience);
        QCOMPARE(job().data, QStringList{name});
        click("jobDataAdd");
        click("addDataFile");
        QCOMPARE(find<QLineEdit>("addDataName")->text(), name + QStringLiteral("-2"));
        click("addDataClose");
        QVERIFY(unregisterDataset(name));
    }

    void theFirstRowsAreScrolledByKeys() {
        constexpr int columns = 30;
        QByteArray rows;
        for (int row = 0; row < 20; ++row) {
            for (int column = 0; column < columns; ++column)
                rows += row == 0 ? "size" + QByteArray::number(column) + ',' : QByteArray::number(row * column) + ',';
            rows += row == 0 ? "kind\n" : row % 2 == 0 ? "a\n" : "b\n";
        }
        m_questions->file = write(QStringLiteral("wide.csv"), rows);
        click("jobDataAdd");
        click("addDataFile");
        auto *table = find<QTableWidget>("addDataRows");
        QTRY_VERIFY_WITH_TIMEOUT(table->isVisible(), patience);
        QVERIFY(showActive(*find<QDialog>("addDataDialog")));
        auto *texts = find<QComboBox>("addDataTexts");
        texts->setFocus();
        QTest::keyClick(texts, Qt::Key_Tab);
        QVERIFY(table->hasFocus());
        QTest::keyClick(table, Qt::Key_End);
        QCOMPARE(table->currentColumn(), columns);
        QVERIFY(table->horizontalScrollBar()->value() > 0);
        QTest::keyClick(table, Qt::Key_Tab);
        QVERIFY(!table->hasFocus());
        click("addDataClose");
    }

    void columnsThatAreCalledLikeTextsAreChosenAlready() {
        QByteArray rows = "sentence1,sentence2,label\n";
        for (int i = 0; i < 4; ++i)
            rows += "a,b,c\n";
        m_questions->file = write(QStringLiteral("pairs.csv"), rows);
        click("jobDataAdd");
        click("addDataFile");
        const auto *texts = find<QComboBox>("addDataTexts");
        QTRY_VERIFY_WITH_TIMEOUT(texts->isVisible(), patience);
        QCOMPARE(texts->currentText(), QStringLiteral("sentence1, sentence2"));
        QVERIFY(find<QLineEdit>("addDataTokenizer")->isVisible());
        click("addDataClose");
    }
};

QTEST_MAIN(JobFitTest)
#include "job_fit_test.moc"
