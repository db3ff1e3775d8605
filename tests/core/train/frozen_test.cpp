// Frozen tensors: any plan trains the others as a plain loop does, and nobody sends these with the states.
#include <QJsonArray>

#include "core/model/init.h"
#include "core/model/layer_state.h"
#include "tests/core/train/recovery_cases.h"

using namespace hearth;
using namespace hearth::recovery;

namespace {

/// fashion-cnn with these layers frozen.
Model frozenCnn(const QList<int> &frozen) {
    QJsonObject description = fashionCnn().toJson();
    QJsonArray layers = description[QStringLiteral("layers")].toArray();
    for (const int layer : frozen) {
        QJsonObject changed = layers[layer].toObject();
        changed[QStringLiteral("frozen")] = true;
        layers[layer] = changed;
    }
    description[QStringLiteral("layers")] = layers;
    const auto model = Model::fromJson(description, QStringLiteral("the test"));
    return model ? *model : throw std::runtime_error(qPrintable(model.error().toString()));
}

const TestPlan alone{8, {{0, 2, {{0, 8}}, 3}, {2, 5, {{1, 8}}, 1}}};
const TestPlan turned{8, {{0, 3, {{1, 8}}, 2, true}, {3, 5, {{0, 8}}, 1}}};

}  // namespace

class FrozenTest : public QObject {
    Q_OBJECT

  private Q_SLOTS:
    void aRunEqualsAPlainLoop_data() {
        QTest::addColumn<QList<int>>("frozen");
        QTest::addColumn<TestPlan>("plan");
        QTest::addColumn<bool>("adam");
        const QList<int> body{0, 1, 2, 3}, middle{2}, ends{0, 4};
        QTest::newRow("all but the head, one device") << body << one << false;
        QTest::newRow("all but the head, three stages") << body << three << true;
        QTest::newRow("all but the head, a group") << body << group << false;
        QTest::newRow("all but the head, a group first") << body << groupFirst << false;
        QTest::newRow("the middle, two stages") << middle << two << false;
        QTest::newRow("the middle, a group last") << middle << groupLast << true;
        QTest::newRow("first and last, two stages, recomputed") << ends << turned << false;
    }
    void aRunEqualsAPlainLoop() {
        QFETCH(QList<int>, frozen);
        QFETCH(TestPlan, plan);
        QFETCH(bool, adam);
        const Model model = frozenCnn(frozen);
        LoopbackHome home(3);
        PlainCoordinator coordinator(home, model, trainingBy(adam), padded(), batches());
        QCOMPARE(coordinator.start(plan), QString());
        QCOMPARE(coordinator.runTo(12), QString());
        compareWith(home, coordinator, model, adam, 12);
    }

    void aLossAndAMoveLeaveNoTrace_data() {
        QTest::addColumn<bool>("given");
        QTest::newRow("weights of the seed") << false;
        QTest::newRow("weights that were given") << true;
    }
    /// Whoever has a layer keeps its frozen tensors; whoever gets it asks for them, where no seed makes them.
    void aLossAndAMoveLeaveNoTrace() {
        QFETCH(bool, given);
        const Model model = frozenCnn({0, 1, 3});
        LoopbackHome home(3);
        TrainingSpec training = trainingBy(true);
        if (given)
            training.seed = 99;  // no device may make them by itself
        PlainCoordinator coordinator(home, model, training, padded(), batches());
        if (given)
            coordinator.weights = initialise(model, TrainingSpec().seed, DType::Float64);
        QCOMPARE(coordinator.start(groupLast), QString());
        QCOMPARE(coordinator.runTo(6), QString());
        home.lose(2);
        QCOMPARE(coordinator.recover(alone), QString());
        QVERIFY(home.wantedFrozen.empty());
        QCOMPARE(coordinator.runTo(9), QString());
        QCOMPARE(coordinator.recover(turned), QString());
        std::sort(home.wantedFrozen.begin(), home.wantedFrozen.end());
        std::vector<std::pair<int, int>> wanted;
        if (given)
            wanted = {{0, 3}, {1, 0}, {1, 1}};
        QVERIFY(home.wantedFrozen == wanted);
        QCOMPARE(coordinator.runTo(12), QString());
        compareWith(home, coordinator, model, true, 12);
    }

    void statesAreWithoutThem() {
        const Model model = frozenCnn({0, 1, 2, 3});
        LoopbackHome home(1);
        PlainCoordinator coordinator(home, model, trainingBy(true), padded(), batches());
        QCOMPARE(coordinator.start(one), QString());
        QCOMPARE(coordinator.runTo(2), QString());
        QCOMPARE(coordinator.halt(), QString());
        const auto states = home.states(0, 0, 5, 2);
        QVERIFY(states);
        qint64 bytes = 0;
        for (const auto &state : *states)
            bytes += state ? state->size() : 0;
        QCOMPARE(bytes, 3 * model.layers.back().shape.trainableBytes(DType::Float64));
    }

  private:
    static void compareWith(LoopbackHome &home, const PlainCoordinator &coordinator, const Model &model, bool adam,
                            std::ptrdiff_t count) {
        const ReferenceRun expected =
            trainPlainly(model, trainingBy(adam), padded(), {batches().begin(), batches().begin() + count});
        QVERIFY(!coordinator.losses.empty());
        for (const auto &[round, loss] : coordinator.losses)
            QVERIFY2(std::abs(loss - expected.losses[round - 1]) <= 1e-10 * expected.losses[round - 1],
                     qPrintable(QStringLiteral("round %1").arg(round)));
        for (int member = 0; member < 2; ++member) {
            const std::vector<NamedTensor> weights = home.weights(member);
            QCOMPARE(weights.size(), expected.weights.size());
            for (std::size_t i = 0; i < weights.size(); ++i) {
                const double difference = relativeDifference(weights[i], expected.weights[i]);
                QVERIFY2(difference <= (weights[i].spec.isTrainable() ? 1e-10 : 0),
                         qPrintable(QStringLiteral("%1 differs by %2").arg(weights[i].spec.name).arg(difference)));
            }
        }
    }
};

QTEST_GUILESS_MAIN(FrozenTest)
#include "frozen_test.moc"
