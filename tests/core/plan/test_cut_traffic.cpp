// What crosses a cut under a codec: every reader counts it, and no edit or replay drops it.
#include <QtTest>
#include <cmath>
#include <map>

#include "core/base/chunk_packing.h"
#include "core/plan/edit/finish.h"
#include "core/plan/play/round_player.h"
#include "tests/core/plan/replay_home.h"

using namespace hearth;
using namespace hearth::test;

namespace {

constexpr Codec halving{
    .name = "halving", .number = 200, .encodedBytes = [](DType, quint64 rawBytes) { return rawBytes / 2; }};
constexpr Codec slow{
    .name = "slow", .number = 201, .usual = {0.0004, 0.0006}, .encodedBytes = [](DType, quint64 rawBytes) {
        return rawBytes;
    }};
const CutCodec lossy{&halving, &slow};

/// Two layers whose cut takes far longer than they do: 1000 bytes per sample there, 400 back.
PlanningProblem slowCut() {
    PlanningProblem problem = smallHome(2, 2);
    problem.layers[0].outputBytes = 1000;
    problem.layers[0].gradientBytes = 400;
    problem.links.fallback = LinkProfile::Link{100, 0, Duplex::Full};
    return problem;
}

Plan lossyPlan(const PlanningProblem &problem, const QList<std::pair<int, int>> &layersAndDevices) {
    Plan plan = planOfStages(problem, layersAndDevices);
    for (std::size_t s = 0; s + 1 < plan.stages.size(); ++s)
        plan.stages[s].codec = lossy;
    return plan;
}

QList<int> lossyCuts(const Plan &plan) {
    QList<int> cuts;
    for (const PlanStage &stage : plan.stages) {
        if (stage.codec == lossy)
            cuts << stage.lastLayer;
    }
    return cuts;
}

}  // namespace

class TestCutTraffic : public QObject {
    Q_OBJECT
  private Q_SLOTS:
    void bytesAndSecondsFollowTheCodecOfTheirDirection() {
        const MeasuredHome home(slowCut());
        QCOMPARE(home.model.traffic(1).forward.bytes, 1000.);
        QCOMPARE(home.model.traffic(1).backward.bytes, 400.);
        QCOMPARE(home.model.encodeSeconds(0, home.model.traffic(1).backward), 0.);
        const CutTraffic cut = home.model.traffic(1, lossy);
        QCOMPARE(cut.forward.bytes, 500.);
        QCOMPARE(home.model.encodeSeconds(0, cut.forward), 0.);
        QCOMPARE(cut.backward.bytes, 400.);
        QCOMPARE(home.model.encodeSeconds(1, cut.backward), 0.16);
        QCOMPARE(home.model.decodeSeconds(0, cut.backward), 0.24);
    }

    void devicesTakeWhatTheyHaveMeasured() {
        PlanningProblem problem = slowCut();
        problem.devices[1].codecs.measured[QStringLiteral("slow")] = {0.001, 0.002};
        const MeasuredHome home(problem);
        const CutTraffic cut = home.model.traffic(1, lossy);
        QCOMPARE(home.model.decodeSeconds(0, cut.backward), 0.24);
        QCOMPARE(home.model.encodeSeconds(1, cut.backward), 0.4);
        QCOMPARE(home.model.decodeSeconds(1, cut.backward), 0.8);
        // The slowest of a group counts.
        QCOMPARE(home.model.execution(0, 1, {{0, 2}, {1, 2}}, false, home.model.cutsOf(0, 1, {}, lossy)).backward,
                 0.04 + 2 * 0.8);
    }

    void theWayBetweenACardAndItsHostCounts() {
        PlanningProblem problem = slowCut();
        problem.devices[1].codecs.measured[QStringLiteral("none")] = {0.001, 0.002};
        const MeasuredHome home(problem);
        const CutTraffic plain = home.model.traffic(1), coded = home.model.traffic(1, lossy);
        QCOMPARE(home.model.encodeSeconds(0, plain.forward), 0.);
        QCOMPARE(home.model.decodeSeconds(1, plain.forward), 0.002 * 1000);
        QCOMPARE(home.model.encodeSeconds(1, plain.backward), 0.001 * 400);
        QCOMPARE(home.model.encodeSeconds(1, coded.backward), 0.16 + 0.001 * 400);
    }

    void aTransferTakesItsBytesAndItsCodec() {
        const MeasuredHome home(slowCut());
        const StepTimes cut = home.model.transfer(1, {{0, 4}}, {{1, 4}}, lossy);
        QCOMPARE(cut.forward, 4 * 500 / 100.);
        QCOMPARE(cut.backward, 4 * 400 / 100.);
        // Encoding and decoding are the stages' own.
        const StepTimes front = home.model.execution(0, 1, {{0, 4}}, false, home.model.cutsOf(0, 1, {}, lossy));
        const StepTimes back = home.model.execution(1, 2, {{1, 4}}, false, home.model.cutsOf(1, 2, lossy, {}));
        QCOMPARE(front.backward, 0.08 + 4 * 0.24);
        QCOMPARE(front.forward, 0.04);
        QCOMPARE(back.backward, 0.08 + 4 * 0.16);
    }

    void slowLinksPackWhatCrosses() {
        PlanningProblem problem = slowCut();
        problem.layers[0].packed = {{QStringLiteral("none"), {0.5, 0.75, 0.25}},
                                    {QStringLiteral("halving"), {0.8, 0.6, 0.6}}};
        const MeasuredHome home(problem);
        const StepTimes cut = home.model.transfer(1, {{0, 4}}, {{1, 4}});
        QCOMPARE(cut.forward, 4 * 500 / 100.);
        QCOMPARE(cut.backward, 4 * 100 / 100.);
        const StepTimes coded = home.model.transfer(1, {{0, 4}}, {{1, 4}}, {&halving, &halving});
        QCOMPARE(coded.forward, 4 * 400 / 100.);
        QCOMPARE(coded.backward, 4 * 120 / 100.);
        // Which values come to nothing is not known of activations that were rounded, or are computed again.
        QCOMPARE(home.model.transfer(1, {{0, 4}}, {{1, 4}}, {&halving, &noCodec()}).backward, 4 * 300 / 100.);
        QCOMPARE(home.model.transfer(1, {{0, 4}}, {{1, 4}}, {}, true).backward, 4 * 300 / 100.);
        // Half of the bytes take a link twice as long as packing them, up to this rate.
        const double rate = ChunkPacking::paysBelow(0.5);
        problem.links.fallback->bytesPerSecond = rate;
        const MeasuredHome fast(problem);
        QCOMPARE(fast.model.transfer(1, {{0, 4}}, {{1, 4}}).forward, 4 * 1000 / rate);
        QCOMPARE(fast.model.transfer(1, {{0, 4}}, {{1, 4}}).backward, 4 * 100 / rate);
    }

    void theLeastOfAllLevelsIsNoMoreBehindAStageThatRecomputes() {
        PlanningProblem problem = slowCut();
        problem.levels = {&halving};
        problem.layers[0].packed = {{QStringLiteral("none"), {1, 0.75, 0.25}}};
        const auto costs = problem.costs();
        const CostModel least(problem, *costs, CostModel::Cuts::Least);
        for (const bool recomputes : {false, true}) {
            const StepTimes cut = least.transfer(1, {{0, 4}}, {{1, 4}}, {}, recomputes);
            QCOMPARE(cut.forward, 4 * 500 / 100.);
            QCOMPARE(cut.backward, 4 * 100 / 100.);
        }
    }

    void eachPairOfAMixedHomePacksOrDoesNot() {
        PlanningProblem problem = smallHome(2, 3);
        problem.layers[0].outputBytes = problem.layers[0].gradientBytes = 1'000'000;
        problem.layers[0].packed = {{QStringLiteral("none"), {0.5, 0.25, 0.25}}};
        problem.links.fallback->bytesPerSecond = 500e6;
        for (const auto &[from, to] : {std::pair{0, 2}, std::pair{2, 0}})
            problem.links.pairs.push_back({id(from), id(to), 10e6, std::nullopt});
        const MeasuredHome home(problem);
        QVERIFY(!home.model.cutsAreAlike());
        // The first device sends half of the samples to each of the others, one over a slow link.
        const StepTimes cut = home.model.transfer(1, {{0, 4}}, {{1, 2}, {2, 2}});
        QCOMPARE(cut.forward, 2 * 0.5 * 1e6 / 10e6);
        QCOMPARE(cut.backward, 2 * 0.25 * 1e6 / 10e6);
        const auto judged = evaluate(home.model, planOfStages(problem, {{1, 1}, {1, 2}}), {.playTasks = playableTasks});
        QVERIFY2(judged, judged ? "" : qPrintable(judged.error().toString()));
        QCOMPARE(judged->roundBytes.value(QStringLiteral("nx0>nx1")), qint64(4 * 2 * 1'000'000));
        QCOMPARE(judged->roundBytes.value(QStringLiteral("nx0>nx2")), qint64(4 * 2 * 500'000));
        QCOMPARE(judged->roundBytes.value(QStringLiteral("nx2>nx0")), qint64(4 * 2 * 250'000));
    }

    void simulatorPlayerClosedFormAndDrawingAgree() {
        const MeasuredHome home(slowCut());
        Plan plan = lossyPlan(home.problem, {{1, 1}, {1, 1}});
        const auto judged = evaluate(home.model, plan, {.withSchedule = true, .playTasks = playableTasks});
        QVERIFY(judged);
        QCOMPARE(judged->roundBytes.value(QStringLiteral("nx0>nx1")), qint64(16 * 500));
        QCOMPARE(judged->roundBytes.value(QStringLiteral("nx1>nx0")), qint64(16 * 400));
        // Four micro-batches cross one after the other, 20 s each; the last one comes back in 17.6 s, of which 1.6 s
        // are for the codec.
        QVERIFY(std::abs(judged->roundSeconds - (0.04 + 4 * 20 + 0.04 + 0.08 + 17.6 + 0.08)) < 1e-9);
        QVERIFY(std::abs(*judged->playedRoundSeconds - judged->roundSeconds) < 1e-9);
        // The estimate leaves out what is behind the slowest step: the last stage, with 0.64 s to encode.
        QVERIFY(std::abs(judged->modelRoundSeconds - (judged->roundSeconds - 0.12 - 0.64)) < 1e-9);
        for (const ScheduledTask &task : judged->schedule) {
            if (task.kind == ScheduledTask::Kind::Transfer)
                QCOMPARE(task.bytes, qint64(task.lane == QLatin1String("nx0>nx1") ? 4 * 500 : 4 * 400));
        }
    }

    void drawnPassesEndWhenTheirTransfersBegin_data() {
        QTest::addColumn<bool>("isCompressed");
        QTest::newRow("what crosses is encoded and decoded") << true;
        QTest::newRow("what crosses is copied between a card and its host") << false;
    }
    void drawnPassesEndWhenTheirTransfersBegin() {
        QFETCH(bool, isCompressed);
        PlanningProblem problem = smallHome(2, 2);
        if (!isCompressed) {
            for (PlanningProblem::Device &device : problem.devices)
                device.codecs.measured[QStringLiteral("none")] = slow.usual;
        }
        const MeasuredHome home(problem);
        Plan plan = planOfStages(problem, {{1, 1}, {1, 1}});
        if (isCompressed)
            plan.stages[0].codec = {&slow, &slow};
        const auto judged = evaluate(home.model, plan, {.withSchedule = true});
        QVERIFY2(judged, judged ? "" : qPrintable(judged.error().toString()));
        using Kind = ScheduledTask::Kind;
        // By the device that sends, and the micro-batch.
        std::map<std::pair<QString, int>, double> passEnds, transferStarts;
        for (const ScheduledTask &task : judged->schedule) {
            const bool sends = task.kind == (task.stage == 0 ? Kind::Forward : Kind::Backward);
            if (task.kind == Kind::Transfer)
                transferStarts[{task.lane.section(QLatin1Char('>'), 0, 0), task.microBatch}] = task.startSeconds;
            else if (sends)
                passEnds[{task.lane, task.microBatch}] = task.endSeconds;
            // Of 400 bytes: what its device sends and what it receives.
            if (task.kind == Kind::Forward) {
                const double coded = 400 * (task.stage == 0 ? slow.usual.encode : slow.usual.decode);
                QVERIFY(std::abs(task.endSeconds - task.startSeconds - (0.04 + coded)) < 1e-9);
            }
        }
        QCOMPARE(passEnds.size(), std::size_t{8});
        QCOMPARE(transferStarts.size(), passEnds.size());
        for (const auto &[pass, end] : passEnds)
            QVERIFY2(std::abs(transferStarts.at(pass) - end) < 1e-9, qPrintable(pass.first));
    }

    void noEditDropsACodec() {
        const MeasuredHome home(smallHome(9, 5));
        const Plan plan = lossyPlan(home.problem, {{3, 1}, {2, 2}, {4, 1}});
        QCOMPARE(lossyCuts(plan), (QList<int>{3, 5}));
        const PlanEditor editor(home.model);
        const auto check = [](const Result<Edited> &edited, const QList<int> &cuts) {
            QVERIFY2(edited, edited ? "" : qPrintable(edited.error().toString()));
            QCOMPARE(lossyCuts(edited->plan), cuts);
        };
        check(editor.moveBorder(plan, 0, 2), {2, 5});
        check(editor.moveDevice(plan, id(4), 2), {3, 5});
        check(editor.moveDevice(plan, id(1), std::nullopt), {3, 5});
        check(editor.setShares(plan, 1, {{id(1), 1}, {id(2), 3}}), {3, 5});
        check(editor.setInFlight(plan, 0, 2), {3, 5});
        check(editor.setMicroBatch(plan, 8), {3, 5});
        // A new cut has none; a cut that goes takes its own along.
        check(editor.insertStage(plan, id(4), 0), {3, 5});
        check(editor.mergeStages(plan, 0), {5});
        check(editor.mergeStages(plan, 1), {3});
    }

    void whatIsPlannedAroundLocksKeepsTheCodecsOfCutsThatStay() {
        const MeasuredHome home(smallHome(9, 5));
        const Plan plan = lossyPlan(home.problem, {{3, 1}, {2, 2}, {4, 1}});
        PlanLocks locks;
        locks.borders = {3, 5};
        const auto finished = finishTheRest(home.model, plan, locks);
        QVERIFY(finished);
        QCOMPARE(lossyCuts(finished->plan), (QList<int>{3, 5}));
    }

    void noReplayDropsACodec() {
        Loss first(smallHome(9, 4), {{3, 1}, {3, 2}, {3, 1}}, {id(1)});
        first.plan = lossyPlan(first.problem, {{3, 1}, {3, 2}, {3, 1}});
        const auto replay = lightweightReplay(first.model, first.plan, first.request);
        QVERIFY(replay);
        QCOMPARE(lossyCuts(replay->plan).size(), 2);
    }

    void theLastStageThatIsLeftHasNoCutBehindIt() {
        Loss last(smallHome(9, 3), {{3, 1}, {3, 1}, {3, 1}}, {id(2)});
        last.plan = lossyPlan(last.problem, {{3, 1}, {3, 1}, {3, 1}});
        const auto replay = lightweightReplay(last.model, last.plan, last.request);
        QVERIFY(replay);
        QCOMPARE(replay->plan.stages.size(), std::size_t(2));
        QCOMPARE(lossyCuts(replay->plan).size(), 1);
        QVERIFY(replay->plan.validateFor(last.problem));
        Plan wrong = replay->plan;
        wrong.stages.back().codec = lossy;
        QVERIFY(!wrong.validate());
    }
};

QTEST_GUILESS_MAIN(TestCutTraffic)
#include "test_cut_traffic.moc"
