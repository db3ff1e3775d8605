// Groups that round their gradients: the weights are those of a plain loop that rounds the same way, wherever it is
// halted, and all members have the same.
#include "core/base/block_codecs.h"
#include "tests/core/train/recovery_cases.h"

using namespace hearth;
using namespace hearth::recovery;

namespace {

TrainingSpec wholeRun() {
    TrainingSpec training = trainingBy(false);
    training.rounds = rounds;
    return training;
}

const TestPlan three53{8, {{0, 5, {{0, 4}, {1, 3}, {2, 1}}, 1}}};
const TestPlan five{8, {{0, 5, {{0, 1}, {1, 2}, {2, 1}, {3, 3}, {4, 1}}, 1}}};

PlainCoordinator roundingOn(LoopbackHome &home, const TrainingSpec &training = wholeRun()) {
    PlainCoordinator coordinator(home, narrowCnn(), training, padded(), batches());
    coordinator.gradientCodec = &bfp8Codec;
    coordinator.snapshotEvery = 16;
    return coordinator;
}

/// Of one member, or each of them.
bool areSame(const std::vector<NamedTensor> &one, const std::vector<NamedTensor> &other) {
    return std::ranges::equal(one, other, [](const NamedTensor &a, const NamedTensor &b) {
        return a.spec.name == b.spec.name && std::ranges::equal(a.data->bytes(), b.data->bytes());
    });
}

/// Of a group of two that nobody disturbs.
const std::vector<NamedTensor> &undisturbed() {
    static const std::vector<NamedTensor> weights = [] {
        LoopbackHome home(3);
        PlainCoordinator coordinator = roundingOn(home);
        QString wrong = coordinator.start(group);
        wrong += coordinator.runTo(rounds);
        return wrong.isEmpty() ? home.weights() : throw std::runtime_error(qPrintable(wrong));
    }();
    return weights;
}

}  // namespace

class RoundedGradientsTest : public QObject {
    Q_OBJECT

  private Q_SLOTS:
    void aRunEqualsAPlainLoopThatRounds_data() {
        QTest::addColumn<TestPlan>("plan");
        QTest::newRow("two members of unequal shares") << group;
        QTest::newRow("three members of unequal shares") << three53;
    }
    void aRunEqualsAPlainLoopThatRounds() {
        QFETCH(TestPlan, plan);
        std::vector<int> shares;
        for (const auto &[device, samples] : plan.stages.front().shares)
            shares.push_back(samples);
        const std::vector<SampleBatch> some(batches().begin(), batches().begin() + rounds);
        const ReferenceRun expected = trainRounded(narrowCnn(), wholeRun(), padded(), some, shares);
        LoopbackHome home(3);
        qint64 rounded = 0, exact = 0;
        home.onFrame = [&](int, int, const TensorFrame &frame) {
            if (frame.header.kind == TensorKind::AllReduce)
                ++(frame.header.codec == bfp8Codec.number ? rounded : exact);
        };
        PlainCoordinator coordinator = roundingOn(home);
        QCOMPARE(coordinator.start(plan), QString());
        QCOMPARE(coordinator.runTo(rounds), QString());
        QCOMPARE(rounded, exact / 3 * (rounds - 3));  // rounds 16, 32 and the last
        for (const auto &[round, loss] : coordinator.losses)
            QVERIFY2(std::abs(loss - expected.losses[round - 1]) <= 1e-10 * expected.losses[round - 1],
                     qPrintable(QStringLiteral("round %1").arg(round)));
        QCOMPARE(differenceOf(home.weights(), expected.weights), QString());
    }

    void allMembersHoldTheSame() {
        LoopbackHome home(5);
        PlainCoordinator coordinator = roundingOn(home);
        QCOMPARE(coordinator.start(three53), QString());
        QCOMPARE(coordinator.runTo(10), QString());
        const std::vector<NamedTensor> first = home.weights(0);
        QVERIFY(areSame(home.weights(1), first));
        QVERIFY(areSame(home.weights(2), first));
    }

    /// A state in which something is owed is none: training goes back to the last one in which nothing is.
    void haltsLeaveNoTrace() {
        LoopbackHome home(3);
        PlainCoordinator coordinator = roundingOn(home);
        int frames = 0;
        home.onFrame = [&](int, int, const TensorFrame &frame) {
            frames += frame.header.kind == TensorKind::Replica ? 0 : 1;
        };
        QCOMPARE(coordinator.start(group), QString());
        for (const quint64 from : {19, 16, 23, 30, 36}) {
            QCOMPARE(coordinator.runTo(from), QString());
            frames = 0;
            QCOMPARE(coordinator.runUntil([&] { return frames >= 3; }, from + 1), QString());
            QCOMPARE(coordinator.recover(group), QString());
            QCOMPARE(coordinator.version % 16, quint64{0});
            QVERIFY(coordinator.version > 0);
        }
        QCOMPARE(coordinator.runTo(rounds), QString());
        QVERIFY(areSame(home.weights(0), undisturbed()));
        QVERIFY(areSame(home.weights(1), undisturbed()));
    }

    /// What a lost member owed is in the version that is gone back to.
    void aLostMemberTakesNothingAlong() {
        std::vector<NamedTensor> weights[2];
        for (const bool lost : {false, true}) {
            LoopbackHome home(3);
            PlainCoordinator coordinator = roundingOn(home);
            QCOMPARE(coordinator.start(group), QString());
            QCOMPARE(coordinator.runTo(lost ? 21 : 16), QString());
            if (lost)
                home.lose(1);
            QCOMPARE(coordinator.recover(onlyOneOf(0)), QString());
            QCOMPARE(coordinator.version, quint64{16});
            QCOMPARE(coordinator.runTo(30), QString());
            weights[lost] = home.weights();
        }
        QVERIFY(areSame(weights[0], weights[1]));
    }

    /// Before a change of plan that everybody knows of, one round more is enough.
    void aRoundIsExactWhereThatIsAsked() {
        LoopbackHome home(3);
        PlainCoordinator coordinator = roundingOn(home);
        QCOMPARE(coordinator.start(group), QString());
        QCOMPARE(coordinator.runTo(20), QString());
        for (int device = 0; device < 2; ++device)
            home.note(device, QStringLiteral("exact"), {{QLatin1String("version"), 21}});
        QCOMPARE(coordinator.runTo(21), QString());
        QCOMPARE(coordinator.halt(), QString());
        QCOMPARE(coordinator.newestWhole(), 21);
    }

    void largerGroupsSumAsTheyAre() {
        LoopbackHome home(5);
        bool isRounded = false;
        home.onFrame = [&](int, int, const TensorFrame &frame) { isRounded |= frame.header.codec != 0; };
        PlainCoordinator coordinator = roundingOn(home);
        QCOMPARE(coordinator.start(five), QString());
        QCOMPARE(coordinator.runTo(3), QString());
        QVERIFY(!isRounded);
        QCOMPARE(coordinator.halt(), QString());
        QCOMPARE(coordinator.newestWhole(), 3);
    }

    /// In float32, as people train.
    void itLearnsLikeAnExactRun() {
        double ends[2] = {};
        for (const bool isRounded : {false, true}) {
            TrainingSpec training = wholeRun();
            training.precision = Precision::Float32;
            LoopbackHome home(3);
            PlainCoordinator coordinator = roundingOn(home, training);
            coordinator.gradientCodec = isRounded ? &bfp8Codec : &noCodec();
            QCOMPARE(coordinator.start(three53), QString());
            QCOMPARE(coordinator.runTo(rounds), QString());
            for (int round = rounds - 9; round <= rounds; ++round)
                ends[isRounded] += coordinator.losses.at(static_cast<quint64>(round)) / 10;
            QVERIFY(ends[isRounded] < 0.9 * coordinator.losses.at(1));
        }
        QVERIFY2(std::abs(ends[1] - ends[0]) < 0.03 * ends[0],
                 qPrintable(QStringLiteral("%1 and %2").arg(ends[0]).arg(ends[1])));
    }

  private:
    static TestPlan onlyOneOf(int device) { return {8, {{0, 5, {{device, 8}}}}}; }
};

QTEST_GUILESS_MAIN(RoundedGradientsTest)
#include "rounded_gradients_test.moc"
