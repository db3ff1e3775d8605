// Frozen tensors: any plan trains the others as a plain loop does, and nobody sends these with the states.
#include <tuple>

#include "core/model/init.h"
#include "core/model/layer_state.h"
#include "core/wire/state_chunks.h"
#include "tests/core/model/frozen_model.h"
#include "tests/core/train/recovery_cases.h"

using namespace hearth;
using namespace hearth::recovery;

namespace {

/// narrow-cnn with these layers frozen.
Model frozenCnn(const QList<int> &frozen) {
    return modelWithFrozen(narrowCnn(), frozen);
}

/// The ways that frozen tensors take.
class Frozen {
  public:
    using Way = std::tuple<int, int, int>;  // {from, to, layer}; -1 is the coordinator
    Frozen(LoopbackHome &home, const Model &model) : m_home(home), m_model(model) {
        home.onFrame = [this](int from, int to, const TensorFrame &frame) {
            if (frame.header.kind != TensorKind::Replica || frame.header.version != frozenVersion)
                return;
            m_ways[{from, to, frame.header.stage}] += frame.payload->size();
            if (onChunk)
                onChunk(from, frame);
        };
    }
    std::function<void(int from, const TensorFrame &frame)> onChunk;
    std::map<Way, qint64> ways() const {
        auto all = m_ways;
        for (const auto &[device, layer] : m_home.wantedFrozen)
            all[{-1, device, layer}] += bytes(layer);
        return all;
    }
    qint64 bytes(int layer) const {
        return LayerStateLayout::ofFrozen(m_model.layers[static_cast<std::size_t>(layer)], DType::Float64).bytes;
    }
    void forget() {
        m_ways.clear();
        m_home.wantedFrozen.clear();
    }

  private:
    LoopbackHome &m_home;
    const Model &m_model;
    std::map<Way, qint64> m_ways;
};

/// `given`: no device may make the weights by itself.
TrainingSpec training(bool given) {
    TrainingSpec spec = trainingBy(true);
    if (given)
        spec.seed = 99;
    return spec;
}

/// Its second layer gives what it takes and whole numbers, through which no gradient flows back to "off".
Model cutOff() {
    const QByteArray json =
        R"({"format": "hearth-model/1", "name": "cut-off", "input": [1, 32, 32], "classes": 10, "layers": [
      {"name": "stem", "kind": "graph", "ops": [
        {"name": "pool", "kind": "average-pool", "kernel": 4}, {"name": "flat", "kind": "flatten"},
        {"name": "in", "kind": "linear", "features": 64}, {"name": "relu", "kind": "relu"}]},
      {"name": "body", "kind": "graph", "ops": [
        {"name": "off", "kind": "linear", "features": 64}, {"name": "whole", "kind": "cast", "to": "int64"},
        {"name": "real", "kind": "cast", "to": "real"}, {"name": "sum", "kind": "add", "from": ["real", "input"]}]},
      {"name": "head", "kind": "graph", "ops": [{"name": "out", "kind": "linear", "features": 10}]}]}
    )";
    const auto model = Model::fromJson(QJsonDocument::fromJson(json).object(), QStringLiteral("the test"));
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
        QTest::newRow("all but the head, interleaved") << body << interleaved << true;
        QTest::newRow("first and last, interleaved without bubbles") << ends << interleavedOther << false;
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

    /// It would wait for ever: the gradient is zero, as on one device.
    void aGroupDoesNotWaitForAGradientThatNeverComes() {
        const Model model = cutOff();
        std::vector<std::vector<NamedTensor>> trained;
        for (const TestPlan &plan : {TestPlan{16, {{0, 3, {{0, 16}}}}}, TestPlan{8, {{0, 3, {{0, 5}, {1, 3}}, 1}}}}) {
            LoopbackHome home(2);
            PlainCoordinator coordinator(home, model, trainingBy(false), padded(), batches());
            QCOMPARE(coordinator.start(plan), QString());
            QCOMPARE(coordinator.runTo(3), QString());
            trained.push_back(home.weights());
        }
        QCOMPARE(differenceOf(trained[1], trained[0]), QString());
    }

    /// Its first stage waits for no gradient and could be rounds ahead of the device's other one: what is kept of a
    /// version would not be of all its layers.
    void stagesOfOneDeviceKeepTheSameVersions() {
        const Model model = frozenCnn({0, 1, 2});
        LoopbackHome home(3);
        PlainCoordinator coordinator(home, model, trainingBy(true), padded(), batches());
        coordinator.backups = {{0, 1, 0, 1}, {1, 2, 1, 0}, {2, 3, 0, 1}, {3, 5, 1, 0}};
        coordinator.keepEvery = 2;
        QCOMPARE(coordinator.start(interleaved), QString());
        for (quint64 round = 3; round <= 12; round += 3) {
            QCOMPARE(coordinator.runTo(round), QString());
            QCOMPARE(coordinator.recover(interleaved), QString());
            QCOMPARE(coordinator.version, round);
        }
        compareWith(home, coordinator, model, true, 12);
    }

    void aLossAndAMoveLeaveNoTrace_data() {
        QTest::addColumn<bool>("given");
        QTest::newRow("weights of the seed") << false;
        QTest::newRow("weights that were given") << true;
    }
    /// Whoever has a layer keeps its frozen tensors; whoever gets it asks who has them, where no seed makes them. The
    /// coordinator gives each layer once.
    void aLossAndAMoveLeaveNoTrace() {
        QFETCH(bool, given);
        const Model model = frozenCnn({0, 1, 3});
        LoopbackHome home(3);
        Frozen came(home, model);
        PlainCoordinator coordinator(home, model, training(given), padded(), batches());
        if (given)
            coordinator.weights = initialise(model, TrainingSpec().seed, DType::Float64);
        QCOMPARE(coordinator.start(groupLast), QString());
        std::map<Frozen::Way, qint64> ways;
        if (given)
            ways = {{{-1, 0, 0}, came.bytes(0)},
                    {{-1, 0, 1}, came.bytes(1)},
                    {{-1, 1, 3}, came.bytes(3)},
                    {{1, 2, 3}, came.bytes(3)}};
        QVERIFY(came.ways() == ways);
        QCOMPARE(coordinator.runTo(6), QString());
        home.lose(2);
        QCOMPARE(coordinator.recover(alone), QString());
        QVERIFY(came.ways() == ways);
        QCOMPARE(coordinator.runTo(9), QString());
        QCOMPARE(coordinator.recover(turned), QString());
        if (given) {
            ways[{1, 0, 3}] = came.bytes(3);
            ways[{0, 1, 0}] = came.bytes(0);
            ways[{0, 1, 1}] = came.bytes(1);
        }
        QVERIFY(came.ways() == ways);
        QCOMPARE(coordinator.runTo(12), QString());
        compareWith(home, coordinator, model, true, 12);
    }

    void whoFailsAsASourceIsReplaced_data() {
        QTest::addColumn<QString>("failure");
        QTest::addColumn<bool>("another");  // device has them, too
        for (const bool another : {false, true}) {
            for (const char *failure : {"none", "wrong bytes", "gone"})
                QTest::addRow("%s, %s", failure, another ? "another device next" : "the coordinator next")
                    << QString::fromLatin1(failure) << another;
        }
    }
    /// Device 2 had the last three layers, with device 3 or alone, and rests from now on; device 1 gets them.
    void whoFailsAsASourceIsReplaced() {
        QFETCH(QString, failure);
        QFETCH(bool, another);
        const Model model = frozenCnn({0, 1, 3});
        LoopbackHome home(4);
        Frozen came(home, model);
        PlainCoordinator coordinator(home, model, training(true), padded(), batches());
        coordinator.weights = initialise(model, TrainingSpec().seed, DType::Float64);
        coordinator.source = PlainCoordinator::Source::Coordinator;
        const TestPlan before{8, {{0, 2, {{0, 8}}, 3}, {2, 5, {{2, 5}, {3, 3}}, 1}}};
        const TestPlan lonely{8, {{0, 2, {{0, 8}}, 3}, {2, 5, {{2, 8}}, 1}}};
        QCOMPARE(coordinator.start(another ? before : lonely), QString());
        QCOMPARE(coordinator.runTo(5), QString());
        QCOMPARE(coordinator.halt(), QString());
        came.forget();
        came.onChunk = [&](int from, const TensorFrame &frame) {
            if (from != 2)
                return;
            if (failure == QLatin1String("wrong bytes"))
                frame.payload->data()[1] ^= std::byte{4};
            if (failure == QLatin1String("gone"))
                home.lose(2);  // with the first chunk of many
        };
        QCOMPARE(coordinator.goOn(alone), QString());
        const Frozen::Way first{2, 1, 3}, next{another ? 3 : -1, 1, 3};
        const auto ways = came.ways();
        QCOMPARE(ways.contains(next), failure != QLatin1String("none"));
        QVERIFY(ways.contains(first));
        if (ways.contains(next))
            QCOMPARE(ways.at(next), came.bytes(3));
        QCOMPARE(coordinator.runTo(8), QString());
        compareWith(home, coordinator, model, true, 8);
    }

    void withoutAnySourceThereIsAClearError() {
        const Model model = frozenCnn({0, 1, 3});
        LoopbackHome home(2);
        home.givesOthers = true;
        PlainCoordinator coordinator(home, model, training(true), padded(), batches());
        coordinator.weights = initialise(model, TrainingSpec().seed, DType::Float64);
        const QString error = coordinator.start(two);
        QVERIFY2(error.contains(QStringLiteral("are missing")), qPrintable(error));
        home.givesOthers = false;
        QCOMPARE(coordinator.start(two), QString());
        QCOMPARE(coordinator.runTo(3), QString());
    }

    /// No worker makes them of the seed by mistake.
    void whatIsNotListedIsRefused() {
        const Model model = frozenCnn({0, 1, 3});
        LoopbackHome home(1);
        Deployment wanted = home.deployment(model, one, batchSize, trainingBy(true), padded());
        wanted.frozen = LoopbackHome::frozenIn(model, initialise(model, 1, DType::Float64));
        wanted.frozen.pop_back();
        auto deployed = home.deploy(wanted);
        QVERIFY(!deployed);
        QCOMPARE(deployed.error().code, QStringLiteral("worker.bad-deployment"));
        wanted.frozen.push_back({4, wanted.frozen.front().sha256, {}});
        deployed = home.deploy(wanted);
        QVERIFY(!deployed);
        QCOMPARE(deployed.error().code, QStringLiteral("worker.bad-deployment"));
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
