// Tensors that several ops of a model have.
#include <QJsonArray>
#include <QTest>

#include "core/model/init.h"
#include "core/model/layer_state.h"
#include "core/model/safetensors.h"
#include "core/model/ties.h"

using namespace hearth;

namespace {

QJsonObject linear(const QString &name, const QString &weight = {}, int features = 6) {
    QJsonObject op{{QStringLiteral("name"), name},
                   {QStringLiteral("kind"), QStringLiteral("linear")},
                   {QStringLiteral("features"), features}};
    if (!weight.isEmpty())
        op[QStringLiteral("tensors")] = QJsonObject{{QStringLiteral("weight"), weight}};
    return op;
}

QJsonObject layer(const QString &name, const QJsonArray &ops) {
    return {{QStringLiteral("name"), name},
            {QStringLiteral("kind"), QStringLiteral("graph")},
            {QStringLiteral("ops"), ops}};
}

/// Features 6 to 6 throughout; the layers a, b, c and the head, which has what `head` says.
QJsonObject description(const QJsonArray &b, const QJsonArray &head) {
    const QJsonObject flat{{QStringLiteral("name"), QStringLiteral("flat")},
                           {QStringLiteral("kind"), QStringLiteral("flatten")}};
    return {
        {QStringLiteral("format"), QStringLiteral("hearth-model/1")},
        {QStringLiteral("name"), QStringLiteral("tied")},
        {QStringLiteral("input"), QJsonArray{1, 2, 3}},
        {QStringLiteral("classes"), 6},
        {QStringLiteral("layers"),
         QJsonArray{layer(QStringLiteral("a"), {flat, linear(QStringLiteral("in"))}), layer(QStringLiteral("b"), b),
                    layer(QStringLiteral("c"), {linear(QStringLiteral("own"))}), layer(QStringLiteral("head"), head)}}};
}

const QString first = QStringLiteral("a.in.weight");

Result<Model> read(const QJsonObject &object) {
    return Model::fromJson(object, QStringLiteral("tied.json"));
}

QByteArray bytes(const NamedTensor &tensor) {
    return {reinterpret_cast<const char *>(tensor.data->data()), tensor.data->size()};
}

}  // namespace

class TiesTest : public QObject {
    Q_OBJECT

  private Q_SLOTS:
    void theFirstInTheNetworkIsTheOneThatOthersAreTiedTo() {
        const auto model = read(description({linear(QStringLiteral("x"), first), linear(QStringLiteral("y"), first)},
                                            {linear(QStringLiteral("out"), first)}));
        QVERIFY2(model, qPrintable(model ? QString() : model.error().toString()));
        const auto &b = model->layers[1].shape;
        QCOMPARE(b.tensors[0].name, first);
        QCOMPARE(b.tensors[0].tiedTo, std::optional(TensorRef{0, 0}));
        QCOMPARE(b.tensors[2].tiedTo, std::optional(TensorRef{0, 0}));
        QVERIFY(!isRepeat(b.tensors, 0));
        QVERIFY(isRepeat(b.tensors, 2));
        QVERIFY(!b.tensors[1].tiedTo);
        // Counted once in the layer, and once in the network.
        QCOMPARE(b.parameterCount(), 36 + 6 + 6);
        QCOMPARE(model->parameterCount(), 2 * 36 + 5 * 6);
        QCOMPARE(qint64(model->tensors().size()), 2 + 5);
        const std::vector<Tie> ties = tiesOf(*model);
        QCOMPARE(ties.size(), 1);
        QCOMPARE(ties.front().layers, (std::vector<int>{0, 1, 3}));
        QCOMPARE(ties.front().elements, 36);
        QVERIFY(ties.front().isCut(0, 2));
        QVERIFY(!ties.front().isCut(2, 3));
        QVERIFY(!ties.front().isCut(0, 4));
    }

    void aTieMayBeWithinALayer() {
        const QString own = QStringLiteral("b.x.weight");
        const auto model = read(description({linear(QStringLiteral("x")), linear(QStringLiteral("y"), own)},
                                            {linear(QStringLiteral("out"))}));
        QVERIFY(model);
        QVERIFY(tiesOf(*model).empty());
        QCOMPARE(model->layers[1].shape.tensors[2].tiedTo, std::optional(TensorRef{1, 0}));
        const auto layout = LayerStateLayout::of(model->layers[1], DType::Float32, {1});
        QCOMPARE(layout.parts.size(), 6);
        QCOMPARE(layout.bytes, 2 * 4 * (36 + 6 + 6));
    }

    void theDescriptionKeepsTheNames() {
        const auto model = read(description({linear(QStringLiteral("x"))}, {linear(QStringLiteral("out"), first)}));
        QVERIFY(model);
        const auto again = read(model->toJson());
        QVERIFY(again);
        QCOMPARE(again->sha256(), model->sha256());
        QCOMPARE(again->layers[3].shape.tensors, model->layers[3].shape.tensors);
        const auto untied = read(description({linear(QStringLiteral("x"))}, {linear(QStringLiteral("out"))}));
        QVERIFY(untied->sha256() != model->sha256());
    }

    void everyLayerBeginsWithTheSameValues() {
        const auto model = read(description({linear(QStringLiteral("x"))}, {linear(QStringLiteral("out"), first)}));
        QVERIFY(model);
        const auto head = initialise(*model, 3, 5, DType::Float64), in = initialise(*model, 0, 5, DType::Float64);
        QCOMPARE(bytes(head.front()), bytes(in.front()));
        // A weights file has it once, and gives it to all.
        const auto all = initialise(*model, 5, DType::Float64);
        QCOMPARE(all.size(), model->tensors().size());
        const auto layers = weightsForModel(*model, all, DType::Float64, QStringLiteral("w"));
        QVERIFY2(layers, qPrintable(layers ? QString() : layers.error().toString()));
        QCOMPARE(bytes(layers->at(3).front()), bytes(in.front()));
    }

    void whatCannotBeSharedIsSaid_data() {
        QTest::addColumn<QJsonObject>("model");
        QTest::addColumn<QString>("code");
        QTest::addColumn<QString>("names");
        QJsonObject frozen = description({linear(QStringLiteral("x"))}, {linear(QStringLiteral("out"), first)});
        QJsonArray layers = frozen[QStringLiteral("layers")].toArray();
        QJsonObject last = layers[3].toObject();
        last[QStringLiteral("frozen")] = true;
        layers[3] = last;
        frozen[QStringLiteral("layers")] = layers;
        QTest::newRow("another shape") << description(
                                              {linear(QStringLiteral("x"), first, 5), linear(QStringLiteral("y"))},
                                              {linear(QStringLiteral("out"))})
                                       << "model.tie" << first;
        QTest::newRow("frozen in one place") << frozen << "model.tie" << first;
        QJsonObject typo = linear(QStringLiteral("out"));
        typo[QStringLiteral("tensors")] = QJsonObject{{QStringLiteral("wieght"), first}};
        QTest::newRow("a tensor that the op has not")
            << description({linear(QStringLiteral("x"))}, {typo}) << "model.tensor" << QStringLiteral("wieght");
        QTest::newRow("no name") << description({linear(QStringLiteral("x"))},
                                                {linear(QStringLiteral("out"), QStringLiteral("a b"))})
                                 << QString() << QStringLiteral("a b");
    }

    void whatCannotBeSharedIsSaid() {
        QFETCH(QJsonObject, model);
        QFETCH(QString, code);
        QFETCH(QString, names);
        const auto outcome = read(model);
        QVERIFY(!outcome);
        if (!code.isEmpty())
            QCOMPARE(outcome.error().code, code);
        QVERIFY2(outcome.error().toString().contains(names), qPrintable(outcome.error().toString()));
    }
};

QTEST_GUILESS_MAIN(TiesTest)
#include "ties_test.moc"
