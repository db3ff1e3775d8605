// Gradients clipped by the norm of all stages' together: any plan trains as torch.nn.utils.clip_grad_norm_ on one
// device.
#include "tests/core/train/recovery_cases.h"

using namespace hearth;
using namespace hearth::recovery;

namespace {

TrainingSpec clipped(bool adam, double limit) {
    TrainingSpec training = trainingBy(adam);
    training.optimizer.clipNorm = limit;
    return training;
}

constexpr int count = 20;

/// Some rounds are clipped by it, some are not.
double limitOf(bool tied, bool adam) {
    static std::map<std::pair<bool, bool>, double> known;
    double &limit = known[{tied, adam}];
    if (limit == 0) {
        std::vector<double> norms = trainPlainly(tied ? tiedModel() : narrowCnn(), trainingBy(adam), padded(),
                                                 {batches().begin(), batches().begin() + count})
                                        .norms;
        std::ranges::sort(norms);
        limit = norms[count / 2];
    }
    return limit;
}

const ReferenceRun &expectedOf(bool tied, bool adam) {
    static std::map<std::pair<bool, bool>, ReferenceRun> known;
    ReferenceRun &run = known[{tied, adam}];
    if (run.losses.empty()) {
        run = trainPlainly(tied ? tiedModel() : narrowCnn(), clipped(adam, limitOf(tied, adam)), padded(),
                           {batches().begin(), batches().begin() + count});
    }
    return run;
}

}  // namespace

class ClipNormTest : public QObject {
    Q_OBJECT

  private Q_SLOTS:
    void aRunEqualsAPlainLoop_data() {
        QTest::addColumn<TestPlan>("plan");
        QTest::addColumn<bool>("tied");
        QTest::addColumn<bool>("adam");
        QTest::newRow("one device") << one << false << false;
        QTest::newRow("a group") << group << false << false;
        QTest::newRow("two stages, recomputed, Adam") << twoOther << false << true;
        QTest::newRow("three stages") << three << false << false;
        QTest::newRow("a group first, Adam") << groupFirst << false << true;
        QTest::newRow("a group last") << groupLast << false << false;
        QTest::newRow("tied tensors in one stage") << one << true << false;
        QTest::newRow("tied tensors in three stages") << three << true << false;
        QTest::newRow("tied tensors in three stages, two of them groups") << groups << true << false;
    }
    void aRunEqualsAPlainLoop() {
        QFETCH(TestPlan, plan);
        QFETCH(bool, tied);
        QFETCH(bool, adam);
        LoopbackHome home(5);
        PlainCoordinator coordinator(home, tied ? tiedModel() : narrowCnn(), clipped(adam, limitOf(tied, adam)),
                                     padded(), batches());
        QCOMPARE(coordinator.start(plan), QString());
        QCOMPARE(coordinator.runTo(count), QString());
        for (const RoundReport &report : home.reports(count))
            QVERIFY(report.gradientNorm && std::abs(*report.gradientNorm - expectedOf(tied, adam).norms.back()) <=
                                               1e-10 * expectedOf(tied, adam).norms.back());
        compareWith(home, coordinator, expectedOf(tied, adam));
    }

    /// A device is lost in the middle of a round, borders move, and the rounds that follow are clipped as before.
    void aLossLeavesNoTrace_data() {
        QTest::addColumn<bool>("tied");
        QTest::newRow("of a plain network") << false;
        QTest::newRow("of one with tied tensors") << true;
    }
    void aLossLeavesNoTrace() {
        QFETCH(bool, tied);
        LoopbackHome home(3);
        PlainCoordinator coordinator(home, tied ? tiedModel() : narrowCnn(), clipped(false, limitOf(tied, false)),
                                     padded(), batches());
        int frames = 0;
        home.onFrame = [&](int, int, const TensorFrame &frame) {
            frames += frame.header.kind == TensorKind::Replica ? 0 : 1;
        };
        QCOMPARE(coordinator.start(groupLast), QString());
        QCOMPARE(coordinator.runTo(5), QString());
        frames = 0;
        QCOMPARE(coordinator.runUntil([&] { return frames > 5; }, 6), QString());
        home.lose(2);
        QCOMPARE(coordinator.recover(two), QString());
        QCOMPARE(coordinator.runTo(12), QString());
        QCOMPARE(coordinator.recover(twoOther), QString());
        QCOMPARE(coordinator.runTo(count), QString());
        compareWith(home, coordinator, expectedOf(tied, false));
    }

    /// One number from each stage to the one before, and one to every other device.
    void oneNumberCrossesEachCutAndBack() {
        LoopbackHome home(3);
        std::map<std::pair<int, int>, int> frames;
        home.onFrame = [&](int from, int to, const TensorFrame &frame) {
            if (frame.header.kind == TensorKind::AllReduce && frame.header.dtype == DType::Float64 &&
                frame.payload->size() == 8)
                ++frames[{from, to}];
        };
        PlainCoordinator coordinator(home, narrowCnn(), clipped(false, limitOf(false, false)), padded(), batches());
        QCOMPARE(coordinator.start(groupLast), QString());
        QCOMPARE(coordinator.runTo(3), QString());
        const std::map<std::pair<int, int>, int> expected{{{1, 0}, 3}, {{0, 1}, 3}, {{1, 2}, 3}};
        QVERIFY(frames == expected);
    }

  private:
    static void compareWith(LoopbackHome &home, const PlainCoordinator &coordinator, const ReferenceRun &expected) {
        QVERIFY2(expected.clipped > 0 && expected.clipped < count,
                 qPrintable(QStringLiteral("%1 rounds are clipped").arg(expected.clipped)));
        QVERIFY(coordinator.losses.size() >= std::size_t{count / 2});
        for (const auto &[round, loss] : coordinator.losses)
            QVERIFY2(std::abs(loss - expected.losses[round - 1]) <= 1e-10 * expected.losses[round - 1],
                     qPrintable(QStringLiteral("round %1").arg(round)));
        for (int member = 0; member < 2; ++member) {
            QCOMPARE(differenceOf(home.weights(member), expected.weights), QString());
        }
    }
};

QTEST_GUILESS_MAIN(ClipNormTest)
#include "clip_norm_test.moc"
