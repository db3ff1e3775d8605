// The worker's protocol and what it does when something is wrong.
#include <QCborArray>
#include <QElapsedTimer>
#include <QJsonDocument>
#include <QTest>
#include <QTimer>
#include <cmath>
#include <cstring>
#include <stdexcept>

#include "core/model/catalogue.h"
#include "core/model/init.h"
#include "core/model/safetensors.h"
#include "core/profile/codec_rates.h"
#include "core/profile/model_profile.h"
#include "core/profile/unit_seconds.h"
#include "core/train/memory.h"
#include "tests/core/train/loopback_home.h"

using namespace hearth;

namespace {

InputTransform padded() {
    InputTransform input;
    input.pad = {2, 2};
    return input;
}

/// Three layers with statistics and with what is drawn at random.
Model dropping() {
    const QByteArray json =
        R"({"format": "hearth-model/1", "name": "dropping", "input": [1, 32, 32], "classes": 10, "layers": [
      {"name": "stem", "kind": "sequence", "ops": [
        {"kind": "convolution", "channels": 8, "kernel": 3, "stride": 2, "padding": 1, "bias": false},
        {"kind": "batch-norm"}, {"kind": "relu"}, {"kind": "dropout", "probability": 0.25}]},
      {"name": "body", "kind": "sequence", "ops": [
        {"kind": "convolution", "channels": 16, "kernel": 3, "stride": 2, "padding": 1, "bias": false},
        {"kind": "batch-norm"}, {"kind": "relu"}, {"kind": "dropout", "probability": 0.5}]},
      {"name": "head", "kind": "sequence", "ops": [
        {"kind": "global-average-pool"}, {"kind": "flatten"}, {"kind": "linear", "features": 10}]}]})";
    const auto model = Model::fromJson(QJsonDocument::fromJson(json).object(), QStringLiteral("the test"));
    return model ? *model : throw std::runtime_error(qPrintable(model.error().toString()));
}

}  // namespace

class WorkerTest : public QObject {
    Q_OBJECT

  private Q_SLOTS:
    void helloTellsWhatTheDeviceIs();
    void helloOfAnotherRunIsRefused();
    void membersOfAGroupStayBitIdentical();
    void sameRunTwiceGivesTheSameBits();
    void streamedWeightsAreUsedAsTheyAre();
    void evaluationCountsTheShortLastMicroBatch();
    void evaluationBetweenRoundsChangesNothing();
    void measuringBetweenRoundsChangesNothing();
    void measuringThatNobodyWaitsForEnds();
    void reportsAccountForTheRound();
    void aRoundIsToldOfBeforeItsEnd();
    void tensorsOfAnOldTermAreDropped();
    void aNewTermStartsFromItsOwnWeights();
    void batchNormModelTrainsInAPipeline();
    void profileIsPlausible();
    void singleUnitsAreMeasuredAlone();
    void profileOfAModelWithStatisticsKeepsMinimumSamples();
    void linkProbeMeasures();

  private:
    Deployment deployment(const LoopbackHome &home, const TestPlan &plan, int batch = 16) const {
        return home.deployment(m_model, plan, batch, m_training, padded());
    }
    const Model m_model = *loadModel(QStringLiteral("fashion-cnn"));
    const TrainingSpec m_training{};
    const TestPlan m_two{8, {{0, 2, {{0, 8}}, 3}, {2, 5, {{1, 8}}, 1}}};
    const TestPlan m_one{8, {{0, 5, {{0, 8}}}}};
};

void WorkerTest::helloTellsWhatTheDeviceIs() {
    WorkerOptions options;
    options.memoryBytes = qint64{64} << 30;
    LoopbackHome home(1, options);
    const auto hello = home.call(0, QStringLiteral("hello"), {{QLatin1String("run"), QLatin1String("test")}});
    QVERIFY(hello);
    QVERIFY((*hello)[QLatin1String("library")].toString().startsWith(QLatin1String("libtorch ")));
    QCOMPARE((*hello)[QLatin1String("threads")].toInteger(), 1);
    QCOMPARE((*hello)[QLatin1String("memory_bytes")].toInteger(), options.memoryBytes);
    QVERIFY((*hello)[QLatin1String("runtime_bytes")].toInteger() > 10 << 20);
    setTensorMemoryLimit(0);
}

void WorkerTest::helloOfAnotherRunIsRefused() {
    LoopbackHome home(1);
    const auto hello = home.call(0, QStringLiteral("hello"), {{QLatin1String("run"), QLatin1String("other")}});
    QVERIFY(!hello);
    QCOMPARE(hello.error().code, QStringLiteral("worker.other-run"));
}

void WorkerTest::membersOfAGroupStayBitIdentical() {
    LoopbackHome home(3);
    QVERIFY(home.deploy(deployment(home, {8, {{0, 5, {{0, 4}, {1, 1}, {2, 3}}, 1}}})));
    for (quint32 r = 1; r <= 5; ++r)
        home.feed(r, syntheticBatch(16, 10, r));
    // Inputs come up to four rounds ahead here: more than the coordinator does.
    QVERIFY(home.waitForRound(5));
    const QByteArray first = weightsSha256(home.weights(0));
    QCOMPARE(weightsSha256(home.weights(1)), first);
    QCOMPARE(weightsSha256(home.weights(2)), first);
}

void WorkerTest::sameRunTwiceGivesTheSameBits() {
    QByteArray first;
    for (int time = 0; time < 2; ++time) {
        LoopbackHome home(4);
        QVERIFY(home.deploy(deployment(home, {8, {{0, 2, {{0, 5}, {1, 3}}, 3}, {2, 5, {{2, 2}, {3, 6}}, 1}}})));
        for (quint32 r = 1; r <= 3; ++r)
            home.feed(r, syntheticBatch(16, 10, r));
        QVERIFY(home.waitForRound(3));
        const QByteArray sum = weightsSha256(home.weights());
        if (time == 0)
            first = sum;
        QCOMPARE(sum, first);
    }
}

void WorkerTest::streamedWeightsAreUsedAsTheyAre() {
    const std::vector<NamedTensor> weights = initialise(m_model, 77, DType::Float32);
    LoopbackHome home(2);
    Deployment streamed = deployment(home, m_two);
    streamed.weightsStreamed = true;
    QVERIFY(home.deploy(streamed, weights));
    QCOMPARE(weightsSha256(home.weights()), weightsSha256(weights));
}

void WorkerTest::evaluationCountsTheShortLastMicroBatch() {
    TrainingSpec training;
    training.precision = Precision::Float64;
    const SampleBatch test = syntheticBatch(27, 10, 9);  // three of 8 and one of 3
    const SampleBatch batch = syntheticBatch(16, 10, 1);
    const ReferenceRun expected = trainPlainly(m_model, training, padded(), {batch, batch}, test);
    LoopbackHome home(5);
    const TestPlan plan{8, {{0, 2, {{0, 5}, {1, 3}}, 3}, {2, 5, {{2, 2}, {3, 5}, {4, 1}}, 1}}};
    QVERIFY(home.deploy(home.deployment(m_model, plan, 16, training, padded())));
    home.feed(1, batch);
    home.feed(2, batch);
    QVERIFY(home.waitForRound(2));
    const LoopbackHome::Evaluation result = home.evaluate(2, test);
    QCOMPARE(result.samples, 27);
    QCOMPARE(result.correct, expected.correct);
    QVERIFY(!expected.wrong.empty());
    QCOMPARE(result.wrong, expected.wrong);
    QVERIFY(std::abs(result.lossSum - expected.testLossSum) <= 1e-9 * expected.testLossSum);
    QCOMPARE(result.notes, 3 * 3 + 2);  // the last member has no sample of the short one
}

void WorkerTest::evaluationBetweenRoundsChangesNothing() {
    QByteArray sums[2];
    QMap<QString, qint64> sent[2];
    for (const bool evaluates : {false, true}) {
        LoopbackHome home(2);
        QVERIFY(home.deploy(deployment(home, m_two)));
        home.feed(1, syntheticBatch(16, 10, 1));
        QVERIFY(home.waitForRound(1));
        if (evaluates)
            QCOMPARE(home.evaluate(1, syntheticBatch(10, 10, 5)).samples, 10);
        home.feed(2, syntheticBatch(16, 10, 2));
        QVERIFY(home.waitForRound(2));
        sums[evaluates] = weightsSha256(home.weights());
        for (const RoundReport &report : home.reports(2)) {
            for (auto to = report.sent.cbegin(); to != report.sent.cend(); ++to)
                sent[evaluates][to.key()] += to.value();
        }
    }
    QCOMPARE(sums[1], sums[0]);
    // What an evaluation sends is of no round.
    QVERIFY(!sent[0].isEmpty());
    QCOMPARE(sent[1].values(), sent[0].values());
}

void WorkerTest::measuringBetweenRoundsChangesNothing() {
    const Model model = dropping();
    const TestPlan plan{8, {{0, 1, {{0, 8}}, 3}, {1, 3, {{1, 8}}, 1}}};
    const QCborMap network{{QLatin1String("model"), QCborMap::fromJsonObject(model.toJson())},
                           {QLatin1String("brief"), true},
                           {QLatin1String("batches"), QCborArray{4}},
                           {QLatin1String("units"), QCborArray{QCborArray{1, 16}, QCborArray{0, 8}}}};
    QByteArray sums[2];
    for (const bool measures : {false, true}) {
        LoopbackHome home(2);
        QVERIFY(home.deploy(home.deployment(model, plan, 16, m_training, padded())));
        for (quint32 round = 1; round <= 4; ++round) {
            home.feed(round, syntheticBatch(16, 10, round));
            QVERIFY(home.waitForRound(round));
            for (int device = 0; measures && round == 2 && device < 2; ++device) {
                for (const char *call : {"profile", "profile.units"}) {
                    const auto told = home.call(device, QString::fromLatin1(call), network);
                    QVERIFY2(told, qPrintable(told ? QString() : told.error().toString()));
                }
            }
        }
        sums[measures] = weightsSha256(home.weights());
    }
    QCOMPARE(sums[1], sums[0]);
}

void WorkerTest::measuringThatNobodyWaitsForEnds() {
    LoopbackHome home(1);
    QCborMap args{{QLatin1String("model"), QCborMap::fromJsonObject(m_model.toJson())},
                  {QLatin1String("batches"), QCborArray{1, 2, 4, 8, 16, 32, 64, 128, 256}}};
    QTimer::singleShot(0, &home.worker(0), [&] { home.note(0, QStringLiteral("profile.end")); });
    const auto ended = home.call(0, QStringLiteral("profile"), args);
    QVERIFY(!ended);
    QCOMPARE(ended.error().code, QStringLiteral("worker.cancelled"));
    args[QLatin1String("batches")] = QCborArray{1};
    QVERIFY(home.call(0, QStringLiteral("profile"), args));
}

void WorkerTest::reportsAccountForTheRound() {
    LoopbackHome home(2);
    QVERIFY(home.deploy(deployment(home, m_two)));
    const CardLoad load{97, 8589934592.0, std::nullopt, 168.25};
    home.worker(1).setCardLoad(load);
    home.feed(1, syntheticBatch(16, 10, 1));
    QVERIFY(home.waitForRound(1));
    const QList<RoundReport> reports = home.reports(1);
    QCOMPARE(reports.size(), 2);
    QCOMPARE(reports[0].card.isEmpty() + reports[1].card.isEmpty(), 1);
    QVERIFY(reports[0].card == load || reports[1].card == load);
    qint64 sent = 0;
    for (const RoundReport &report : reports) {
        QCOMPARE(report.version, quint64{1});
        QVERIFY(report.computeSeconds > 0);
        QVERIFY(report.optimizerSeconds > 0);
        QVERIFY(report.memoryBytes > 1 << 20);
        for (const qint64 bytes : report.sent)
            sent += bytes;
    }
    // Activations of 16 samples forward and as much gradient backward at the cut after conv2: 32 x 8 x 8 floats each.
    QCOMPARE(sent, qint64{2} * 16 * 32 * 8 * 8 * 4);
    QVERIFY(home.loss(1) > 1 && home.loss(1) < 4);
}

/// A round may take longer than the coordinator waits for a report.
void WorkerTest::aRoundIsToldOfBeforeItsEnd() {
    LoopbackHome home(1);
    QVERIFY(home.deploy(deployment(home, m_one)));
    home.feed(1, syntheticBatch(16, 10, 1), 1);
    // Of the first micro-batch a forward and a backward pass; the round goes no further.
    QVERIFY(home.waitFor([&] { return home.steps[0] >= 2; }));
    QVERIFY(home.reports(1).isEmpty());
}

void WorkerTest::tensorsOfAnOldTermAreDropped() {
    LoopbackHome home(1);
    Deployment now = deployment(home, m_one);
    now.term = 5;
    QVERIFY(home.deploy(now));
    TensorHeader old;
    old.kind = TensorKind::Input;
    old.term = 4;
    old.round = 1;
    old.dtype = DType::UInt8;
    old.dims = {1};
    const quint8 nonsense = 0;
    home.send(0, old, &nonsense, 1);
    home.feed(1, syntheticBatch(16, 10, 1));
    QVERIFY(home.waitForRound(1));
    QVERIFY(home.failures.empty());
    now.term = 4;
    const auto refused = home.deploy(now);
    QVERIFY(!refused);
    QCOMPARE(refused.error().code, QStringLiteral("worker.bad-request"));
}

void WorkerTest::aNewTermStartsFromItsOwnWeights() {
    LoopbackHome home(3);
    QVERIFY(home.deploy(deployment(home, m_two)));
    home.feed(1, syntheticBatch(16, 10, 1));
    QVERIFY(home.waitForRound(1));
    const std::vector<NamedTensor> after = home.weights();
    // The same run goes on with other borders and one device more.
    Deployment next = deployment(home, {8, {{0, 3, {{1, 5}, {2, 3}}, 3}, {3, 5, {{0, 8}}, 1}}});
    next.term = 2;
    next.firstRound = 2;
    next.weightsStreamed = true;
    QVERIFY(home.deploy(next, after));
    QCOMPARE(weightsSha256(home.weights()), weightsSha256(after));
    home.feed(2, syntheticBatch(16, 10, 2));
    QVERIFY(home.waitForRound(2));
    QCOMPARE(home.reports(2).front().version, quint64{2});
}

void WorkerTest::batchNormModelTrainsInAPipeline() {
    const Model model = *loadModel(QStringLiteral("mobilenetv2"));
    LoopbackHome home(3);
    InputTransform input;
    input.pad = {2, 2};
    input.repeatChannels = 3;
    const int layers = static_cast<int>(model.layers.size());
    const TestPlan plan{8, {{0, 6, {{0, 8}}, 3, true}, {6, layers, {{1, 5}, {2, 3}}, 1}}};
    QVERIFY(home.deploy(home.deployment(model, plan, 16, m_training, input)));
    for (quint32 r = 1; r <= 2; ++r)
        home.feed(r, syntheticBatch(16, 10, r));
    QVERIFY(home.waitForRound(2));
    QVERIFY(std::isfinite(home.loss(1)) && home.loss(1) > 1 && home.loss(1) < 5);
    QVERIFY(std::isfinite(home.loss(2)));
    QCOMPARE(home.evaluate(2, syntheticBatch(11, 10, 3)).samples, 11);
    // Statistics have moved, and are finite.
    for (const NamedTensor &tensor : home.weights()) {
        if (!tensor.spec.name.endsWith(QLatin1String("running_var")))
            continue;
        const auto *values = reinterpret_cast<const float *>(tensor.data->data());
        QVERIFY(std::any_of(values, values + tensor.spec.elements(), [](float value) { return value != 1.0f; }));
        QVERIFY(std::all_of(values, values + tensor.spec.elements(), [](float value) { return std::isfinite(value); }));
    }
}

void WorkerTest::profileIsPlausible() {
    LoopbackHome home(1);
    const QCborMap args{{QLatin1String("model"), QCborMap::fromJsonObject(m_model.toJson())},
                        {QLatin1String("precision"), QLatin1String("float32")},
                        {QLatin1String("batches"), QCborArray{1, 4, 16}}};
    auto reply = home.call(0, QStringLiteral("profile"), args);
    QVERIFY2(reply, qPrintable(reply ? QString() : reply.error().toString()));
    QVERIFY(reply->take(QStringLiteral("runtime_bytes")).isInteger());
    const auto rates = CodecRates::fromJson(reply->take(QStringLiteral("codecs")).toMap().toJsonObject(), {}, {});
    QVERIFY(rates);
    QCOMPARE(rates->measured.size(), static_cast<qsizetype>(codecs().size()) - 1);  // "none" takes no time
    const auto profile = ModelProfile::fromCbor(*reply);
    QVERIFY2(profile, qPrintable(profile ? QString() : profile.error().toString()));
    QVERIFY(profile->validate());
    QCOMPARE(profile->layers.size(), m_model.layers.size());
    QCOMPARE(profile->modelSha256.toLatin1(), m_model.sha256());
    for (std::size_t l = 0; l < profile->layers.size(); ++l) {
        const LayerFacts &facts = profile->layers[l];
        const LayerShape &shape = m_model.layers[l].shape;
        QCOMPARE(facts.outputBytes, shape.outputBytes(DType::Float32));
        QCOMPARE(facts.trainableBytes, shape.parameterBytes(DType::Float32));
        if (l + 1 < profile->layers.size())
            QVERIFY2(facts.savedBytes >= facts.outputBytes, qPrintable(facts.name));
        for (std::size_t b = 0; b < profile->times.batch.size(); ++b) {
            QVERIFY(profile->times.forward[l][b] > 0);
            QVERIFY(profile->times.backward[l][b] > 0);
            // Nobody waits for the gradient of the network's input.
            const double weights = profile->times.weights[l][b];
            QVERIFY(l == 0 ? weights >= 0 : weights > 0);
            QVERIFY(weights < profile->times.backward[l][b]);
        }
    }
    // conv1 keeps its rectified output and the pool's indices (64 bit) and output, at least.
    QVERIFY(profile->layers[0].savedBytes >= 16 * 32 * 32 * 4 + 16 * 16 * 16 * 12);
}

void WorkerTest::singleUnitsAreMeasuredAlone() {
    LoopbackHome home(1);
    QCborMap args{{QLatin1String("model"), QCborMap::fromJsonObject(m_model.toJson())},
                  {QLatin1String("units"), QCborArray{QCborArray{3, 16}, QCborArray{0, 1}, QCborArray{4, 4}}}};
    const auto reply = home.call(0, QStringLiteral("profile.units"), args);
    QVERIFY2(reply, qPrintable(reply ? QString() : reply.error().toString()));
    const auto units = unitsFromCbor((*reply)[QLatin1String("units")], static_cast<int>(m_model.layers.size()));
    QVERIFY2(units, qPrintable(units ? QString() : units.error().toString()));
    QCOMPARE(units->size(), std::size_t(3));
    QVERIFY((*units)[0].layer == 3 && (*units)[0].samples == 16);
    QVERIFY((*units)[1].layer == 0 && (*units)[1].samples == 1);
    QVERIFY((*units)[0].weights > 0 && (*units)[0].weights < (*units)[0].backward);
    for (const QCborArray &wrong : {QCborArray{5, 1}, QCborArray{-1, 1}, QCborArray{0, 0}, QCborArray{0}}) {
        args[QLatin1String("units")] = QCborArray{wrong};
        const auto refused = home.call(0, QStringLiteral("profile.units"), args);
        QVERIFY(!refused);
        QVERIFY(refused.error().toString().contains(QLatin1String("a layer of the model")));
    }
}

void WorkerTest::profileOfAModelWithStatisticsKeepsMinimumSamples() {
    const Model model = *loadModel(QStringLiteral("mobilenetv2"));
    LoopbackHome home(1);
    const QCborMap args{{QLatin1String("model"), QCborMap::fromJsonObject(model.toJson())},
                        {QLatin1String("batches"), QCborArray{1}}};
    auto reply = home.call(0, QStringLiteral("profile"), args);
    QVERIFY2(reply, qPrintable(reply ? QString() : reply.error().toString()));
    QVERIFY(reply->take(QStringLiteral("runtime_bytes")).isInteger());
    reply->remove(QStringLiteral("codecs"));
    const auto profile = ModelProfile::fromCbor(*reply);
    QVERIFY(profile);
    QVERIFY(std::any_of(profile->layers.begin(), profile->layers.end(),
                        [](const LayerFacts &facts) { return facts.minimumSamples == 2; }));
    QVERIFY(std::all_of(profile->layers.begin(), profile->layers.end(),
                        [](const LayerFacts &facts) { return facts.savedBytes > 0; }));
}

void WorkerTest::linkProbeMeasures() {
    LoopbackHome home(2);
    const QCborMap args{{QLatin1String("fingerprint"), LoopbackHome::fingerprintOf(1).toHex()},
                        {QLatin1String("address"), QLatin1String("127.0.0.1")},
                        {QLatin1String("port"), 1},
                        {QLatin1String("bytes"), 3 << 20}};
    const auto reply = home.call(0, QStringLiteral("link.probe"), args);
    QVERIFY2(reply, qPrintable(reply ? QString() : reply.error().toString()));
    QVERIFY((*reply)[QLatin1String("bytes_per_s")].toDouble() > 0);
    QVERIFY((*reply)[QLatin1String("latency_s")].toDouble() > 0);
    QVERIFY(home.peersLost.empty());  // a probe that hangs up is no loss

    // Bursts that are to run at once begin together.
    QCborMap later = args;
    later[QStringLiteral("wait_ms")] = 60;
    QElapsedTimer took;
    took.start();
    QVERIFY(home.call(0, QStringLiteral("link.probe"), later));
    QVERIFY(took.elapsed() >= 60);
}

QTEST_GUILESS_MAIN(WorkerTest)
#include "worker_test.moc"
