// What a person changed in a plan while its run goes on: new plans, lost devices, whom it binds, and its file.
#include <QComboBox>
#include <QFile>
#include <QRadioButton>
#include <QTableView>
#include <QTemporaryDir>

#include "core/run/plan_refusal.h"
#include "tests/core/base/patience.h"
#include "tests/ui/plan_page_fixture.h"
#include "ui/base/still_text.h"
#include "ui/job/job_draft.h"

using namespace hearth;

class PlanOfRunTest : public PlanPageFixture {
    Q_OBJECT

  private Q_SLOTS:
    void initTestCase() { speakEnglish(); }
    void cleanupTestCase() { m_language.reset(); }
    void init() { openPlanPage(); }
    void cleanup() { endWindow(); }

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

    void nothingIsSaidOfMovingWhereNothingMoves() {
        auto *level = find<QComboBox>("planCut1Forward");
        level->setCurrentIndex(1);
        Q_EMIT level->activated(1);
        QTRY_VERIFY_WITH_TIMEOUT(message().contains(QStringLiteral("A round would take ")), patience);
        QVERIFY2(!message().contains(QStringLiteral("would move")), qPrintable(message()));
    }

    void aPlanIsMadeAndChangedBeforeAnythingIsTrained() {
        endWindow();
        makeWindow();
        m_controller->problem = RecordedRun::problem();
        m_window->resize(1280, 1000);
        QVERIFY(showActive(*m_window));
        m_window->showPlace(PlanPlace);
        click("planPageEmptyLink");
        QCOMPARE(m_controller->calls, QStringList{QStringLiteral("plan only")});
        QCOMPARE(*m_controller->started, m_window->jobDraft().job());
        m_controller->open(QStringLiteral("run"));
        for (RunEvent one : m_events) {
            if (std::holds_alternative<event::Round>(one.body))
                break;
            if (auto *run = std::get_if<event::Run>(&one.body))
                run->only = QStringLiteral("plan");
            m_controller->send(one);
        }
        // Nothing trains, and nothing else can begin.
        const auto *home = find<QPushButton>("homeStart");
        QCOMPARE(home->text(), QStringLiteral("Start training"));
        QVERIFY(!home->isEnabled());
        m_controller->send({2000, 99, event::State{QStringLiteral("finished")}, {}});
        QVERIFY(home->isEnabled());
        QVERIFY(
            find<QWidget>("trainPageEmpty")->isVisibleTo(m_window->findChild<QWidget *>(QStringLiteral("trainPage"))));
        dragBorder(0, 3);
        m_controller->calls.clear();
        click("planStart");
        QCOMPARE(m_controller->calls, QStringList{QStringLiteral("start")});
        QCOMPARE(m_controller->plan->stages[0].lastLayer, 3);
    }

    void aPlanThatCannotBeSavedSaysSo() {
        QTemporaryDir folder;
        m_questions->file = folder.filePath(QStringLiteral("no-such-folder/plan.json"));
        click("planSave");
        QCOMPARE(messageRole(), QStringLiteral("wrong"));
        QVERIFY2(message().contains(m_questions->file), qPrintable(message()));
    }

    void aPlanIsOpenedThatNamesDevicesAsPeopleDo() {
        Plan other = otherPlan();
        for (PlanStage &stage : other.stages) {
            for (Share &share : stage.shares)
                share.device = m_window->run().devices().name(share.device);
            stage.sortShares();
        }
        openPlan(other);
        QVERIFY2(messageRole() == QLatin1String("secondary"), qPrintable(message()));
        const Plan plan = shown();
        QCOMPARE(plan.stages[0].lastLayer, 1);
        QCOMPARE(plan.stages, otherPlan().stages);
    }

    void aSavedPlanNamesDevicesAsPeopleDo() {
        QTemporaryDir folder;
        m_questions->file = folder.filePath(QStringLiteral("plan.json"));
        click("planSave");
        QFile file(m_questions->file);
        QVERIFY(file.open(QIODevice::ReadOnly));
        const QByteArray text = file.readAll();
        for (int device = 1; device <= 3; ++device) {
            QVERIFY2(text.contains("\"local-" + QByteArray::number(device) + '"'), text.constData());
            QVERIFY2(!text.contains(id(device).toLatin1()), text.constData());
        }
    }

    void aFileThatIsNoPlanIsRefused() {
        QTemporaryDir folder;
        m_questions->file = folder.filePath(QStringLiteral("plan.json"));
        click("planOpen");
        QVERIFY(message().contains(m_questions->file));
        QFile file(m_questions->file);
        const auto openFileOf = [&](const QByteArray &content) {
            if (!file.open(QIODevice::WriteOnly) || file.write(content) != content.size())
                qFatal("cannot write");
            file.close();
            click("planOpen");
        };
        openFileOf("{\"format\": ");
        QVERIFY2(message().contains(QStringLiteral("Line 1, column")), qPrintable(message()));
        openFileOf("{\"format\":\"something else\"}");
        QCOMPARE(messageRole(), QStringLiteral("wrong"));
        QVERIFY(!find<QPushButton>("planUndo")->isEnabled());
    }

    void aPlanForAnotherJobSaysSo() {
        m_controller->send({2000, 99, event::State{QStringLiteral("stopped")}, {}});
        m_window->jobDraft().setModel(m_window->run().job()->model);
        QVERIFY2(!message().contains(QStringLiteral("not for the job")), qPrintable(message()));
        m_window->jobDraft().setModel(QStringLiteral("resnet18"));
        QVERIFY2(message().contains(QStringLiteral("not for the job")), qPrintable(message()));
        m_controller->calls.clear();
        click("planMake");
        QCOMPARE(m_controller->calls, QStringList{QStringLiteral("plan only")});
        QCOMPARE(m_controller->started->model, QStringLiteral("resnet18"));
    }

    void aPlanThatWasAskedForIsOnItsWayUntilItIsInForce() {
        m_controller->changesPlans = true;
        dragBorder(0, 3);
        const auto *button = find<QPushButton>("planStart");
        const QString onItsWay = QStringLiteral("Takes effect at the next round");
        click("planStart");
        QCOMPARE(button->text(), onItsWay);
        QVERIFY(!button->isEnabled());
        // Another change that was under way already, and what the run says besides, are no answer.
        m_controller->send({1500, 50, event::Plan{2, 6, otherPlan().toJson(), QStringLiteral("drift"), {}}, {}});
        m_controller->send({1501, 50, event::Warning{QStringLiteral("Rounds are slow."), {}, {}}, {}});
        QCOMPARE(button->text(), onItsWay);
        m_controller->send({1502, 51, event::Plan{3, 7, m_controller->plan->toJson(), QStringLiteral("user"), {}}, {}});
        QCOMPARE(button->text(), QStringLiteral("Watch training"));
        QVERIFY(button->isEnabled());
    }

    void whatWasChangedWhileAPlanIsOnItsWayCanBeAppliedAfterIt() {
        m_controller->changesPlans = true;
        dragBorder(0, 3);
        click("planStart");
        dragBorder(0, 4);
        QVERIFY(!find<QPushButton>("planStart")->isEnabled());
        m_controller->send({1500, 51, event::Plan{2, 7, m_controller->plan->toJson(), QStringLiteral("user"), {}}, {}});
        QCOMPARE(find<QPushButton>("planStart")->text(), QStringLiteral("Apply at the next round"));
        click("planStart");
        QCOMPARE(m_controller->plan->stages[0].lastLayer, 4);
    }

    void aRefusedPlanIsToldInPlaceWithItsCause() {
        m_controller->changesPlans = true;
        dragBorder(0, 3);
        click("planStart");
        const Error refused{QStringLiteral("x"), QStringLiteral("The plan does not fit."),
                            QStringLiteral("%1 is too small.").arg(id(2)), QStringLiteral("Send it less.")};
        m_controller->send({1500, 50, planRefused(refused), {}});
        QCOMPARE(message(), QStringLiteral("The plan does not fit. local-2 is too small. The plan in force stays. "
                                           "Send it less."));
        QCOMPARE(messageRole(), QStringLiteral("wrong"));
        // The changes are kept, and can be asked for again.
        QCOMPARE(find<QPushButton>("planStart")->text(), QStringLiteral("Apply at the next round"));
        QVERIFY(find<QPushButton>("planStart")->isEnabled());
        dragBorder(0, 4);
        QCOMPARE(messageRole(), QStringLiteral("secondary"));
    }

    void theDevicesOfALargePlanComeSomeAtATimeAndInTheirOrder() {
        constexpr int many = 70;
        Plan large = otherPlan();
        large.microBatch = many;
        large.batch = 2 * many;
        large.stages[1].shares.resize(1);
        large.stages[1].shares[0].samples = many;
        auto &shares = large.stages[0].shares;
        shares.clear();
        for (int i = 0; i < many; ++i)
            shares.push_back({QStringLiteral("%1").arg(i, 64, 10, QLatin1Char('0')), 1});
        const auto shownChips = [&] {
            QList<DeviceChip *> chips = find<QWidget>("planStage1")->findChildren<DeviceChip *>();
            chips.removeIf([](const DeviceChip *chip) { return !chip->isVisible(); });
            std::ranges::sort(chips, {}, &QWidget::y);
            return chips;
        };
        m_controller->send({1500, 50, event::Plan{2, 6, large.toJson(), QStringLiteral("join"), {}}, {}});
        const auto all = static_cast<qsizetype>(shares.size());
        QVERIFY(shownChips().size() < all);
        QTRY_COMPARE_WITH_TIMEOUT(shownChips().size(), all, patience);
        QTest::qWait(0);
        const QList<DeviceChip *> chips = shownChips();
        QVERIFY(std::ranges::is_sorted(chips, {}, &QWidget::accessibleName));
        // Each says what it takes, the last ones too.
        for (const DeviceChip *chip : chips)
            QVERIFY(std::ranges::any_of(chip->findChildren<StillText *>(), [](const StillText *text) {
                return text->text().contains(QStringLiteral("sample"));
            }));
    }

    void nothingIsOnItsWayAfterARecoveryOrTheEndOrAFailure_data() {
        QTest::addColumn<int>("kind");
        QTest::newRow("a recovery forgets what was asked") << 0;
        QTest::newRow("the run stopped") << 1;
        QTest::newRow("the run's events ended") << 2;
        QTest::newRow("the run could not be asked") << 3;
    }
    void nothingIsOnItsWayAfterARecoveryOrTheEndOrAFailure() {
        QFETCH(int, kind);
        m_controller->changesPlans = true;
        dragBorder(0, 3);
        click("planStart");
        QVERIFY(!find<QPushButton>("planStart")->isEnabled());
        if (kind == 0)
            m_controller->send({1500, 50, event::State{QStringLiteral("recovering")}, {}});
        else if (kind == 1)
            m_controller->send({1500, 50, event::State{QStringLiteral("stopped")}, {}});
        else if (kind == 2)
            m_controller->end(m_window->run().runId());
        else
            Q_EMIT m_controller->failed({QStringLiteral("x"), QStringLiteral("The agent does not answer."), {}, {}});
        const bool live = kind == 0 || kind == 3;
        QCOMPARE(find<QPushButton>("planStart")->text(),
                 live ? QStringLiteral("Apply at the next round") : QStringLiteral("Train with this plan"));
        QVERIFY(find<QPushButton>("planStart")->isEnabled());
    }

    void aRunThatKeepsItsPlanSaysSo() {
        dragBorder(0, 3);
        QCOMPARE(find<QPushButton>("planStart")->text(), QStringLiteral("Watch training"));
        QVERIFY(message().contains(QStringLiteral("the next one can take yours")));
    }

    void aNewPlanOfTheRunIsShownAndChangesAreKept() {
        dragBorder(0, 3);
        m_controller->send({1500, 50, event::Plan{2, 6, otherPlan().toJson(), QStringLiteral("drift"), {}}, {}});
        QCOMPARE(shown().stages[0].lastLayer, 3);
        click("planAutomatic");
        QVERIFY(m_window->run().plan()->stages[0].lastLayer == 1);
    }

    void anotherScheduleAloneIsAChangeThatIsKept() {
        Plan other = *m_window->run().plan();
        other.schedule = Schedule::FillDrain;
        openPlan(other);
        QVERIFY(find<QPushButton>("planAutomatic")->isEnabled());
        const Plan same = *m_window->run().plan();
        m_controller->send({1500, 50, event::Plan{2, 6, same.toJson(), QStringLiteral("drift"), {}}, {}});
        QCOMPARE(shown().schedule, Schedule::FillDrain);
    }

    void aNewPlanDuringADragTakesNothingUndecided() {
        dragBorder(0, 3, false);
        m_controller->send({1500, 50, event::Plan{2, 6, otherPlan().toJson(), QStringLiteral("drift"), {}}, {}});
        QVERIFY(!find<QPushButton>("planAutomatic")->isEnabled());
        QVERIFY(!find<QPushButton>("planUndo")->isEnabled());
    }

    void aNewPlanIsJudgedByTheNewestMeasurements() {
        const QString before = roundTime();
        for (LinkProfile::Pair &pair : m_controller->problem->links.pairs)
            pair.bytesPerSecond /= 1000;
        Plan same = *m_window->run().plan();
        m_controller->send({1500, 50, event::Plan{2, 6, same.toJson(), QStringLiteral("drift"), {}}, {}});
        QVERIFY(roundTime() != before);
    }

    void locksOutliveANewPlan() {
        click("lock-local-2");
        m_controller->send({1500, 50, event::Plan{2, 6, otherPlan().toJson(), QStringLiteral("drift"), {}}, {}});
        QVERIFY(find<QPushButton>("lock-local-2")->isChecked());
    }

    void whoIsLostIsNotPlannedWithUntilItIsBack() {
        m_controller->send({1500, 50, event::Lost{id(2), 6, {}}, {}});
        // The plan in force still counts on it.
        QVERIFY(find<QWidget>("planStage1")->isAncestorOf(find<DeviceChip>("chip-local-2")));
        Plan without = *m_window->run().plan();
        without.stages[0].shares = {{id(1), without.microBatch}};
        m_controller->send({1501, 51, event::Plan{2, 6, without.toJson(), QStringLiteral("replay"), {}}, {}});
        QVERIFY(m_window->findChild<DeviceChip *>(QStringLiteral("chip-local-2")) == nullptr);
        QVERIFY(find<QPushButton>("planFinish")->isEnabled());
        m_controller->send({1502, 52, event::Joined{id(2)}, {}});
        QVERIFY(find<QWidget>("planRest")->isAncestorOf(find<DeviceChip>("chip-local-2")));
    }

    void anEditedPlanBindsRunsOfItsOwnJobAlone() {
        dragBorder(0, 3);
        m_controller->send({1500, 50, event::State{QStringLiteral("stopped")}, {}});
        click("homeStart");
        QVERIFY(m_controller->plan);
        find<QRadioButton>("model-mobilenetv2")->click();
        click("homeStart");
        QVERIFY(!m_controller->plan);
    }

    void anEditedPlanDoesNotBindRunsWithAnotherOptimizer() {
        dragBorder(0, 3);
        m_controller->send({1500, 50, event::State{QStringLiteral("stopped")}, {}});
        QVERIFY2(!message().contains(QStringLiteral("made for another job")), qPrintable(message()));
        m_window->jobDraft().setOptimizer(OptimizerSpec::Kind::Adam);
        QVERIFY2(message().contains(QStringLiteral("made for another job")), qPrintable(message()));
        // On the Plan page it would mean the plan that is seen.
        m_window->showPlace(HomePlace);
        click("homeStart");
        QVERIFY(!m_controller->plan);
    }

    void whatSchedulesMadeOfAPlanIsForgottenWhenItIsEdited() {
        click("planCompare");
        const auto *table = find<QTableView>("scheduleTable"), *planners = find<QTableView>("plannerTable");
        QTRY_VERIFY_WITH_TIMEOUT(table->model()->rowCount() > 1, patience);
        dragBorder(0, 3, false);
        QVERIFY(!table->isHidden());
        QTest::keyClick(find<LayerStrip>("layerStrip"), Qt::Key_Escape);
        dragBorder(0, 3);
        QVERIFY(table->isHidden());
        QCOMPARE(table->model()->rowCount(), 0);
        QVERIFY(planners->model()->rowCount() > 0);
    }

    void layersAreAsWideAsTheDevicesMeasuredThem() {
        const auto *strip = find<LayerStrip>("layerStrip");
        QVERIFY(strip->toolTipAt(strip->placeOfLayer(0)).contains(QLatin1String("mean of the devices")));
    }

    void withoutMeasurementsThePlanIsLookedAt() {
        m_controller->problem.reset();
        m_controller->open(QStringLiteral("another"));
        for (const RunEvent &one : m_events)
            m_controller->send(one);
        QVERIFY(message().startsWith(QStringLiteral("This plan can be viewed")));
        QVERIFY(!find<QPushButton>("planFinish")->isEnabled());
        QTRY_VERIFY_WITH_TIMEOUT(find<QWidget>("planStage1")->isVisible(), patience);
        dragBorder(0, 3);
        QVERIFY(!find<QPushButton>("planUndo")->isEnabled());
    }
};

QTEST_MAIN(PlanOfRunTest)
#include "plan_of_run_test.moc"
