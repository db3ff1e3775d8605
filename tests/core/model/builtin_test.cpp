// The models that come with Hearth are the ones the literature means.
#include <QTest>

#include "core/model/catalogue.h"
#include "core/model/cut_slots.h"

using namespace hearth;

namespace {

qint64 totalMacs(const Model &model) {
    qint64 macs = 0;
    for (const Layer &layer : model.layers)
        macs += layer.shape.macs;
    return macs;
}

/// Parameters of torchvision's mobilenet_v2(num_classes=10), counted by its own recipe, apart from the code under test.
qint64 publishedMobileNetV2() {
    qint64 count = 3 * 32 * 9 + 2 * 32;
    int in = 32;
    const int settings[][3] = {{1, 16, 1}, {6, 24, 2}, {6, 32, 3}, {6, 64, 4}, {6, 96, 3}, {6, 160, 3}, {6, 320, 1}};
    for (const auto &[expansion, out, repeats] : settings) {
        for (int i = 0; i < repeats; ++i) {
            const int hidden = in * expansion;
            if (expansion != 1)
                count += in * hidden + 2 * hidden;
            count += hidden * 9 + 2 * hidden;
            count += hidden * out + 2 * out;
            in = out;
        }
    }
    return count + in * 1280 + 2 * 1280 + 1280 * 10 + 10;
}

}  // namespace

class BuiltinTest : public QObject {
    Q_OBJECT

  private Q_SLOTS:
    void cutsBehindRectifiersAreKnown_data() {
        QTest::addColumn<QString>("model");
        QTest::addColumn<int>("cut");
        QTest::addColumn<bool>("isRectified");
        QTest::newRow("before the first layer") << "fashion-cnn" << 0 << false;
        QTest::newRow("behind pooling") << "fashion-cnn" << 1 << true;
        QTest::newRow("behind a residual block") << "resnet18:image=32" << 3 << true;
        QTest::newRow("behind a linear bottleneck") << "mobilenetv2-cifar" << 5 << false;
        QTest::newRow("behind the head") << "fashion-cnn" << 5 << false;
    }
    void cutsBehindRectifiersAreKnown() {
        QFETCH(QString, model);
        QFETCH(int, cut);
        const auto loaded = loadModel(model);
        QVERIFY(loaded && static_cast<std::size_t>(cut) <= loaded->layers.size());
        QTEST(isRectified(*loaded, static_cast<std::size_t>(cut), 0), "isRectified");
    }

    void theCatalogueIsComplete();
    void sizesAreThePublishedOnes_data();
    void sizesAreThePublishedOnes();
    void aDescribedNetworkTellsAsManyClassesAsItsOptionsSay_data();
    void aDescribedNetworkTellsAsManyClassesAsItsOptionsSay();
    void optionsAreKnownBeforeANetworkIsMade_data();
    void optionsAreKnownBeforeANetworkIsMade();
    void cifarStridesKeepTheImageLarge();
    void hashesNeverChange_data();
    void hashesNeverChange();
};

void BuiltinTest::theCatalogueIsComplete() {
    const QStringList names = QStringLiteral(
                                  "bert-small efficientnet-b0 efficientnet-b1 fashion-cnn gpt2 mlp mobilenetv2 "
                                  "mobilenetv2-cifar resnet18 resnet50 t5-large t5-small vit-tiny")
                                  .split(QLatin1Char(' '));
    QCOMPARE(builtinModels(), names);
    for (const QString &name : names) {
        const auto model = loadModel(name);
        QVERIFY2(model, model ? "" : qPrintable(model.error().toString()));
        QCOMPARE(model->name, name);
        QCOMPARE(model->layers.back().shape.outputs.front().shape.back(), model->classes);
        const bool isText = model->inputs.front().kind == ValueKind::Int64;
        if (name == QLatin1String("mlp"))
            QCOMPARE(model->classes, 3);
        else if (!isText)
            QCOMPARE(model->classes, name == QLatin1String("resnet50") ? 100 : 10);
    }
}

void BuiltinTest::sizesAreThePublishedOnes_data() {
    QTest::addColumn<Shape>("input");
    QTest::addColumn<int>("layers");
    QTest::addColumn<qint64>("parameters");
    QTest::addColumn<qint64>("macs");
    QTest::addColumn<int>("minimumSamples");
    QTest::newRow("fashion-cnn") << Shape{1, 32, 32} << 5 << qint64{486986} << qint64{2969984} << 1;
    QTest::newRow("mobilenetv2") << Shape{3, 32, 32} << 19 << qint64{2236682} << qint64{6124928} << 2;
    QTest::newRow("mobilenetv2-cifar") << Shape{3, 32, 32} << 19 << qint64{2236682} << qint64{87976448} << 1;
    QTest::newRow("resnet50") << Shape{3, 224, 224} << 18 << qint64{23712932} << qint64{4087341056} << 1;
}

void BuiltinTest::sizesAreThePublishedOnes() {
    QFETCH(int, layers);
    const auto model = loadModel(QString::fromLatin1(QTest::currentDataTag()));
    QVERIFY(model);
    QTEST(model->inputShape(), "input");
    QCOMPARE(static_cast<int>(model->layers.size()), layers);
    QTEST(model->parameterCount(), "parameters");
    QTEST(totalMacs(*model), "macs");
    int minimum = 1;
    for (const Layer &layer : model->layers)
        minimum = std::max(minimum, layer.shape.minimumSamples);
    QTEST(minimum, "minimumSamples");
    if (layers == 19) {
        QCOMPARE(model->parameterCount(), publishedMobileNetV2());
        QCOMPARE(model->layers.back().ops[5].number("probability"), 0.2);
    } else if (layers == 18) {
        // He et al., 2016, with their 1000 classes: 25 557 032 parameters and 4.1 billion multiply-adds.
        QCOMPARE(model->parameterCount() + 900 * (2048 + 1), qint64{25557032});
        QCOMPARE(totalMacs(*model) + 900 * 2048, qint64{4089184256});
    } else {
        for (const Layer &layer : model->layers)
            QCOMPARE(layer.shape.bufferCount(), qint64{0});
    }
}

void BuiltinTest::aDescribedNetworkTellsAsManyClassesAsItsOptionsSay_data() {
    QTest::addColumn<qint64>("inputs");  // of the last op
    QTest::newRow("fashion-cnn") << qint64{448};
    QTest::newRow("mobilenetv2") << qint64{1280};
    QTest::newRow("mobilenetv2-cifar") << qint64{1280};
}

void BuiltinTest::aDescribedNetworkTellsAsManyClassesAsItsOptionsSay() {
    QFETCH(qint64, inputs);
    const QString name = QString::fromLatin1(QTest::currentDataTag());
    const auto usual = loadModel(name), model = loadModel(name + QStringLiteral(":classes=12"));
    QVERIFY2(model, model ? "" : qPrintable(model.error().toString()));
    QCOMPARE(model->name, name + QStringLiteral(":classes=12"));
    QCOMPARE(model->classes, 12);
    QCOMPARE(model->layers.back().shape.outputs.front().shape, Shape{12});
    QCOMPARE(model->parameterCount() - usual->parameterCount(), 2 * (inputs + 1));
}

void BuiltinTest::optionsAreKnownBeforeANetworkIsMade_data() {
    QTest::addColumn<bool>("taken");
    QTest::newRow("fashion-cnn:classes=12") << true;
    QTest::newRow("fashion-cnn:features=12") << false;
    QTest::newRow("mlp:classes=1,features=12") << true;
    QTest::newRow("resnet18:classes=12,image=64") << true;
    QTest::newRow("t5-small:classes=12") << false;
    QTest::newRow("/nowhere:classes=12") << false;
}

void BuiltinTest::optionsAreKnownBeforeANetworkIsMade() {
    QTEST(takesOptions(QString::fromLatin1(QTest::currentDataTag())), "taken");
}

void BuiltinTest::cifarStridesKeepTheImageLarge() {
    const auto plain = loadModel(QStringLiteral("mobilenetv2"));
    const auto cifar = loadModel(QStringLiteral("mobilenetv2-cifar"));
    QVERIFY(plain && cifar);
    QCOMPARE(plain->layers[0].shape.outputs.front().shape, (Shape{32, 16, 16}));
    QCOMPARE(cifar->layers[0].shape.outputs.front().shape, (Shape{32, 32, 32}));
    QCOMPARE(plain->layers[2].shape.outputs.front().shape, (Shape{24, 8, 8}));
    QCOMPARE(cifar->layers[2].shape.outputs.front().shape, (Shape{24, 32, 32}));
    QCOMPARE(plain->layers[17].shape.outputs.front().shape, (Shape{320, 1, 1}));
    QCOMPARE(cifar->layers[17].shape.outputs.front().shape, (Shape{320, 4, 4}));
    // The same tensors, so that weights of one fit the other.
    QCOMPARE(plain->tensors(), cifar->tensors());
    qint64 widest = 0;
    for (const Layer &layer : cifar->layers)
        widest = std::max(widest, layer.shape.outputBytes(DType::Float32));
    QCOMPARE(widest, qint64{128 << 10});
}

// A changed hash makes every cached profile, plan and saved run of the model useless: change a name instead.
void BuiltinTest::hashesNeverChange_data() {
    QTest::addColumn<QByteArray>("sha256");
    QTest::newRow("fashion-cnn") << QByteArray("5cfbde3982efacc4b8c740a784a6f9c74305090cb5e29472f65e5dd553b823ab");
    QTest::newRow("mobilenetv2") << QByteArray("aeccef8d01fff81482274c1ded5d6a99266f0b0059e20c780e370dc9e8dbd860");
    QTest::newRow("mobilenetv2-cifar") << QByteArray(
        "c7d2f5335ecd347ac9ac380cbb13c990308d626532a72350944154f05cbd6295");
    QTest::newRow("benchmark") << QByteArray("ce8182a473bca3d3a94be85ca5428ba15a861fe8a41f98b0bf7355068b89d2e2");
}

void BuiltinTest::hashesNeverChange() {
    const QString name = QString::fromLatin1(QTest::currentDataTag());
    const auto model = name == benchmarkNetwork().name ? benchmarkNetwork() : loadModel(name);
    QVERIFY(model);
    QTEST(model->sha256(), "sha256");
}

QTEST_GUILESS_MAIN(BuiltinTest)
#include "builtin_test.moc"
