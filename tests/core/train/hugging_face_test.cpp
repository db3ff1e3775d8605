// Networks of Hugging Face's library, imported and computed, against plain PyTorch (outsiders/hugging_face.py).
#include <QProcess>
#include <QTemporaryDir>
#include <QTest>
#include <map>

#include "core/model/import/hugging_face.h"
#include "core/model/safetensors.h"
#include "core/train/compute_device.h"
#include "core/train/stage_module.h"

using namespace hearth;

namespace {

/// Relative, float64.
constexpr double tolerance = 1e-10;

at::Tensor toTensor(const NamedTensor &tensor) {
    const auto type = tensor.dtype == DType::Int64 ? at::kLong : at::kDouble;
    return torch::from_blob(tensor.data->data(), tensor.spec.shape, type).clone();
}

double difference(const at::Tensor &a, const at::Tensor &b) {
    return (a - b).norm().item<double>() / std::max(1e-30, b.norm().item<double>());
}

}  // namespace

class HuggingFaceTest : public QObject {
    Q_OBJECT

  private Q_SLOTS:
    void initTestCase() {
        QVERIFY(m_folder.isValid());
        QProcess outsider;
        outsider.setProcessChannelMode(QProcess::ForwardedErrorChannel);
        outsider.start(QStringLiteral(HEARTH_PYTHON),
                       {QStringLiteral(HEARTH_OUTSIDER), m_folder.filePath(QStringLiteral("n"))});
        QVERIFY(outsider.waitForFinished(120'000));
        if (outsider.exitCode() == 77)
            QSKIP("PyTorch for Python is not here");
        QCOMPARE(outsider.exitCode(), 0);
    }

    void networksComputeWhatTheLibraryComputes_data() {
        QTest::addColumn<bool>("segments");
        for (const char *name :
             {"bert-sequence", "bert-token", "bert-masked", "distilbert-sequence", "distilbert-masked", "gpt2-language",
              "gpt2-sequence", "llama-language", "llama-sequence", "qwen2-language", "t5", "t5-gated", "vit"})
            QTest::newRow(name) << false;
        QTest::newRow("bert-sequence with kinds of segments") << true;
    }

    void networksComputeWhatTheLibraryComputes() {
        QFETCH(bool, segments);
        const QString name = QString::fromLatin1(QTest::currentDataTag()).section(QLatin1Char(' '), 0, 0);
        const QString folder = m_folder.filePath(QStringLiteral("n/") + name);
        std::map<QString, at::Tensor> expected;
        const auto read = readSafetensors(folder + QStringLiteral("/expected.safetensors"));
        QVERIFY2(read, read ? "" : qPrintable(read.error().toString()));
        for (const NamedTensor &tensor : *read)
            expected[tensor.spec.name] = toTensor(tensor);

        HeadOptions options;
        options.dropout = 0;
        options.segments = segments;
        if (const auto tokens = expected.find(QStringLiteral("in.tokens")); tokens != expected.end())
            options.sequence = tokens->second.size(1);
        if (const auto answer = expected.find(QStringLiteral("in.decoder_tokens")); answer != expected.end())
            options.answer = answer->second.size(1);
        const auto imported = importHuggingFace(folder, options);
        QVERIFY2(imported, imported ? "" : qPrintable(imported.error().toString()));
        QCOMPARE(imported->notes.size(), std::size_t{1});  // all came, all are used
        const Model &model = imported->model;

        StageModule module(model, 0, static_cast<int>(model.layers.size()), DType::Float64, *processor());
        for (int l = 0; l < static_cast<int>(model.layers.size()); ++l) {
            const auto &tensors = model.layers[static_cast<std::size_t>(l)].shape.tensors;
            for (int t = 0; t < static_cast<int>(tensors.size()); ++t) {
                const auto tensor = imported->weights->read(tensors[static_cast<std::size_t>(t)].name);
                QVERIFY(tensor);
                QVERIFY(module.load(l, t, tensor->data->bytes()));
            }
        }
        Tensors inputs;
        for (const ModelInput &input : model.inputs) {
            const auto found = expected.find(QStringLiteral("in.") + input.name);
            inputs.push_back(found == expected.end() ? at::zeros_like(inputs.front()) : found->second);
        }
        module.zeroGradients();
        const Tensors out = module.forward(inputs, {});
        QVERIFY2(difference(out[0].detach(), expected.at(QStringLiteral("out"))) < tolerance,
                 qPrintable(QString::number(difference(out[0].detach(), expected.at(QStringLiteral("out"))))));
        module.backward(out, {expected.at(QStringLiteral("factors"))}, StageModule::WeightGradients::Now);
        std::map<QString, at::Tensor> gradients;
        for (int l = 0; l < static_cast<int>(model.layers.size()); ++l) {
            const auto &tensors = model.layers[static_cast<std::size_t>(l)].shape.tensors;
            for (int t = 0; t < static_cast<int>(tensors.size()); ++t) {
                const TensorSpec &spec = tensors[static_cast<std::size_t>(t)];
                if (!spec.tiedTo)
                    gradients[spec.name] = module.gradientOf(l, t);
            }
        }
        for (const auto &[tensor, gradient] : gradients) {
            const at::Tensor &theirs = expected.at(QStringLiteral("grad.") + tensor);
            const double off = difference(gradient, theirs.reshape(gradient.sizes()));
            QVERIFY2(off < tolerance, qPrintable(QStringLiteral("%1: %2").arg(tensor).arg(off)));
        }
    }

  private:
    QTemporaryDir m_folder;
};

QTEST_GUILESS_MAIN(HuggingFaceTest)
#include "hugging_face_test.moc"
