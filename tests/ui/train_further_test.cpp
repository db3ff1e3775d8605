// "Train further": the job of an ended run on the Job page, to begin with its weights.
#include <QCheckBox>
#include <QDir>
#include <QJsonDocument>
#include <QLineEdit>
#include <QRadioButton>
#include <QSettings>

#include "core/model/import/initial_weights.h"
#include "tests/ui/history_fixture.h"
#include "ui/job/job_draft.h"
#include "ui/job/weights_card.h"
#include "ui/shell/demo_start.h"
#include "ui/shell/window_memory.h"

using namespace hearth;

class TrainFurtherTest : public HistoryFixture {
    Q_OBJECT

    const QString last = QStringLiteral("weights.safetensors"), best = QStringLiteral("best.safetensors");
    const QString network = QStringLiteral("model.json");

    /// The finished run "early", which has saved these, is chosen in History.
    void chooseRun(const QStringList &weights) {
        showThree();
        m_runs->addFiles(QStringLiteral("early"), weights);
        choose({QStringLiteral("early")});
        QTRY_COMPARE_WITH_TIMEOUT(facts(QStringLiteral("Run")), QStringList{QStringLiteral("early")}, patience);
    }
    void openJob(const QStringList &weights) {
        chooseRun(weights);
        click("historyFurther");
        QCOMPARE(place(), static_cast<int>(JobPlace));
        QVERIFY(find<QWidget>("startWeights")->isVisible());
    }
    /// As the controller is told.
    std::optional<StartWeights> begunWith() const {
        goTo("railJob");
        click("jobStart");
        return m_controller->weights;
    }
    QString pathOf(const QString &weights) const { return m_runs->folder() + QStringLiteral("/early/") + weights; }
    /// A finished run of a network that was brought, begun with this file, whose folder has these.
    void chooseBrought(const QByteArray &begunWith, const QStringList &files) {
        m_runs->add(
            QStringLiteral("brought"), QStringLiteral("recorded_run"), -1,
            {{R"("job":{"format":"hearth-job/1","model":"fashion-cnn")",
              R"("weights":")" + begunWith + R"(","job":{"format":"hearth-job/1","model":"vit","freeze":["conv*"])"}});
        m_runs->addFiles(QStringLiteral("brought"), files);
        show();
        choose({QStringLiteral("brought")});
        QTRY_COMPARE_WITH_TIMEOUT(facts(QStringLiteral("Run")), QStringList{QStringLiteral("brought")}, patience);
    }

  private Q_SLOTS:
    void initTestCase() { speakEnglish(); }
    void cleanupTestCase() { m_language.reset(); }
    void init() { beginPage(); }
    void cleanup() { endPage(); }

    void anEndedRunOpensItsJobToBeginWithItsWeights_data() {
        QTest::addColumn<QStringList>("saved");
        QTest::addColumn<QString>("begins");
        QTest::newRow("the last ones") << QStringList{last} << last;
        QTest::newRow("the last ones, though the best are there") << QStringList{last, best} << last;
        QTest::newRow("the best ones where there are no others") << QStringList{best} << best;
    }
    void anEndedRunOpensItsJobToBeginWithItsWeights() {
        QFETCH(QStringList, saved);
        QFETCH(QString, begins);
        openJob(saved);
        QVERIFY2(text("startWeightsRun").contains(QStringLiteral("fashion-cnn")), qPrintable(text("startWeightsRun")));
        QCOMPARE(find<QRadioButton>("startWeightsLast")->isEnabled(), saved.contains(last));
        QCOMPARE(find<QRadioButton>("startWeightsBest")->isEnabled(), saved.contains(best));
        QCOMPARE(find<QRadioButton>("startWeightsLast")->isChecked(), begins == last);
        QVERIFY(!find<QWidget>("startWeightsWrong")->isVisible());
        QCOMPARE(find<QLineEdit>("jobRounds")->text(), QStringLiteral("60"));
        find<QLineEdit>("jobRounds")->setText(QStringLiteral("500"));
        const auto weights = begunWith();
        QCOMPARE(m_controller->calls, QStringList{QStringLiteral("start")});
        QCOMPARE(m_controller->started->rounds, std::optional<qint64>(500));
        QVERIFY(weights);
        QCOMPARE(weights->path(), pathOf(begins));
        QVERIFY(!weights->partial);
        QCOMPARE(place(), static_cast<int>(TrainPlace));
    }

    void theChoiceIsChangedAndTakenBack() {
        openJob({last, best});
        find<QRadioButton>("startWeightsBest")->click();
        find<QCheckBox>("startWeightsPartial")->click();
        const auto weights = begunWith();
        QVERIFY(weights);
        QCOMPARE(weights->path(), pathOf(best));
        QVERIFY(weights->partial);
        goTo("railJob");
        click("startWeightsRemove");
        QVERIFY(!find<QWidget>("startWeights")->isVisible());
        QVERIFY(!begunWith());
        QCOMPARE(m_controller->calls.size(), 2);
    }

    void weightsThatAreGoneAreToldAndNothingStarts() {
        openJob({last});
        QVERIFY(QFile::remove(pathOf(last)));
        QVERIFY(!begunWith());
        QVERIFY(m_controller->calls.isEmpty());
        QVERIFY(find<QWidget>("errorPanel")->isVisible());
        QVERIFY2(text("errorWhat").contains(QStringLiteral("are not there")), qPrintable(text("errorWhat")));
        goTo("railHistory");
        goTo("railJob");
        QVERIFY(find<QWidget>("startWeightsWrong")->isVisible());
        QVERIFY2(text("startWeightsWrong").contains(pathOf(last)), qPrintable(text("startWeightsWrong")));
        click("startWeightsRemove");
        click("jobStart");
        QCOMPARE(m_controller->calls, QStringList{QStringLiteral("start")});
    }

    void aPlanIsMadeWithoutTheWeights() {
        openJob({last});
        QVERIFY(QFile::remove(pathOf(last)));
        goTo("railPlan");
        click("planMake");
        QCOMPARE(m_controller->calls, QStringList{QStringLiteral("plan only")});
    }

    void theDemoOfTryItNowBeginsWithNewWeights() {
        openJob({last});
        QVERIFY(QFile::remove(pathOf(last)));
        m_controller->calls.clear();
        Q_EMIT m_window->findChild<DemoStart *>()->ready();
        QCOMPARE(m_controller->calls, QStringList{QStringLiteral("start")});
        QVERIFY(!m_controller->weights);
    }

    void theWeightsOfADemoAreFoundWhereItsRunIsKept() {
        chooseBrought({}, {last, network});
        click("historyFurther");
        const QString own = m_runs->file(QStringLiteral("own"));
        QVERIFY(QDir().mkpath(own));
        m_home->leaveDemo();
        QVERIFY(QDir().rename(m_runs->folder() + QStringLiteral("/brought"), own + QStringLiteral("/brought")));
        m_controller->past.setFolders({own});
        // As soon as the runs are copied.
        m_controller->refreshRuns();
        const auto *card = m_window->findChild<WeightsCard *>();
        QTRY_COMPARE_WITH_TIMEOUT(card->weights()->folder, own + QStringLiteral("/brought"), patience);
        QVERIFY(!card->refusal());
        QCOMPARE(m_window->jobDraft().job().model, own + QStringLiteral("/brought/") + network);
        QCOMPARE(m_window->jobDraft().openedModels().size(), 1);
    }

    void aNetworkThatWasBroughtIsTheRunsOwn() {
        chooseBrought("/home/me/before.safetensors", {last, network});
        QCOMPARE(facts(QStringLiteral("Begun with the weights")),
                 QStringList{QStringLiteral("/home/me/before.safetensors")});
        click("historyFurther");
        const Job job = m_window->jobDraft().job();
        QCOMPARE(job.model, m_runs->folder() + QStringLiteral("/brought/") + network);
        // Its file has them.
        QVERIFY(job.freeze.isEmpty());
        goTo("railHistory");
        QTRY_VERIFY_WITH_TIMEOUT(find<QPushButton>("historyStartAgain")->isEnabled(), patience);
        click("historyStartAgain");
        QCOMPARE(m_controller->started->model, job.model);
    }

    void aNetworkThatIsGoneIsToldBeforeItsJobIsOpened() {
        chooseBrought({}, {last});
        for (const char *name : {"historyFurther", "historyStartAgain"}) {
            QVERIFY(!find<QPushButton>(name)->isEnabled());
            QVERIFY2(find<QPushButton>(name)->toolTip().contains(network),
                     qPrintable(find<QPushButton>(name)->toolTip()));
        }
    }

    void weightsThatCameWithANetworkAreNotReplacedUnasked() {
        chooseBrought(initialWeightsFolder().toUtf8() + "/ab12.safetensors", {last, network});
        QVERIFY(find<QPushButton>("historyFurther")->isEnabled());
        const auto *again = find<QPushButton>("historyStartAgain");
        QVERIFY(!again->isEnabled());
        QVERIFY2(again->toolTip().contains(QStringLiteral("came with its network")), qPrintable(again->toolTip()));
    }

    void aCopyThatNobodyChangedIsReplacedUnasked() {
        openJob({last});
        goTo("railHistory");
        click("historyFurther");
        QCOMPARE(m_questions->askedAboutUnsaved, 0);
        QCOMPARE(place(), static_cast<int>(JobPlace));
        find<QLineEdit>("jobRounds")->setText(QStringLiteral("500"));
        goTo("railHistory");
        click("historyFurther");
        QCOMPARE(m_questions->askedAboutUnsaved, 1);
    }

    void theStartButtonSaysWhatTrainingStartsFrom() {
        openJob({last});
        const auto *start = find<QPushButton>("jobStart");
        QVERIFY2(start->toolTip().contains(QStringLiteral("fashion-cnn")), qPrintable(start->toolTip()));
        click("startWeightsRemove");
        QVERIFY(start->toolTip().isEmpty());
    }

    void aJobThatIsNotSavedIsNotDroppedUnasked() {
        goTo("railJob");
        find<QLineEdit>("jobBatch")->setText(QStringLiteral("96"));
        chooseRun({last});
        m_questions->unsaved = UnsavedAnswer::Cancel;
        click("historyFurther");
        QCOMPARE(m_questions->askedAboutUnsaved, 1);
        QCOMPARE(place(), static_cast<int>(HistoryPlace));
        QCOMPARE(find<QLineEdit>("jobBatch")->text(), QStringLiteral("96"));
        QVERIFY(!begunWith());
    }

    void theChoiceIsRememberedWithTheJob() {
        QSettings settings(m_runs->file(QStringLiteral("window.ini")), QSettings::IniFormat);
        WindowMemory memory(*m_window, settings);
        QVERIFY(memory.restoreJob());
        openJob({last, best});
        find<QRadioButton>("startWeightsBest")->click();
        const auto *card = m_window->findChild<WeightsCard *>();
        const std::optional<StartWeights> chosen = card->weights();
        const Job job = m_window->jobDraft().job();
        QVERIFY(memory.save());
        m_window->setJob(Job());
        QVERIFY(!card->weights());
        QVERIFY(memory.restoreJob());
        QVERIFY(card->weights() == chosen);
        QVERIFY(m_window->jobDraft().job() == job);
    }

    void aWindowInAnotherLanguageTakesItOver() {
        openJob({last});
        MainWindow other(*m_home, *m_controller, *m_questions);
        other.takeOver(*m_window);
        const std::optional<StartWeights> &weights = other.findChild<WeightsCard *>()->weights();
        QVERIFY(weights);
        QCOMPARE(weights->path(), pathOf(last));
    }

    void aJobThatIsOpenedBeginsWithNewWeights() {
        openJob({last});
        QFile file(m_runs->file(QStringLiteral("mine.json")));
        QVERIFY(file.open(QIODevice::WriteOnly) && file.write(QJsonDocument(Job().toJson()).toJson()) > 0);
        file.close();
        m_questions->file = file.fileName();
        click("jobOpen");
        QVERIFY(!find<QWidget>("startWeights")->isVisible());
        QVERIFY(!begunWith());
    }

    void whatCannotBeTrainedFurtherSaysWhy_data() {
        QTest::addColumn<QStringList>("chosen");
        QTest::addColumn<QString>("reason");
        QTest::newRow("it has saved no weights")
            << QStringList{QStringLiteral("late")} << "This run has saved no weights.";
        QTest::newRow("several are chosen")
            << QStringList{QStringLiteral("late"), QStringLiteral("early")} << "Choose one run first";
    }
    void whatCannotBeTrainedFurtherSaysWhy() {
        QFETCH(QStringList, chosen);
        QFETCH(QString, reason);
        chooseRun({last});
        QVERIFY(find<QPushButton>("historyFurther")->isEnabled());
        choose(chosen);
        QTRY_COMPARE_WITH_TIMEOUT(find<QPushButton>("historyFurther")->toolTip(), reason, patience);
        QVERIFY(!find<QPushButton>("historyFurther")->isEnabled());
    }

    void aRunUnderWayIsStoppedFirst() {
        showLive();
        m_runs->addFiles(QStringLiteral("live"), {best});
        tellLive(true);
        QVERIFY(!find<QPushButton>("historyFurther")->isEnabled());
        QCOMPARE(find<QPushButton>("historyFurther")->toolTip(),
                 QStringLiteral("This run is under way; stop it first."));
        tellLive(false);
        QTRY_VERIFY_WITH_TIMEOUT(find<QPushButton>("historyFurther")->isEnabled(), patience);
    }
};

QTEST_MAIN(TrainFurtherTest)
#include "train_further_test.moc"
