// Ops and networks as ONNX files: what plain PyTorch computes of the file (tests/core/model/import/onnx_reference.py)
// is what Hearth computes of the network, in use and in float64. What it imports again trains as before.
#include <QDir>
#include <QHash>
#include <QJsonArray>
#include <QProcess>
#include <QTemporaryDir>
#include <QTest>

#include "core/base/json_reader.h"
#include "core/model/import/hugging_face.h"
#include "core/model/import/onnx.h"
#include "core/model/import/onnx_export.h"
#include "core/model/init.h"
#include "tests/core/train/op_case.h"
#include "tests/core/train/op_rows.h"
#include "tests/core/train/outsider_case.h"

using namespace hearth;

namespace {

/// Relative. Attributes of ONNX's operators are float32.
constexpr double tolerance = 1e-8;
constexpr std::int64_t samples = 3;

const QByteArrayList configurations{
    R"({"model_type": "bert", "architectures": ["BertForSequenceClassification"], "vocab_size": 30, "hidden_size": 12,
        "num_hidden_layers": 2, "num_attention_heads": 3, "intermediate_size": 20, "max_position_embeddings": 9})",
    R"({"model_type": "gpt2", "architectures": ["GPT2LMHeadModel"], "vocab_size": 30, "n_embd": 12, "n_layer": 2,
        "n_head": 3, "n_positions": 9})",
    R"({"model_type": "llama", "architectures": ["LlamaForCausalLM"], "vocab_size": 30, "hidden_size": 16,
        "num_hidden_layers": 2, "num_attention_heads": 4, "num_key_value_heads": 2, "intermediate_size": 20,
        "max_position_embeddings": 9, "rms_norm_eps": 1e-6, "rope_theta": 10000, "hidden_act": "silu"})",
    R"({"model_type": "t5", "architectures": ["T5ForConditionalGeneration"], "vocab_size": 30, "d_model": 12, "d_kv": 4,
        "d_ff": 20, "num_layers": 2, "num_heads": 3, "relative_attention_num_buckets": 8,
        "relative_attention_max_distance": 20, "decoder_start_token_id": 0})",
    R"({"model_type": "vit", "architectures": ["ViTForImageClassification"], "hidden_size": 12, "num_hidden_layers": 2,
        "num_attention_heads": 3, "intermediate_size": 20, "image_size": 16, "patch_size": 4, "num_channels": 3})"};

NamedTensor named(const QString &name, const at::Tensor &tensor) {
    NamedTensor result;
    const at::Tensor plain = tensor.detach().contiguous();
    result.dtype = plain.is_floating_point() ? DType::Float64 : DType::Int64;
    result.spec.name = name;
    result.spec.shape.assign(plain.sizes().begin(), plain.sizes().end());
    result.data = Buffer::allocate(static_cast<qsizetype>(plain.nbytes()));
    std::memcpy(result.data->data(), plain.data_ptr(), plain.nbytes());
    return result;
}

/// A network of this op alone.
Model modelOf(const test::OpRow &row) {
    QJsonObject op = *parseJsonObject(QByteArray(row.op).replace('\'', '"'), QStringLiteral("op"));
    QJsonArray inputs, names;
    for (QByteArray shape : QByteArray(row.shapes).split(';')) {
        const bool isWhole = shape.startsWith('i');
        QJsonArray sizes;
        for (const QByteArray &size : shape.replace('i', "").split(','))
            sizes.append(size.toInt());
        const QString name = QStringLiteral("x%1").arg(names.size());
        inputs.append(QJsonObject{{QStringLiteral("name"), name},
                                  {QStringLiteral("dtype"), isWhole ? QStringLiteral("int64") : QStringLiteral("real")},
                                  {QStringLiteral("shape"), sizes}});
        names.append(name);
    }
    op[QStringLiteral("name")] = QStringLiteral("op");
    op[QStringLiteral("from")] = names;
    const auto model = Model::fromJson({{QStringLiteral("format"), QStringLiteral("hearth-model/1")},
                                        {QStringLiteral("name"), QStringLiteral("op")},
                                        {QStringLiteral("inputs"), inputs},
                                        {QStringLiteral("graph"), QJsonArray{op}},
                                        {QStringLiteral("outputs"), QJsonArray{QStringLiteral("op")}}},
                                       QStringLiteral("op"));
    if (!model)
        qFatal("%s: %s", row.name, qPrintable(model.error().toString()));
    return *model;
}

/// Hearth's own answer, in use.
at::Tensor used(const Model &model, const std::vector<NamedTensor> &weights, const Tensors &inputs) {
    const int layers = static_cast<int>(model.layers.size());
    StageModule module(model, 0, layers, Precision::Float64, *processor());
    QHash<QString, const NamedTensor *> byName;
    for (const NamedTensor &tensor : weights)
        byName.insert(tensor.spec.name, &tensor);
    for (int l = 0; l < layers; ++l) {
        for (int t = 0; t < module.tensorCount(l); ++t) {
            const TensorSpec &spec =
                model.layers[static_cast<std::size_t>(l)].shape.tensors[static_cast<std::size_t>(t)];
            std::ignore = module.load(l, t, byName.value(spec.name)->data->bytes());
        }
    }
    const at::NoGradGuard guard;
    return module.forward(inputs, {.training = false})[0];
}

}  // namespace

class OnnxExportTest : public QObject {
    Q_OBJECT

  private Q_SLOTS:
    void initTestCase() {
        QVERIFY(m_folder.isValid());
        at::manual_seed(1);
        for (const test::OpRow &row : test::opRows) {
            const test::OpCase own(row.op, row.shapes, samples, at::kDouble);
            if (own.op.outputKind == ValueKind::Int64)
                continue;
            const Model model = modelOf(row);
            std::vector<NamedTensor> weights;
            for (std::size_t i = 0; i < own.tensors.size(); ++i)
                weights.push_back(named(model.layers.front().shape.tensors[i].name, own.tensors[i]));
            // The file's precision is that of the weights.
            weights.push_back(named(QStringLiteral("nobody's"), at::zeros({1}, at::kDouble)));
            write(QString::fromLatin1(row.name), model, weights, own.inputs);
        }
        for (const QByteArray &text : configurations) {
            const QJsonObject config = *parseJsonObject(text, QStringLiteral("config"));
            const QString name = config[QLatin1String("model_type")].toString();
            HeadOptions options;
            options.sequence = 6;
            options.answer = 5;
            options.dropout = 0.1;
            const auto model = modelFromConfig(config, name, options, name);
            QVERIFY2(model, model ? "" : qPrintable(model.error().toString()));
            Tensors inputs;
            for (const ModelInput &input : model->inputs) {
                std::vector<std::int64_t> sizes{samples};
                sizes.insert(sizes.end(), input.shape.begin(), input.shape.end());
                const bool isMask = input.name.contains(QLatin1String("mask"));
                inputs.push_back(input.kind == ValueKind::Real ? at::randn(sizes, at::kDouble)
                                                               : at::randint(isMask ? 2 : 30, sizes, at::kLong));
            }
            write(name, *model, initialise(*model, 3, DType::Float64), inputs);
            write(name + QStringLiteral(", weights beside"), *model, initialise(*model, 3, DType::Float64), inputs, 0);
        }
        QProcess python;
        python.setProcessChannelMode(QProcess::ForwardedErrorChannel);
        python.start(QStringLiteral(HEARTH_PYTHON), {QStringLiteral(HEARTH_ONNX_REFERENCE), m_folder.path()});
        QVERIFY(python.waitForFinished(500'000));
        QCOMPARE(python.exitCode(), 0);
        for (const QByteArray &line : python.readAllStandardOutput().split('\n')) {
            const QString text = QString::fromUtf8(line);
            m_said[text.section(QLatin1Char(' '), 0, 0)] = text.section(QLatin1Char(' '), 1);
        }
    }

    void filesComputeWhatHearthComputes_data() {
        QTest::addColumn<int>("file");
        for (int i = 0; i < static_cast<int>(m_names.size()); ++i)
            QTest::newRow(qPrintable(m_names[i])) << i;
    }

    void filesComputeWhatHearthComputes() {
        QFETCH(int, file);
        const QString said = m_said.value(QString::number(file), QStringLiteral("nothing"));
        bool isNumber = false;
        const double off = said.toDouble(&isNumber);
        QVERIFY2(isNumber && off < tolerance, qPrintable(said));
    }

    void whatOnnxCannotSayIsRefused() {
        const test::OpRow row{"", "{'kind':'adaptive-average-pool','size':[3,2]}", "3,7,5"};
        const auto written = exportOnnx(modelOf(row), {}, m_folder.filePath(QStringLiteral("no.onnx")));
        QVERIFY(!written);
        QCOMPARE(written.error().code, QStringLiteral("onnx.no-export"));
        QVERIFY(written.error().toString().contains(QLatin1String("adaptive-average-pool")));
    }

  private:
    void write(const QString &name, const Model &model, const std::vector<NamedTensor> &weights, const Tensors &inputs,
               qint64 mostInside = mostWeightsInOnnx) {
        const QString base = m_folder.filePath(QString::number(m_names.size()));
        const auto written = exportOnnx(model, weights, base + QStringLiteral(".onnx"), {}, mostInside);
        if (!written && name == QLatin1String("adaptive average pooling"))
            return;
        QVERIFY2(written, written ? "" : qPrintable(name + written.error().toString()));
        std::vector<NamedTensor> tensors{named(QStringLiteral("used"), used(model, weights, inputs))};
        for (std::size_t i = 0; i < inputs.size(); ++i)
            tensors.push_back(named(QStringLiteral("in.") + model.inputs[i].name, inputs[i]));
        QVERIFY(writeSafetensors(base + QStringLiteral(".safetensors"), tensors));
        m_names << name;
    }

    QTemporaryDir m_folder;
    QStringList m_names;
    QHash<QString, QString> m_said;
};

QTEST_GUILESS_MAIN(OnnxExportTest)
#include "onnx_export_test.moc"
