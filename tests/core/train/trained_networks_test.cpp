// Same mathematics for networks of Hugging Face's library: three stages with a group of two against plain PyTorch
// (outsiders/trained.py), whole and by adapters.
#include <QProcess>
#include <QTemporaryDir>
#include <QTest>
#include <cmath>
#include <cstring>
#include <map>

#include "core/model/adapters.h"
#include "core/model/import/hugging_face.h"
#include "core/model/safetensors.h"
#include "tests/core/train/loopback_home.h"

using namespace hearth;
using namespace Qt::StringLiterals;

namespace {

using Tensors = std::map<QString, NamedTensor>;

constexpr int batchSize = 16, microBatch = 8;
constexpr double tolerance = 1e-10;

Result<Tensors> readAll(const QString &path) {
    auto read = readSafetensors(path);
    if (!read)
        return tl::unexpected(read.error());
    Tensors tensors;
    for (NamedTensor &tensor : *read)
        tensors.emplace(tensor.spec.name, std::move(tensor));
    return tensors;
}

/// What one round takes of a tensor whose first dimension counts rounds.
QByteArray partOf(const NamedTensor &tensor, int round) {
    const qint64 rounds = tensor.spec.shape.front();
    const qsizetype bytes = tensor.data->size() / static_cast<qsizetype>(rounds);
    return {static_cast<const char *>(static_cast<const void *>(tensor.data->data())) + round * bytes, bytes};
}

/// Of one sample.
Shape sampleShape(const NamedTensor &tensor) {
    return {tensor.spec.shape.begin() + 2, tensor.spec.shape.end()};
}

SampleBatch batchOf(const Model &model, const Tensors &outsider, int round) {
    SampleBatch batch;
    for (const ModelInput &input : model.inputs) {
        const NamedTensor &values = outsider.at(QStringLiteral("in.") + input.name);
        batch.parts.push_back({Slot{values.dtype, sampleShape(values), false}, partOf(values, round)});
    }
    const NamedTensor &labels = outsider.at(QStringLiteral("labels"));
    const QByteArray bytes = partOf(labels, round);
    batch.labels.resize(static_cast<std::size_t>(bytes.size()) / sizeof(qint64));
    std::memcpy(batch.labels.data(), bytes.constData(), static_cast<std::size_t>(bytes.size()));
    batch.label = sampleShape(labels);
    return batch;
}

double elementOf(const NamedTensor &tensor, int index) {
    double value;
    std::memcpy(&value, tensor.data->data() + index * qsizetype{8}, sizeof value);
    return value;
}

TestPlan threeStages(const Model &model) {
    const int layers = static_cast<int>(model.layers.size()), first = layers / 3, second = 2 * layers / 3;
    return {microBatch, {{0, first, {{0, 8}}, 2}, {first, second, {{1, 5}, {2, 3}}, 2}, {second, layers, {{3, 8}}, 1}}};
}

TrainingSpec training() {
    TrainingSpec spec;
    spec.precision = Precision::Float64;
    spec.optimizer.learningRate = 0.05;
    spec.optimizer.momentum = 0.9;
    return spec;
}

}  // namespace

class TrainedNetworksTest : public QObject {
    Q_OBJECT

  private Q_SLOTS:
    void initTestCase() {
        QVERIFY(m_folder.isValid());
        QProcess outsider;
        outsider.setProcessChannelMode(QProcess::ForwardedErrorChannel);
        outsider.start(QStringLiteral(HEARTH_PYTHON), {QStringLiteral(HEARTH_OUTSIDER), m_folder.filePath("n"_L1)});
        QVERIFY(outsider.waitForFinished(500'000));
        QCOMPARE(outsider.exitCode(), 0);
    }

    void aHomeTrainsThemAsOneLoopDoes_data() {
        QTest::addColumn<bool>("lora");
        for (const char *name :
             {"bert-sequence", "bert-token", "bert-masked", "distilbert-sequence", "gpt2-language", "gpt2-sequence",
              "llama-language", "llama-sequence", "qwen2-language", "t5", "t5-gated", "vit"})
            QTest::newRow(name) << false;
        for (const char *name : {"bert-sequence", "gpt2-language", "llama-sequence", "t5", "vit"})
            QTest::addRow("%s, by LoRA", name) << true;
    }

    void aHomeTrainsThemAsOneLoopDoes() {
        QFETCH(bool, lora);
        const QString name = QString::fromLatin1(QTest::currentDataTag()).section(QLatin1Char(','), 0, 0);
        const QString folder = m_folder.filePath("n/"_L1 + name);
        const auto outsider = readAll(folder + (lora ? "/lora.safetensors"_L1 : "/trained.safetensors"_L1));
        QVERIFY2(outsider, outsider ? "" : qPrintable(outsider.error().toString()));
        const auto model = modelOf(folder, *outsider, lora);
        QVERIFY2(model, model ? "" : qPrintable(model.error().toString()));
        const auto rounds = static_cast<int>(outsider->at("losses"_L1).spec.shape.front());

        LoopbackHome home(4);
        Deployment deployment = home.deployment(*model, threeStages(*model), batchSize, training(), {});
        for (const ModelInput &input : model->inputs)
            deployment.sampleTypes.push_back(input.kind == ValueKind::Int64 ? DType::Int64 : DType::Float64);
        deployment.weightsStreamed = true;
        std::vector<NamedTensor> start;
        for (const TensorSpec &spec : model->tensors()) {
            NamedTensor tensor = outsider->at("start."_L1 + spec.name);
            QCOMPARE(tensor.spec.elements(), spec.elements());
            tensor.spec = spec;
            start.push_back(std::move(tensor));
        }
        const auto deployed = home.deploy(deployment, start);
        QVERIFY2(deployed, qPrintable(deployed ? QString() : deployed.error().toString()));
        for (int round = 1; round <= rounds; ++round) {
            home.feed(static_cast<quint32>(round), batchOf(*model, *outsider, round - 1));
            QVERIFY2(home.waitForRound(static_cast<quint32>(round)),
                     home.failures.empty() ? "" : qPrintable(home.failures.front().toString()));
        }
        for (int round = 1; round <= rounds; ++round) {
            const double loss = elementOf(outsider->at("losses"_L1), round - 1);
            const double ours = home.loss(static_cast<quint32>(round));
            QVERIFY2(
                std::abs(ours - loss) <= tolerance * loss,
                qPrintable(
                    QStringLiteral("round %1: %2, not %3").arg(round).arg(ours, 0, 'g', 17).arg(loss, 0, 'g', 17)));
        }
        double moved = 0;
        for (const NamedTensor &tensor : home.weights(1)) {
            // The library's shapes may have dimensions of one more.
            NamedTensor before = outsider->at("start."_L1 + tensor.spec.name),
                        expected = outsider->at("final."_L1 + tensor.spec.name);
            before.spec = expected.spec = tensor.spec;
            const double difference = relativeDifference(tensor, expected);
            QVERIFY2(difference <= tolerance,
                     qPrintable(QStringLiteral("%1 differs by %2").arg(tensor.spec.name).arg(difference)));
            const double change = relativeDifference(tensor, before);
            QVERIFY2(tensor.spec.isTrainable() || change == 0, qPrintable(tensor.spec.name));
            moved = std::max(moved, change);
        }
        QVERIFY(moved > 0.01);  // it was trained
    }

  private:
    static Result<Model> modelOf(const QString &folder, const Tensors &outsider, bool lora) {
        HeadOptions options;
        options.dropout = 0;
        if (const auto tokens = outsider.find("in.tokens"_L1); tokens != outsider.end())
            options.sequence = tokens->second.spec.shape.back();
        if (const auto answer = outsider.find("in.decoder_tokens"_L1); answer != outsider.end())
            options.answer = answer->second.spec.shape.back();
        const auto imported = importHuggingFace(folder, options);
        if (!imported)
            return tl::unexpected(imported.error());
        AdapterSpec spec;
        spec.rank = 2;
        spec.alpha = 3;
        return lora ? withAdapters(imported->model, spec) : imported->model;
    }

    QTemporaryDir m_folder;
};

QTEST_GUILESS_MAIN(TrainedNetworksTest)
#include "trained_networks_test.moc"
