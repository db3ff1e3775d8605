// What a person changed in a plan while its run goes on: new plans, lost devices, and whom it binds.
#include <QComboBox>

#include "tests/ui/plan_page_fixture.h"

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
        auto *models = find<QComboBox>("jobModel");
        models->setCurrentIndex(models->currentIndex() == 0 ? 1 : 0);
        click("homeStart");
        QVERIFY(!m_controller->plan);
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

QTEST_MAIN(PlanOfRunTest)
#include "plan_of_run_test.moc"
