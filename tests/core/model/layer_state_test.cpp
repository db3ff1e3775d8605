#include <QJsonArray>
#include <QTest>

#include "core/model/catalogue.h"
#include "core/model/layer_state.h"

using namespace hearth;

class LayerStateTest : public QObject {
    Q_OBJECT

  private Q_SLOTS:
    void partsLieSideBySide_data() {
        QTest::addColumn<QString>("model");
        QTest::addColumn<DType>("dtype");
        QTest::addColumn<int>("buffers");
        QTest::newRow("fashion-cnn, plain SGD") << QStringLiteral("fashion-cnn") << DType::Float32 << 0;
        QTest::newRow("fashion-cnn, momentum, 64 bit") << QStringLiteral("fashion-cnn") << DType::Float64 << 1;
        QTest::newRow("mobilenetv2, Adam") << QStringLiteral("mobilenetv2") << DType::Float32 << 2;
    }

    /// First all tensors of the layer, then per buffer of the optimizer those that are trained, in the same order.
    void partsLieSideBySide() {
        QFETCH(QString, model);
        QFETCH(DType, dtype);
        QFETCH(int, buffers);
        const Model loaded = *loadModel(model);
        for (const Layer &layer : loaded.layers) {
            const LayerStateLayout layout = LayerStateLayout::of(layer, dtype, {buffers});
            const auto &specs = layer.shape.tensors;
            std::vector<std::pair<int, int>> expected;
            for (int tensor = 0; tensor < static_cast<int>(specs.size()); ++tensor)
                expected.emplace_back(-1, tensor);
            for (int buffer = 0; buffer < buffers; ++buffer) {
                for (int tensor = 0; tensor < static_cast<int>(specs.size()); ++tensor) {
                    if (specs[static_cast<std::size_t>(tensor)].isTrainable())
                        expected.emplace_back(buffer, tensor);
                }
            }
            QCOMPARE(layout.parts.size(), expected.size());
            qint64 next = 0;
            for (std::size_t i = 0; i < expected.size(); ++i) {
                QCOMPARE(std::make_pair(layout.parts[i].optimizer, layout.parts[i].tensor), expected[i]);
                QCOMPARE(layout.parts[i].offset, next);
                QCOMPARE(layout.parts[i].bytes,
                         specs[static_cast<std::size_t>(expected[i].second)].elements() * byteSize(dtype));
                next += layout.parts[i].bytes;
            }
            QCOMPARE(layout.bytes, next);
        }
    }

    void aFrozenLayerHasStatisticsOnly() {
        const Model plain = *loadModel(QStringLiteral("mobilenetv2-cifar"));
        QJsonObject description = plain.toJson();
        QJsonArray layers = description[QStringLiteral("layers")].toArray();
        QJsonObject first = layers[0].toObject();
        first[QStringLiteral("frozen")] = true;
        layers[0] = first;
        description[QStringLiteral("layers")] = layers;
        const auto model = Model::fromJson(description, QStringLiteral("test"));
        QVERIFY(model);
        QCOMPARE(model->toJson(), description);
        QVERIFY(model->sha256() != plain.sha256());
        const Layer &layer = model->layers.front();
        QVERIFY(layer.shape.bufferCount() > 0);
        QCOMPARE(layer.shape.trainableBytes(DType::Float32), 0);
        QCOMPARE(layer.shape.parameterCount(), plain.layers.front().shape.parameterCount());
        QCOMPARE(LayerStateLayout::of(layer, DType::Float32, {2}).bytes, layer.shape.bufferBytes(DType::Float32));
        QCOMPARE(LayerStateLayout::ofFrozen(layer, DType::Float32).bytes, layer.shape.parameterBytes(DType::Float32));
        QCOMPARE(LayerStateLayout::ofFrozen(plain.layers.front(), DType::Float32).bytes, 0);
    }

    /// Of a matrix its rows and columns, of a bias all; the copies come first.
    void secondMomentsAreFactored() {
        const Model model = *loadModel(QStringLiteral("fashion-cnn"));
        const OptimizerState state{1, true};
        QCOMPARE(state.buffers(), 3);
        QCOMPARE(*state.shapeIn(0, {4, 3, 2}), (Shape{4, 3, 2}));
        QCOMPARE(*state.shapeIn(1, {4, 3, 2}), (Shape{4, 3}));
        QCOMPARE(*state.shapeIn(2, {4, 3, 2}), (Shape{4, 2}));
        QCOMPARE(*state.shapeIn(1, {5}), Shape{5});
        QVERIFY(!state.shapeIn(2, {5}));
        QCOMPARE(state.momentsOf({4, 3, 2}), 4 * (3 + 2));
        QCOMPARE(state.momentsOf({5}), 5);
        for (const Layer &layer : model.layers) {
            const auto layout = LayerStateLayout::of(layer, DType::Float64, state);
            qint64 next = 0, moments = 0;
            for (const LayerStateLayout::Part &part : layout.parts) {
                QCOMPARE(part.offset, next);
                QCOMPARE(part.bytes, elementCount(part.shape) * 8);
                next += part.bytes;
                moments += part.optimizer > 0 ? elementCount(part.shape) : 0;
            }
            QCOMPARE(layout.bytes, next);
            qint64 expected = 0;
            for (const TensorSpec &tensor : layer.shape.tensors)
                expected += tensor.isTrainable() ? state.momentsOf(tensor.shape) : 0;
            QCOMPARE(moments, expected);
            QCOMPARE(layout.bytes, layer.shape.bufferBytes(DType::Float64) +
                                       2 * layer.shape.trainableBytes(DType::Float64) + 8 * expected);
        }
    }

    void aLayerWithoutTensorsHasNoState() {
        Layer layer;
        QCOMPARE(LayerStateLayout::of(layer, DType::Float32, {2}).bytes, 0);
    }
};

QTEST_GUILESS_MAIN(LayerStateTest)
#include "layer_state_test.moc"
