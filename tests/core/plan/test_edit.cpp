// Edits by hand: valid plans or reasons, nothing in between.
#include <QtTest>

#include "core/plan/edit/edit.h"
#include "tests/core/plan/random_plan.h"
#include "tests/core/plan/random_problem.h"

using namespace hearth;
using test::below;

namespace {

struct Case {
    PlanningProblem problem;
    std::unique_ptr<MeasuredCosts> costs;
    std::unique_ptr<CostModel> model;
    std::optional<Plan> plan;
};

/// Whole objects stay where they are: models refer to problems.
std::unique_ptr<Case> randomCase(std::mt19937 &random, bool tight) {
    auto own = std::make_unique<Case>();
    test::RandomShape shape{2 + below(random, 9), 1 + below(random, 6), 48};
    shape.tightMemory = tight;
    shape.ownPairs = below(random, 2) == 0;
    own->problem = test::randomProblem(random, shape);
    if (below(random, 3) == 0)
        own->problem.layers[static_cast<std::size_t>(below(random, shape.layers))].minimumSamples = 2;
    if (below(random, 2) == 0) {
        own->problem.dataDevice = own->problem.devices[0].id;
        own->problem.inputBytes = 3000;
        own->problem.labelBytes = 8;
    }
    own->costs = std::make_unique<MeasuredCosts>(own->problem.times);
    own->model = std::make_unique<CostModel>(own->problem, *own->costs);
    constexpr int sizes[] = {4, 8, 12, 16};
    for (int attempt = 0; attempt < 20 && !own->plan; ++attempt)
        own->plan = test::randomPlan(random, *own->model, sizes[below(random, 4)],
                                     tight ? InFlightRule::Early : static_cast<InFlightRule>(below(random, 4)));
    return own;
}

constexpr int editKinds = 11;

Result<Edited> randomEdit(std::mt19937 &random, const PlanEditor &editor, const PlanningProblem &problem,
                          const Plan &plan, int kind) {
    const int stages = static_cast<int>(plan.stages.size());
    const int layers = static_cast<int>(problem.layers.size());
    const auto device = [&] {
        return problem.devices[static_cast<std::size_t>(below(random, static_cast<int>(problem.devices.size())))].id;
    };
    const int stage = below(random, stages);
    const PlanStage &own = plan.stages[static_cast<std::size_t>(stage)];
    switch (kind) {
        case 0:
            return editor.moveBorder(plan, stage, below(random, layers + 1));
        case 1:
            return editor.moveDevice(plan, device(), stage);
        case 2:
            return editor.moveDevice(plan, device(), std::nullopt);
        case 3:
            return editor.insertStage(plan, device(), below(random, stages + 1));
        case 4:
            return editor.swapDevices(plan, device(), device());
        case 5: {
            const auto widest = std::max_element(
                plan.stages.begin(), plan.stages.end(),
                [](const PlanStage &a, const PlanStage &b) { return a.shares.size() < b.shares.size(); });
            const int layer = widest->firstLayer + below(random, widest->lastLayer - widest->firstLayer + 1);
            return editor.splitStage(plan, static_cast<int>(widest - plan.stages.begin()), layer,
                                     {widest->shares.back().device});
        }
        case 6:
            return editor.mergeStages(plan, stage);
        case 7:
            return editor.giveSamples(plan, own.shares.front().device, own.shares.back().device, 1 + below(random, 3));
        case 8:
            return editor.setInFlight(plan, stage, 1 + below(random, 6));
        case 9:
            return editor.setRecompute(plan, stage, !own.recompute);
        default:
            return editor.setMicroBatch(plan, 2 << below(random, 4));
    }
}

bool sameClosedForm(const Prediction &a, const Prediction &b) {
    return a.modelRoundSeconds == b.modelRoundSeconds && a.dominantStep == b.dominantStep && a.fits == b.fits &&
           a.violations == b.violations && a.memoryBytes == b.memoryBytes && a.roundBytes == b.roundBytes;
}

QString stageOfDevice(const Plan &plan, const QString &device) {
    for (const PlanStage &stage : plan.stages) {
        for (const Share &share : stage.shares) {
            if (share.device == device)
                return QStringLiteral("%1-%2").arg(stage.firstLayer).arg(stage.lastLayer);
        }
    }
    return QStringLiteral("rest");
}

int samplesOf(const Plan &plan, const QString &device) {
    for (const PlanStage &stage : plan.stages) {
        for (const Share &share : stage.shares) {
            if (share.device == device)
                return share.samples;
        }
    }
    return 0;
}

/// Six layers, three devices of equal speed and ample memory; nx0 and nx1 in front, nx2 behind.
PlanningProblem smallHome() {
    PlanningProblem problem;
    problem.batch = 32;
    problem.optimizerStateFactor = 1;
    for (int l = 0; l < 6; ++l)
        problem.layers.push_back({QStringLiteral("conv%1").arg(l), 1000, 1000, 10000, 0, 100000, 100000, 0, 1});
    problem.layers[4].minimumSamples = 2;
    for (int d = 0; d < 4; ++d) {
        problem.devices.push_back({QStringLiteral("nx%1").arg(d), 2'000'000'000, 0});
        TimeTable table{{1, 8}, {}, {}};
        for (int l = 0; l < 6; ++l) {
            table.forward.push_back({0.01, 0.08});
            table.backward.push_back({0.02, 0.16});
        }
        problem.times.push_back(table);
    }
    problem.links.fallback = LinkProfile::Link{1e8, 0.0003, Duplex::Full};
    return problem;
}

Plan smallPlan(const PlanningProblem &problem) {
    Placement placement{8, Schedule::OneForwardOneBackward, {}};
    placement.stages.push_back({0, 3, {{0, 4}, {1, 4}}, 3, false});
    placement.stages.push_back({3, 6, {{2, 8}}, 1, false});
    return planOf(problem, QStringLiteral("test"), placement);
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
            QVERIFY2(refused[static_cast<std::size_t>(kind)] >= 20 || kind == 9 || kind == 4,
                     qPrintable(QString::number(kind)));
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
        const PlanningProblem problem = smallHome();
        const MeasuredCosts costs(problem.times);
        const CostModel model(problem, costs);
        Plan plan = smallPlan(problem);
        plan.stages[0].shares = {{QStringLiteral("nx0"), 7}, {QStringLiteral("nx1"), 1}};
        const auto same = PlanEditor(model).moveBorder(plan, 0, 3);
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
        const PlanningProblem problem = smallHome();
        const MeasuredCosts costs(problem.times);
        const CostModel model(problem, costs);
        Plan plan = smallPlan(problem);
        plan.stages[0].shares = {{QStringLiteral("nx0"), 6}, {QStringLiteral("nx1"), 2}};
        const auto edited = PlanEditor(model).moveDevice(plan, QStringLiteral("nx3"), 1);
        QVERIFY(edited);
        QVERIFY(edited->plan.stages[0].shares == plan.stages[0].shares);
        QCOMPARE(samplesOf(edited->plan, QStringLiteral("nx2")), 4);
        QCOMPARE(samplesOf(edited->plan, QStringLiteral("nx3")), 4);
    }

    void aSlowDeviceKeepsThePlaceThatAPersonGaveIt() {
        PlanningProblem problem = smallHome();
        for (auto *rows : {&problem.times[3].forward, &problem.times[3].backward}) {
            for (auto &row : *rows) {
                for (double &seconds : row)
                    seconds *= 1000;
            }
        }
        const MeasuredCosts costs(problem.times);
        const CostModel model(problem, costs);
        const auto edited = PlanEditor(model).moveDevice(smallPlan(problem), QStringLiteral("nx3"), 0);
        QVERIFY(edited);
        QCOMPARE(samplesOf(edited->plan, QStringLiteral("nx3")), 1);
        const auto picky = PlanEditor(model).moveDevice(smallPlan(problem), QStringLiteral("nx3"), 1);
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
                return editor.giveSamples(two->plan, id(2), id(3), 3);
            });
        row("nobody gives all samples away", "edit.shares", "nx0 would have no samples.",
            [id](const PlanEditor &editor, const Plan &plan) { return editor.giveSamples(plan, id(0), id(1), 4); });
        row("samples stay in their stage", "edit.shares", "nx0 cannot give 1 samples to nx2.",
            [id](const PlanEditor &editor, const Plan &plan) { return editor.giveSamples(plan, id(0), id(2), 1); });
        row("shares must sum to the micro-batch", "edit.shares", "The shares sum to 9 samples.",
            [id](const PlanEditor &editor, const Plan &plan) {
                return editor.setShares(plan, 0, {{id(1), 5}, {id(0), 4}});
            });
        row("every device must have a share", "edit.shares", "nx1 has no share.",
            [id](const PlanEditor &editor, const Plan &plan) {
                return editor.setShares(plan, 0, {{id(0), 8}});
            });
        row("a stage is split between two of its layers", "edit.no-layers", "Stage 1 would have no layers.",
            [id](const PlanEditor &editor, const Plan &plan) { return editor.splitStage(plan, 0, 0, {id(1)}); });
        row("both parts of a split need a device", "edit.no-devices", "Stage 1 would have no devices.",
            [id](const PlanEditor &editor, const Plan &plan) {
                return editor.splitStage(plan, 0, 1, {id(0), id(1)});
            });
        row("a stage is split among its own devices", "edit.device", "nx2 is not in stage 1.",
            [id](const PlanEditor &editor, const Plan &plan) { return editor.splitStage(plan, 0, 1, {id(2)}); });
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
        const PlanningProblem problem = smallHome();
        const MeasuredCosts costs(problem.times);
        const CostModel model(problem, costs);
        const auto edited = edit(PlanEditor(model), smallPlan(problem));
        QVERIFY(!edited);
        QCOMPARE(edited.error().code, code);
        QCOMPARE(edited.error().what, words);
    }

    void aLockedShareThatIsTooSmallForNewLayersIsNamed() {
        const PlanningProblem problem = smallHome();
        const MeasuredCosts costs(problem.times);
        const CostModel model(problem, costs);
        Plan plan = smallPlan(problem);
        plan.stages[0].shares = {{QStringLiteral("nx0"), 7}, {QStringLiteral("nx1"), 1}};
        PlanLocks locks;
        locks.shares.insert(QStringLiteral("nx1"));
        QVERIFY(PlanEditor(model, locks).moveBorder(plan, 0, 4));
        const auto refused = PlanEditor(model, locks).moveBorder(plan, 0, 5);
        QVERIFY(!refused);
        QCOMPARE(refused.error().code, QStringLiteral("edit.locked"));
        QCOMPARE(refused.error().what, QStringLiteral("The locked share of nx1 is too small."));
        QCOMPARE(refused.error().cause, QStringLiteral("conv4 needs at least 2 samples per device."));
    }

    void memoryRefusesWithTheDeviceAndItsBytes() {
        PlanningProblem problem = smallHome();
        problem.devices[2].memoryBytes = 2'500'000;
        const MeasuredCosts costs(problem.times);
        const CostModel model(problem, costs);
        // Five layers: 5 × 300 000 bytes of weights, gradients and momentum; 8 samples × 50 000 saved and 1000 in, and
        // two receive buffers of 1000.
        const double needed = 5 * 300000.0 + 8 * (51000 + 2000);
        problem.devices[2].memoryBytes = static_cast<qint64>(needed) - 1;
        const CostModel tight(problem, costs);
        const auto refused = PlanEditor(tight).moveBorder(smallPlan(problem), 0, 1);
        QVERIFY(!refused);
        QCOMPARE(refused.error().code, QStringLiteral("edit.memory"));
        QCOMPARE(refused.error().what, QStringLiteral("nx2 would need 1.9 MB and has 1.9 MB."));
        QVERIFY(refused.error().cause.contains(QStringLiteral("1924000 bytes; it may use 1923999 bytes")));
        problem.devices[2].memoryBytes = static_cast<qint64>(needed);
        const CostModel enough(problem, costs);
        QVERIFY(PlanEditor(enough).moveBorder(smallPlan(problem), 0, 1));
    }

    void inFlightLimitsFollowThePlansRule_data() {
        QTest::addColumn<QList<int>>("before");
        QTest::addColumn<QList<int>>("after");
        QTest::newRow("stages to the end") << QList<int>{2, 1} << QList<int>{3, 2, 1};
        QTest::newRow("early backward") << QList<int>{3, 1} << QList<int>{4, 3, 1};
        QTest::newRow("all of four micro-batches") << QList<int>{4, 4} << QList<int>{4, 4, 4};
    }
    void inFlightLimitsFollowThePlansRule() {
        QFETCH(QList<int>, before);
        QFETCH(QList<int>, after);
        const PlanningProblem problem = smallHome();
        const MeasuredCosts costs(problem.times);
        const CostModel model(problem, costs);
        Plan plan = smallPlan(problem);
        plan.stages[0].inFlight = before[0];
        plan.stages[1].inFlight = before[1];
        const auto edited = PlanEditor(model).splitStage(plan, 0, 2, {QStringLiteral("nx1")});
        QVERIFY(edited);
        QList<int> limits;
        for (const PlanStage &stage : edited->plan.stages)
            limits << stage.inFlight;
        QCOMPARE(limits, after);
        QVERIFY(edited->notes.isEmpty());
    }

    void aLimitThatAPersonChoseStays() {
        const PlanningProblem problem = smallHome();
        const MeasuredCosts costs(problem.times);
        const CostModel model(problem, costs);
        const PlanEditor editor(model);
        const auto chosen = editor.setInFlight(smallPlan(problem), 0, 2);
        QVERIFY(chosen);
        const auto moved = editor.moveBorder(chosen->plan, 0, 4);
        QVERIFY(moved);
        QCOMPARE(moved->plan.stages[0].inFlight, 2);
    }

    void memoryLowersALimitWithANoteAndGivesItBack() {
        PlanningProblem problem = smallHome();
        // Four layers on nx0 and nx1 with 4 samples: 2 in flight fit, 3 do not.
        problem.devices[0].memoryBytes = problem.devices[1].memoryBytes = 4 * 300000 + 2 * 4 * 40000;
        const MeasuredCosts costs(problem.times);
        const CostModel model(problem, costs);
        const PlanEditor editor(model);
        const auto larger = editor.moveBorder(smallPlan(problem), 0, 4);
        QVERIFY(larger);
        QCOMPARE(larger->plan.stages[0].inFlight, 2);
        QCOMPARE(larger->notes,
                 QStringList{QStringLiteral("Memory lets stage 1 hold 2 micro-batches in flight instead of 3.")});
        const auto back = editor.moveBorder(larger->plan, 0, 3);
        QVERIFY(back);
        QCOMPARE(back->plan.stages[0].inFlight, 3);
        QVERIFY(!editor.setInFlight(larger->plan, 0, 3));
    }

    void devicesThatCannotReachEachOtherAreNotPutTogether() {
        PlanningProblem problem = smallHome();
        problem.links.pairs = {{QStringLiteral("nx3"), QStringLiteral("nx0"), 0, std::nullopt}};
        const MeasuredCosts costs(problem.times);
        const CostModel model(problem, costs);
        const auto refused = PlanEditor(model).moveDevice(smallPlan(problem), QStringLiteral("nx3"), 0);
        QVERIFY(!refused);
        QCOMPARE(refused.error().code, QStringLiteral("plan.unreachable"));
        QCOMPARE(refused.error().cause, QStringLiteral("nx3 cannot reach nx0."));
    }

    void aFillDrainPlanStaysOneAndHoldsAllMicroBatches() {
        PlanningProblem problem = smallHome();
        // Three layers of 300 000 bytes, and four micro-batches of 4 samples with 31 000 bytes each, fit; a fourth
        // layer does not, and there is no limit to lower.
        problem.devices[0].memoryBytes = problem.devices[1].memoryBytes = 3 * 300000 + 4 * 4 * 31000 + 4 * 2000;
        const MeasuredCosts costs(problem.times);
        const CostModel model(problem, costs);
        Plan plan = smallPlan(problem);
        plan.schedule = Schedule::FillDrain;
        const PlanEditor editor(model);
        const auto less = editor.moveBorder(plan, 0, 2);
        QVERIFY(less);
        QCOMPARE(less->plan.schedule, Schedule::FillDrain);
        QVERIFY(less->notes.isEmpty());
        const auto more = editor.moveBorder(plan, 0, 4);
        QVERIFY(!more);
        QCOMPARE(more.error().code, QStringLiteral("edit.memory"));
        plan.schedule = Schedule::OneForwardOneBackward;
        QVERIFY(editor.moveBorder(plan, 0, 3));
    }

    void aPlanThatDoesNotFitCanBeChangedTowardsFitting() {
        PlanningProblem problem = smallHome();
        problem.devices[0].memoryBytes = problem.devices[1].memoryBytes = 500000;
        const MeasuredCosts costs(problem.times);
        const CostModel model(problem, costs);
        const PlanEditor editor(model);
        const Plan plan = smallPlan(problem);
        QVERIFY(!evaluate(model, plan)->fits);
        const auto better = editor.moveBorder(plan, 0, 2);
        QVERIFY(better);
        QVERIFY(!better->estimate.fits);
        const auto fitting = editor.moveBorder(better->plan, 0, 1);
        QVERIFY(fitting && fitting->estimate.fits);
        const auto worse = editor.moveBorder(plan, 0, 4);
        QVERIFY(!worse);
        QCOMPARE(worse.error().code, QStringLiteral("edit.memory"));
    }

    void lockedThingsAreNamed_data() {
        QTest::addColumn<PlanLocks>("locks");
        QTest::addColumn<int>("kind");
        QTest::addColumn<QString>("what");
        const auto nx = [](int d) { return QStringLiteral("nx%1").arg(d); };
        QTest::newRow("a border by the layer behind it")
            << PlanLocks{{3}, {}, {}, {}} << 0 << QStringLiteral("The border before conv3 is locked.");
        QTest::newRow("a stage by its layers")
            << PlanLocks{{}, {3}, {}, {}} << 0 << QStringLiteral("The stage of conv3 to conv5 is locked.");
        QTest::newRow("a stage that would get a device")
            << PlanLocks{{}, {3}, {}, {}} << 1 << QStringLiteral("The stage of conv3 to conv5 is locked.");
        QTest::newRow("a device that would move")
            << PlanLocks{{}, {}, {nx(0)}, {}} << 1 << QStringLiteral("nx0 is locked where it is.");
        QTest::newRow("a device that would rest")
            << PlanLocks{{}, {}, {nx(0)}, {}} << 2 << QStringLiteral("nx0 is locked where it is.");
        QTest::newRow("a device that rests and would work")
            << PlanLocks{{}, {}, {nx(3)}, {}} << 3 << QStringLiteral("nx3 is locked where it is.");
        QTest::newRow("a share that would change")
            << PlanLocks{{}, {}, {}, {nx(1)}} << 4 << QStringLiteral("The share of nx1 is locked.");
        QTest::newRow("a share that would rest")
            << PlanLocks{{}, {}, {}, {nx(0)}} << 2 << QStringLiteral("The share of nx0 is locked.");
        QTest::newRow("shares that leave too little")
            << PlanLocks{{}, {}, {}, {nx(0), nx(1)}} << 5
            << QStringLiteral("The locked shares of stage 1 leave too few or too many samples.");
        QTest::newRow("the micro-batch") << PlanLocks{{}, {}, {}, {}, true} << 5
                                         << QStringLiteral("The micro-batch of 8 samples is locked.");
    }
    void lockedThingsAreNamed() {
        QFETCH(PlanLocks, locks);
        QFETCH(int, kind);
        QFETCH(QString, what);
        const PlanningProblem problem = smallHome();
        const MeasuredCosts costs(problem.times);
        const CostModel model(problem, costs);
        const Plan plan = smallPlan(problem);
        const PlanEditor editor(model, locks);
        const QString first = QStringLiteral("nx0"), second = QStringLiteral("nx1"), fourth = QStringLiteral("nx3");
        const auto edited = kind == 0   ? editor.moveBorder(plan, 0, 4)
                            : kind == 1 ? editor.moveDevice(plan, first, 1)
                            : kind == 2 ? editor.moveDevice(plan, first, std::nullopt)
                            : kind == 3 ? editor.moveDevice(plan, fourth, 1)
                            : kind == 4 ? editor.giveSamples(plan, first, second, 1)
                                        : editor.setMicroBatch(plan, 4);
        QVERIFY(!edited);
        QCOMPARE(edited.error().code, QStringLiteral("edit.locked"));
        QCOMPARE(edited.error().what, what);
        QVERIFY(!edited.error().cause.isEmpty());
    }

    void whatIsLockedStaysAndTheRefusalNamesIt() {
        std::mt19937 random(24);
        int accepted = 0, refused = 0;
        for (int i = 0; i < 400; ++i) {
            const auto own = randomCase(random, i % 3 == 0);
            if (!own->plan)
                continue;
            const Plan &plan = *own->plan;
            PlanLocks locks;
            const PlanStage &stage =
                plan.stages[static_cast<std::size_t>(below(random, static_cast<int>(plan.stages.size())))];
            const QString device = own->problem.devices.back().id, shared = own->problem.devices.front().id;
            if (i % 4 == 0)
                locks.borders.insert(stage.firstLayer);
            else if (i % 4 == 1)
                locks.stages.insert(stage.firstLayer);
            else if (i % 4 == 2)
                locks.devices.insert(device);
            else
                locks.shares.insert(shared);
            for (int kind = 0; kind < editKinds; ++kind) {
                const auto edited = randomEdit(random, PlanEditor(*own->model, locks), own->problem, plan, kind);
                if (!edited) {
                    refused += edited.error().code == QLatin1String("edit.locked") ? 1 : 0;
                    continue;
                }
                ++accepted;
                const Plan &after = edited->plan;
                const auto found = std::find_if(after.stages.begin(), after.stages.end(), [&](const PlanStage &other) {
                    return other.firstLayer == stage.firstLayer;
                });
                if (i % 4 == 0)
                    QVERIFY(found != after.stages.end());
                if (i % 4 == 1) {
                    QVERIFY(found != after.stages.end() && found->lastLayer == stage.lastLayer);
                    QCOMPARE(found->shares.size(), stage.shares.size());
                    for (std::size_t k = 0; k < stage.shares.size(); ++k)
                        QCOMPARE(found->shares[k].device, stage.shares[k].device);
                }
                if (i % 4 == 2) {
                    const bool rested = stageOfDevice(plan, device) == QLatin1String("rest");
                    QCOMPARE(stageOfDevice(after, device) == QLatin1String("rest"), rested);
                    if (kind == 1 || kind == 4)
                        QCOMPARE(stageOfDevice(after, device), stageOfDevice(plan, device));
                }
                if (i % 4 == 3 && samplesOf(plan, shared) > 0)
                    QCOMPARE(samplesOf(after, shared), samplesOf(plan, shared));
            }
        }
        QVERIFY(accepted > 500 && refused > 100);
    }
};

QTEST_GUILESS_MAIN(TestEdit)
#include "test_edit.moc"
