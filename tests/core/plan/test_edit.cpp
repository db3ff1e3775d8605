// Edits by hand: valid plans or reasons, nothing in between.
#include <QtTest>

#include "tests/core/plan/edit_cases.h"

using namespace hearth;
using namespace hearth::test;

namespace {

bool sameClosedForm(const Prediction &a, const Prediction &b) {
    return a.modelRoundSeconds == b.modelRoundSeconds && a.dominantStep == b.dominantStep && a.fits == b.fits &&
           a.violations == b.violations && a.memoryBytes == b.memoryBytes && a.roundBytes == b.roundBytes;
}

}  // namespace

class TestEdit : public QObject {
    Q_OBJECT
  private Q_SLOTS:
    void everyAcceptedEditGivesAPlanThatCouldRunAndRefusedOnesSayWhy() {
        std::mt19937 random(21);
        int problems = 0;
        std::vector<int> accepted(editKinds, 0), refused(editKinds, 0);
        for (int i = 0; i < 1000; ++i) {
            const auto own = randomCase(random, i % 2 == 0);
            if (!own->plan)
                continue;
            ++problems;
            const PlanEditor editor(*own->model);
            Plan plan = *own->plan;
            for (int step = 0; step < 24; ++step) {
                const auto before = evaluate(*own->model, plan, {.simulated = false});
                QVERIFY(before && before->fits);
                const int kind = step % editKinds;
                const auto edited = randomEdit(random, editor, own->problem, plan, kind);
                if (!edited) {
                    ++refused[static_cast<std::size_t>(kind)];
                    QVERIFY(!edited.error().what.isEmpty() && !edited.error().cause.isEmpty());
                    QVERIFY2(edited.error().code.startsWith(QLatin1String("edit.")),
                             qPrintable(edited.error().toString()));
                    continue;
                }
                ++accepted[static_cast<std::size_t>(kind)];
                QVERIFY(edited->plan.validateFor(own->problem));
                const CostModel fresh(own->problem, *own->costs);
                const auto judged = evaluate(fresh, edited->plan);
                QVERIFY(judged && judged->fits);
                QVERIFY(sameClosedForm(edited->estimate, *judged));
                QCOMPARE(edited->estimate.roundSeconds, judged->modelRoundSeconds);
                plan = edited->plan;
            }
        }
        QVERIFY(problems >= 300);
        for (int kind = 0; kind < editKinds; ++kind) {
            QVERIFY2(accepted[static_cast<std::size_t>(kind)] >= 60, qPrintable(QString::number(kind)));
            QVERIFY2(refused[static_cast<std::size_t>(kind)] >= 20, qPrintable(QString::number(kind)));
        }
    }

    void aBorderMovedBackGivesTheSamePlan() {
        std::mt19937 random(22);
        int moved = 0;
        for (int i = 0; i < 1500; ++i) {
            const auto own = randomCase(random, i % 2 == 0);
            if (!own->plan || own->plan->stages.size() < 2)
                continue;
            const PlanEditor editor(*own->model);
            const int stage = below(random, static_cast<int>(own->plan->stages.size()) - 1);
            const int from = own->plan->stages[static_cast<std::size_t>(stage)].lastLayer;
            const auto there = editor.moveBorder(*own->plan, stage, below(random, own->plan->layerCount));
            if (!there)
                continue;
            const auto back = editor.moveBorder(there->plan, stage, from);
            QVERIFY(back);
            ++moved;
            QCOMPARE(back->plan.toJson(), own->plan->toJson());
        }
        QVERIFY(moved >= 150);
    }

    void aBorderDraggedToWhereItIsChangesNothing() {
        std::mt19937 random(23);
        const MeasuredHome home(smallHome());
        Plan plan = smallPlan(home.problem);
        plan.stages[0].shares = {{QStringLiteral("nx0"), 7}, {QStringLiteral("nx1"), 1}};
        const auto same = PlanEditor(home.model).moveBorder(plan, 0, 3);
        QVERIFY(same);
        QCOMPARE(same->plan.toJson(), plan.toJson());
    }

    void groupsThatChangedAreSharedByTheExactRule() {
        std::mt19937 random(25);
        int checked = 0;
        for (int i = 0; i < 600; ++i) {
            const auto own = randomCase(random, i % 2 == 0);
            if (!own->plan || own->plan->stages.size() < 2)
                continue;
            const auto edited = PlanEditor(*own->model).moveBorder(*own->plan, 0, below(random, own->plan->layerCount));
            if (!edited || edited->plan.stages[0].lastLayer == own->plan->stages[0].lastLayer)
                continue;
            const Placement placement = placementOf(own->problem, edited->plan);
            for (const StagePlacement &stage : {placement.stages[0], placement.stages[1]}) {
                if (stage.group.size() != 2)
                    continue;
                ++checked;
                const auto charge = [&](const Group &group) {
                    const StepTimes times = own->model->execution(stage.firstLayer, stage.lastLayer, group);
                    return times.forward + times.backward;
                };
                const int minimum = own->model->memory().minimumSamples(stage.firstLayer, stage.lastLayer);
                for (int first = minimum; first <= placement.microBatch - minimum; ++first) {
                    StagePlacement other = stage;
                    other.group[0].samples = first;
                    other.group[1].samples = placement.microBatch - first;
                    if (stageFits(*own->model, other, stage.inFlight))
                        QVERIFY(charge(other.group) >= charge(stage.group) * (1 - 1e-12));
                }
            }
        }
        QVERIFY(checked >= 30);
    }

    void groupsThatDidNotChangeKeepTheirShares() {
        const MeasuredHome home(smallHome());
        Plan plan = smallPlan(home.problem);
        plan.stages[0].shares = {{QStringLiteral("nx0"), 6}, {QStringLiteral("nx1"), 2}};
        const auto edited = PlanEditor(home.model).moveDevice(plan, QStringLiteral("nx3"), 1);
        QVERIFY(edited);
        QVERIFY(edited->plan.stages[0].shares == plan.stages[0].shares);
        QCOMPARE(samplesOf(edited->plan, QStringLiteral("nx2")), 4);
        QCOMPARE(samplesOf(edited->plan, QStringLiteral("nx3")), 4);
    }

    void sharingAnewGivesEveryGroupNewSharesAndChangesNothingElse() {
        const MeasuredHome home(smallHome());
        const Plan plan = smallPlan(home.problem);
        Plan uneven = plan;
        uneven.stages[0].shares = {{QStringLiteral("nx0"), 6}, {QStringLiteral("nx1"), 2}};
        const auto shared = PlanEditor(home.model).shareAnew(uneven);
        QVERIFY(shared);
        QCOMPARE(shared->plan.toJson(), plan.toJson());
    }

    void aSlowDeviceKeepsThePlaceThatAPersonGaveIt() {
        PlanningProblem problem = smallHome();
        for (auto *rows : {&problem.times[3].forward, &problem.times[3].backward}) {
            for (auto &row : *rows) {
                for (double &seconds : row)
                    seconds *= 1000;
            }
        }
        const MeasuredHome home(problem);
        const auto edited = PlanEditor(home.model).moveDevice(smallPlan(home.problem), QStringLiteral("nx3"), 0);
        QVERIFY(edited);
        QCOMPARE(samplesOf(edited->plan, QStringLiteral("nx3")), 1);
        const auto picky = PlanEditor(home.model).moveDevice(smallPlan(home.problem), QStringLiteral("nx3"), 1);
        QVERIFY(picky);
        QCOMPARE(samplesOf(picky->plan, QStringLiteral("nx3")), 2);
    }

    void refusals_data() {
        using Edit = std::function<Result<Edited>(const PlanEditor &, const Plan &)>;
        QTest::addColumn<Edit>("edit");
        QTest::addColumn<QString>("code");
        QTest::addColumn<QString>("words");
        const auto row = [](const char *name, const char *code, const char *words, Edit edit) {
            QTest::newRow(name) << edit << QString::fromLatin1(code) << QString::fromLatin1(words);
        };
        const auto id = [](int d) { return QStringLiteral("nx%1").arg(d); };
        row("a border at the beginning of its stage leaves no layers", "edit.no-layers",
            "Stage 1 would have no layers.",
            [](const PlanEditor &editor, const Plan &plan) { return editor.moveBorder(plan, 0, 0); });
        row("a border at the end of the next stage leaves no layers", "edit.no-layers", "Stage 2 would have no layers.",
            [](const PlanEditor &editor, const Plan &plan) { return editor.moveBorder(plan, 0, 6); });
        row("there is no border behind the last stage", "edit.stage", "There is no stage 3.",
            [](const PlanEditor &editor, const Plan &plan) { return editor.moveBorder(plan, 1, 4); });
        row("the only device of a stage cannot leave it", "edit.no-devices", "Stage 2 would have no devices.",
            [id](const PlanEditor &editor, const Plan &plan) { return editor.moveDevice(plan, id(2), 0); });
        row("an unknown device is named", "edit.device", "There is no device \"nx9\".",
            [id](const PlanEditor &editor, const Plan &plan) { return editor.moveDevice(plan, id(9), 0); });
        row("a picky layer says how many samples it needs", "edit.minimum-samples",
            "conv4 needs at least 2 samples per device.", [id](const PlanEditor &editor, const Plan &plan) {
                const auto two = editor.moveDevice(plan, id(3), 1);
                return editor.setShares(two->plan, 1, {{id(2), 1}, {id(3), 7}});
            });
        row("no share is empty", "edit.shares", "nx0 would have no samples.",
            [id](const PlanEditor &editor, const Plan &plan) {
                return editor.setShares(plan, 0, {{id(0), 0}, {id(1), 8}});
            });
        row("samples stay in their stage", "edit.shares", "nx2 cannot have a share there.",
            [id](const PlanEditor &editor, const Plan &plan) {
                return editor.setShares(plan, 0, {{id(0), 4}, {id(2), 4}});
            });
        row("shares must sum to the micro-batch", "edit.shares", "The shares sum to 9 samples.",
            [id](const PlanEditor &editor, const Plan &plan) {
                return editor.setShares(plan, 0, {{id(1), 5}, {id(0), 4}});
            });
        row("every device must have a share", "edit.shares", "nx1 has no share.",
            [id](const PlanEditor &editor, const Plan &plan) {
                return editor.setShares(plan, 0, {{id(0), 8}});
            });
        row("a limit beyond the micro-batches of a round is refused", "edit.limit",
            "Stage 1 cannot hold 5 micro-batches in flight.",
            [](const PlanEditor &editor, const Plan &plan) { return editor.setInFlight(plan, 0, 5); });
        row("a micro-batch must divide the batch", "edit.micro-batch", "Micro-batches cannot have 5 samples.",
            [](const PlanEditor &editor, const Plan &plan) { return editor.setMicroBatch(plan, 5); });
        row("a micro-batch of one is too small for two devices", "edit.minimum-samples",
            "Stage 1 has more devices than samples.",
            [](const PlanEditor &editor, const Plan &plan) { return editor.setMicroBatch(plan, 1); });
        row("a plan that is not valid is not edited", "plan.invalid", "the plan: \"/micro_batch\" is not valid.",
            [](const PlanEditor &editor, const Plan &plan) {
                Plan broken = plan;
                broken.microBatch = 7;
                return editor.mergeStages(broken, 0);
            });
        row("pipelines side by side are not edited", "edit.pipelines",
            "A plan of several pipelines side by side cannot be changed by hand.",
            [](const PlanEditor &editor, const Plan &plan) {
                Plan broken = plan;
                broken.pipelines = {{32, plan.stages}};
                broken.stages.clear();
                return editor.mergeStages(broken, 0);
            });
    }
    void refusals() {
        using Edit = std::function<Result<Edited>(const PlanEditor &, const Plan &)>;
        QFETCH(Edit, edit);
        QFETCH(QString, code);
        QFETCH(QString, words);
        const MeasuredHome home(smallHome());
        const auto edited = edit(PlanEditor(home.model), smallPlan(home.problem));
        QVERIFY(!edited);
        QCOMPARE(edited.error().code, code);
        QCOMPARE(edited.error().what, words);
    }

    void devicesThatCannotReachEachOtherAreNotPutTogether() {
        PlanningProblem problem = smallHome();
        problem.links.pairs = {{QStringLiteral("nx3"), QStringLiteral("nx0"), 0, std::nullopt}};
        const MeasuredHome home(problem);
        const auto refused = PlanEditor(home.model).moveDevice(smallPlan(home.problem), QStringLiteral("nx3"), 0);
        QVERIFY(!refused);
        QCOMPARE(refused.error().code, QStringLiteral("plan.unreachable"));
        QCOMPARE(refused.error().cause, QStringLiteral("nx3 cannot reach nx0."));
    }
};

QTEST_GUILESS_MAIN(TestEdit)
#include "test_edit.moc"
