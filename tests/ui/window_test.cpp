// Drives the real window by object names over a fake home and a recorded run.
#include <QAbstractItemModelTester>
#include <QAccessible>
#include <QApplication>
#include <QClipboard>
#include <QLineEdit>
#include <QListView>
#include <QTableView>

#include "tests/core/base/patience.h"
#include "tests/ui/window_fixture.h"
#include "ui/base/rail.h"
#include "ui/base/theme.h"
#include "ui/base/widgets.h"
#include "ui/home/home_view.h"

using namespace hearth;

class WindowTest : public WindowFixture {
    Q_OBJECT

  private Q_SLOTS:
    void initTestCase() { speakEnglish(); }
    void cleanupTestCase() { m_language.reset(); }
    void init() {
        makeWindow();
        QVERIFY(showActive(*m_window));
    }
    void cleanup() {
        endWindow();
        ThemeManager::instance().setChoice(ThemeChoice::System);
    }

    void everyPlaceIsReachedByKeyboardAndByTheRail() {
        const Qt::Key keys[] = {Qt::Key_1, Qt::Key_2, Qt::Key_3, Qt::Key_4, Qt::Key_5};
        for (int wanted = HistoryPlace; wanted >= HomePlace; --wanted) {
            QTest::keyClick(m_window.get(), keys[wanted], Qt::ControlModifier);
            QCOMPARE(place(), wanted);
        }
        const char *buttons[] = {"railHome", "railJob", "railPlan", "railTrain", "railHistory"};
        for (int wanted = HomePlace; wanted <= HistoryPlace; ++wanted) {
            QTest::mouseClick(find<QToolButton>(buttons[wanted]), Qt::LeftButton);
            QCOMPARE(place(), wanted);
        }
    }

    void oneClickOnHomeStartsTheDefaultJobAndShowsTrain() {
        click("homeStart");
        QCOMPARE(m_controller->calls, QStringList{QStringLiteral("start")});
        QVERIFY(m_controller->started);
        QCOMPARE(*m_controller->started, Job());
        QCOMPARE(place(), static_cast<int>(TrainPlace));
    }

    void placesWithoutARunSayWhatTheyNeedAndLeadThere() {
        goTo("railPlan");
        QVERIFY(find<QWidget>("planPageEmpty")->isVisible());
        click("planPageEmptyLink");
        QCOMPARE(m_controller->calls, QStringList{QStringLiteral("plan only")});
        goTo("railTrain");
        QVERIFY(find<QWidget>("trainPageEmpty")->isVisible());
        click("trainPageEmptyLink");
        QCOMPARE(place(), static_cast<int>(JobPlace));
        goTo("railHistory");
        QTRY_VERIFY_WITH_TIMEOUT(find<QWidget>("historyPageEmpty")->isVisible(), patience);
        m_home->set({});
        goTo("railHome");
        QVERIFY(find<QWidget>("homePageEmpty")->isVisible());
        QCOMPARE(text("statusDevices"), QStringLiteral("No devices"));
        QVERIFY(!find<QPushButton>("homeStart")->isEnabled());
        QVERIFY(!find<QPushButton>("trainStart")->isEnabled());
    }

    void whileTheHomeStartsNothingCanBeStarted() {
        m_home->setWaiting(QStringLiteral("Starting …"));
        QVERIFY(!find<QPushButton>("homeStart")->isEnabled());
        QCOMPARE(text("statusDevices"), QStringLiteral("Starting …"));
        m_home->setWaiting({});
        QVERIFY(find<QPushButton>("homeStart")->isEnabled());
        QCOMPARE(text("statusDevices"), QStringLiteral("3 of 3 devices ready"));
    }

    void thePlanShowsStagesDevicesAndPrediction() {
        play();
        goTo("railPlan");
        QVERIFY(find<QWidget>("planStage1")->isVisible());
        QVERIFY(find<QWidget>("planStage2")->isVisible());
        QCOMPARE(find<Figure>("planSpeed")->value(), QStringLiteral("901"));
        QCOMPARE(find<Figure>("planRoundTime")->value(), QStringLiteral("142\u00a0ms"));
        QCOMPARE(find<Figure>("planCut")->value(), QStringLiteral("8 × 16"));
        QStringList texts;
        for (const QLabel *label : find<QWidget>("planStage1")->findChildren<QLabel *>())
            texts << label->text();
        QVERIFY(texts.contains(QStringLiteral("local-1")));
        QVERIFY(texts.contains(QStringLiteral("local-2")));
    }

    void aDeviceChosenInTheListShowsItsFingerprintInGroups() {
        click("showList");
        auto *table = find<QTableView>("deviceTable");
        QVERIFY(table->isVisible());
        QCOMPARE(table->model()->rowCount(), 3);
        table->setCurrentIndex(table->model()->index(1, 0));
        QVERIFY(find<QWidget>("deviceDetail")->isVisible());
        QCOMPARE(text("detailName"), QStringLiteral("local-2"));
        QVERIFY(text("detailFingerprint").startsWith(m_home->list[1].id.left(4) + QLatin1Char(' ')));
        click("closeDetail");
        QVERIFY(!find<QWidget>("deviceDetail")->isVisible());
        click("showPicture");
        QVERIFY(!table->isVisible());
        QVERIFY(find<QWidget>("homeView")->isVisible());
    }

    void theDetailsOfTheSameDeviceOpenAgain_data() {
        QTest::addColumn<bool>("inList");
        QTest::addColumn<QByteArray>("leave");
        for (const char *leave : {"closeDetail", "homeAdd"}) {
            QTest::addRow("%s in the list", leave) << true << QByteArray(leave);
            QTest::addRow("%s in the picture", leave) << false << QByteArray(leave);
        }
    }
    void theDetailsOfTheSameDeviceOpenAgain() {
        QFETCH(bool, inList);
        QFETCH(QByteArray, leave);
        m_home->demo = false;
        m_home->set(m_home->list);
        click(inList ? "showList" : "showPicture");
        auto *table = find<QTableView>("deviceTable");
        for (int times = 0; times < 2; ++times) {
            if (inList)
                table->setCurrentIndex(table->model()->index(1, 0));
            else
                find<HomeView>("homeView")->select(m_home->list[1].id);
            QVERIFY(find<QWidget>("deviceDetail")->isVisible());
            click(leave.constData());
            QVERIFY(!find<QWidget>("deviceDetail")->isVisible());
        }
    }

    void pictureAndListMarkTheSameDevice() {
        auto *table = find<QTableView>("deviceTable");
        const auto inList = [table](int row) { table->setCurrentIndex(table->model()->index(row, 0)); };
        const auto inPicture = [this] { find<HomeView>("homeView")->select(m_home->list[2].id); };
        inList(1);
        QCOMPARE(text("detailName"), QStringLiteral("local-2"));
        inPicture();
        QCOMPARE(text("detailName"), QStringLiteral("local-3"));
        QCOMPARE(table->currentIndex().row(), 2);
        // What was marked before can be chosen again in both.
        inList(1);
        QCOMPARE(text("detailName"), QStringLiteral("local-2"));
        inPicture();
        QCOMPARE(text("detailName"), QStringLiteral("local-3"));
        // It stays marked when another device comes.
        std::vector<DeviceInfo> more = m_home->list;
        more.push_back(more.back());
        more.back().id[0] = QLatin1Char('x');
        more.back().name = QStringLiteral("another");
        m_home->set(more);
        QCOMPARE(text("detailName"), QStringLiteral("local-3"));
        QVERIFY(table->selectionModel()->isRowSelected(2));
    }

    void theDetailsOfADeviceFollowTheRunThatIsShown() {
        play();
        click("showList");
        auto *table = find<QTableView>("deviceTable");
        table->setCurrentIndex(table->model()->index(2, 0));
        QCOMPARE(text("detailWork"), QStringLiteral("Stage 2"));
        m_controller->open(QStringLiteral("another"));
        QCOMPARE(text("detailWork"), QStringLiteral("None"));
    }

    void valuesAreReadOutAndNotTheirCaptions() {
        const auto spoken = [](QLabel *label) {
            return QAccessible::queryAccessibleInterface(label)->text(QAccessible::Name);
        };
        play();
        goTo("railPlan");
        QStringList figure;
        for (QLabel *label : find<Figure>("planSpeed")->findChildren<QLabel *>())
            figure << spoken(label);
        QVERIFY2(figure.contains(QStringLiteral("901")), qPrintable(figure.join(QLatin1Char('\n'))));
        goTo("railHome");
        click("showList");
        auto *table = find<QTableView>("deviceTable");
        table->setCurrentIndex(table->model()->index(2, 0));
        QCOMPARE(spoken(find<QLabel>("detailWork")), QStringLiteral("Stage 2"));
        QCOMPARE(spoken(find<QLabel>("detailSpeed")), find<QLabel>("detailSpeed")->text());
    }

    void arrowKeysWalkThroughThePicture() {
        auto *view = find<QWidget>("homeView");
        view->setFocus();
        QTest::keyClick(view, Qt::Key_Right);
        QCOMPARE(text("detailName"), QStringLiteral("local-1"));
        QTest::keyClick(view, Qt::Key_Right);
        QCOMPARE(text("detailName"), QStringLiteral("local-2"));
        QTest::keyClick(view, Qt::Key_Left);
        QTest::keyClick(view, Qt::Key_Left);
        QCOMPARE(text("detailName"), QStringLiteral("local-3"));
    }

    void aLostDeviceIsTold() {
        m_home->list[2].state = DeviceState::Lost;
        m_home->set(m_home->list);
        QCOMPARE(text("statusDevices"), QStringLiteral("2 of 3 devices ready"));
    }

    void wrongValuesAreMarkedWhereTheyStand_data() {
        QTest::addColumn<QString>("field");
        QTest::addColumn<QString>("value");
        QTest::addColumn<QString>("reason");
        QTest::newRow("letters for rounds") << "jobRounds"
                                            << "many"
                                            << "This is not a whole number.";
        QTest::newRow("no rounds") << "jobRounds"
                                   << "0"
                                   << "Must lie between 1 and 100,000,000.";
        QTest::newRow("a learning rate of zero") << "jobLearningRate"
                                                 << "0"
                                                 << "Must be above 0 and at most 100.";
        QTest::newRow("momentum above one") << "jobMomentum"
                                            << "1.5"
                                            << "Must lie between 0 and 0.999999.";
        QTest::newRow("a negative seed") << "jobSeed"
                                         << "-1"
                                         << "Must lie between 0 and 9,007,199,254,740,992.";
    }
    void wrongValuesAreMarkedWhereTheyStand() {
        QFETCH(QString, field);
        QFETCH(QString, value);
        QFETCH(QString, reason);
        goTo("railJob");
        auto *edit = m_window->findChild<QLineEdit *>(field);
        const QString before = edit->text();
        edit->setText(value);
        QCOMPARE(m_window->findChild<QLabel *>(field + QStringLiteral("Reason"))->text(), reason);
        QVERIFY(!find<QPushButton>("jobStart")->isEnabled());
        QVERIFY(!find<QPushButton>("trainStart")->isEnabled());
        edit->setText(before);
        QVERIFY(find<QPushButton>("jobStart")->isEnabled());
        QVERIFY(find<QPushButton>("trainStart")->isEnabled());
    }

    void theEditedJobIsTheOneThatStarts() {
        goTo("railJob");
        find<QLineEdit>("jobRounds")->setText(QStringLiteral("1,000"));
        find<QLineEdit>("jobLearningRate")->setText(QStringLiteral("0.01"));
        click("jobStart");
        QVERIFY(m_controller->started);
        QCOMPARE(m_controller->started->rounds, std::optional<qint64>(1000));
        QCOMPARE(m_controller->started->optimizer.learningRate, 0.01);
    }

    void anErrorIsShownWithDetailsToCopy() {
        Q_EMIT m_controller->failed({QStringLiteral("run.test"), QStringLiteral("The run could not start."),
                                     QStringLiteral("Memory is short."), QStringLiteral("Close something.")});
        QVERIFY(find<QWidget>("errorPanel")->isVisible());
        QCOMPARE(text("errorWhat"), QStringLiteral("The run could not start."));
        QCOMPARE(text("errorWhy"), QStringLiteral("Memory is short. Close something."));
        click("copyErrorDetails");
        QVERIFY(QApplication::clipboard()->text().contains(QLatin1String("run.test")));
        click("closeError");
        QVERIFY(!find<QWidget>("errorPanel")->isVisible());
    }

    void anErrorEventOfTheRunIsShown() {
        play(QStringLiteral("training"));
        m_controller->send(
            {500, 9, event::Failure{{QStringLiteral("x"), QStringLiteral("A device is gone."), {}, {}}}, {}});
        QVERIFY(find<QWidget>("errorPanel")->isVisible());
        QCOMPARE(text("errorWhat"), QStringLiteral("A device is gone."));
    }

    void closingWhileADemoTrainsAsksAndSaysThatItEnds() {
        play(QStringLiteral("training"));
        QVERIFY(!m_window->close());
        QCOMPARE(m_questions->asked.size(), std::size_t{1});
        QVERIFY(m_questions->asked[0].demo);
        m_questions->answer = CloseAnswer::Close;
        QVERIFY(m_window->close());
        QVERIFY(m_controller->calls.isEmpty());
    }

    void aDemoThatTrainsBehindARecordedRunIsNotEndedUnasked() {
        play(QStringLiteral("training"));
        RunInfo training;
        training.id = QStringLiteral("run");
        training.state = QStringLiteral("training");
        training.live = true;
        m_controller->known = {training};
        m_controller->refreshRuns();
        m_controller->open(QStringLiteral("another"));
        m_controller->end(QStringLiteral("another"));
        QVERIFY(!m_window->run().isLive());
        for (const char *button : {"homeStart", "jobStart", "planStart", "trainStart"}) {
            QVERIFY2(!find<QPushButton>(button)->isEnabled(), button);
            QCOMPARE(find<QPushButton>(button)->toolTip(), QStringLiteral("A run is under way; stop it first."));
        }
        QVERIFY(!m_window->close());
        QCOMPARE(m_questions->asked.size(), std::size_t{1});
        QVERIFY(m_questions->asked[0].demo);
        // The number of rounds on the page is that of the other run.
        QVERIFY(!m_questions->asked[0].round);
        choose("menuEndDemo");
        QCOMPARE(m_questions->askedToEndDemo, 1);
        QVERIFY(!m_questions->endDemoRound);
        QVERIFY(m_home->demo);
        // Its end is told while its coordinator is still there.
        m_controller->known[0].state = QStringLiteral("finished");
        m_controller->refreshRuns();
        QVERIFY(find<QPushButton>("homeStart")->isEnabled());
        QVERIFY(m_window->close());
        QCOMPARE(m_questions->asked.size(), std::size_t{1});
    }

    void aRunOfTheHomeIsForgottenWithTheHome() {
        m_home->demo = false;
        RunInfo training;
        training.id = QStringLiteral("run");
        training.state = QStringLiteral("training");
        training.live = true;
        m_controller->known = {training};
        m_controller->refreshRuns();
        m_home->enterDemo();
        QVERIFY(m_window->close());
        QVERIFY(m_questions->asked.empty());
    }

    void closingDuringARunOfTheHomeCanStopAndSaveFirst() {
        m_home->demo = false;
        m_home->folder = QStringLiteral("/srv/home");
        play(QStringLiteral("training"));
        m_questions->answer = CloseAnswer::StopAndClose;
        QVERIFY(!m_window->close());
        QVERIFY(!m_questions->asked[0].demo);
        QCOMPARE(m_questions->asked[0].comeBack,
                 QStringLiteral("hearth attach %1 --state '/srv/home'").arg(m_window->run().runId()));
        QCOMPARE(m_controller->calls, QStringList{QStringLiteral("stop")});
        QVERIFY(m_window->isVisible());
        m_controller->send({500, 9, event::State{QStringLiteral("stopped")}, {}});
        QVERIFY(!m_window->isVisible());
    }

    void closingADemoThatTrainsCanStopAndSaveFirst() {
        play(QStringLiteral("training"));
        RunInfo training;
        training.id = QStringLiteral("run");
        training.state = QStringLiteral("training");
        training.live = true;
        m_controller->known = {training};
        m_controller->refreshRuns();
        m_questions->answer = CloseAnswer::StopAndClose;
        QVERIFY(!m_window->close());
        QCOMPARE(m_controller->calls, QStringList{QStringLiteral("stop")});
        m_controller->send({500, 9, event::State{QStringLiteral("stopped")}, {}});
        // The home has not told yet that nothing trains there any more: it would be asked about once more.
        QVERIFY(m_window->isVisible());
        m_controller->known[0].state = QStringLiteral("stopped");
        m_controller->refreshRuns();
        QVERIFY(!m_window->isVisible());
        QCOMPARE(m_questions->asked.size(), std::size_t{1});
    }

    void whatGoesWrongWhileItStopsKeepsTheWindowOpen() {
        m_home->demo = false;
        play(QStringLiteral("training"));
        m_questions->answer = CloseAnswer::StopAndClose;
        QVERIFY(!m_window->close());
        Q_EMIT m_controller->failed({QStringLiteral("x"), QStringLiteral("The weights could not be saved."), {}, {}});
        m_controller->send({500, 9, event::State{QStringLiteral("stopped")}, {}});
        QVERIFY(m_window->isVisible());
        QVERIFY(find<QWidget>("errorPanel")->isVisible());
    }

    void closingWithoutARunAsksNothing() {
        QVERIFY(m_window->close());
        QVERIFY(m_questions->asked.empty());
    }

    void modelsKeepTheirContracts() {
        QAbstractItemModelTester events(find<QListView>("eventList")->model(),
                                        QAbstractItemModelTester::FailureReportingMode::QtTest);
        QAbstractItemModelTester devices(find<QTableView>("deviceTable")->model(),
                                         QAbstractItemModelTester::FailureReportingMode::QtTest);
        play();
        m_home->set({m_home->list[0]});
        m_home->set(RecordedRun::devices(m_events));
        play();
    }

    void theThemeSwitchesWhileTheWindowIsOpen() {
        ThemeManager::instance().setChoice(ThemeChoice::Light);
        const QColor light = m_window->palette().color(QPalette::Window);
        ThemeManager::instance().setChoice(ThemeChoice::Dark);
        const QColor dark = m_window->palette().color(QPalette::Window);
        QVERIFY(light.lightness() > dark.lightness());
        QVERIFY(m_window->styleSheet().contains(Theme::of(ThemeKind::Dark).surface.name()));
        QVERIFY(!m_window->styleSheet().contains(QLatin1Char('@')));
    }
};

QTEST_MAIN(WindowTest)
#include "window_test.moc"
