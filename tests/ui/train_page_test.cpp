// The Train page: buttons, plots, the tiles of the devices, and the story of a run.
#include <QAbstractItemModelTester>
#include <QListView>
#include <QProgressBar>
#include <QScrollArea>
#include <QScrollBar>
#include <algorithm>

#include "tests/core/base/patience.h"
#include "tests/ui/window_fixture.h"
#include "ui/base/widgets.h"
#include "ui/train/event_list.h"
#include "ui/train/live_plot.h"
#include "ui/train/train_devices.h"

using namespace hearth;

class TrainPageTest : public WindowFixture {
    Q_OBJECT

  private Q_SLOTS:
    void initTestCase() { speakEnglish(); }
    void cleanupTestCase() { m_language.reset(); }
    void init() {
        makeWindow();
        m_window->show();
        QVERIFY(QTest::qWaitForWindowExposed(m_window.get()));
    }
    void cleanup() { endWindow(); }

    void theTrainButtonsDriveTheController() {
        goTo("railTrain");
        click("trainStart");
        play(QStringLiteral("training"));
        QCOMPARE(find<QPushButton>("trainStart")->text(), QStringLiteral("Pause"));
        click("trainStart");
        click("trainEvaluate");
        m_controller->send({500, 9, event::State{QStringLiteral("paused")}, {}});
        QCOMPARE(find<QPushButton>("trainStart")->text(), QStringLiteral("Resume"));
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
        goTo("railTrain");
        play();
        const auto *throughput = find<LivePlot>("throughputPlot");
        const auto *loss = find<LivePlot>("lossPlot");
        QTRY_COMPARE_WITH_TIMEOUT(throughput->points(0).size(), std::size_t{60}, patience);
        std::size_t at = 0;
        for (const RunEvent &one : m_events) {
            if (const auto *round = std::get_if<event::Round>(&one.body)) {
                QCOMPARE(throughput->points(0)[at], QPointF(one.t, round->samplesPerS));
                QCOMPARE(loss->points(0)[at], QPointF(one.t, round->loss));
                ++at;
            }
        }
        QCOMPARE(loss->points(3).size(), std::size_t{3});
        QCOMPARE(loss->points(3).back().y(), 81.03);
        QTRY_COMPARE_WITH_TIMEOUT(find<Figure>("figureRound")->value(), QStringLiteral("60"), patience);
        QCOMPARE(find<Figure>("figureAccuracy")->value(), QStringLiteral("81.0\u00a0%"));
        QVERIFY(throughput->markCount() > 0);
    }

    void plotsTakeBackRoundsThatAreRepeated() {
        goTo("railTrain");
        play();
        const auto *loss = find<LivePlot>("lossPlot");
        QTRY_COMPARE_WITH_TIMEOUT(loss->points(0).size(), std::size_t{60}, patience);
        event::Round again;
        again.round = 51;
        again.term = 2;
        again.loss = 0.125;
        m_controller->send({1000, 100, again, {}});
        QTRY_COMPARE_WITH_TIMEOUT(loss->points(0).size(), std::size_t{51}, patience);
        QCOMPARE(loss->points(0).back(), QPointF(100, 0.125));
        // What was evaluated of the rounds that are repeated goes with them.
        QCOMPARE(loss->points(3).size(), std::size_t{2});
        QTRY_COMPARE_WITH_TIMEOUT(find<Figure>("figureRound")->value(), QStringLiteral("51"), patience);
    }

    void aRepeatedEvaluationTakesThePlaceOfTheFirst() {
        goTo("railTrain");
        play();
        const auto *loss = find<LivePlot>("lossPlot");
        QTRY_COMPARE_WITH_TIMEOUT(loss->points(3).size(), std::size_t{3}, patience);
        m_controller->send({1000, 100, event::Evaluation{60, 0.9, 0.2}, {}});
        QTRY_COMPARE_WITH_TIMEOUT(loss->points(3).back(), QPointF(100, 90), patience);
        QCOMPARE(loss->points(3).size(), std::size_t{3});
    }

    void marksAreNamedInTheUpperPlotAndDrawnInBoth() {
        goTo("railTrain");
        play();
        m_controller->send({1000, 20, event::Lost{m_home->list[1].id, 61, {}}, {}});
        m_controller->send({1001, 21, event::Replica{m_home->list[0].id, 1, 60}, {}});
        const auto *throughput = find<LivePlot>("throughputPlot");
        QTRY_VERIFY_WITH_TIMEOUT(throughput->markLabels().contains(QStringLiteral("local-2 lost")), patience);
        QCOMPARE(find<LivePlot>("lossPlot")->markCount(), throughput->markCount());
        // A copy is a tick: a point of the last curve, as the checkpoint before it.
        QCOMPARE(throughput->points(3).size(), std::size_t{2});
        QCOMPARE(throughput->points(3).back(), QPointF(21, 0));
    }

    void tilesShowALossWhereItHappens() {
        play(QStringLiteral("training"));
        goTo("railTrain");
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

    void aRunOfAnotherHomeShowsItsOwnDevices() {
        const std::vector<DeviceInfo> own = {m_home->list[0]};
        m_home->list[0].id = QString(64, QLatin1Char('a'));
        m_home->list[0].name = QStringLiteral("study");
        m_home->set({m_home->list[0]});
        goTo("railTrain");
        play();
        QVERIFY(m_window->findChild<DeviceTile *>(QStringLiteral("tile-study")) == nullptr);
        QCOMPARE(find<DeviceTile>("tile-local-3")->word(), QStringLiteral("In this run"));
        QCOMPARE(find<DeviceTile>("tile-local-3")->chip(), QStringLiteral("Stage 2"));
        QVERIFY(m_window->findChild<QPushButton *>(QStringLiteral("unplug-local-3")) == nullptr);
        // How a device left the run is told also when the run is over.
        m_controller->send({1000, 20, event::Lost{find<DeviceTile>("tile-local-3")->id(), 61, {}}, {}});
        m_controller->end(QStringLiteral("run"));
        QCOMPARE(find<DeviceTile>("tile-local-3")->word(), QStringLiteral("Lost"));
        QCOMPARE(find<DeviceTile>("tile-local-3")->chip(), QStringLiteral("Had stage 2"));
        // Devices that are met again are those of the home.
        m_home->set(RecordedRun::devices(m_events));
        QVERIFY(m_window->findChild<QPushButton *>(QStringLiteral("unplug-local-3")) != nullptr);
        m_controller->open(QStringLiteral("another"));
        m_home->set(own);
        QVERIFY(m_window->findChild<DeviceTile *>(QStringLiteral("tile-local-3")) == nullptr);
    }

    void unplugAndSlowDownAreSwitchedAndTakenBack() {
        using Condition = DemoSwitches::Condition;
        play(QStringLiteral("training"));
        goTo("railTrain");
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

    void whatHappensToASlowedDeviceIsStillTold() {
        play(QStringLiteral("training"));
        click("slow-local-2");
        QCOMPARE(find<DeviceTile>("tile-local-2")->word(), QStringLiteral("Slowed down"));
        m_controller->send({1000, 20, event::Lost{m_home->list[1].id, 1, {}}, {}});
        QCOMPARE(find<DeviceTile>("tile-local-2")->word(), QStringLiteral("Lost"));
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
        QCOMPARE(static_cast<std::size_t>(sentences.size()), m_window->run().log().sentences().size());
        QCOMPARE(find<ElidedLabel>("statusLastEvent")->fullText(), sentences.last());
    }

    void everySentenceHasTheRoomOfItsLines() {
        play();
        auto *list = find<QListView>("eventList");
        QVERIFY(list->model()->rowCount() > 0);
        const int least = QFontMetrics(bodyFont()).height() + QFontMetrics(smallFont()).height();
        for (const bool again : {false, true}) {
            for (int row = 0; row < list->model()->rowCount(); ++row) {
                const int height = list->sizeHintForIndex(list->model()->index(row, 0)).height();
                QVERIFY2(height >= least, qPrintable(QStringLiteral("%1, %2").arg(row).arg(again)));
            }
        }
    }

    void theTimeOfEachDeviceIsSeenUnderEveryPlan() {
        goTo("railTrain");
        play(QStringLiteral("training"));
        const auto plan = std::ranges::find_if(
            m_events, [](const RunEvent &event) { return std::holds_alternative<event::Plan>(event.body); });
        QVERIFY(plan != m_events.end());
        RunEvent another = *plan;
        another.seq = 100'000;
        for (const bool again : {false, true}) {
            if (again)
                m_controller->send(another);
            const auto *area = find<QScrollArea>("timeSplitScroll");
            const auto isSeen = [&] {
                const auto *meter = find<QWidget>("meter-local-1");
                return meter->isVisible() &&
                       area->viewport()->rect().contains(meter->geometry().translated(area->widget()->pos()));
            };
            QTRY_VERIFY2_WITH_TIMEOUT(isSeen(), again ? "after another plan" : "after the first plan", patience);
        }
    }

    void measuringShowsItsProgress() {
        goTo("railTrain");
        m_controller->open(QStringLiteral("run"));
        m_controller->send(m_events[0]);
        m_controller->send({2, 0, event::State{QStringLiteral("profiling")}, {}});
        m_controller->send({3, 0, event::Profile{m_home->list[0].id, 12, 40}, {}});
        QVERIFY(find<QWidget>("trainNotice")->isVisible());
        QCOMPARE(text("trainNoticeText"), QStringLiteral("Measuring the devices: 12 of 40 steps"));
    }

    void aRunThatMeasuresBetweenRoundsTakesOrdersAndTellsItsProgress() {
        goTo("railTrain");
        play(QStringLiteral("training"));
        quint64 seq = 1000;
        const auto send = [&](const RunEventBody &body) { m_controller->send({++seq, 20, body, {}}); };
        const auto enter = [&](const char *state) { send(event::State{QString::fromLatin1(state)}); };
        event::Round round;
        round.round = 1;
        send(round);
        enter("profiling");
        send(event::Profile{m_home->list[0].id, 12, 40});
        QVERIFY(find<QWidget>("trainNotice")->isVisible());
        QCOMPARE(find<QProgressBar>("trainNoticeProgress")->maximum(), 40);
        QCOMPARE(find<QProgressBar>("trainNoticeProgress")->value(), 12);
        click("trainStart");
        QCOMPARE(m_controller->calls, QStringList{QStringLiteral("pause")});
        // As it ends the rest, and until it is paused.
        enter("training");
        QCOMPARE(find<QPushButton>("trainStart")->text(), QStringLiteral("Pausing …"));
        QVERIFY(!find<QWidget>("trainNotice")->isVisible());
        enter("paused");
        QCOMPARE(find<QPushButton>("trainStart")->text(), QStringLiteral("Resume"));
        click("trainStart");
        enter("training");
        enter("profiling");
        click("trainEvaluate");
        click("trainStop");
        QCOMPARE(m_controller->calls.mid(1),
                 (QStringList{QStringLiteral("resume"), QStringLiteral("evaluate"), QStringLiteral("stop")}));
    }

    void aLongRunThatIsReadSaysHowFar() {
        goTo("railTrain");
        play();
        QVERIFY(!find<QWidget>("trainNotice")->isVisible());
        Q_EMIT m_controller->replayProgressed(0.34);
        QVERIFY(find<QWidget>("trainNotice")->isVisible());
        QVERIFY2(plain(text("trainNoticeText")).endsWith(QStringLiteral(": 34.0 %")),
                 qPrintable(text("trainNoticeText")));
        QCOMPARE(find<QProgressBar>("trainNoticeProgress")->value(), 34);
        Q_EMIT m_controller->replayProgressed(1);
        QVERIFY(!find<QWidget>("trainNotice")->isVisible());
        // Another run that is opened meanwhile is not the one that was read.
        Q_EMIT m_controller->replayProgressed(0.5);
        m_controller->open(QStringLiteral("another"));
        QVERIFY(!find<QWidget>("trainNotice")->isVisible());
    }

    void theListOfALongRunKeepsTheNewestSentences() {
        goTo("railTrain");
        play();
        auto *list = find<QListView>("eventList");
        const QAbstractItemModelTester rules(list->model(), QAbstractItemModelTester::FailureReportingMode::QtTest);
        for (quint64 i = 1; i <= 2 * EventLog::keptSentences; ++i)
            m_controller->send({1000 + i, 100.0 + static_cast<double>(i), event::Suspect{QStringLiteral("nx1")}, {}});
        const int rows = list->model()->rowCount();
        QCOMPARE(static_cast<std::size_t>(rows), m_window->run().log().sentences().size());
        QVERIFY(static_cast<std::size_t>(rows) < 2 * EventLog::keptSentences);
        QVERIFY(list->model()->index(0, 0).data().toString().contains(QStringLiteral("events.jsonl")));
        QCOMPARE(list->model()->index(rows - 1, 0).data(EventListModel::TimeRole).toDouble(),
                 100.0 + 2 * EventLog::keptSentences);
        // Whoever follows the run still sees its newest sentence.
        QTRY_COMPARE_WITH_TIMEOUT(list->verticalScrollBar()->value(), list->verticalScrollBar()->maximum(), patience);
    }

    void aLowWindowFoldsFiguresAndDevicesBeforePlots() {
        goTo("railTrain");
        play();
        const auto *figure = find<Figure>("figureRound");
        const auto *note = figure->findChild<ElidedLabel *>();
        const auto *devices = find<TrainDevices>("trainDevices");
        QTRY_COMPARE_WITH_TIMEOUT(figure->value(), QStringLiteral("60"), patience);
        QVERIFY(devices->isVisible());
        const int height = figure->height();
        QVERIFY(!find<QPushButton>("trainShowDevices")->isVisible());
        m_window->resize(1024, 640);
        QTRY_VERIFY_WITH_TIMEOUT(!devices->isVisible(), patience);
        QTRY_VERIFY_WITH_TIMEOUT(figure->height() < 2 * height / 3, patience);
        QVERIFY(note->isVisible() && note->width() >= note->sizeHint().width());
        QCOMPARE(figure->note(), QStringLiteral("of 60"));
        const auto seesTwoPlots = [this] {
            const auto *lower = find<QWidget>("throughputPlot")->parentWidget();
            return lower->geometry().bottom() <= find<QScrollArea>("plotScroll")->viewport()->height();
        };
        QTRY_VERIFY_WITH_TIMEOUT(seesTwoPlots(), patience);
        click("trainShowDevices");
        QTRY_VERIFY_WITH_TIMEOUT(devices->isVisible(), patience);
        click("trainShowDevices");
        QVERIFY(!devices->isVisible());
        m_window->resize(1280, 800);
        QTRY_VERIFY_WITH_TIMEOUT(devices->isVisible() && figure->height() == height, patience);
        QVERIFY(!find<QPushButton>("trainShowDevices")->isVisible());
    }

    void marksOfLongAgoAreThinnedInThePlotsAsWell() {
        goTo("railTrain");
        play();
        for (quint64 i = 1; i <= 2 * EventLog::keptMarks; ++i)
            m_controller->send({1000 + i, 100.0 + static_cast<double>(i), event::Suspect{QStringLiteral("nx1")}, {}});
        const std::size_t marks = m_window->run().log().marks().size();
        QVERIFY(marks < 2 * EventLog::keptMarks);
        QTRY_COMPARE_WITH_TIMEOUT(find<LivePlot>("throughputPlot")->markCount(), static_cast<int>(marks), patience);
        m_controller->send({100'000, 1e5, event::Suspect{QStringLiteral("nx1")}, {}});
        QTRY_COMPARE_WITH_TIMEOUT(find<LivePlot>("lossPlot")->markCount(), static_cast<int>(marks) + 1, patience);
    }
};

QTEST_MAIN(TrainPageTest)
#include "train_page_test.moc"
