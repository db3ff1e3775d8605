// Drives the real window by object names over a fake home and a recorded run.
#include <QAbstractItemModelTester>
#include <QApplication>
#include <QClipboard>
#include <QLineEdit>
#include <QListView>
#include <QPushButton>
#include <QSignalSpy>
#include <QStackedWidget>
#include <QTableView>
#include <QTest>
#include <QToolButton>

#include "tests/ui/fake_home.h"
#include "ui/event_list.h"
#include "ui/live_plot.h"
#include "ui/main_window.h"
#include "ui/rail.h"
#include "ui/theme.h"
#include "ui/train_devices.h"
#include "ui/widgets.h"

using namespace hearth;

class WindowTest : public QObject {
    Q_OBJECT

    std::vector<RunEvent> m_events;
    std::unique_ptr<Language> m_language;
    std::unique_ptr<FakeHomeSource> m_home;
    std::unique_ptr<FakeController> m_controller;
    std::unique_ptr<FakeQuestions> m_questions;
    std::unique_ptr<MainWindow> m_window;

    template <class Widget>
    Widget *find(const char *name) const {
        auto *widget = m_window->findChild<Widget *>(QLatin1String(name));
        if (widget == nullptr)
            qFatal("no widget is called %s", name);
        return widget;
    }
    void click(const char *name) const { QTest::mouseClick(find<QPushButton>(name), Qt::LeftButton); }
    QString text(const char *name) const { return find<QLabel>(name)->text(); }
    int place() const { return find<QStackedWidget>("pages")->currentIndex(); }
    /// Opens the recorded run and plays the events up to the first of `state`, or all.
    void play(const QString &untilState = {}) const {
        m_controller->open(QStringLiteral("run"));
        for (const RunEvent &one : m_events) {
            m_controller->send(one);
            const auto *state = std::get_if<event::State>(&one.body);
            if (state != nullptr && state->state == untilState)
                return;
        }
    }

  private Q_SLOTS:
    void initTestCase() {
        m_language = std::make_unique<Language>(QLocale(QLocale::English, QLocale::UnitedStates));
        m_events = RecordedRun::load();
    }

    void cleanupTestCase() { m_language.reset(); }

    void init() {
        m_home = std::make_unique<FakeHomeSource>();
        m_home->list = RecordedRun::devices(m_events);
        m_controller = std::make_unique<FakeController>();
        m_questions = std::make_unique<FakeQuestions>();
        m_window = std::make_unique<MainWindow>(*m_home, *m_controller, *m_questions);
        m_window->show();
        QVERIFY(QTest::qWaitForWindowExposed(m_window.get()));
    }

    void cleanup() {
        m_window.reset();
        m_questions.reset();
        m_controller.reset();
        m_home.reset();
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

    void theTrainButtonsDriveTheController() {
        QTest::mouseClick(find<QToolButton>("railTrain"), Qt::LeftButton);
        click("trainStart");
        play(QStringLiteral("training"));
        QCOMPARE(find<QPushButton>("trainStart")->text(), QStringLiteral("Pause"));
        click("trainStart");
        click("trainEvaluate");
        m_controller->send({500, 9, event::State{QStringLiteral("paused")}, {}});
        QCOMPARE(find<QPushButton>("trainStart")->text(), QStringLiteral("Go on"));
        click("trainStart");
        click("trainStop");
        QCOMPARE(m_controller->calls,
                 (QStringList{QStringLiteral("start"), QStringLiteral("pause"), QStringLiteral("evaluate"),
                              QStringLiteral("resume"), QStringLiteral("stop")}));
        m_controller->send({501, 10, event::State{QStringLiteral("stopped")}, {}});
        QCOMPARE(find<QPushButton>("trainStart")->text(), QStringLiteral("Start again"));
        QVERIFY(!find<QPushButton>("trainStop")->isEnabled());
    }

    void plotsHoldExactlyTheRoundsOfTheStream() {
        QTest::mouseClick(find<QToolButton>("railTrain"), Qt::LeftButton);
        play();
        const auto *throughput = find<LivePlot>("throughputPlot");
        const auto *loss = find<LivePlot>("lossPlot");
        QTRY_COMPARE(throughput->points(0).size(), std::size_t{60});
        std::size_t at = 0;
        for (const RunEvent &one : m_events) {
            if (const auto *round = std::get_if<event::Round>(&one.body)) {
                QCOMPARE(throughput->points(0)[at], QPointF(one.t, round->samplesPerS));
                QCOMPARE(loss->points(0)[at], QPointF(one.t, round->loss));
                ++at;
            }
        }
        QCOMPARE(loss->points(1).size(), std::size_t{3});
        QCOMPARE(loss->points(1).back().y(), 81.03);
        QCOMPARE(find<Figure>("figureRound")->value(), QStringLiteral("60"));
        QCOMPARE(find<Figure>("figureAccuracy")->value(), QStringLiteral("81.0\u00a0%"));
        QVERIFY(throughput->markCount() > 0);
    }

    void plotsTakeBackRoundsThatAreRepeated() {
        QTest::mouseClick(find<QToolButton>("railTrain"), Qt::LeftButton);
        play();
        const auto *loss = find<LivePlot>("lossPlot");
        QTRY_COMPARE(loss->points(0).size(), std::size_t{60});
        event::Round again;
        again.round = 51;
        again.term = 2;
        again.loss = 0.125;
        m_controller->send({1000, 100, again, {}});
        QTRY_COMPARE(loss->points(0).size(), std::size_t{51});
        QCOMPARE(loss->points(0).back(), QPointF(100, 0.125));
        QCOMPARE(find<Figure>("figureRound")->value(), QStringLiteral("51"));
    }

    void marksAreNamedInTheUpperPlotAndDrawnInBoth() {
        QTest::mouseClick(find<QToolButton>("railTrain"), Qt::LeftButton);
        play();
        m_controller->send({1000, 20, event::Lost{m_home->list[1].id, 61, {}}, {}});
        m_controller->send({1001, 21, event::Replica{m_home->list[0].id, 1, 60}, {}});
        const auto *throughput = find<LivePlot>("throughputPlot");
        QTRY_VERIFY(throughput->markLabels().contains(QStringLiteral("local-2 lost")));
        QCOMPARE(find<LivePlot>("lossPlot")->markCount(), throughput->markCount());
        // A copy is a tick: a point of the last curve, as the checkpoint before it.
        QCOMPARE(throughput->points(3).size(), std::size_t{2});
        QCOMPARE(throughput->points(3).back(), QPointF(21, 0));
    }

    void tilesShowALossWhereItHappens() {
        play(QStringLiteral("training"));
        QTest::mouseClick(find<QToolButton>("railTrain"), Qt::LeftButton);
        const QString lost = m_home->list[2].id;
        QCOMPARE(find<DeviceTile>("tile-local-3")->chip(), QStringLiteral("Stage 2"));
        m_controller->send({1000, 20, event::Suspect{lost}, {}});
        QCOMPARE(find<DeviceTile>("tile-local-3")->word(), QStringLiteral("Does not answer"));
        m_controller->send({1001, 21, event::Lost{lost, 61, {}}, {}});
        m_controller->send({1002, 21, event::State{QStringLiteral("recovering")}, {}});
        QCOMPARE(find<DeviceTile>("tile-local-3")->word(), QStringLiteral("Lost"));
        QCOMPARE(find<DeviceTile>("tile-local-3")->chip(), QStringLiteral("Had stage 2"));
        QCOMPARE(text("statusRun"), QStringLiteral("Recovering"));
        m_controller->send({1003, 22, event::Joined{lost}, {}});
        QCOMPARE(find<DeviceTile>("tile-local-3")->word(), QStringLiteral("Back"));
    }

    void unplugAndSlowDownAreSwitchedAndTakenBack() {
        using Condition = DemoSwitches::Condition;
        play(QStringLiteral("training"));
        QTest::mouseClick(find<QToolButton>("railTrain"), Qt::LeftButton);
        const QString device = m_home->list[1].id;
        const auto &conditions = m_home->fakeSwitches.conditions;
        QCOMPARE(find<QPushButton>("unplug-local-2")->text(), QStringLiteral("Unplug"));
        click("unplug-local-2");
        QCOMPARE(conditions.value(device), Condition::Unplugged);
        QCOMPARE(find<QPushButton>("unplug-local-2")->text(), QStringLiteral("Plug in"));
        QCOMPARE(find<DeviceTile>("tile-local-2")->word(), QStringLiteral("Unplugged"));
        QVERIFY(!find<QPushButton>("slow-local-2")->isEnabled());
        click("unplug-local-2");
        QCOMPARE(conditions.value(device), Condition::Normal);
        click("slow-local-2");
        QCOMPARE(conditions.value(device), Condition::Slowed);
        QCOMPARE(find<QPushButton>("slow-local-2")->text(), QStringLiteral("Full speed"));
        QCOMPARE(find<DeviceTile>("tile-local-2")->word(), QStringLiteral("Slowed down"));
        click("slow-local-2");
        QCOMPARE(conditions.value(device), Condition::Normal);
    }

    void whoLeadsTheRunCannotBeUnpluggedAndSaysWhy() {
        m_home->fakeSwitches.leader = m_home->list[0].id;
        play(QStringLiteral("training"));
        QVERIFY(!find<QPushButton>("unplug-local-1")->isEnabled());
        QCOMPARE(find<QPushButton>("unplug-local-1")->toolTip(), QStringLiteral("It leads the run."));
        QVERIFY(find<QPushButton>("slow-local-1")->isEnabled());
    }

    void eventsAppearAsSentences() {
        play();
        const auto *list = find<QListView>("eventList");
        QStringList sentences;
        for (int row = 0; row < list->model()->rowCount(); ++row)
            sentences << list->model()->index(row, 0).data().toString();
        QVERIFY(sentences.contains(QStringLiteral("Evaluated after round 60: 81.0\u00a0% correct.")));
        QVERIFY(sentences.contains(QStringLiteral("local-2 is ready.")));
        QCOMPARE(static_cast<std::size_t>(sentences.size()), m_window->run().sentences().size());
        QCOMPARE(find<ElidedLabel>("statusLastEvent")->fullText(), sentences.last());
    }

    void measuringShowsItsProgress() {
        QTest::mouseClick(find<QToolButton>("railTrain"), Qt::LeftButton);
        m_controller->open(QStringLiteral("run"));
        m_controller->send(m_events[0]);
        m_controller->send({2, 0, event::State{QStringLiteral("profiling")}, {}});
        m_controller->send({3, 0, event::Profile{m_home->list[0].id, 12, 40}, {}});
        QVERIFY(find<QWidget>("trainNotice")->isVisible());
        QCOMPARE(text("trainNoticeText"), QStringLiteral("Measuring the devices: 12 of 40 steps"));
    }

    void placesWithoutARunSayWhatTheyNeedAndLeadThere() {
        QTest::mouseClick(find<QToolButton>("railPlan"), Qt::LeftButton);
        QVERIFY(find<QWidget>("planPageEmpty")->isVisible());
        click("planPageEmptyLink");
        QCOMPARE(place(), static_cast<int>(TrainPlace));
        QVERIFY(find<QWidget>("trainPageEmpty")->isVisible());
        click("trainPageEmptyLink");
        QCOMPARE(place(), static_cast<int>(JobPlace));
        QTest::mouseClick(find<QToolButton>("railHistory"), Qt::LeftButton);
        QVERIFY(find<QWidget>("historyPageEmpty")->isVisible());
        m_home->set({});
        QTest::mouseClick(find<QToolButton>("railHome"), Qt::LeftButton);
        QVERIFY(find<QWidget>("homePageEmpty")->isVisible());
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
        QTest::mouseClick(find<QToolButton>("railPlan"), Qt::LeftButton);
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
                                            << "Must lie between 0 and 1.";
        QTest::newRow("a negative seed") << "jobSeed"
                                         << "-1"
                                         << "Must lie between 0 and 9,007,199,254,740,992.";
    }
    void wrongValuesAreMarkedWhereTheyStand() {
        QFETCH(QString, field);
        QFETCH(QString, value);
        QFETCH(QString, reason);
        QTest::mouseClick(find<QToolButton>("railJob"), Qt::LeftButton);
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
        QTest::mouseClick(find<QToolButton>("railJob"), Qt::LeftButton);
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

    void historyListsRunsAndOpensOne() {
        RunInfo old;
        old.id = QStringLiteral("older");
        old.started = QStringLiteral("2026-11-20T09:00:00Z");
        RunInfo recent = old;
        recent.id = QStringLiteral("recent");
        recent.started = QStringLiteral("2026-11-21T09:00:00Z");
        m_controller->known = {old, recent};
        QTest::mouseClick(find<QToolButton>("railHistory"), Qt::LeftButton);
        auto *table = find<QTableView>("runsTable");
        QCOMPARE(table->model()->rowCount(), 2);
        QVERIFY(!find<QPushButton>("historyOpen")->isEnabled());
        table->selectRow(0);
        click("historyOpen");
        QCOMPARE(m_controller->calls, QStringList{QStringLiteral("attach recent")});
        QCOMPARE(place(), static_cast<int>(TrainPlace));
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

    void closingDuringARunOfTheHomeCanStopAndSaveFirst() {
        m_home->demo = false;
        play(QStringLiteral("training"));
        m_questions->answer = CloseAnswer::StopAndClose;
        QVERIFY(!m_window->close());
        QVERIFY(!m_questions->asked[0].demo);
        QCOMPARE(m_controller->calls, QStringList{QStringLiteral("stop")});
        QVERIFY(m_window->isVisible());
        m_controller->send({500, 9, event::State{QStringLiteral("stopped")}, {}});
        QVERIFY(!m_window->isVisible());
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
        QAbstractItemModelTester runs(find<QTableView>("runsTable")->model(),
                                      QAbstractItemModelTester::FailureReportingMode::QtTest);
        play();
        m_home->set({m_home->list[0]});
        m_home->set(RecordedRun::devices(m_events));
        RunInfo run;
        run.id = QStringLiteral("a");
        m_controller->known = {run};
        m_controller->refreshRuns();
        m_controller->known.clear();
        m_controller->refreshRuns();
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
