// Frozen tensors of given weights outlive the coordinator that read them.
#include <QCryptographicHash>
#include <QFileInfo>
#include <QTemporaryDir>
#include <QTest>

#include "core/model/catalogue.h"
#include "core/model/init.h"
#include "core/model/layer_state.h"
#include "core/model/safetensors.h"
#include "core/run/frozen_tensors.h"
#include "core/wire/state_chunks.h"
#include "tests/core/model/frozen_model.h"

using namespace hearth;

class FrozenTensorsTest : public QObject {
    Q_OBJECT

  private Q_SLOTS:
    void theFolderKeepsThemAlone() {
        const Model model = frozenAt({0, 2});
        const auto weights = weightsOf(model);
        const FrozenTensors frozen = frozenOf(weights);
        QTemporaryDir folder;
        QVERIFY(saveFrozen(folder.path(), frozen));
        const auto read = loadFrozen(folder.path(), model, DType::Float32);
        QVERIFY2(read, qPrintable(read ? QString() : read.error().toString()));
        QCOMPARE(read->layers.size(), model.layers.size());
        QCOMPARE(read->sha256, frozen.sha256);
        for (std::size_t l = 0; l < read->layers.size(); ++l) {
            QCOMPARE(read->layers[l].size(), weights[l].size());
            QCOMPARE(read->sha256[l].size(), l == 0 || l == 2 ? 64 : 0);
            for (std::size_t i = 0; i < weights[l].size(); ++i) {
                QCOMPARE(read->layers[l][i].data != nullptr, l == 0 || l == 2);
                QCOMPARE(frozen.layers[l][i].data != nullptr, l == 0 || l == 2);
                QVERIFY(!read->layers[l][i].data ||
                        std::ranges::equal(read->layers[l][i].data->bytes(), weights[l][i].data->bytes()));
            }
        }
    }

    /// Chunks are those of the layer's tensors one after the other.
    void chunksAndHashAreOfTheSameBytes() {
        const Model model = frozenAt({0, 2, 3});
        const FrozenTensors frozen = frozenOf(weightsOf(model));
        for (int layer = 0; layer < static_cast<int>(model.layers.size()); ++layer) {
            const auto place = static_cast<std::size_t>(layer);
            QCOMPARE(frozen.bytes(layer), LayerStateLayout::ofFrozen(model.layers[place], DType::Float32).bytes);
            QByteArray all;
            for (int index = 0; index < stateChunkCount(frozen.bytes(layer)); ++index) {
                const Payload chunk = frozen.chunk(layer, index);
                QCOMPARE(chunk.size, stateChunkSize(frozen.bytes(layer), index));
                all.append(reinterpret_cast<const char *>(chunk.data), chunk.size);
            }
            QCOMPARE(all.size(), frozen.bytes(layer));
            QCOMPARE(frozen.sha256[place],
                     all.isEmpty()
                         ? QString()
                         : QString::fromLatin1(QCryptographicHash::hash(all, QCryptographicHash::Sha256).toHex()));
        }
    }

    void amongNoneThereIsNothingToKeep() {
        const Model model = frozenAt({});
        const FrozenTensors frozen = frozenOf(weightsOf(model));
        QVERIFY(frozen.isEmpty());
        QTemporaryDir folder;
        QVERIFY(saveFrozen(folder.path(), frozen));
        QVERIFY(!QFileInfo::exists(frozenFile(folder.path())));
        const auto read = loadFrozen(folder.path(), model, DType::Float32);
        QVERIFY(read && read->isEmpty());
    }

    void thoseOfAnotherModelAreRefused() {
        QTemporaryDir folder;
        QVERIFY(saveFrozen(folder.path(), frozenOf(weightsOf(frozenAt({0})))));
        const auto read = loadFrozen(folder.path(), frozenAt({0, 2}), DType::Float32);
        QVERIFY(!read);
        QCOMPARE(read.error().code, QStringLiteral("weights.mismatch"));
        QVERIFY(!loadFrozen(folder.path(), frozenAt({0}), DType::Float64));
    }

  private:
    static Model frozenAt(const QList<int> &layers) {
        return modelWithFrozen(*loadModel(QStringLiteral("fashion-cnn")), layers);
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
