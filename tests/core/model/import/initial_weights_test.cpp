#include <QTemporaryDir>
#include <QTest>

#include "core/model/catalogue.h"
#include "core/model/import/initial_weights.h"
#include "core/model/init.h"
#include "core/model/safetensors.h"
#include "core/model/safetensors_source.h"

using namespace hearth;

class InitialWeightsTest : public QObject {
    Q_OBJECT

  private Q_SLOTS:
    /// A file is used again where it would be the same, and only there.
    void theKeyIsThatOfTheFile() {
        const auto model = loadModel(QStringLiteral("fashion-cnn"));
        QVERIFY(model);
        const ImportedModel one = network(*model, 1), same = network(*model, 1), other = network(*model, 2);
        QVERIFY(one.weights && same.weights && other.weights);
        const auto key = initialWeightsKey(one, 5, DType::Float32);
        QVERIFY(key);
        QCOMPARE(key->size(), 64);
        QCOMPARE(initialWeightsKey(same, 5, DType::Float32).value_or(QByteArray()), *key);
        QVERIFY(initialWeightsKey(other, 5, DType::Float32).value_or(*key) != *key);
        QVERIFY(initialWeightsKey(one, 6, DType::Float32).value_or(*key) != *key);
        QVERIFY(initialWeightsKey(one, 5, DType::Float64).value_or(*key) != *key);
        QVERIFY(initialWeightsKey({*model, nullptr, {}}, 5, DType::Float32).value_or(*key) != *key);
    }

  private:
    /// It came with weights that lie in a file of their own.
    ImportedModel network(const Model &model, quint64 seed) {
        const QString file = m_folder.filePath(QStringLiteral("%1.safetensors").arg(++m_files));
        if (!writeSafetensors(file, initialise(model, seed, DType::Float32)))
            return {};
        return {model, openSafetensors({file}).value_or(nullptr), {}};
    }

    QTemporaryDir m_folder;
    int m_files = 0;
};

QTEST_GUILESS_MAIN(InitialWeightsTest)
#include "initial_weights_test.moc"
