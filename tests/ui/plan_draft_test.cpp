// A plan as a person edits it, without a window: what counts as a change, and what fits.
#include "ui/plan/plan_draft.h"

#include "core/plan/steps.h"
#include "tests/core/base/patience.h"
#include "tests/core/plan/hand_problem.h"
#include "tests/core/plan/replay_home.h"
#include "tests/ui/run_fixture.h"

using namespace hearth;

class PlanDraftTest : public RunFixture {
    Q_OBJECT

    /// Two devices, one after the other, with two layers each and two micro-batches of one sample.
    static Plan twoStages(const PlanningProblem &problem) {
        const Placement placement{
            1, Schedule::OneForwardOneBackward, {{0, 2, {{0, 1}}, 2, false, {}}, {2, 4, {{1, 1}}, 1, false, {}}}};
        return planOf(problem, QStringLiteral("test"), placement);
    }
    static PlanningProblem home() { return test::byHand(4, {1, 1}, 2); }

  private Q_SLOTS:
    void initTestCase() { speakEnglish(); }
    void cleanupTestCase() { m_language.reset(); }

    void anotherPartOfAPlanIsAChange_data() {
        QTest::addColumn<QString>("part");
        for (const char *part : {"schedule", "in flight", "micro-batch"})
            QTest::newRow(part) << QString::fromLatin1(part);
    }
    void anotherPartOfAPlanIsAChange() {
        QFETCH(QString, part);
        const PlanningProblem problem = home();
        const Plan automatic = twoStages(problem);
        PlanDraft draft;
        draft.begin(problem, automatic);
        QVERIFY(draft.isEditable() && !draft.isChanged());
        Plan other = automatic;
        if (part == QLatin1String("schedule")) {
            other.schedule = Schedule::FillDrain;
        } else if (part == QLatin1String("in flight")) {
            other.stages[0].inFlight = 1;
        } else {
            other.microBatch = 2;
            for (PlanStage &stage : other.stages)
                stage.shares[0].samples = 2;
        }
        QVERIFY(draft.replace(QString(), other));
        QVERIFY(draft.isChanged());
        QVERIFY(draft.committed().isSame(other));
        draft.history()->undo();
        QVERIFY(!draft.isChanged());
    }

    void aPlanIsJudgedAsARunJudgesIt() {
        PlanningProblem problem = test::smallHome(4, 2);
        problem.keptCopies = 2;
        problem.devices[1].memoryBytes = 1'000'000;  // two layers of 300 kB, and no copies of two, of 200 kB each
        PlanDraft draft;
        draft.begin(problem, test::planOfStages(problem, {{3, 1}, {1, 1}}));
        QVERIFY(draft.commit(QString(),
                             [](const PlanEditor &editor, const Plan &plan) { return editor.moveBorder(plan, 0, 2); }));
        QVERIFY(!draft.isSimulated() && draft.plan().prediction->fits);
        QTRY_VERIFY_WITH_TIMEOUT(draft.isSimulated(), patience);
        QVERIFY(draft.plan().prediction->fits && draft.plan().prediction->violations.empty());
    }
};

QTEST_MAIN(PlanDraftTest)
#include "plan_draft_test.moc"
