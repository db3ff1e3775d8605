// Weights that are too many for an ONNX file lie beside it.
#include <QDir>
#include <QFile>
#include <QFileInfo>
#include <QTemporaryDir>
#include <QTest>
#include <algorithm>
#include <memory>
#include <utility>
#include <vector>

#include "core/base/files.h"
#include "core/base/json_reader.h"
#include "core/model/import/onnx.h"
#include "core/model/import/onnx_export.h"
#include "core/model/init.h"

using namespace hearth;

class OnnxBesideTest : public QObject {
    Q_OBJECT

  private Q_SLOTS:
    void initTestCase() {
        const auto json = parseJsonObject(R"({"format": "hearth-model/1", "name": "net",
            "inputs": [{"name": "x", "dtype": "real", "shape": [60]}], "outputs": ["head"],
            "graph": [{"name": "first", "kind": "linear", "from": ["x"], "features": 50},
                      {"name": "head", "kind": "linear", "from": ["first"], "features": 40}]} )",
                                          QStringLiteral("net"));
        QVERIFY(json);
        auto model = Model::fromJson(*json, QStringLiteral("net"));
        QVERIFY2(model, model ? "" : qPrintable(model.error().toString()));
        m_model = std::move(*model);
        m_weights = initialise(m_model, 3, DType::Float32);
        for (const NamedTensor &tensor : m_weights)
            m_bytes += tensor.data->size();
    }
    void init() {
        m_folder = std::make_unique<QTemporaryDir>();
        m_path = m_folder->filePath(QStringLiteral("net.onnx"));
    }

    void weightsOfTheLimitAreInTheFile() {
        const auto written = exportOnnx(m_model, m_weights, m_path, {}, m_bytes);
        QVERIFY2(written, written ? "" : qPrintable(written.error().toString()));
        QCOMPARE(*written, QString());
        QCOMPARE(QDir(m_folder->path()).entryList(QDir::Files), QStringList{QStringLiteral("net.onnx")});
        checkWeights();
    }

    void weightsAboveItAreReadFromTheFileBesideIt() {
        const auto written = exportOnnx(m_model, m_weights, m_path, {}, m_bytes - 1);
        QVERIFY2(written, written ? "" : qPrintable(written.error().toString()));
        QCOMPARE(*written, m_path + QStringLiteral(".data"));
        QVERIFY(QFileInfo(m_path).size() < m_bytes / 4);
        QVERIFY(QFileInfo(*written).size() >= m_bytes);
        checkWeights();
        QVERIFY(QFile::remove(*written));
        QVERIFY(!importOnnx(m_path));
    }

    void theFileStaysAsItWasWhereItsWeightsCannotBeWritten() {
        QVERIFY(saveFile(m_path, "before"));
        QVERIFY(QDir().mkdir(m_path + QStringLiteral(".data")));
        const auto written = exportOnnx(m_model, m_weights, m_path, {}, 0);
        QVERIFY(!written);
        QVERIFY2(written.error().toString().contains(QLatin1String("net.onnx.data")),
                 qPrintable(written.error().toString()));
        QFile file(m_path);
        QVERIFY(file.open(QIODevice::ReadOnly));
        QCOMPARE(file.readAll(), QByteArray("before"));
    }

  private:
    void checkWeights() const {
        const auto imported = importOnnx(m_path);
        QVERIFY2(imported, imported ? "" : qPrintable(imported.error().toString()));
        for (const NamedTensor &tensor : m_weights) {
            const auto read = imported->weights->read(tensor.spec.name);
            QVERIFY2(read, qPrintable(tensor.spec.name));
            QVERIFY2(std::ranges::equal(read->data->bytes(), tensor.data->bytes()), qPrintable(tensor.spec.name));
        }
    }

    Model m_model;
    std::vector<NamedTensor> m_weights;
    qint64 m_bytes = 0;
    std::unique_ptr<QTemporaryDir> m_folder;
    QString m_path;
};

QTEST_GUILESS_MAIN(OnnxBesideTest)
#include "onnx_beside_test.moc"
