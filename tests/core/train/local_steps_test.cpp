// Devices that average their weights after steps of their own: the weights are those of a plain loop with as many
// models, wherever it is halted, and all members have the same.
#include <atomic>

#include "core/base/block_codecs.h"
#include "tests/core/train/delegating_device.h"
#include "tests/core/train/recovery_cases.h"

using namespace hearth;
using namespace hearth::recovery;

namespace {

constexpr int every = batchSize / 4;  // steps of 4 samples
constexpr int count = 20;

const TestPlan alone{4, {{0, 5, {{0, 4}}, 1}}};
const TestPlan pair{4, {{0, 5, {{0, 3}, {1, 1}}, 1}}};
const TestPlan otherPair{4, {{0, 5, {{0, 3}, {2, 1}}, 1}}};
const TestPlan trio{4, {{0, 5, {{0, 1}, {1, 2}, {2, 1}}, 1}}};

TrainingSpec localBy(bool adam, double rate = 1, double momentum = 0) {
    TrainingSpec training = trainingBy(adam);
    training.rounds = count;
    training.localSteps = LocalSteps{every, rate, momentum};
    if (momentum > 0)
        training.optimizer.learningRate /= 10;  // momentum on momentum
    return training;
}

TrainingSpec plainSgd() {
    TrainingSpec training = localBy(false, 0.7, 0.9);
    training.optimizer.momentum = 0;
    training.optimizer.learningRate = 0.05;
    return training;
}

std::vector<SampleBatch> used(int rounds) {
    return {batches().begin(), batches().begin() + rounds};
}

/// Each as a batch of its own.
std::vector<SampleBatch> stepsOf(const std::vector<SampleBatch> &rounds) {
    std::vector<SampleBatch> steps;
    for (const SampleBatch &batch : rounds) {
        for (int first = 0; first < batchSize; first += 4) {
            SampleBatch step;
            step.sample = batch.sample;
            step.images.assign(batch.images.begin() + first * 784, batch.images.begin() + (first + 4) * 784);
            step.labels.assign(batch.labels.begin() + first, batch.labels.begin() + first + 4);
            steps.push_back(std::move(step));
        }
    }
    return steps;
}

std::vector<int> sharesOf(const TestPlan &plan) {
    std::vector<int> shares;
    for (const auto &[device, samples] : plan.stages.front().shares)
        shares.push_back(samples);
    return shares;
}

ReferenceRun expectedOf(const TrainingSpec &training, const TestPlan &plan) {
    return trainLocally(narrowCnn(), training, padded(), used(count), sharesOf(plan));
}

bool areSame(const std::vector<NamedTensor> &one, const std::vector<NamedTensor> &other) {
    return !one.empty() && std::ranges::equal(one, other, [](const NamedTensor &a, const NamedTensor &b) {
        return a.spec.name == b.spec.name && std::ranges::equal(a.data->bytes(), b.data->bytes());
    });
}

/// Says how many optimizer steps it has taken.
class CountingDevice final : public DelegatingDevice {
  public:
    void update(const FlatOptimizer &optimizer, at::Tensor &parameters, const at::Tensor &gradients, at::Tensor &state,
                quint64 step) override {
        DelegatingDevice::update(optimizer, parameters, gradients, state, step);
        ++steps;
    }
    std::atomic<int> steps = 0;
};

void compareWith(LoopbackHome &home, const PlainCoordinator &coordinator, const ReferenceRun &expected) {
    for (const auto &[round, loss] : coordinator.losses) {
        const double plain = expected.losses[round - 1];
        QVERIFY2(std::abs(loss - plain) <= 1e-10 * plain, qPrintable(QStringLiteral("round %1").arg(round)));
    }
    QCOMPARE(differenceOf(home.weights(), expected.weights), QString());
}

}  // namespace

class LocalStepsTest : public QObject {
    Q_OBJECT

  private Q_SLOTS:
    void aRunEqualsAPlainLoop_data() {
        QTest::addColumn<TestPlan>("plan");
        QTest::addColumn<TrainingSpec>("training");
        TrainingSpec clipped = localBy(false);
        clipped.optimizer.clipNorm = 2;
        TrainingSpec cooled = localBy(true);
        cooled.schedule.kind = RateSchedule::Kind::Cosine;
        cooled.schedule.warmupRounds = 3;
        TrainingSpec factored = localBy(false, 0.8, 0.5);
        factored.optimizer = OptimizerSpec::defaultOf(OptimizerSpec::Kind::Adafactor);
        QTest::newRow("two devices of unequal shares take the mean") << pair << localBy(false);
        QTest::newRow("three devices, Adam") << trio << localBy(true);
        QTest::newRow("two devices, outer momentum") << pair << localBy(false, 0.7, 0.9);
        QTest::newRow("three devices, outer momentum, Adam") << trio << localBy(true, 0.5, 0.8);
        QTest::newRow("an outer rate alone") << trio << localBy(false, 1.3);
        QTest::newRow("each clips its own gradients") << pair << clipped;
        QTest::newRow("the learning rate changes with every step") << pair << cooled;
        QTest::newRow("factored second moments behind the outer momentum") << pair << factored;
        QTest::newRow("one device, outer momentum") << alone << localBy(false, 0.7, 0.9);
    }
    void aRunEqualsAPlainLoop() {
        QFETCH(TestPlan, plan);
        QFETCH(TrainingSpec, training);
        const ReferenceRun expected = expectedOf(training, plan);
        QCOMPARE(expected.clipped > 0, training.optimizer.clipNorm > 0);
        LoopbackHome home(3);
        PlainCoordinator coordinator(home, narrowCnn(), training, padded(), batches());
        QCOMPARE(coordinator.start(plan), QString());
        QCOMPARE(coordinator.runTo(count), QString());
        compareWith(home, coordinator, expected);
        for (std::size_t member = 1; member < plan.stages.front().shares.size(); ++member)
            QVERIFY(areSame(home.weights(static_cast<int>(member)), home.weights(0)));
    }

    void aDeviceAloneTrainsAsWithoutThem() {
        const ReferenceRun expected = trainPlainly(narrowCnn(), trainingBy(true), padded(), stepsOf(used(count)));
        LoopbackHome home(1);
        PlainCoordinator coordinator(home, narrowCnn(), localBy(true), padded(), batches());
        QCOMPARE(coordinator.start(alone), QString());
        QCOMPARE(coordinator.runTo(count), QString());
        QCOMPARE(differenceOf(home.weights(), expected.weights), QString());
    }

    /// In float32 a mean of one would round.
    void aDeviceAloneHasTheSameBits_data() {
        QTest::addColumn<bool>("adam");
        QTest::addColumn<bool>("halted");
        QTest::newRow("momentum") << false << false;
        QTest::newRow("Adam") << true << false;
        QTest::newRow("momentum, halted in the middle of a round") << false << true;
        QTest::newRow("Adam, halted in the middle of a round") << true << true;
    }
    void aDeviceAloneHasTheSameBits() {
        QFETCH(bool, adam);
        QFETCH(bool, halted);
        const std::vector<SampleBatch> steps = stepsOf(used(count));
        TrainingSpec training = trainingBy(adam);
        training.precision = Precision::Float32;
        training.rounds = count * every;
        LoopbackHome plain(1);
        PlainCoordinator expected(plain, narrowCnn(), training, padded(), steps);
        QCOMPARE(expected.start(alone), QString());
        QCOMPARE(expected.runTo(count * every), QString());
        training.rounds = count;
        training.localSteps = LocalSteps{every};
        const auto device = std::make_shared<CountingDevice>();
        WorkerOptions options;
        options.device = device;
        LoopbackHome home(1, options);
        PlainCoordinator coordinator(home, narrowCnn(), training, padded(), batches());
        coordinator.snapshotEvery = 0;  // the live state goes on
        QCOMPARE(coordinator.start(alone), QString());
        QCOMPARE(coordinator.runTo(3), QString());
        if (halted) {
            home.feed(4, batches()[3], 2);
            QVERIFY(home.waitFor([&] { return device->steps == 3 * every + 2; }));
            QCOMPARE(coordinator.recover(alone), QString());
        }
        QCOMPARE(coordinator.runTo(count), QString());
        QVERIFY(areSame(home.weights(), plain.weights()));
    }

    /// A round that was thrown away in the middle, and one that was not: the same bits, momentum of both kinds
    /// included.
    void aHaltLeavesNoTrace_data() {
        QTest::addColumn<int>("microBatches");
        QTest::addColumn<bool>("adam");
        for (const int microBatches : {1, 3}) {
            QTest::addRow("halted after %d of 4 steps", microBatches) << microBatches << false;
            QTest::addRow("halted after %d of 4 steps, Adam", microBatches) << microBatches << true;
        }
    }
    void aHaltLeavesNoTrace() {
        QFETCH(int, microBatches);
        QFETCH(bool, adam);
        const auto train = [&](bool halted) -> std::vector<NamedTensor> {
            const std::vector devices{std::make_shared<CountingDevice>(), std::make_shared<CountingDevice>()};
            std::vector<WorkerOptions> options(2);
            for (std::size_t i = 0; i < devices.size(); ++i)
                options[i].device = devices[i];
            LoopbackHome home(options);
            PlainCoordinator coordinator(home, narrowCnn(), localBy(adam, 0.7, 0.9), padded(), batches());
            coordinator.snapshotEvery = 0;  // the live state goes on
            if (!coordinator.start(pair).isEmpty() || !coordinator.runTo(3).isEmpty())
                return {};
            if (halted) {
                home.feed(4, batches()[3], microBatches);
                const auto areTaken = [&](const auto &device) { return device->steps == 3 * every + microBatches; };
                if (!home.waitFor([&] { return std::ranges::all_of(devices, areTaken); }) ||
                    !coordinator.recover(pair).isEmpty())
                    return {};
            }
            return coordinator.runTo(8).isEmpty() ? home.weights() : std::vector<NamedTensor>();
        };
        QVERIFY(areSame(train(true), train(false)));
    }

    /// Without momentum of its own nothing of it is lost.
    void aLostDevicesPlaceIsTaken() {
        LoopbackHome home(3);
        PlainCoordinator coordinator(home, narrowCnn(), plainSgd(), padded(), batches());
        QCOMPARE(coordinator.start(pair), QString());
        QCOMPARE(coordinator.runTo(6), QString());
        home.feed(7, batches()[6], 2);
        home.lose(1);
        QCOMPARE(coordinator.recover(otherPair), QString());
        QCOMPARE(coordinator.runTo(count), QString());
        compareWith(home, coordinator, expectedOf(plainSgd(), pair));
    }

    /// What rounding takes from the way of one round goes along with the next one's.
    void theWayMayBeRounded() {
        TrainingSpec training = localBy(false);
        training.precision = Precision::Float32;
        training.optimizer.learningRate /= 10;
        const auto train = [&](const Codec &codec, std::vector<NamedTensor> *other) -> std::vector<NamedTensor> {
            LoopbackHome home(3);
            qint64 rounded = 0;
            home.onFrame = [&](int, int, const TensorFrame &frame) {
                rounded += frame.header.kind == TensorKind::AllReduce && frame.header.codec == bfp8Codec.number ? 1 : 0;
            };
            PlainCoordinator coordinator(home, narrowCnn(), training, padded(), batches());
            coordinator.gradientCodec = &codec;
            if (!coordinator.start(trio).isEmpty() || !coordinator.runTo(count).isEmpty() ||
                (rounded > 0) != (&codec == &bfp8Codec))
                return {};
            *other = home.weights(1);
            return home.weights(0);
        };
        std::vector<NamedTensor> otherExact, otherRounded;
        const auto exact = train(noCodec(), &otherExact), rounded = train(bfp8Codec, &otherRounded);
        QVERIFY(areSame(exact, otherExact));
        QVERIFY(areSame(rounded, otherRounded));
        QCOMPARE(exact.size(), rounded.size());
        for (std::size_t i = 0; i < exact.size(); ++i) {
            const double apart = relativeDifference(rounded[i], exact[i]);
            QVERIFY2(apart < 0.05, qPrintable(QStringLiteral("%1: %2").arg(exact[i].spec.name).arg(apart)));
        }
    }

    void otherPlansAreRefused_data() {
        QTest::addColumn<TestPlan>("plan");
        TestPlan drained = pair;
        drained.schedule = QStringLiteral("fill-drain");
        QTest::newRow("two stages") << two;
        QTest::newRow("all forward passes first") << drained;
        QTest::newRow("other steps than there are micro-batches") << group;
    }
    void otherPlansAreRefused() {
        QFETCH(TestPlan, plan);
        LoopbackHome home(2);
        PlainCoordinator coordinator(home, narrowCnn(), localBy(false), padded(), batches());
        const QString wrong = coordinator.start(plan);
        QVERIFY2(wrong.contains(QStringLiteral("4 micro-batches")), qPrintable(wrong));
    }
};

QTEST_GUILESS_MAIN(LocalStepsTest)
#include "local_steps_test.moc"
