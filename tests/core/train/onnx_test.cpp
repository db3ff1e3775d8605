// Networks of torchvision, exported by PyTorch, imported and computed: logits, loss and gradients of plain PyTorch
// (tests/core/model/import/networks.py) in float64.
#include <QFile>
#include <QProcess>
#include <QTemporaryDir>
#include <QTest>

#include "core/model/import/onnx.h"
#include "tests/core/train/outsider_case.h"

using namespace hearth;

namespace {

constexpr double tolerance = 1e-10;

}  // namespace

class TrainOnnxTest : public QObject {
    Q_OBJECT

  private Q_SLOTS:
    void initTestCase() {
        QVERIFY(m_folder.isValid());
        if (qEnvironmentVariableIsSet("HEARTH_ALL_CASES")) {
            for (const char *name : {"resnet18", "resnet50", "mobilenet_v2", "mobilenet_v3_small", "mobilenet_v3_large",
                                     "efficientnet_b0", "efficientnet_b1", "densenet121", "convnext_tiny", "vit_b_16"})
                m_names << QStringLiteral("full_") + QLatin1String(name);
            return;  // each is written when it is its turn
        }
        for (const char *name : {"tied",
                                 "activations",
                                 "odds",
                                 "plain",
                                 "text",
                                 "classifier",
                                 "classifier_for_use",
                                 "bert",
                                 "gpt",
                                 "decoder",
                                 "unusual",
                                 "kept",
                                 "resnet18",
                                 "mobilenet_v2",
                                 "mobilenet_v2_for_use",
                                 "mobilenet_v3_small",
                                 "efficientnet_b0",
                                 "efficientnet_b1_for_use",
                                 "densenet121",
                                 "convnext",
                                 "vit",
                                 "vit_fixed",
                                 "text_fixed"})
            m_names << QLatin1String(name);
        write(m_names.join(QLatin1Char(',')));
    }

    void networksComputeWhatPyTorchComputes_data() {
        QTest::addColumn<QString>("network");
        for (const QString &name : std::as_const(m_names))
            QTest::newRow(qPrintable(name)) << name;
    }

    void networksComputeWhatPyTorchComputes() {
        QFETCH(QString, network);
        const QString onnx = m_folder.filePath(network + QStringLiteral(".onnx"));
        const QString expected = m_folder.filePath(network + QStringLiteral(".safetensors"));
        if (!QFile::exists(onnx))
            write(network);
        if (QTest::currentTestFailed() || !QFile::exists(expected))
            return;
        const auto imported = importOnnx(onnx);
        QVERIFY2(imported, imported ? "" : qPrintable(imported.error().toString()));
        const auto outsider = OutsiderCase::read(expected);
        QVERIFY2(outsider, outsider ? "" : qPrintable(outsider.error().toString()));
        QCOMPARE(outsider->differenceOf(*imported, tolerance), QString());
        QVERIFY(QFile::remove(onnx) && QFile::remove(expected));
    }

  private:
    void write(const QString &names) {
        QProcess python;
        python.setProcessChannelMode(QProcess::ForwardedErrorChannel);
        python.start(QStringLiteral(HEARTH_PYTHON),
                     {QStringLiteral(HEARTH_NETWORKS), names, m_folder.path(), QStringLiteral("--expect")});
        QVERIFY(python.waitForFinished(500'000));
        QCOMPARE(python.exitCode(), 0);
    }

    QTemporaryDir m_folder;
    QStringList m_names;
};

QTEST_GUILESS_MAIN(TrainOnnxTest)
#include "onnx_test.moc"
