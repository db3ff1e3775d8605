// The Plan page under the hands of a person: borders, chips, shares, locks, and every step back.
#include <QListView>
#include <QMenu>
#include <QPushButton>
#include <QSignalSpy>
#include <QSlider>
#include <QTableView>
#include <QTemporaryDir>
#include <QTest>
#include <QToolButton>

#include "core/plan/planner.h"
#include "tests/ui/fake_home.h"
#include "ui/device_chip.h"
#include "ui/layer_strip.h"
#include "ui/main_window.h"
#include "ui/plan_draft.h"
#include "ui/plan_edits.h"
#include "ui/rail.h"
#include "ui/round_chart.h"
#include "ui/widgets.h"

using namespace hearth;

class PlanPageTest : public QObject {
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
    QString message() const { return find<QLabel>("planMessage")->text(); }
    QString roundTime() const { return find<Figure>("planRoundTime")->value(); }
    /// The plan that a start would take, or the run's own where nothing is changed.
    Plan shown() const {
        m_controller->calls.clear();
        m_controller->send({2000 + ++m_seq, 99, event::State{QStringLiteral("stopped")}, {}});
        click("planStart");
        return m_controller->plan.value_or(*m_window->run().plan());
    }
    mutable quint64 m_seq = 0;

    /// Presses on the border behind `stage`, moves to before `layer`, and lets go or not.
    void dragBorder(int stage, int layer, bool letGo = true) const {
        auto *strip = find<LayerStrip>("layerStrip");
        QTest::mousePress(strip, Qt::LeftButton, {}, strip->borderAt(stage));
        QTest::mouseMove(strip, strip->placeBefore(layer));
        if (letGo)
            QTest::mouseRelease(strip, Qt::LeftButton, {}, strip->placeBefore(layer));
    }
    void dragChip(const char *name, const QWidget *to, const QPoint &at, bool letGo = true) const {
        // Columns that were made anew get their places.
        QTest::qWait(0);
        auto *chip = find<DeviceChip>(name);
        const QPoint goal = chip->mapFromGlobal(to->mapToGlobal(at));
        QTest::mousePress(chip, Qt::LeftButton, {}, QPoint(6, 6));
        QTest::mouseMove(chip, QPoint(40, 20));
        QTest::mouseMove(chip, goal);
        if (letGo)
            QTest::mouseRelease(chip, Qt::LeftButton, {}, goal);
    }
    static QStringList devicesOf(const PlanStage &stage) {
        QStringList list;
        for (const Share &share : stage.shares)
            list << share.device;
        return list;
    }
    QString id(int device) const { return m_home->list[static_cast<std::size_t>(device - 1)].id; }

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
        m_controller->problem = RecordedRun::problem();
        QVERIFY(m_controller->problem);
        m_questions = std::make_unique<FakeQuestions>();
        m_window = std::make_unique<MainWindow>(*m_home, *m_controller, *m_questions);
        m_window->resize(1280, 1000);
        m_window->show();
        m_window->activateWindow();
        QVERIFY(QTest::qWaitForWindowActive(m_window.get()));
        m_controller->open(QStringLiteral("run"));
        for (const RunEvent &one : m_events) {
            const auto *round = std::get_if<event::Round>(&one.body);
            if (round != nullptr && round->round > 5)
                break;
            m_controller->send(one);
        }
        m_window->showPlace(PlanPlace);
        QCoreApplication::sendPostedEvents();
        QTest::qWait(0);
    }
    void cleanup() {
        m_window.reset();
        m_questions.reset();
        m_controller.reset();
        m_home.reset();
    }

    void draggingABorderMovesLayersAndTellsTheGain() {
        QCOMPARE(m_window->run().plan()->stages[0].lastLayer, 2);
        const QString before = roundTime();
        dragBorder(0, 3, false);
        // The numbers follow while the button is still down, and nothing is decided yet.
        QVERIFY(message().startsWith(QStringLiteral("A round would take ")));
        QVERIFY(roundTime() != before);
        QVERIFY(!find<QPushButton>("planUndo")->isEnabled());
        auto *strip = find<LayerStrip>("layerStrip");
        QTest::mouseRelease(strip, Qt::LeftButton, {}, strip->placeBefore(3));
        QVERIFY(find<QPushButton>("planUndo")->isEnabled());
        const Plan plan = shown();
        QCOMPARE(plan.stages[0].lastLayer, 3);
        QCOMPARE(plan.stages[1].firstLayer, 3);
        QCOMPARE(plan.modelSha256, m_window->run().plan()->modelSha256);
    }

    void anImpossibleDropSaysWhyAndLeavesThePlan() {
        const Plan before = *m_window->run().plan();
        dragBorder(0, 5);
        QVERIFY2(message().contains(QStringLiteral("Stage 2 would have no layers")), qPrintable(message()));
        QCOMPARE(find<QLabel>("planMessage")->property("role").toString(), QStringLiteral("wrong"));
        QVERIFY(!find<QPushButton>("planUndo")->isEnabled());
        QCOMPARE(shown().stages, before.stages);
    }

    void escapeGivesADragUp() {
        dragBorder(0, 3, false);
        QTest::keyClick(find<LayerStrip>("layerStrip"), Qt::Key_Escape);
        QVERIFY(!find<QPushButton>("planUndo")->isEnabled());
        QVERIFY(!message().startsWith(QStringLiteral("A round")));
    }

    void theKeyboardMovesAndLocksBorders() {
        auto *strip = find<LayerStrip>("layerStrip");
        strip->setFocus();
        QTest::keyClick(strip, Qt::Key_Right, Qt::ShiftModifier);
        QVERIFY(find<QPushButton>("planUndo")->isEnabled());
        QTest::keyClick(strip, Qt::Key_L);
        QTest::keyClick(strip, Qt::Key_Left, Qt::ShiftModifier);
        QVERIFY2(message().contains(QStringLiteral("lock")), qPrintable(message()));
        QTest::keyClick(strip, Qt::Key_L);
        QTest::keyClick(strip, Qt::Key_Left, Qt::ShiftModifier);
        QCOMPARE(shown().stages[0].lastLayer, 2);
    }

    void undoAndRedoGoAllTheWay() {
        const Plan before = *m_window->run().plan();
        dragBorder(0, 3);
        dragBorder(0, 4);
        dragBorder(0, 1);
        for (int i = 0; i < 3; ++i)
            click("planUndo");
        QVERIFY(!find<QPushButton>("planUndo")->isEnabled());
        for (int i = 0; i < 3; ++i)
            click("planRedo");
        QVERIFY(!find<QPushButton>("planRedo")->isEnabled());
        click("planAutomatic");
        QVERIFY(!find<QPushButton>("planAutomatic")->isEnabled());
        QCOMPARE(shown().stages, before.stages);
    }

    void aChipIsDraggedToAnotherStage() {
        const auto *second = find<QWidget>("planStage2");
        dragChip("chip-local-2", second, second->rect().center());
        const Plan plan = shown();
        QCOMPARE(plan.stages.size(), std::size_t{2});
        QCOMPARE(devicesOf(plan.stages[0]), QStringList{id(1)});
        QVERIFY(devicesOf(plan.stages[1]).contains(id(2)));
        // The board shows it where it is now.
        QVERIFY(find<QWidget>("planStage2")->isAncestorOf(find<DeviceChip>("chip-local-2")));
    }

    void aChipIsDraggedBetweenTwoStagesForANewOne() {
        const auto *second = find<QWidget>("planStage2");
        dragChip("chip-local-2", second, QPoint(4, second->height() / 2));
        const Plan plan = shown();
        QCOMPARE(plan.stages.size(), std::size_t{3});
        QCOMPARE(devicesOf(plan.stages[1]), QStringList{id(2)});
    }

    void aChipIsDraggedOutToRestAndComesBack() {
        const auto *rest = find<QWidget>("planRest");
        dragChip("chip-local-2", rest, rest->rect().center());
        QVERIFY(find<QWidget>("planRest")->isAncestorOf(find<DeviceChip>("chip-local-2")));
        const auto *first = find<QWidget>("planStage1");
        dragChip("chip-local-2", first, first->rect().center());
        QVERIFY2(find<QWidget>("planStage1")->isAncestorOf(find<DeviceChip>("chip-local-2")), qPrintable(message()));
    }

    void theLastDeviceOfAStageCannotLeave() {
        const auto *rest = find<QWidget>("planRest");
        dragChip("chip-local-3", rest, rest->rect().center());
        QVERIFY2(message().contains(QStringLiteral("local-3")), qPrintable(message()));
        QCOMPARE(find<QLabel>("planMessage")->property("role").toString(), QStringLiteral("wrong"));
        QVERIFY(find<QWidget>("planStage2")->isAncestorOf(find<DeviceChip>("chip-local-3")));
        QVERIFY(!find<QPushButton>("planUndo")->isEnabled());
    }

    void aLockedDeviceStays() {
        click("lock-local-2");
        QVERIFY(find<QPushButton>("lock-local-2")->isChecked());
        const auto *second = find<QWidget>("planStage2");
        dragChip("chip-local-2", second, second->rect().center());
        QVERIFY2(message().contains(QStringLiteral("lock")), qPrintable(message()));
        click("planUndo");
        QVERIFY(!find<QPushButton>("lock-local-2")->isChecked());
    }

    void chipsAreMovedByKeys() {
        auto *chip = find<DeviceChip>("chip-local-2");
        chip->setFocus();
        QTest::keyClick(chip, Qt::Key_Right, Qt::AltModifier);
        QVERIFY(find<QWidget>("planStage2")->isAncestorOf(find<DeviceChip>("chip-local-2")));
        chip = find<DeviceChip>("chip-local-2");
        // It keeps the focus where it is now.
        QCOMPARE(m_window->focusWidget(), chip);
        QTest::keyClick(chip, Qt::Key_Delete);
        QVERIFY(find<QWidget>("planRest")->isAncestorOf(find<DeviceChip>("chip-local-2")));
    }

    void theMenuOfAChipSaysAllThatAMouseCan() {
        click("more-local-2");
        const auto *menu = find<QMenu>("menu-local-2");
        QStringList texts;
        for (const QAction *action : menu->actions())
            texts << action->text();
        QVERIFY(texts.contains(QStringLiteral("Move to stage 2")));
        QVERIFY(texts.contains(QStringLiteral("New stage after stage 1")));
        QVERIFY(texts.contains(QStringLiteral("Let it rest")));
        for (QAction *action : menu->actions()) {
            if (action->text() == QLatin1String("Move to stage 2")) {
                action->trigger();
                break;
            }
        }
        QVERIFY(find<QWidget>("planStage2")->isAncestorOf(find<DeviceChip>("chip-local-2")));
    }

    void theSliderChangesTheShareAndItsPartner() {
        auto *slider = find<QSlider>("share-local-1");
        const int before = slider->value();
        QCOMPARE(before, samplesIn(*m_window->run().plan(), id(1)));
        slider->setFocus();
        QTest::keyClick(slider, Qt::Key_Right);
        QCOMPARE(find<QSlider>("share-local-1")->value(), before + 1);
        const Plan plan = shown();
        QCOMPARE(samplesIn(plan, id(1)), before + 1);
        QCOMPARE(plan.stages[0].samples(), plan.microBatch);
    }

    void theDrawnRoundHasALaneForEveryDeviceAndLink() {
        QTRY_VERIFY(!find<RoundChart>("roundChart")->laneNames().isEmpty());
        const QStringList lanes = find<RoundChart>("roundChart")->laneNames();
        for (const char *device : {"local-1", "local-2", "local-3"})
            QVERIFY2(lanes.contains(QLatin1String(device)), device);
        QVERIFY(lanes.contains(QStringLiteral("local-1 → local-3")));
    }

    void theRestIsFinishedAroundWhatIsLocked() {
        dragBorder(0, 1);
        QTest::keyClick(find<LayerStrip>("layerStrip"), Qt::Key_L);
        click("planFinish");
        QTRY_COMPARE_WITH_TIMEOUT(find<QPushButton>("planFinish")->text(), QStringLiteral("Finish the rest"), 15000);
        const Plan plan = shown();
        QVERIFY(std::ranges::any_of(plan.stages, [](const PlanStage &stage) { return stage.firstLayer == 1; }));
    }

    void plannersAreComparedAndOneOfThemIsLoaded() {
        click("planCompare");
        auto *table = find<QTableView>("plannerTable");
        QTRY_COMPARE_WITH_TIMEOUT(table->model()->rowCount(), static_cast<int>(plannerNames().size()), 30000);
        QVERIFY(!find<QPushButton>("planLoad")->isEnabled());
        int single = -1;
        for (int row = 0; row < table->model()->rowCount(); ++row)
            single = table->model()->index(row, 0).data().toString() == QLatin1String("single") ? row : single;
        QVERIFY(single >= 0);
        table->selectRow(single);
        click("planLoad");
        QCOMPARE(shown().deviceCount(), std::size_t{1});
    }

    void aPlanIsSavedAndOpened() {
        QTemporaryDir folder;
        m_questions->file = folder.filePath(QStringLiteral("plan.json"));
        dragBorder(0, 3);
        click("planSave");
        click("planUndo");
        click("planOpen");
        QCOMPARE(shown().stages[0].lastLayer, 3);
    }

    void aFileThatIsNoPlanIsRefused() {
        QTemporaryDir folder;
        m_questions->file = folder.filePath(QStringLiteral("plan.json"));
        click("planOpen");
        QVERIFY(message().contains(m_questions->file));
        QFile file(m_questions->file);
        QVERIFY(file.open(QIODevice::WriteOnly));
        file.write("{\"format\":\"something else\"}");
        file.close();
        click("planOpen");
        QCOMPARE(find<QLabel>("planMessage")->property("role").toString(), QStringLiteral("wrong"));
        QVERIFY(!find<QPushButton>("planUndo")->isEnabled());
    }

    void anEditedPlanIsAppliedWhereTheRunTakesIt() {
        m_controller->changesPlans = true;
        QCOMPARE(find<QPushButton>("planStart")->text(), QStringLiteral("Watch training"));
        dragBorder(0, 3);
        QCOMPARE(find<QPushButton>("planStart")->text(), QStringLiteral("Apply at the next round"));
        QVERIFY2(message().contains(QStringLiteral("The change would move ")), qPrintable(message()));
        click("planStart");
        QCOMPARE(m_controller->calls, QStringList{QStringLiteral("plan")});
        QCOMPARE(m_controller->plan->stages[0].lastLayer, 3);
    }

    void aRunThatKeepsItsPlanSaysSo() {
        dragBorder(0, 3);
        QCOMPARE(find<QPushButton>("planStart")->text(), QStringLiteral("Watch training"));
        QVERIFY(message().contains(QStringLiteral("the next one can take yours")));
    }

    void aNewPlanOfTheRunIsShownAndChangesAreKept() {
        dragBorder(0, 3);
        Plan other = *m_window->run().plan();
        other.stages[0].lastLayer = 1;
        other.stages[1].firstLayer = 1;
        m_controller->send({1500, 50, event::Plan{2, 6, other.toJson(), QStringLiteral("drift"), {}}, {}});
        QCOMPARE(shown().stages[0].lastLayer, 3);
        click("planAutomatic");
        QVERIFY(m_window->run().plan()->stages[0].lastLayer == 1);
    }

    void withoutMeasurementsThePlanIsLookedAt() {
        m_controller->problem.reset();
        m_controller->open(QStringLiteral("another"));
        for (const RunEvent &one : m_events)
            m_controller->send(one);
        QVERIFY(message().startsWith(QStringLiteral("This plan can be looked at.")));
        QVERIFY(!find<QPushButton>("planFinish")->isEnabled());
        QTRY_VERIFY(find<QWidget>("planStage1")->isVisible());
        dragBorder(0, 3);
        QVERIFY(!find<QPushButton>("planUndo")->isEnabled());
    }
};

QTEST_MAIN(PlanPageTest)
#include "plan_page_test.moc"
