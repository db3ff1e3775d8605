// "Try it": a trained run of History says what a person's pictures, rows and texts are.
#include <QComboBox>
#include <QDialog>
#include <QDragEnterEvent>
#include <QDropEvent>
#include <QImage>
#include <QLineEdit>
#include <QMimeData>
#include <QPlainTextEdit>
#include <QPointer>
#include <QSpinBox>
#include <QTableWidget>

#include "tests/core/inference/row_runs.h"
#include "tests/ui/history_fixture.h"
#include "ui/history/try_answers.h"
#include "ui/words/format.h"

using namespace hearth;

class TryTest : public HistoryFixture {
    Q_OBJECT

  private Q_SLOTS:
    void initTestCase() { speakEnglish(); }
    void cleanupTestCase() { m_language.reset(); }
    void init() { beginPage(); }
    void cleanup() { endPage(); }

    void onlyARunWithWeightsIsTried() {
        showThree();
        choose({QStringLiteral("late")});
        QTRY_COMPARE_WITH_TIMEOUT(find<QPushButton>("historyTry")->toolTip(),
                                  QStringLiteral("This run has saved no weights."), patience);
        QVERIFY(!find<QPushButton>("historyTry")->isEnabled());
        choose({QStringLiteral("late"), QStringLiteral("early")});
        QVERIFY(!find<QPushButton>("historyTry")->isEnabled());
    }

    void picturesOfAFolderAreAnswered() {
        const TrainedRun trained(m_runs->folder() + QStringLiteral("/early"));
        open();
        const auto *save = find<QPushButton>("trySave");
        QVERIFY(!save->isEnabled());
        QVERIFY(!find<QPushButton>("tryOther")->isVisible());  // there are only the last weights
        m_questions->folder = drawPictures();
        click("tryFolder");
        const auto *answers = find<QTableWidget>("tryAnswers");
        QTRY_COMPARE_WITH_TIMEOUT(answers->rowCount(), 3, patience);
        QCOMPARE(answers->item(0, 0)->text(), QStringLiteral("a.png"));
        QVERIFY(!answers->item(0, 0)->icon().isNull());
        const QStringList classes{QStringLiteral("cat"), QStringLiteral("dog"), QStringLiteral("fish")};
        QVERIFY(classes.contains(answers->item(0, 1)->text()));
        QVERIFY(answers->item(0, 2)->text().endsWith(QLatin1Char('%')));
        QCOMPARE(answers->item(0, 3)->text().count(QStringLiteral("·")), 1);
        QCOMPARE(answers->item(1, 0)->text(), QStringLiteral("broken.png"));
        QCOMPARE(answers->item(1, 1)->text(), QStringLiteral("–"));
        QVERIFY(!answers->item(1, 3)->text().isEmpty());
        QTRY_COMPARE_WITH_TIMEOUT(plain(find<QLabel>("tryTold")->text()),
                                  QStringLiteral("3 pictures answered, as the network sees them."), patience);
        m_questions->file = m_runs->file(QStringLiteral("answers.csv"));
        QVERIFY(save->isEnabled());
        click("trySave");
        QVERIFY(QFileInfo::exists(m_questions->file));
        close();
    }

    void numbersStandInTheOrderOfTheOutputs() {
        AskedRun run;
        run.outputs = 3;
        TryAnswers answers;
        answers.setRun(run);
        answers.add(answerOf({1, 2, 3}));
        QVERIFY(answers.isColumnHidden(2));
        QCOMPARE(answers.item(0, 1)->text(), formatNumber(1));
        QCOMPARE(answers.item(0, 3)->text(), formatNumber(2) + QStringLiteral(" · ") + formatNumber(3));
        run.outputs = 100;
        answers.setRun(run);
        answers.add(answerOf(std::vector<double>(100, 1)));
        QVERIFY(answers.item(1, 3)->text().endsWith(QStringLiteral(" · …")));
    }

    void severalOutputsEachSayHowLikelyTheyAre() {
        AskedRun run;
        run.answers = LossFacts::Answers::YesOrNo;
        run.outputs = 2;
        TryAnswers answers;
        answers.setRun(run);
        answers.add(answerOf({0.25, 0.75}));
        QVERIFY(answers.isColumnHidden(2));
        QCOMPARE(answers.item(0, 1)->text(), QStringLiteral("0 ") + formatPercent(0.25));
        QCOMPARE(answers.item(0, 3)->text(), QStringLiteral("1 ") + formatPercent(0.75));
    }

    void aSingleOutputSaysNoWhereThatIsLikelier() {
        AskedRun run;
        run.answers = LossFacts::Answers::YesOrNo;
        TryAnswers answers;
        answers.setRun(run);
        answers.add(answerOf({0.75, 0.25}));
        QCOMPARE(answers.item(0, 1)->text(), QStringLiteral("no"));
        QCOMPARE(answers.item(0, 2)->text(), formatPercent(0.75));
        QCOMPARE(answers.item(0, 3)->text(), QStringLiteral("yes ") + formatPercent(0.25));
    }

    void theBestWeightsAnswerInADialogOfTheirOwn() {
        const TrainedRun trained(m_runs->folder() + QStringLiteral("/early"));
        trained.saveBest();
        open();
        m_questions->file = drawPictures() + QStringLiteral("/a.png");
        QString last;
        for (const char *next : {"With the best weights", "With the last weights"}) {
            QTRY_VERIFY_WITH_TIMEOUT(find<QPushButton>("tryFile")->isEnabled(), patience);
            click("tryFile");
            QTRY_COMPARE_WITH_TIMEOUT(find<QTableWidget>("tryAnswers")->rowCount(), 1, patience);
            const QString certainty = find<QTableWidget>("tryAnswers")->item(0, 2)->text();
            QVERIFY(certainty != last);
            last = certainty;
            QCOMPARE(find<QPushButton>("tryOther")->text(), QLatin1String(next));
            const QPointer<QDialog> before = find<QDialog>("tryDialog");
            click("tryOther");
            QTRY_VERIFY_WITH_TIMEOUT(!before, patience);
        }
        close();
    }

    void theBestWeightsAnswerWhereNoOthersAreThere() {
        const TrainedRun trained(m_runs->folder() + QStringLiteral("/early"));
        trained.saveBest();
        trained.remove(QStringLiteral("weights.safetensors"));
        open();
        QVERIFY(find<QDialog>("tryDialog")->windowTitle().contains(QStringLiteral("best evaluation")));
        QVERIFY(!find<QPushButton>("tryOther")->isVisible());
        m_questions->file = drawPictures() + QStringLiteral("/a.png");
        click("tryFile");
        QTRY_COMPARE_WITH_TIMEOUT(find<QTableWidget>("tryAnswers")->rowCount(), 1, patience);
        close();
    }

    void theLaterWeightsAnswerFirst() {
        const TrainedRun trained(m_runs->folder() + QStringLiteral("/early"));
        trained.saveBest();
        trained.setRound("weights", 100);
        trained.setRound("best", 900);
        open();
        QVERIFY(find<QDialog>("tryDialog")->windowTitle().contains(QStringLiteral("best evaluation")));
        QVERIFY2(told().contains(QStringLiteral("after round 900")), qPrintable(told()));
        close();
    }

    void theHomeAnswersInADialogOfItsOwn() {
        const TrainedRun trained(m_runs->folder() + QStringLiteral("/early"));
        open();
        m_questions->file = drawPictures() + QStringLiteral("/a.png");
        QString here;
        for (const auto &[place, next] : {std::pair{"nothing leaves it", "On the home's devices"},
                                          {"devices answer together", "On this computer"}}) {
            QTRY_VERIFY_WITH_TIMEOUT(find<QPushButton>("tryFile")->isEnabled(), patience);
            QVERIFY(find<QLabel>("tryTold")->text().contains(QLatin1String(place)));
            click("tryFile");
            QTRY_COMPARE_WITH_TIMEOUT(find<QTableWidget>("tryAnswers")->rowCount(), 1, patience);
            const QString answer = find<QTableWidget>("tryAnswers")->item(0, 2)->text();
            QVERIFY(here.isEmpty() || answer == here);
            here = answer;
            QCOMPARE(find<QPushButton>("tryPlace")->text(), QLatin1String(next));
            const QPointer<QDialog> before = find<QDialog>("tryDialog");
            click("tryPlace");
            QTRY_VERIFY_WITH_TIMEOUT(!before, patience);
        }
        QCOMPARE(m_controller->calls.count(QStringLiteral("home answers")), 1);
        close();
    }

    void whatTakesLongIsStopped() {
        const TrainedRun trained(m_runs->folder() + QStringLiteral("/early"));
        m_controller->homeIsSilent = true;
        open();
        const QPointer<QDialog> before = find<QDialog>("tryDialog");
        click("tryPlace");
        QTRY_VERIFY_WITH_TIMEOUT(!before, patience);
        QTRY_VERIFY_WITH_TIMEOUT(find<QPushButton>("tryFolder")->isEnabled(), patience);
        const auto *stop = find<QPushButton>("tryStop");
        QVERIFY(!stop->isEnabled());
        m_questions->folder = drawPictures();
        click("tryFolder");
        QVERIFY(stop->isEnabled());
        QTRY_COMPARE_WITH_TIMEOUT(told(), QStringLiteral("The network answers …"), patience);
        QVERIFY(stop->isEnabled());
        click("tryStop");
        QTRY_COMPARE_WITH_TIMEOUT(told(), QStringLiteral("0 pictures answered, as the network sees them."), patience);
        QVERIFY(!stop->isEnabled());
        QVERIFY(find<QPushButton>("tryFolder")->isEnabled());
        close();
    }

    void picturesAreDropped() {
        const TrainedRun trained(m_runs->folder() + QStringLiteral("/early"));
        open();
        QMimeData data;
        data.setUrls({QUrl::fromLocalFile(drawPictures() + QStringLiteral("/c.png"))});
        auto *dialog = find<QDialog>("tryDialog");
        QDragEnterEvent enter(QPoint(10, 10), Qt::CopyAction, &data, Qt::LeftButton, Qt::NoModifier);
        QCoreApplication::sendEvent(dialog, &enter);
        QVERIFY(enter.isAccepted());
        QDropEvent drop(QPointF(10, 10), Qt::CopyAction, &data, Qt::LeftButton, Qt::NoModifier);
        QCoreApplication::sendEvent(dialog, &drop);
        QTRY_COMPARE_WITH_TIMEOUT(find<QTableWidget>("tryAnswers")->rowCount(), 1, patience);
        m_questions->file = m_runs->file(QStringLiteral("holiday/a.png"));
        click("tryFile");
        QTRY_COMPARE_WITH_TIMEOUT(find<QTableWidget>("tryAnswers")->rowCount(), 2, patience);
        // A folder without pictures is said, and nothing else happens.
        m_questions->folder = m_runs->folder();
        click("tryFolder");
        QTRY_VERIFY_WITH_TIMEOUT(find<QLabel>("tryTold")->text().contains(QStringLiteral("no pictures")), patience);
        close();
    }

    void aRowIsTypedOrDropped() {
        RowRuns runs(m_runs->folder());
        const QByteArray weather = "temperature,wind,sky\n20,west,sun\n12,east,rain\n25,west,sun\n9,,rain\n";
        runs.table(QStringLiteral("early"), weather, weather);
        runs.forget();
        open();
        QVERIFY(!find<QPushButton>("tryFolder")->isVisible());
        auto *temperature = find<QLineEdit>("tryField-temperature");
        QCOMPARE(find<QDialog>("tryDialog")->focusWidget(), temperature);
        temperature->setText(QStringLiteral("warm"));
        find<QComboBox>("tryField-wind")->setCurrentText(QStringLiteral("east"));
        click("tryAsk");
        const auto *answers = find<QTableWidget>("tryAnswers");
        QVERIFY(told().contains(QStringLiteral("\"warm\" is not a number")));
        QCOMPARE(answers->rowCount(), 0);
        temperature->setText(QStringLiteral("1,000.5"));
        click("tryAsk");
        QTRY_COMPARE_WITH_TIMEOUT(answers->rowCount(), 1, patience);
        QCOMPARE(answers->item(0, 0)->text(), QStringLiteral("1000.5 · east"));
        QVERIFY(QStringList({QStringLiteral("rain"), QStringLiteral("sun")}).contains(answers->item(0, 1)->text()));
        QTRY_COMPARE_WITH_TIMEOUT(told(), QStringLiteral("1 row answered."), patience);
        m_questions->file = runs.save(QStringLiteral("new.csv"), weather);
        click("tryFile");
        QTRY_VERIFY_WITH_TIMEOUT(told().contains(QStringLiteral("of 4 with a label are right")), patience);
        QCOMPARE(answers->rowCount(), 5);
        QCOMPARE(answers->item(2, 4)->text(), QStringLiteral("rain"));
        m_questions->file = runs.save(QStringLiteral("other.csv"), "temperature\n1\n");
        click("tryFile");
        QTRY_VERIFY_WITH_TIMEOUT(told().contains(QStringLiteral("has no column \"wind\"")), patience);
        close();
    }

    void aWideTableIsDroppedAlone() {
        RowRuns runs(m_runs->folder());
        QByteArray head, rows[2];
        for (int column = 0; column < 70; ++column) {
            head += "c" + QByteArray::number(column) + ',';
            for (int row = 0; row < 2; ++row)
                rows[row] += QByteArray::number(row * column + 0.5) + ',';
        }
        const QByteArray table = head + "kind\n" + rows[0] + "a\n" + rows[1] + "b\n";
        runs.table(QStringLiteral("early"), table, table);
        runs.forget();
        open();
        // The first column has one value and tells nothing.
        QVERIFY2(told().contains(QStringLiteral("the 69 columns")), qPrintable(told()));
        QVERIFY(!m_window->findChild<QPushButton *>(QStringLiteral("tryAsk")));
        m_questions->file = runs.save(QStringLiteral("new.csv"), table);
        click("tryFile");
        QTRY_COMPARE_WITH_TIMEOUT(find<QTableWidget>("tryAnswers")->rowCount(), 2, patience);
        close();
    }

    void twoTextsAreTyped() {
        RowRuns runs(m_runs->folder());
        const QByteArray pairs = "sentence1,sentence2,label\na,b,same\nabc,d,other\n";
        runs.texts(QStringLiteral("early"), pairs, pairs);
        runs.forget();
        open();
        QVERIFY(told().contains(QStringLiteral("two texts")));
        find<QLineEdit>("tryField-sentence1")->setText(QStringLiteral("a"));
        auto *second = find<QLineEdit>("tryField-sentence2");
        second->setText(QStringLiteral("b"));
        QTest::keyClick(second, Qt::Key_Return);
        QTRY_COMPARE_WITH_TIMEOUT(find<QTableWidget>("tryAnswers")->rowCount(), 1, patience);
        const auto *answers = find<QTableWidget>("tryAnswers");
        QVERIFY(answers->item(0, 2)->text().endsWith(QLatin1Char('%')));
        m_questions->file = runs.save(QStringLiteral("new.txt"), "one\ttwo\n");
        click("tryFile");
        QTRY_COMPARE_WITH_TIMEOUT(answers->rowCount(), 2, patience);
        QCOMPARE(answers->item(1, 0)->text(), QStringLiteral("one · two"));
        QCOMPARE(answers->item(1, 0)->toolTip(), QStringLiteral("new.txt:1"));
        close();
    }

    void aTextIsContinued() {
        RowRuns runs(m_runs->folder());
        runs.language(QStringLiteral("early"));
        runs.forget();
        showRun();
        QTRY_VERIFY_WITH_TIMEOUT(m_window->findChild<QPlainTextEdit *>(QStringLiteral("tryPrompt")), patience);
        auto *prompt = find<QPlainTextEdit>("tryPrompt");
        const auto *go = find<QPushButton>("tryContinue");
        QVERIFY(!go->isEnabled());
        prompt->setPlainText(QStringLiteral("longer than eight"));
        click("tryContinue");
        QVERIFY(told().contains(QStringLiteral("sees 8 at once")));
        prompt->setPlainText(QStringLiteral("some"));
        find<QSpinBox>("tryTokens")->setValue(3);
        click("tryContinue");
        QTRY_VERIFY_WITH_TIMEOUT(told().endsWith(QStringLiteral("added.")), patience);
        QVERIFY(find<QPlainTextEdit>("tryText")->toPlainText().startsWith(QStringLiteral("some")));
        find<QSpinBox>("tryTokens")->setValue(10'000);
        find<QDoubleSpinBox>("tryTemperature")->setValue(1);
        click("tryContinue");
        QCOMPARE(go->text(), QStringLiteral("Stop"));
        click("tryContinue");
        QTRY_COMPARE_WITH_TIMEOUT(go->text(), QStringLiteral("Continue"), patience);
        close();
    }

    void aRunOfAnOlderVersionSaysWhyNot() {
        const TrainedRun trained(m_runs->folder() + QStringLiteral("/early"));
        trained.remove(RunData::fileName());
        showRun();
        QTRY_VERIFY_WITH_TIMEOUT(told().contains(QStringLiteral("an older version of Hearth trained it")), patience);
        QVERIFY(!find<QPushButton>("tryFolder")->isEnabled());
        close();
    }

  private:
    static Answer answerOf(std::vector<double> values) {
        Answer answer;
        answer.name = QStringLiteral("a.png");
        answer.picture = QImage(8, 8, QImage::Format_RGB32);
        answer.picture.fill(Qt::red);
        answer.values = std::move(values);
        return answer;
    }
    QString told() const { return plain(find<QLabel>("tryTold")->text()); }
    void open() {
        showRun();
        QTRY_VERIFY_WITH_TIMEOUT(find<QPushButton>("tryFile")->isEnabled(), patience);
    }
    void showRun() {
        showThree();
        choose({QStringLiteral("early")});
        QTRY_VERIFY_WITH_TIMEOUT(find<QPushButton>("historyTry")->isEnabled(), patience);
        click("historyTry");
        QVERIFY(find<QDialog>("tryDialog"));
    }
    void close() {
        click("tryClose");
        QTRY_VERIFY_WITH_TIMEOUT(!m_window->findChild<QDialog *>(QStringLiteral("tryDialog")), patience);
    }
    QString drawPictures() const {
        QString folder = m_runs->file(QStringLiteral("holiday"));
        QDir().mkpath(folder);
        for (const auto &[name, colour] : {std::pair("a.png", Qt::darkGreen), std::pair("c.png", Qt::yellow)}) {
            QImage picture(60, 40, QImage::Format_RGB32);
            picture.fill(colour);
            if (!picture.save(folder + QLatin1Char('/') + QLatin1String(name)))
                qFatal("cannot write %s", name);
        }
        QFile broken(folder + QStringLiteral("/broken.png"));
        if (!broken.open(QIODevice::WriteOnly) || broken.write("no picture") < 0)
            qFatal("cannot write broken.png");
        return folder;
    }
};

QTEST_MAIN(TryTest)
#include "try_test.moc"
