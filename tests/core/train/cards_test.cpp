// What is true of a card alone. All tests of LoopbackHome run on it, too (test_devices.h).
#include <QJsonArray>
#include <QJsonObject>
#include <QTest>
#include <cmath>

#include "core/base/generator.h"
#include "core/model/catalogue.h"
#include "core/train/cuda_device.h"
#include "core/train/layer_profiler.h"
#include "tests/core/train/loopback_home.h"

using namespace hearth;

class CardsTest : public QObject {
    Q_OBJECT

  private Q_SLOTS:
    void initTestCase() {
        m_found = findCudaCards();
        if (m_found.cards.empty())
            QSKIP(qPrintable(m_found.cause));
        const auto device = cudaDevice(0);
        QVERIFY2(device, qPrintable(device ? QString() : device.error().toString()));
        m_device = *device;
    }

    void aCardThatIsNotThereIsNamed() {
        const auto device = cudaDevice(99);
        QVERIFY(!device);
        QCOMPARE(device.error().code, QStringLiteral("cuda.no-card"));
    }

    void aCardIsListedWithWhatItIs() {
        const QJsonObject json = m_found.toJson();
        QCOMPARE(json[QLatin1String("format")].toString(), QStringLiteral("hearth-cards/1"));
        QCOMPARE(json[QLatin1String("cards")].toArray().size(), qsizetype(m_found.cards.size()));
        const CudaCard &first = m_found.cards.front();
        QVERIFY(!first.name.isEmpty() && first.uuid.startsWith(QLatin1String("GPU-")) && first.uuid.size() == 40);
        QVERIFY(first.memoryBytes > 0 && first.major >= 5);
        QVERIFY(m_device->name().endsWith(first.name));
    }

    void memoryThatEndsIsALossWithItsBytes() {
        WorkerOptions options;
        options.device = m_device;
        LoopbackHome probe(1, options);  // measures what the runtime takes
        QVERIFY(probe.call(0, QStringLiteral("hello"), {{QLatin1String("run"), QStringLiteral("test")}}));
        constexpr qint64 room = 800 << 20;  // for the layers, not for a batch
        options.memoryBytes = m_device->runtimeBytes() + room;
        const Model model = *loadModel(QStringLiteral("resnet50:image=224"));
        const int layers = static_cast<int>(model.layers.size());
        constexpr int batch = 128;
        LoopbackHome home(1, options);
        const Deployment deployment = home.deployment(model, {batch, {{0, layers, {{0, batch}}, 1}}}, batch, {}, {});
        const auto deployed = home.deploy(deployment);
        QVERIFY2(deployed, qPrintable(deployed ? QString() : deployed.error().toString()));
        SampleBatch pictures;
        pictures.sample = model.inputShape();
        pictures.images.resize(static_cast<std::size_t>(batch * elementCount(pictures.sample)), 7);
        pictures.labels.resize(batch, 1);
        home.feed(1, pictures);
        QVERIFY(home.waitFor([&] { return !home.failures.empty(); }));
        const Error &error = home.failures.front();
        QCOMPARE(error.code, QStringLiteral("worker.out-of-memory"));
        QVERIFY2(error.toString().contains(QLatin1String("the limit is")), qPrintable(error.toString()));

        // The card itself goes on.
        options.memoryBytes = 0;
        LoopbackHome next(1, options);
        const Model small = *loadModel(QStringLiteral("fashion-cnn"));
        InputTransform input;
        input.pad = {2, 2};
        QVERIFY(next.deploy(next.deployment(small, {16, {{0, 5, {{0, 16}}}}}, 16, {}, input)));
        next.feed(1, syntheticBatch(16, 10, 1));
        QVERIFY(next.waitForRound(1));
        const RoundReport report = next.reports(1).front();
        QVERIFY(report.memoryBytes > m_device->runtimeBytes());
        QVERIFY(report.computeSeconds > 0 && report.optimizerSeconds > 0);
    }

    void bfloat16IsNearFloat32_data() {
        QTest::addColumn<QString>("network");
        QTest::newRow("bottlenecks and batch norm") << "resnet50:image=32";
        QTest::newRow("depthwise convolutions") << "mobilenetv2";
        QTest::newRow("squeeze and excitation") << "efficientnet-b1:dropout=0";
        QTest::newRow("attention") << "vit-tiny";
    }

    /// What is kept rounded between convolutions costs no more than the products themselves.
    void bfloat16IsNearFloat32() {
        QFETCH(QString, network);
        constexpr int batch = 32;
        constexpr quint32 rounds = 3;
        const Model model = *loadModel(network);
        SampleBatch pictures;
        pictures.sample = model.inputShape();
        const Generator noise(3);
        for (qint64 i = 0; i < batch * elementCount(pictures.sample); ++i)
            pictures.images.push_back(static_cast<quint8>(noise.word(static_cast<quint64>(i))));
        for (int i = 0; i < batch; ++i)
            pictures.labels.push_back(i % 10);
        std::vector<double> losses[2];
        for (const Precision precision : {Precision::Float32, Precision::Bfloat16}) {
            WorkerOptions options;
            options.device = m_device;
            LoopbackHome home(2, options);
            const int layers = static_cast<int>(model.layers.size());
            TrainingSpec training;
            training.precision = precision;
            training.optimizer.learningRate = 0.001;
            const TestPlan plan{batch, {{0, layers / 2, {{0, batch}}, 2}, {layers / 2, layers, {{1, batch}}, 1}}};
            const auto deployed = home.deploy(home.deployment(model, plan, batch, training, {}));
            QVERIFY2(deployed, qPrintable(deployed ? QString() : deployed.error().toString()));
            for (quint32 r = 1; r <= rounds; ++r) {
                home.feed(r, pictures);
                QVERIFY(home.waitForRound(r));
                losses[precision == Precision::Bfloat16].push_back(home.loss(r));
            }
        }
        QVERIFY(losses[0] != losses[1]);
        for (std::size_t r = 0; r < rounds; ++r)
            QVERIFY2(std::abs(losses[0][r] - losses[1][r]) <= 0.05 * losses[0][r],
                     qPrintable(QStringLiteral("%1, not %2").arg(losses[1][r]).arg(losses[0][r])));
    }

    void aProfileIsOfTheCard() {
        m_device->enterThread();
        ProfileRequest request;
        request.model = *loadModel(QStringLiteral("mobilenetv2"));
        request.batches = {8, 64};
        const auto profile = profileLayers(
            request, [](int, int) { return true; }, *m_device);
        QVERIFY2(profile, qPrintable(profile ? QString() : profile.error().toString()));
        QCOMPARE(profile->computeDevice, m_device->name());
        for (std::size_t l = 0; l < profile->layers.size(); ++l) {
            QVERIFY(profile->times.forward[l].front() > 0);
            QVERIFY(profile->times.backward[l].front() > 0);
        }
    }

  private:
    CudaCards m_found;
    std::shared_ptr<ComputeDevice> m_device;
};

QTEST_GUILESS_MAIN(CardsTest)
#include "cards_test.moc"
