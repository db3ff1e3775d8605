// Frozen tensors of given weights outlive the coordinator that read them.
#include <QFileInfo>
#include <QJsonArray>
#include <QTemporaryDir>
#include <QTest>

#include "core/model/catalogue.h"
#include "core/model/init.h"
#include "core/model/safetensors.h"
#include "core/run/frozen_tensors.h"

using namespace hearth;

class FrozenTensorsTest : public QObject {
    Q_OBJECT

  private Q_SLOTS:
    void theFolderKeepsThemAlone() {
        const Model model = withFrozen({0, 2});
        const auto weights = weightsOf(model);
        const FrozenTensors frozen = frozenOf(weights);
        QTemporaryDir folder;
        QVERIFY(saveFrozen(folder.path(), frozen));
        const auto read = loadFrozen(folder.path(), model, DType::Float32);
        QVERIFY2(read, qPrintable(read ? QString() : read.error().toString()));
        QCOMPARE(read->size(), model.layers.size());
        for (std::size_t l = 0; l < read->size(); ++l) {
            QCOMPARE((*read)[l].size(), weights[l].size());
            for (std::size_t i = 0; i < weights[l].size(); ++i) {
                QCOMPARE((*read)[l][i].data != nullptr, l == 0 || l == 2);
                QCOMPARE(frozen[l][i].data != nullptr, l == 0 || l == 2);
                QVERIFY(!(*read)[l][i].data ||
                        std::ranges::equal((*read)[l][i].data->bytes(), weights[l][i].data->bytes()));
            }
        }
    }

    void amongNoneThereIsNothingToKeep() {
        const Model model = withFrozen({});
        const FrozenTensors frozen = frozenOf(weightsOf(model));
        QVERIFY(frozen.empty());
        QTemporaryDir folder;
        QVERIFY(saveFrozen(folder.path(), frozen));
        QVERIFY(!QFileInfo::exists(frozenFile(folder.path())));
        const auto read = loadFrozen(folder.path(), model, DType::Float32);
        QVERIFY(read && read->empty());
    }

    void thoseOfAnotherModelAreRefused() {
        QTemporaryDir folder;
        QVERIFY(saveFrozen(folder.path(), frozenOf(weightsOf(withFrozen({0})))));
        const auto read = loadFrozen(folder.path(), withFrozen({0, 2}), DType::Float32);
        QVERIFY(!read);
        QCOMPARE(read.error().code, QStringLiteral("weights.mismatch"));
        QVERIFY(!loadFrozen(folder.path(), withFrozen({0}), DType::Float64));
    }

  private:
    static Model withFrozen(const QList<int> &frozen) {
        QJsonObject description = loadModel(QStringLiteral("fashion-cnn"))->toJson();
        QJsonArray layers = description[QStringLiteral("layers")].toArray();
        for (const int layer : frozen) {
            QJsonObject changed = layers[layer].toObject();
            changed[QStringLiteral("frozen")] = true;
            layers[layer] = changed;
        }
        description[QStringLiteral("layers")] = layers;
        return *Model::fromJson(description, QStringLiteral("test"));
    }

    static std::vector<std::vector<NamedTensor>> weightsOf(const Model &model) {
        std::vector<std::vector<NamedTensor>> weights;
        for (int l = 0; l < static_cast<int>(model.layers.size()); ++l)
            weights.push_back(initialise(model, l, 7, DType::Float32));
        return weights;
    }
};

QTEST_GUILESS_MAIN(FrozenTensorsTest)
#include "test_frozen_tensors.moc"
