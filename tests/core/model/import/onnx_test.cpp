// What PyTorch and torchvision export (networks.py), imported: names and shapes of all weights as state_dict() has
// them, the same numbers, and ops that are whole again.
#include <QJsonArray>
#include <QJsonDocument>
#include <QJsonObject>
#include <QProcess>
#include <QSet>
#include <QTemporaryDir>
#include <QTest>

#include "core/base/json_reader.h"
#include "core/model/import/initial_weights.h"
#include "core/model/import/onnx.h"
#include "core/model/import/onnx_export.h"
#include "core/model/safetensors.h"

using namespace hearth;

namespace {

const QStringList small{QStringLiteral("tied"),         QStringLiteral("classifier"),
                        QStringLiteral("plain"),        QStringLiteral("odds"),
                        QStringLiteral("activations"),  QStringLiteral("densenet121"),
                        QStringLiteral("convnext"),     QStringLiteral("convnext_opset_13"),
                        QStringLiteral("mobilenet_v2"), QStringLiteral("vit"),
                        QStringLiteral("vit_opset_17"), QStringLiteral("bert"),
                        QStringLiteral("gpt"),          QStringLiteral("decoder")};
const QStringList special{QStringLiteral("unusual"), QStringLiteral("kept")};
const QStringList full{QStringLiteral("full_resnet18"), QStringLiteral("full_mobilenet_v3_small"),
                       QStringLiteral("full_efficientnet_b0"), QStringLiteral("full_vit_b_16")};

QJsonObject shapesOf(const Model &model, TensorRole role) {
    QJsonObject shapes;
    for (const TensorSpec &spec : model.tensors()) {
        if (spec.role != role)
            continue;
        QJsonArray shape;
        for (const qint64 dim : spec.shape)
            shape.append(dim);
        shapes[spec.name] = shape;
    }
    return shapes;
}

QStringList kindsOf(const Model &model) {
    QStringList kinds;
    for (const Layer &layer : model.layers) {
        for (const Op &op : layer.ops)
            kinds << op.kind;
    }
    return kinds;
}

}  // namespace

class OnnxTest : public QObject {
    Q_OBJECT

  private Q_SLOTS:
    void initTestCase() {
        QVERIFY(m_folder.isValid());
        m_names = small;
        if (qEnvironmentVariableIsSet("HEARTH_ALL_CASES"))
            m_names += full;
        QProcess python;
        python.setProcessChannelMode(QProcess::ForwardedErrorChannel);
        python.start(QStringLiteral(HEARTH_PYTHON),
                     {QStringLiteral(HEARTH_NETWORKS), (m_names + special).join(QLatin1Char(',')), m_folder.path()});
        QVERIFY(python.waitForFinished(600'000));
        QCOMPARE(python.exitCode(), 0);
    }

    void weightsAreThoseOfTheNetwork_data() {
        QTest::addColumn<QString>("network");
        for (const QString &name : std::as_const(m_names))
            QTest::newRow(qPrintable(name)) << name;
    }

    void weightsAreThoseOfTheNetwork() {
        QFETCH(QString, network);
        const auto imported = importOnnx(file(network));
        QVERIFY2(imported, imported ? "" : qPrintable(imported.error().toString()));
        const auto facts = readJsonFile(m_folder.filePath(network + QStringLiteral(".json")));
        QVERIFY(facts);
        QCOMPARE(shapesOf(imported->model, TensorRole::Trainable),
                 facts->value(QLatin1String("parameters")).toObject());
        QCOMPARE(shapesOf(imported->model, TensorRole::Statistics), facts->value(QLatin1String("buffers")).toObject());
        QVERIFY(imported->notes.empty());
        QVERIFY(imported->model.layers.size() > 1);
        for (const TensorSpec &spec : imported->model.tensors()) {
            const auto tensor = imported->weights->read(spec.name);
            QVERIFY(tensor);
            QCOMPARE(tensor->dtype, DType::Float64);
            QCOMPARE(tensor->data->size(), spec.bytes(DType::Float64));
        }
    }

    void opsThatWereTakenApartAreWhole_data() {
        QTest::addColumn<QString>("network");
        QTest::addColumn<QStringList>("has");
        QTest::newRow("of a vision transformer")
            << QStringLiteral("vit") << QStringList{QStringLiteral("layer-norm"), QStringLiteral("gelu")};
        QTest::newRow("of a ConvNeXt") << QStringLiteral("convnext_opset_13")
                                       << QStringList{QStringLiteral("layer-norm"), QStringLiteral("gelu")};
        QTest::newRow("of many activations") << QStringLiteral("activations")
                                             << QStringList{QStringLiteral("group-norm"), QStringLiteral("gelu"),
                                                            QStringLiteral("silu"), QStringLiteral("hard-swish")};
    }

    void opsThatWereTakenApartAreWhole() {
        QFETCH(QString, network);
        QFETCH(QStringList, has);
        const auto imported = importOnnx(file(network));
        QVERIFY(imported);
        const QStringList kinds = kindsOf(imported->model);
        for (const QString &kind : has)
            QVERIFY2(kinds.contains(kind), qPrintable(kind));
        for (const char *part : {"erf", "sqrt", "power", "reciprocal", "sigmoid", "hard-sigmoid", "tanh"})
            QVERIFY2(!kinds.contains(QLatin1String(part)), part);
    }

    void attentionsAreOneOp_data() {
        QTest::addColumn<QString>("network");
        QTest::addColumn<int>("attentions");
        QTest::addColumn<int>("causal");
        QTest::addColumn<int>("masked");
        QTest::addColumn<int>("softmaxes");
        QTest::newRow("of a vision transformer") << QStringLiteral("vit") << 2 << 0 << 0 << 0;
        QTest::newRow("of PyTorch's encoder") << QStringLiteral("classifier") << 2 << 0 << 0 << 0;
        QTest::newRow("of PyTorch's decoder, whose keys come from elsewhere")
            << QStringLiteral("decoder") << 2 << 1 << 0 << 0;
        QTest::newRow("with a mask of the samples, as BERT adds it") << QStringLiteral("bert") << 1 << 0 << 1 << 0;
        QTest::newRow("with a buffer that hides what is to come") << QStringLiteral("gpt") << 1 << 1 << 0 << 0;
        QTest::newRow("but not with something between that the op has not")
            << QStringLiteral("unusual") << 0 << 0 << 0 << 3;
    }

    void attentionsAreOneOp() {
        QFETCH(QString, network);
        const auto imported = importOnnx(file(network));
        QVERIFY2(imported, imported ? "" : qPrintable(imported.error().toString()));
        int attentions = 0, causal = 0, masked = 0, softmaxes = 0;
        for (const Layer &layer : imported->model.layers) {
            for (const Op &op : layer.ops) {
                softmaxes += op.kind == QLatin1String("softmax");
                if (op.kind != QLatin1String("attention"))
                    continue;
                ++attentions;
                causal += op.flag("causal");
                masked += op.inputShapes.size() == 4;
            }
        }
        QTEST(attentions, "attentions");
        QTEST(causal, "causal");
        QTEST(masked, "masked");
        QTEST(softmaxes, "softmaxes");
    }

    void whatTheFileTellsToBeConstantIsNotTrained() {
        const auto imported = importOnnx(file(QStringLiteral("kept")));
        QVERIFY2(imported, imported ? "" : qPrintable(imported.error().toString()));
        // Whole numbers, truth values, single numbers and what is only compared: not in it. The buffer "waves" and the
        // parameters that PyTorch would not train look like weights.
        QCOMPARE(shapesOf(imported->model, TensorRole::Trainable).keys(),
                 (QStringList{QStringLiteral("first.bias"), QStringLiteral("first.weight"), QStringLiteral("head.bias"),
                              QStringLiteral("head.weight"), QStringLiteral("waves"), QStringLiteral("words.weight")}));
        for (const auto &name : shapesOf(imported->model, TensorRole::Frozen).keys())
            QVERIFY2(isOnnxConstant(name), qPrintable(name));
    }

    void equalWeightsAreNotTiedAndSharedOnesAre() {
        const auto imported = importOnnx(file(QStringLiteral("tied")));
        QVERIFY(imported);
        QHash<QString, int> uses;
        for (const Layer &layer : imported->model.layers) {
            for (const TensorSpec &spec : layer.shape.tensors)
                ++uses[spec.name];
        }
        QCOMPARE(uses.value(QStringLiteral("first.weight")), 2);
        QCOMPARE(uses.value(QStringLiteral("norms.0.weight")), 1);
        QCOMPARE(uses.value(QStringLiteral("norms.1.weight")), 1);
        QCOMPARE(imported->weights->read(QStringLiteral("norms.1.weight"))->data->bytes()[7],
                 imported->weights->read(QStringLiteral("norms.0.weight"))->data->bytes()[7]);
    }

    void whatWasExportedImportsAgain_data() { weightsAreThoseOfTheNetwork_data(); }

    void whatWasExportedImportsAgain() {
        QFETCH(QString, network);
        const auto imported = importOnnx(file(network));
        QVERIFY(imported);
        const QString saved = m_folder.filePath(network + QStringLiteral(".w.safetensors"));
        QVERIFY(saveInitialWeights(*imported, 1, DType::Float64, saved));
        auto tensors = readSafetensors(saved);
        QVERIFY(tensors);
        const QString path = m_folder.filePath(network + QStringLiteral(".again.onnx"));
        const auto written = exportOnnx(imported->model, *tensors, path);
        QVERIFY2(written, written ? "" : qPrintable(written.error().toString()));
        const auto again = importOnnx(path);
        QVERIFY2(again, again ? "" : qPrintable(again.error().toString()));
        QCOMPARE(shapesOf(again->model, TensorRole::Trainable), shapesOf(imported->model, TensorRole::Trainable));
        QCOMPARE(again->model.classes, imported->model.classes);
    }

  private:
    QString file(const QString &network) const { return m_folder.filePath(network + QStringLiteral(".onnx")); }

    QTemporaryDir m_folder;
    QStringList m_names;
};

QTEST_GUILESS_MAIN(OnnxTest)
#include "onnx_test.moc"
