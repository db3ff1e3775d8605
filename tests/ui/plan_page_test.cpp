// The Plan page under the hands of a person: borders, chips, shares, locks, and every step back.
#include <QComboBox>
#include <QMenu>
#include <QSlider>
#include <QTableView>
#include <QTemporaryDir>
#include <QWheelEvent>

#include "core/base/codec_choice.h"
#include "core/plan/cut_levels.h"
#include "core/plan/planner.h"
#include "core/plan/replay/survivors.h"
#include "tests/core/base/patience.h"
#include "tests/ui/plan_page_fixture.h"
#include "ui/plan/plan_draft.h"
#include "ui/plan/plan_edits.h"
#include "ui/plan/round_chart.h"
#include "ui/words/format.h"

using namespace hearth;

class PlanPageTest : public PlanPageFixture {
    Q_OBJECT

    QString answer() const { return find<QLabel>("planAnswer")->text(); }
    QStringList questions() const {
        click("planAsk");
        QStringList texts;
        for (const QAction *action : find<QMenu>("planQuestions")->actions())
            texts << action->text();
        find<QMenu>("planQuestions")->close();
        return texts;
    }
    void ask(const QString &question) const {
        const qsizetype at = questions().indexOf(question);
        QVERIFY2(at >= 0, qPrintable(questions().join(QLatin1Char('\n'))));
        find<QMenu>("planQuestions")->actions().at(at)->trigger();
    }

    void makeLinksSlow() const {
        auto slow = *m_controller->problem;
        for (LinkProfile::Pair &pair : slow.links.pairs)
            pair.bytesPerSecond = 1.8e6;
        m_controller->problem = slow;
        Q_EMIT m_controller->problemFound(m_window->run().runId(), slow);
    }

  private Q_SLOTS:
    void initTestCase() { speakEnglish(); }
    void cleanupTestCase() { m_language.reset(); }
    void init() { openPlanPage(); }
    void cleanup() { endWindow(); }

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
        QCOMPARE(messageRole(), QStringLiteral("wrong"));
        QVERIFY(!find<QPushButton>("planUndo")->isEnabled());
        QCOMPARE(shown().stages, before.stages);
    }

    void escapeGivesADragUp() {
        dragBorder(0, 3, false);
        QTest::keyClick(find<LayerStrip>("layerStrip"), Qt::Key_Escape);
        QVERIFY(!find<QPushButton>("planUndo")->isEnabled());
        QVERIFY(!message().startsWith(QStringLiteral("A round")));
        dragBorder(0, 5, false);
        QCOMPARE(messageRole(), QStringLiteral("wrong"));
        QTest::keyClick(find<LayerStrip>("layerStrip"), Qt::Key_Escape);
        QCOMPARE(messageRole(), QStringLiteral("secondary"));
    }

    void aClickOnALockedBorderIsNoMove() {
        auto *strip = find<LayerStrip>("layerStrip");
        strip->setFocus();
        QTest::keyClick(strip, Qt::Key_L);
        QTest::mouseClick(strip, Qt::LeftButton, {}, strip->borderAt(0));
        QVERIFY2(messageRole() == QLatin1String("secondary"), qPrintable(message()));
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
        QCOMPARE(messageRole(), QStringLiteral("wrong"));
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
        int sum = 0;
        for (const Share &share : plan.stages[0].shares)
            sum += share.samples;
        QCOMPARE(sum, plan.microBatch);
    }

    void theWheelOverASliderChangesNoShare() {
        auto *slider = find<QSlider>("share-local-1");
        const int before = slider->value();
        QWheelEvent wheel(slider->rect().center(), slider->mapToGlobal(slider->rect().center()), {}, {0, 120},
                          Qt::NoButton, {}, Qt::NoScrollPhase, false);
        QCoreApplication::sendEvent(slider, &wheel);
        QVERIFY(!wheel.isAccepted());
        QCOMPARE(find<QSlider>("share-local-1")->value(), before);
        QVERIFY(!find<QPushButton>("planUndo")->isEnabled());
    }

    void theDrawnRoundHasALaneForEveryDeviceAndLink() {
        QTRY_VERIFY_WITH_TIMEOUT(!find<RoundChart>("roundChart")->laneNames().isEmpty(), patience);
        const QStringList lanes = find<RoundChart>("roundChart")->laneNames();
        for (const char *device : {"local-1", "local-2", "local-3"})
            QVERIFY2(lanes.contains(QLatin1String(device)), device);
        QVERIFY(lanes.contains(QStringLiteral("local-1 → local-3")));
    }

    void theRestIsFinishedAroundWhatIsLocked() {
        dragBorder(0, 1);
        QTest::keyClick(find<LayerStrip>("layerStrip"), Qt::Key_L);
        click("planFinish");
        QTRY_COMPARE_WITH_TIMEOUT(find<QPushButton>("planFinish")->text(), QStringLiteral("Plan the rest"), patience);
        const Plan plan = shown();
        QVERIFY(std::ranges::any_of(plan.stages, [](const PlanStage &stage) { return stage.firstLayer == 1; }));
    }

    void aDeviceThatWouldLeaveIsAnsweredByAPlanWithoutIt() {
        ask(QStringLiteral("What if local-2 left?"));
        QTRY_VERIFY_WITH_TIMEOUT(
            answer().startsWith(QStringLiteral("Without local-2 a round of the best known plan would take ")),
            patience);
        const PlanningProblem rest = problemWithout(*m_controller->problem, {id(2)});
        const Result<Plan> without = makePlan(defaultPlanner(), rest);
        QVERIFY(without);
        QVERIFY2(answer().contains(formatSeconds(without->prediction->roundSeconds)), qPrintable(answer()));
        // Beside the best with it, which the plan that is seen need not be.
        const Result<Plan> with = makePlan(defaultPlanner(), *m_controller->problem);
        QVERIFY(with);
        QVERIFY2(answer().contains(formatSeconds(with->prediction->roundSeconds)), qPrintable(answer()));
        // The answer is about this plan alone.
        dragBorder(0, 3);
        QVERIFY(!answer().contains(QStringLiteral("local-2")));
    }

    void aFasterLinkIsAnsweredForThePlanThatIsSeen() {
        auto slow = *m_controller->problem;
        for (LinkProfile::Pair &pair : slow.links.pairs)
            pair.bytesPerSecond = 1e5;
        if (slow.links.fallback)
            slow.links.fallback->bytesPerSecond = 1e5;
        Q_EMIT m_controller->problemFound(m_window->run().runId(), slow);
        ask(QStringLiteral("What if local-2 – local-3 had 1 Gbit/s?"));
        QTRY_VERIFY_WITH_TIMEOUT(answer().contains(QStringLiteral("instead of ")), patience);
        QVERIFY2(answer().startsWith(QStringLiteral("With 1 Gbit/s between local-2 and local-3 a round of this plan")),
                 qPrintable(answer()));
        QVERIFY2(answer().contains(roundTime()), qPrintable(answer()));
    }

    void theLevelOfACutIsChosenAndSaysWhatItSaves() {
        makeLinksSlow();
        const auto says = [this](const char *words) {
            return find<QLabel>("planCut1Text")->text().contains(QLatin1String(words));
        };
        QTRY_VERIFY_WITH_TIMEOUT(says("exact"), patience);
        const auto pick = [this](const char *name, int index) {
            auto *box = find<QComboBox>(name);
            box->setCurrentIndex(index);
            Q_EMIT box->activated(index);
        };
        const Codec *level = levelsOf(CodecChoice::Auto).back();
        pick("planCut1Forward", find<QComboBox>("planCut1Forward")->findData(QString::fromLatin1(level->name)));
        QTRY_VERIFY_WITH_TIMEOUT(says("instead of"), patience);
        QVERIFY2(says("saves") && says("rounds numbers"), qPrintable(find<QLabel>("planCut1Text")->text()));
        Plan plan = shown();
        QCOMPARE(plan.stages[0].codec, (CutCodec{level, &noCodec()}));
        click("planUndo");
        QCOMPARE(shown().stages[0].codec, CutCodec());
        pick("planAllCuts", 1);
        plan = shown();
        for (std::size_t s = 0; s + 1 < plan.stages.size(); ++s)
            QCOMPARE(plan.stages[s].codec, (CutCodec{levelsOf(CodecChoice::Auto)[0], levelsOf(CodecChoice::Auto)[0]}));
    }

    void whatCompressingWouldGiveIsOfferedAndPlanned() {
        QVERIFY(!find<QPushButton>("planCompress")->isVisible());
        makeLinksSlow();
        Plan told = *m_window->run().plan();
        told.prediction->codecGain = 2.3;
        m_controller->send({1500, 50, event::Plan{2, 6, told.toJson(), QStringLiteral("drift"), {}}, {}});
        QTRY_VERIFY_WITH_TIMEOUT(find<QPushButton>("planCompress")->isVisible(), patience);
        QVERIFY(find<QLabel>("planCodecOffer")->text().contains(QStringLiteral("2.3 times")));
        click("planCompress");
        QTRY_VERIFY_WITH_TIMEOUT(find<QPushButton>("planUndo")->isEnabled(), patience);
        QVERIFY(!find<QPushButton>("planCompress")->isVisible());
        QVERIFY(isLossy(shown()));
    }

    void whatLocalStepsWouldGiveIsTold() {
        Plan told = *m_window->run().plan();
        told.prediction->localStepsGain = LocalStepsGain{32, 2.4};
        m_controller->send({1500, 50, event::Plan{2, 6, told.toJson(), QStringLiteral("drift"), {}}, {}});
        QTRY_VERIFY_WITH_TIMEOUT(
            find<QLabel>("planMessage")->text().contains(QStringLiteral("every 32 batches would train 2.4 times")),
            patience);
    }

    void whoServesTheDataIsNotAskedAbout() {
        QCOMPARE(m_controller->problem->dataDevice, id(1));
        QVERIFY(!questions().contains(QStringLiteral("What if local-1 left?")));
        QVERIFY(questions().contains(QStringLiteral("What if local-3 left?")));
    }

    void plannersAreComparedAndOneOfThemIsLoaded() {
        click("planCompare");
        auto *table = find<QTableView>("plannerTable");
        QTRY_COMPARE_WITH_TIMEOUT(table->model()->rowCount(), static_cast<int>(plannerNames().size()), patience);
        QVERIFY(!find<QPushButton>("planLoad")->isEnabled());
        int single = -1;
        for (int row = 0; row < table->model()->rowCount(); ++row) {
            const QString name = table->model()->index(row, 0).data().toString();
            single = name == QLatin1String("Best single device") ? row : single;
        }
        QVERIFY(single >= 0);
        table->selectRow(single);
        click("planLoad");
        QCOMPARE(shown().deviceCount(), std::size_t{1});
        // Another run has other devices, or another model: nothing of it was compared.
        m_controller->open(QStringLiteral("another"));
        QCOMPARE(table->model()->rowCount(), 0);
        QVERIFY(table->isHidden());
    }

    void schedulesAreComparedAndOneOfThemIsLoaded() {
        click("planCompare");
        auto *table = find<QTableView>("scheduleTable");
        QTRY_VERIFY_WITH_TIMEOUT(table->model()->rowCount() > 1, patience);
        const auto choose = [table](const QString &schedule) {
            for (int row = 0; row < table->model()->rowCount(); ++row) {
                if (table->model()->index(row, 0).data().toString() == schedule)
                    table->selectRow(row);
            }
        };
        choose(QStringLiteral("Asynchronous"));  // the job has to ask for it
        QVERIFY(!find<QPushButton>("planLoad")->isEnabled());
        QVERIFY(find<QPushButton>("planLoad")->toolTip().contains(QStringLiteral("\"mode\": \"asynchronous\"")));
        for (const auto &[name, schedule] :
             {std::pair("Fill and drain", Schedule::FillDrain), std::pair("1F1B", Schedule::OneForwardOneBackward),
              std::pair("Zero-bubble", Schedule::ZeroBubble)}) {
            choose(QLatin1String(name));
            click("planLoad");
            QVERIFY(!table->isHidden());
            QCOMPARE(shown().schedule, schedule);
        }
        m_controller->open(QStringLiteral("another"));
        QVERIFY(table->isHidden());
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

    void aPlanForOtherDevicesIsRefusedByTheirName() {
        Plan plan = *m_window->run().plan();
        plan.stages[0].shares[0].device = QStringLiteral("nano-of-somebody-else");
        openPlan(plan);
        QCOMPARE(messageRole(), QStringLiteral("wrong"));
        QVERIFY2(message().contains(QStringLiteral("nano-of-somebody-else")), qPrintable(message()));
        QVERIFY(!find<QPushButton>("planUndo")->isEnabled());
        QVERIFY(find<QWidget>("planStage2")->isVisible());
    }

    void stepsBackTakeTheirNotesAlong() {
        PlanDraft draft;
        draft.begin(RecordedRun::problem(), *m_window->run().plan());
        const auto moveBorder = [](int layer, int wanted) {
            return [layer, wanted](const PlanEditor &editor, const Plan &plan) {
                return editor.moveBorder(plan, 0, layer).map([wanted](Edited edited) {
                    edited.lowered = {{0, 1, wanted}};
                    return edited;
                });
            };
        };
        const auto note = [](int wanted) {
            return QStringList{
                QStringLiteral("Memory lets stage 1 hold 1 micro-batch in flight instead of %1.").arg(wanted)};
        };
        QVERIFY(draft.commit(QString(), moveBorder(3, 5)));
        QVERIFY(draft.commit(QString(), moveBorder(4, 6)));
        QVERIFY(draft.preview(moveBorder(1, 7)));
        QCOMPARE(draft.notes(), note(7));
        QCOMPARE(draft.committed().stages[0].lastLayer, 4);
        draft.cancelPreview();
        QCOMPARE(draft.notes(), note(6));
        draft.history()->undo();
        QCOMPARE(draft.notes(), note(5));
        draft.history()->undo();
        QVERIFY(draft.notes().isEmpty());
        draft.history()->redo();
        QCOMPARE(draft.notes(), note(5));
    }
};

QTEST_MAIN(PlanPageTest)
#include "plan_page_test.moc"
