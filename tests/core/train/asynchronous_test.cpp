// Stages that do not wait for each other: losses and weights are those of a plain loop that stashes weights by the
// rule.
#include <cstring>
#include <semaphore>

#include "core/model/cut_slots.h"
#include "core/train/stage_executor.h"
#include "tests/core/base/patience.h"
#include "tests/core/train/recovery_cases.h"

using namespace hearth;
using namespace hearth::recovery;

namespace {

using Update = Asynchrony::Update;

constexpr int trainedRounds = 24;

struct Case {
    TestPlan plan;
    std::vector<int> delays;  // said here, not asked of what is tested
    Asynchrony asynchrony;
    bool adam = false;
};

const Case byRound{two, {1, 0}, {Update::Round}};
const Case byMicroBatch{two, {2, 0}, {Update::MicroBatch}};
// Four micro-batches, limits 4, 2 and 1.
const Case threeByRound{three, {1, 1, 0}, {Update::Round}};
const Case threeByMicroBatch{three, {3, 1, 0}, {Update::MicroBatch}};
// Two micro-batches, limits 2 and 1.
const Case groupByRound{groupLast, {1, 0}, {Update::Round}};
const Case groupByMicroBatch{groupLast, {1, 0}, {Update::MicroBatch}};

Case changed(Case one, const std::function<void(Case &)> &change) {
    change(one);
    return one;
}

StashedTerm termOf(const Case &one, quint64 version) {
    StashedTerm term{static_cast<int>(version), batchSize / one.plan.microBatch, {}, one.delays};
    for (const TestStage &stage : one.plan.stages)
        term.firstLayers.push_back(stage.firstLayer);
    return term;
}

TrainingSpec trainingOf(const Case &one) {
    TrainingSpec training = trainingBy(one.adam);
    training.optimizer.decay = OptimizerSpec::Decay::All;
    training.rounds = trainedRounds;
    // With four times the steps, momentum and old weights rounding alone grows beyond what is compared.
    if (!one.adam && one.asynchrony.update == Update::MicroBatch)
        training.optimizer.learningRate = 0.005;
    training.asynchronous = one.asynchrony;
    return training;
}

std::vector<SampleBatch> firstBatches() {
    return {batches().begin(), batches().begin() + trainedRounds};
}

int devicesOf(const TestPlan &plan) {
    int count = 0;
    for (const TestStage &stage : plan.stages)
        count += static_cast<int>(stage.shares.size());
    return count;
}

void compareWith(const ReferenceRun &expected, const PlainCoordinator &coordinator, LoopbackHome &home, int members) {
    for (const auto &[round, loss] : coordinator.losses) {
        const double wanted = expected.losses[round - 1];
        QVERIFY2(std::abs(loss - wanted) <= 1e-10 * std::abs(wanted),
                 qPrintable(
                     QStringLiteral("round %1: %2, not %3").arg(round).arg(loss, 0, 'g', 17).arg(wanted, 0, 'g', 17)));
    }
    const std::vector<NamedTensor> weights = home.weights();
    QCOMPARE(differenceOf(weights, expected.weights), QString());
    for (int member = 1; member < members; ++member) {
        const std::vector<NamedTensor> others = home.weights(member);
        for (std::size_t i = 0; i < weights.size(); ++i)
            QVERIFY2(std::ranges::equal(others[i].data->bytes(), weights[i].data->bytes()),
                     qPrintable(QStringLiteral("member %1: other bits in %2").arg(member).arg(weights[i].spec.name)));
    }
}

/// The first of two stages, with statistics: two micro-batches a round, and two in flight. The test carries its frames.
class LoneStage {
  public:
    explicit LoneStage(bool recompute) {
        const LoopbackHome home(2);
        TrainingSpec training;
        training.asynchronous = Asynchrony();
        const TestPlan plan{4, {{0, 2, {{0, 4}}, 2, recompute}, {2, 4, {{1, 4}}, 1}}};
        StageOutputs out;
        out.send = [this](const QString &, const TensorHeader &header, const Payload &) {
            forwards += header.kind == TensorKind::Activation ? 1 : 0;
        };
        out.roundDone = [](const RoundReport &) {};
        out.wake = [this] { m_woken.release(); };
        m_executor = std::move(*StageExecutor::make(home.deployment(m_model, plan, 8, training, padded()), m_model,
                                                    LoopbackHome::fingerprintOf(0).toHex(), 0, std::move(out)));
    }

    void feed(quint32 round, int microBatch) {
        const SampleBatch &batch = batches()[round - 1];
        const Slot slot{DType::UInt8, batch.sample, false};
        deliver(TensorKind::Input, {}, round, microBatch, slot, batch.images.data() + microBatch * 4 * slot.bytes());
    }
    /// The gradient of what it sent of the micro-batch.
    void answer(quint32 round, int microBatch) {
        const Slot slot = cutSlots(m_model, 2, DType::Float32).front();
        const std::vector<float> values(static_cast<std::size_t>(4 * slot.elements()), 0.01F);
        deliver(TensorKind::Gradient, LoopbackHome::fingerprintOf(1).toHex(), round, microBatch, slot, values.data());
    }
    /// False: it never comes to that.
    bool workUntil(const std::function<bool()> &condition) {
        while (!condition()) {
            const auto worked = m_executor->step();
            if (!worked || (!*worked && !m_woken.try_acquire_for(std::chrono::milliseconds(patience))))
                return false;
        }
        return true;
    }
    quint64 version() const { return m_executor->version(); }
    void abandonRound() { m_executor->abandonRound(); }
    /// Of the layer with statistics.
    std::shared_ptr<Buffer> state() const {
        std::shared_ptr<Buffer> bytes = Buffer::allocate(m_executor->stateBytes(0));
        return m_executor->readStates({{0, bytes->bytes()}}) ? bytes : nullptr;
    }
    int forwards = 0;  // that it has done

  private:
    void deliver(TensorKind kind, const QString &from, quint32 round, int microBatch, const Slot &slot,
                 const void *values) {
        TensorHeader header;
        header.kind = kind;
        header.dtype = slot.dtype;
        header.dims = {4};
        for (const qint64 size : slot.shape)
            header.dims.push_back(static_cast<quint32>(size));
        header.term = 1;
        header.round = round;
        header.microBatch = static_cast<quint32>(microBatch);
        header.sampleCount = 4;
        const auto bytes = Buffer::allocate(4 * slot.bytes());
        std::memcpy(bytes->data(), values, static_cast<std::size_t>(bytes->size()));
        QVERIFY(m_executor->deliver(from, {header, bytes}));
    }

    const Model m_model = normalized();
    std::counting_semaphore<> m_woken{0};
    std::unique_ptr<StageExecutor> m_executor;  // last: its threads use the others
};

}  // namespace

class AsynchronousTest : public QObject {
    Q_OBJECT

  private Q_SLOTS:
    void runEqualsALoopThatStashesWeights_data();
    void runEqualsALoopThatStashesWeights();
    void haltsInAnyPhaseBeginTheRuleAnew_data();
    void haltsInAnyPhaseBeginTheRuleAnew();
    void stagesWorkOnTwoRoundsAtOnce();
    void evaluationSeesTheNewestWeights();
    void aStateHasTheStatisticsOfAllPassesOfItsRounds_data();
    void aStateHasTheStatisticsOfAllPassesOfItsRounds();
};

void AsynchronousTest::runEqualsALoopThatStashesWeights_data() {
    QTest::addColumn<Case>("one");
    const auto adam = [](Case &one) { one.adam = true; };
    const auto vertical = [](Case &one) {
        one.asynchrony.verticalSync = true;
        std::ranges::fill(one.delays, one.delays.front());
    };
    const auto asTheyAre = [](Case &one) { one.asynchrony.predict = 0; };
    const auto averaged = [](Case &one) {
        one.asynchrony.averageEvery = 3;
        one.asynchrony.predict = 0;
    };
    QTest::newRow("two stages, an update a round") << byRound;
    QTest::newRow("two stages, an update a micro-batch") << byMicroBatch;
    QTest::newRow("three stages, an update a round, Adam") << changed(threeByRound, adam);
    QTest::newRow("three stages, an update a micro-batch, Adam") << changed(threeByMicroBatch, adam);
    QTest::newRow("three stages, an update a round, vertical sync") << changed(threeByRound, vertical);
    QTest::newRow("three stages, an update a micro-batch, vertical sync") << changed(threeByMicroBatch, vertical);
    QTest::newRow("three stages, a mean of versions every 3 rounds") << changed(threeByRound, averaged);
    QTest::newRow("three stages, a mean of versions every 3 micro-batches, Adam")
        << changed(changed(threeByMicroBatch, averaged), adam);
    QTest::newRow("two stages, rates as they are")
        << changed(byMicroBatch, [](Case &one) { one.asynchrony.correctRate = false; });
    QTest::newRow("three stages, an update a round, old weights as they are") << changed(threeByRound, asTheyAre);
    QTest::newRow("three stages, an update a micro-batch, old weights as they are")
        << changed(threeByMicroBatch, asTheyAre);
    QTest::newRow("two stages, led on by half a step")
        << changed(byMicroBatch, [](Case &one) { one.asynchrony.predict = 0.5; });
    QTest::newRow("two stages, recomputed") << changed(byRound, [](Case &one) { one.plan.stages[0].recompute = true; });
    QTest::newRow("a group inside, an update a round") << groupByRound;
    QTest::newRow("a group inside, an update a micro-batch, Adam") << changed(groupByMicroBatch, adam);
    QTest::newRow("a group first, an update a round, Adam") << Case{groupFirst, {1, 0}, {Update::Round}, true};
    QTest::newRow("a group first, an update a micro-batch, vertical sync, a mean every 3")
        << changed(changed(Case{groupFirst, {1, 0}, {Update::MicroBatch}}, vertical), averaged);
    QTest::newRow("one device, whose passes see the newest weights") << Case{one, {0}, {Update::Round}};
}

void AsynchronousTest::runEqualsALoopThatStashesWeights() {
    QFETCH(Case, one);
    const TrainingSpec training = trainingOf(one);
    const ReferenceRun expected = trainStashed(narrowCnn(), training, padded(), firstBatches(), {termOf(one, 0)});
    QVERIFY2(expected.losses.back() < 0.9 * expected.losses.front(), "the oracle itself does not learn");
    LoopbackHome home(devicesOf(one.plan));
    PlainCoordinator coordinator(home, narrowCnn(), training, padded(), batches());
    QCOMPARE(coordinator.start(one.plan), QString());
    QCOMPARE(coordinator.runTo(trainedRounds), QString());
    QCOMPARE(coordinator.losses.size(), std::size_t(trainedRounds));
    compareWith(expected, coordinator, home, devicesOf(one.plan));
}

void AsynchronousTest::haltsInAnyPhaseBeginTheRuleAnew_data() {
    QTest::addColumn<Case>("first");
    QTest::addColumn<Case>("second");
    QTest::addColumn<int>("snapshotEvery");
    const auto adam = [](Case one) { return changed(std::move(one), [](Case &it) { it.adam = true; }); };
    const Case turned{threeTurned, {1, 1, 0}, {Update::Round}},
        turnedByMicroBatch{threeTurned, {3, 1, 0}, {Update::MicroBatch}};
    QTest::newRow("three stages turned around, an update a round") << threeByRound << turned << 1;
    QTest::newRow("three stages turned around, an update a round, snapshots every 2, Adam")
        << adam(threeByRound) << adam(turned) << 2;
    QTest::newRow("three stages turned around, an update a micro-batch, Adam")
        << adam(threeByMicroBatch) << adam(turnedByMicroBatch) << 1;
    QTest::newRow("two stages and three, an update a round, Adam") << adam(byRound) << adam(turned) << 1;
    QTest::newRow("a group and two stages, an update a round") << groupByRound << byRound << 1;
    QTest::newRow("groups re-cut, an update a micro-batch")
        << groupByMicroBatch << Case{groupFirst, {1, 0}, {Update::MicroBatch}} << 1;
}

/// Halted when the n-th tensor between workers has come since the last halt, for a different n each time.
void AsynchronousTest::haltsInAnyPhaseBeginTheRuleAnew() {
    QFETCH(Case, first);
    QFETCH(Case, second);
    QFETCH(int, snapshotEvery);
    const TrainingSpec training = trainingOf(first);
    LoopbackHome home(3);
    PlainCoordinator coordinator(home, narrowCnn(), training, padded(), batches());
    coordinator.snapshotEvery = snapshotEvery;
    int frames = 0, halts = 0;
    home.onFrame = [&](int, int, const TensorFrame &frame) {
        if (frame.header.kind != TensorKind::Replica)
            ++frames;
    };
    std::vector<StashedTerm> terms{termOf(first, 0)};
    QCOMPARE(coordinator.start(first.plan), QString());
    while (coordinator.version < trainedRounds) {
        frames = 0;
        const quint64 last = std::min<quint64>(trainedRounds, coordinator.version + 5);
        const int wanted = 1 + 11 * halts % 61;
        QCOMPARE(coordinator.runUntil([&] { return frames >= wanted; }, last), QString());
        if (coordinator.version == trainedRounds)
            break;
        QVERIFY(++halts < 200);
        const Case &next = halts % 2 == 0 ? first : second;
        QCOMPARE(coordinator.recover(next.plan), QString());
        // Rounds that were thrown away come again, perhaps with other weights.
        coordinator.losses.erase(coordinator.losses.upper_bound(coordinator.version), coordinator.losses.end());
        while (!terms.empty() && terms.back().firstRound >= static_cast<int>(coordinator.version))
            terms.pop_back();
        terms.push_back(termOf(next, coordinator.version));
    }
    QVERIFY2(halts >= 5, qPrintable(QString::number(halts)));
    compareWith(trainStashed(narrowCnn(), training, padded(), firstBatches(), terms), coordinator, home, 1);
}

/// A first stage that waited for its update would send nothing of a round before it has all gradients of the one
/// before.
void AsynchronousTest::stagesWorkOnTwoRoundsAtOnce() {
    LoopbackHome home(3);
    PlainCoordinator coordinator(home, narrowCnn(), trainingOf(threeByRound), padded(), batches());
    quint32 finished = 0;  // the last round all whose gradients the first stage has
    int early = 0;
    std::map<quint32, int> gradients;
    home.onFrame = [&](int from, int to, const TensorFrame &frame) {
        const quint32 round = frame.header.round;
        if (to == 0 && frame.header.kind == TensorKind::Gradient && ++gradients[round] == 4)
            finished = round;
        if (from == 0 && frame.header.kind == TensorKind::Activation && round > finished + 1)
            ++early;
    };
    QCOMPARE(coordinator.start(three), QString());
    QCOMPARE(coordinator.runTo(10), QString());
    QVERIFY2(early > 0, qPrintable(QString::number(early)));
}

void AsynchronousTest::evaluationSeesTheNewestWeights() {
    const TrainingSpec training = trainingOf(threeByMicroBatch);
    LoopbackHome home(3);
    PlainCoordinator coordinator(home, narrowCnn(), training, padded(), batches());
    QCOMPARE(coordinator.start(three), QString());
    QCOMPARE(coordinator.runTo(6), QString());
    const SampleBatch test = syntheticBatch(24, 10, 7);
    const LoopbackHome::Evaluation drained = home.evaluate(6, test);
    QCOMPARE(drained.samples, 24);
    // The same weights in a home that trains in no way at all.
    LoopbackHome other(1);
    PlainCoordinator judge(other, narrowCnn(), training, padded(), batches());
    judge.weights = home.weights();
    QCOMPARE(judge.start(TestPlan{8, {{0, 5, {{0, 8}}}}}), QString());
    const LoopbackHome::Evaluation plain = other.evaluate(0, test);
    QVERIFY(std::abs(plain.lossSum - drained.lossSum) <= 1e-10 * plain.lossSum);
    // Versions that the rule still needs were kept: training goes on as if nobody had asked.
    QCOMPARE(coordinator.runTo(trainedRounds), QString());
    compareWith(trainStashed(narrowCnn(), training, padded(), firstBatches(), {termOf(threeByMicroBatch, 0)}),
                coordinator, home, 1);
}

void AsynchronousTest::aStateHasTheStatisticsOfAllPassesOfItsRounds_data() {
    QTest::addColumn<bool>("recompute");
    QTest::addColumn<bool>("abandoned");
    QTest::newRow("of a round that the next one overlaps") << false << false;
    QTest::newRow("of a round that the next one overlaps, recomputed") << true << false;
    QTest::newRow("gone back to in the middle of the next round") << false << true;
    QTest::newRow("gone back to in the middle of the next round, recomputed") << true << true;
}

/// As if nothing had come of the next round.
void AsynchronousTest::aStateHasTheStatisticsOfAllPassesOfItsRounds() {
    QFETCH(bool, recompute);
    QFETCH(bool, abandoned);
    LoneStage alone(recompute);
    for (const int microBatch : {0, 1}) {
        alone.feed(1, microBatch);
        alone.answer(1, microBatch);
    }
    QVERIFY(alone.workUntil([&] { return alone.version() == 1; }));
    QCOMPARE(alone.forwards, 2);

    LoneStage stage(recompute);
    const std::vector<std::pair<quint32, int>> fed{{1, 0}, {1, 1}, {2, 0}, {2, 1}, {3, 0}};
    for (const auto &[round, microBatch] : fed)
        stage.feed(round, microBatch);
    stage.answer(1, 0);
    QVERIFY(stage.workUntil([&] { return stage.forwards == 3; }));  // the last one of the next round
    stage.answer(1, 1);
    QVERIFY(stage.workUntil([&] { return stage.version() == 1; }));
    if (abandoned) {
        stage.answer(2, 0);
        // There is room for that of round 3 once the gradient is taken in.
        QVERIFY(stage.workUntil([&] { return stage.forwards == 5; }));
        stage.abandonRound();
    }
    const auto expected = alone.state(), actual = stage.state();
    QVERIFY(expected && actual);
    QVERIFY(std::ranges::equal(actual->bytes(), expected->bytes()));
}

QTEST_GUILESS_MAIN(AsynchronousTest)
#include "asynchronous_test.moc"
