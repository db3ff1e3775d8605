// A device whose memory is not the host's: whatever reads one for the other computes something else.
#include <QTest>
#include <cmath>

#include "core/model/catalogue.h"
#include "core/train/layer_profiler.h"
#include "tests/core/train/loopback_home.h"
#include "tests/core/train/played_device.h"

using namespace hearth;

namespace {

constexpr int batchSize = 16;

TestPlan planNamed(const QString &name) {
    if (name == QLatin1String("one device"))
        return {4, {{0, 5, {{0, 4}}}}};
    if (name == QLatin1String("two stages, recomputed"))
        return {4, {{0, 2, {{0, 4}}, 3, true}, {2, 5, {{1, 4}}, 1}}};
    return {8, {{0, 2, {{0, 5}, {1, 3}}, 3}, {2, 5, {{2, 2}, {3, 5}, {4, 1}}, 1}}};
}

struct Outcome {
    std::vector<double> losses;
    std::vector<NamedTensor> weights;
    qint64 memoryBytes = 0;
};

Outcome trainOn(const std::shared_ptr<ComputeDevice> &device, const Model &model, const TestPlan &plan) {
    constexpr int rounds = 5;
    WorkerOptions options;
    options.device = device;
    int devices = 0;
    for (const TestStage &stage : plan.stages)
        devices += static_cast<int>(stage.shares.size());
    LoopbackHome home(devices, options);
    TrainingSpec training;
    training.precision = Precision::Float64;
    InputTransform input;
    input.pad = {2, 2};
    Outcome outcome;
    if (!home.deploy(home.deployment(model, plan, batchSize, training, input)))
        return outcome;
    for (quint32 r = 1; r <= rounds; ++r) {
        home.feed(r, syntheticBatch(batchSize, 10, 100 + r));
        if (!home.waitForRound(r))
            return outcome;
        outcome.losses.push_back(home.loss(r));
    }
    outcome.weights = home.weights();
    return outcome;
}

}  // namespace

class ComputeDeviceTest : public QObject {
    Q_OBJECT

  private Q_SLOTS:
    void anyDeviceTrainsToTheSameBits_data() {
        QTest::addColumn<QString>("plan");
        for (const char *plan : {"one device", "two stages, recomputed", "a group of two re-cut for a group of three"})
            QTest::newRow(plan) << QString::fromLatin1(plan);
    }
    void anyDeviceTrainsToTheSameBits() {
        QFETCH(QString, plan);
        const auto played = std::make_shared<PlayedDevice>();
        const Outcome expected = trainOn(processor(), m_model, planNamed(plan));
        const Outcome actual = trainOn(played, m_model, planNamed(plan));
        QVERIFY(!expected.weights.empty());
        // Those of several members are added in the order in which they came.
        QCOMPARE(actual.losses.size(), expected.losses.size());
        for (std::size_t i = 0; i < expected.losses.size(); ++i)
            QVERIFY(std::abs(actual.losses[i] - expected.losses[i]) <= 1e-14 * expected.losses[i]);
        QCOMPARE(actual.weights.size(), expected.weights.size());
        for (std::size_t i = 0; i < expected.weights.size(); ++i)
            QVERIFY2(std::ranges::equal(actual.weights[i].data->bytes(), expected.weights[i].data->bytes()),
                     qPrintable(expected.weights[i].spec.name));
        QVERIFY(played->copies > 0);
    }

    void aDeviceThatFailsIsNamed() {
        WorkerOptions options;
        const auto played = std::make_shared<PlayedDevice>();
        played->failingCopy = 7;
        options.device = played;
        LoopbackHome home(2, options);
        TrainingSpec training;
        InputTransform input;
        input.pad = {2, 2};
        QVERIFY(home.deploy(
            home.deployment(m_model, planNamed(QStringLiteral("two stages, recomputed")), batchSize, training, input)));
        for (quint32 r = 1; r <= 5; ++r)
            home.feed(r, syntheticBatch(batchSize, 10, 100 + r));
        QVERIFY(home.waitFor([&] { return !home.failures.empty(); }));
        QCOMPARE(home.failures.front().code, QStringLiteral("worker.failed"));
        QVERIFY(home.failures.front().toString().contains(QLatin1String("the card has fallen off the bus")));
    }

    void aWorkerNamesItsDeviceAndLimitsItsMemory() {
        WorkerOptions options;
        const auto played = std::make_shared<PlayedDevice>();
        options.device = played;
        options.memoryBytes = qint64{1} << 40;
        LoopbackHome home(1, options);
        const auto hello = home.call(0, QStringLiteral("hello"), {{QLatin1String("run"), QStringLiteral("test")}});
        QVERIFY(hello);
        QCOMPARE((*hello)[QLatin1String("compute_device")].toString(), QStringLiteral("played"));
        QVERIFY(played->limit > 0 && played->limit < options.memoryBytes);
    }

    void theWayToTheHostIsMeasured() {
        PlayedDevice played;
        CodecRates rates = measureCodecs();
        const Codec &codec = *codecByName(QStringLiteral("bfp8"));
        const CodecSeconds host = rates.of(codec);
        measureWays(played, rates);
        const CodecSeconds way = rates.of(noCodec());
        // Each look at this clock is one second later, whatever was copied; what the device writes itself takes no
        // longer.
        QVERIFY(way.encode > 0 && way.encode == way.decode);
        QCOMPARE(rates.of(codec).encode, way.encode);
        QCOMPARE(rates.of(codec).decode, host.decode + way.decode);
    }

    void aProfileIsOfItsDevice() {
        PlayedDevice played;
        ProfileRequest request;
        request.model = m_model;
        request.batches = {1};
        request.warmUps = 0;
        request.repeats = 1;
        const auto profile = profileLayers(
            request, [](int, int) { return true; }, played);
        QVERIFY2(profile, qPrintable(profile ? QString() : profile.error().toString()));
        QCOMPARE(profile->computeDevice, QStringLiteral("played"));
        // Each look at this clock is one second later: by it every layer takes alike, and a backward pass, of which the
        // half for the input is looked at by itself, twice as long as a forward pass.
        for (const std::vector<double> &row : profile->times.forward)
            QCOMPARE(2 * row.front(), profile->times.backward.front().front());
        QCOMPARE(2 * profile->times.weights.front().front(), profile->times.backward.front().front());
        // The gradient that comes in counts, too.
        const LayerFacts &first = profile->layers.front();
        QCOMPARE(first.workspaceBytes, PlayedDevice::peakBytes + first.gradientBytes);
    }

  private:
    const Model m_model = *loadModel(QStringLiteral("fashion-cnn"));
};

QTEST_GUILESS_MAIN(ComputeDeviceTest)
#include "compute_device_test.moc"
