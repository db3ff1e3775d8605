// The moving average of the weights: any plan keeps what a plain loop does; evaluated and saved is the average.
#include "core/model/layer_state.h"
#include "tests/core/train/recovery_cases.h"

using namespace hearth;
using namespace hearth::recovery;

namespace {

constexpr int count = 20;

TrainingSpec averaged(bool adam) {
    TrainingSpec training = trainingBy(adam);
    training.optimizer.ema = 0.8;
    return training;
}

}  // namespace

class AverageTest : public QObject {
    Q_OBJECT

  private Q_SLOTS:
    void aRunEqualsAPlainLoop_data() {
        QTest::addColumn<TestPlan>("plan");
        QTest::addColumn<bool>("adam");
        QTest::newRow("one device, Adam") << one << true;
        QTest::newRow("three stages") << three << false;
        QTest::newRow("a group first, Adam") << groupFirst << true;
    }
    void aRunEqualsAPlainLoop() {
        QFETCH(TestPlan, plan);
        QFETCH(bool, adam);
        LoopbackHome home(3);
        PlainCoordinator coordinator(home, narrowCnn(), averaged(adam), padded(), batches());
        QCOMPARE(coordinator.start(plan), QString());
        QCOMPARE(coordinator.runTo(count), QString());
        compareWith(home, coordinator, adam);
    }

    /// States carry it along; an evaluation and a look at the weights in between change nothing.
    void aLossLeavesNoTrace() {
        LoopbackHome home(3);
        PlainCoordinator coordinator(home, narrowCnn(), averaged(true), padded(), batches());
        QCOMPARE(coordinator.start(groupLast), QString());
        QCOMPARE(coordinator.runTo(5), QString());
        QVERIFY(home.weights().size() > 0);
        home.evaluate(5, batches()[50]);
        home.lose(2);
        QCOMPARE(coordinator.recover(two), QString());
        QCOMPARE(coordinator.runTo(12), QString());
        home.evaluate(12, batches()[50]);
        QCOMPARE(coordinator.recover(twoOther), QString());
        QCOMPARE(coordinator.runTo(count), QString());
        compareWith(home, coordinator, true);
    }

  private:
    static void compareWith(LoopbackHome &home, const PlainCoordinator &coordinator, bool adam) {
        const std::vector<SampleBatch> used(batches().begin(), batches().begin() + count);
        const ReferenceRun expected = trainPlainly(narrowCnn(), averaged(adam), padded(), used, batches()[50]);
        const ReferenceRun last = trainPlainly(narrowCnn(), trainingBy(adam), padded(), used);
        for (const auto &[round, loss] : coordinator.losses)
            QVERIFY(std::abs(loss - expected.losses[round - 1]) <= 1e-10 * expected.losses[round - 1]);
        const auto evaluated = home.evaluate(count, batches()[50]);
        QCOMPARE(evaluated.correct, expected.correct);
        QVERIFY(std::abs(evaluated.lossSum - expected.testLossSum) <= 1e-10 * expected.testLossSum);
        double apart = 0;
        for (int member = 0; member < 2; ++member) {
            const std::vector<NamedTensor> weights = home.weights(member);
            QCOMPARE(weights.size(), expected.weights.size());
            for (std::size_t i = 0; i < weights.size(); ++i) {
                const double difference = relativeDifference(weights[i], expected.weights[i]);
                QVERIFY2(difference <= 1e-10,
                         qPrintable(QStringLiteral("%1 differs by %2").arg(weights[i].spec.name).arg(difference)));
                apart = std::max(apart, relativeDifference(weights[i], last.weights[i]));
            }
        }
        QVERIFY(apart > 1e-3);  // else the weights themselves would do
    }
};

QTEST_GUILESS_MAIN(AverageTest)
#include "average_test.moc"
