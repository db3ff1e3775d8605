// What a device must have free before layers are built there: to the byte what is kept of their weights.
#include <QTest>

#include "core/model/catalogue.h"
#include "core/train/room_for_layers.h"
#include "core/train/stage_place.h"
#include "tests/core/train/delegating_device.h"

using namespace hearth;

namespace {

class SmallDevice final : public DelegatingDevice {
  public:
    explicit SmallDevice(qint64 bytes) : m_bytes(bytes) {}
    TensorMemory memory() override { return {0, 0, m_bytes}; }

  private:
    qint64 m_bytes;
};

Asynchrony by(Asynchrony::Update update, double predict = 0) {
    Asynchrony asynchrony;
    asynchrony.update = update;
    asynchrony.predict = predict;
    return asynchrony;
}

/// Of layers 2 to 5, all of which is trained.
qint64 weightBytes(const Model &model) {
    qint64 bytes = 0;
    for (std::size_t l = 2; l < 5; ++l)
        bytes += model.layers[l].shape.trainableBytes(DType::Float32);
    return bytes;
}

}  // namespace

class RoomForLayersTest : public QObject {
    Q_OBJECT

  private Q_SLOTS:
    /// Weights, gradients and momentum are three.
    void allThatIsKeptOfWeightsCounts_data() {
        QTest::addColumn<TrainingSpec>("training");
        QTest::addColumn<int>("inFlight");
        QTest::addColumn<int>("copies");
        TrainingSpec rounds, predicted, microBatches, local, outer;
        rounds.asynchronous = by(Asynchrony::Update::Round);
        predicted.asynchronous = by(Asynchrony::Update::Round, 1);
        microBatches.asynchronous = by(Asynchrony::Update::MicroBatch);
        local.localSteps.emplace();
        outer.localSteps = LocalSteps{32, 0.7, 0.9};
        QTest::newRow("stages that wait for each other") << TrainingSpec() << 3 << 3;
        QTest::newRow("asynchronous: one older version") << rounds << 3 << 3 + 1;
        QTest::newRow("asynchronous, predicted: one more") << predicted << 3 << 3 + 2;
        QTest::newRow("asynchronous, an update per micro-batch: two older ones, and how the round began")
            << microBatches << 3 << 3 + 2 + 2;
        QTest::newRow("local steps: how the round began") << local << 1 << 3 + 2;
        QTest::newRow("local steps with outer momentum") << outer << 1 << 3 + 1 + 2;
    }
    void allThatIsKeptOfWeightsCounts() {
        QFETCH(TrainingSpec, training);
        QFETCH(int, inFlight);
        QFETCH(int, copies);
        const Model model = *loadModel(QStringLiteral("fashion-cnn"));
        Deployment deployment;
        deployment.schedule = QStringLiteral("1f1b");
        deployment.microBatches = 8;
        deployment.training = training;
        Deployment::Stage stage;
        stage.firstLayer = 2;
        stage.lastLayer = 5;
        stage.inFlight = inFlight;
        stage.members = {{QStringLiteral("self"), 0, 4}};
        deployment.stages = {stage};
        const StagePlace place = stagePlaceOf(deployment, QStringLiteral("self"), 0);
        const qint64 needed = copies * weightBytes(model);
        SmallDevice enough(needed), tooSmall(needed - 1);
        QVERIFY(checkLayers(model, {place}, training, enough));
        const auto refused = checkLayers(model, {place}, training, tooSmall);
        QVERIFY(!refused);
        QCOMPARE(refused.error().code, QStringLiteral("worker.out-of-memory"));
    }
};

QTEST_GUILESS_MAIN(RoomForLayersTest)
#include "room_for_layers_test.moc"
