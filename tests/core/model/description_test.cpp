// Models from descriptions: what they mean, and what a person is told when they are wrong.
#include <QJsonArray>
#include <QJsonDocument>
#include <QTemporaryFile>
#include <QTest>

#include "core/model/catalogue.h"
#include "core/model/model.h"
#include "tests/core/base/quoted_json.h"

using namespace hearth;

namespace {

/// A description with the given layers, in a notation where ' stands for ".
QJsonObject description(const char *layers, const char *input = "[3, 8, 8]", int classes = 4) {
    return test::quotedJson(QByteArray("{'format':'hearth-model/1','name':'tiny','input':") + input +
                            ",'classes':" + QByteArray::number(classes) + ",'layers':" + layers + "}");
}

const char *tail =
    ",{'name':'end','kind':'sequence','ops':[{'kind':'global-average-pool'},{'kind':'flatten'},"
    "{'kind':'linear','features':4}]}]";

QByteArray withTail(const char *layers) {
    return QByteArray(layers) + tail;
}

}  // namespace

class DescriptionTest : public QObject {
    Q_OBJECT

  private Q_SLOTS:
    void errorsNamePlaceAndRemedy_data();
    void errorsNamePlaceAndRemedy();
    void shapesFollowTheOps_data();
    void shapesFollowTheOps();
    void defaultsSpelledOutOrNotAreTheSameModel();
    void everyModelSurvivesTheRoundTrip();
    void aResidualBlockHasItsShortcutAndItsRectifier();
    void anInvertedResidualBlockExpandsAsPublished();
    void aResidualIsAShortFormOfAGraph();
    void anOpOfAGraphTakesWhatTheOneBeforeGives();
    void batchNormAtOnePixelNeedsTwoSamples();
    void costsAreCountedByHand();
    void anUnknownNameListsWhatThereIs();
    void aFileThatIsNoJsonNamesTheLine();
};

void DescriptionTest::errorsNamePlaceAndRemedy_data() {
    QTest::addColumn<QJsonObject>("object");
    QTest::addColumn<QStringList>("words");
    const auto row = [](const char *name, const QJsonObject &object, const QStringList &words) {
        QTest::newRow(name) << object << words;
    };
    const auto s = [](const char *text) { return QString::fromUtf8(text); };
    row("a misspelled layer kind", description("[{'name':'a','kind':'convolutoin','channels':4,'kernel':3}]"),
        {s("my.json"), s("/layers/0/kind"), s("convolutoin"), s("Did you mean \"convolution\"?")});
    row("a misspelled op kind",
        description("[{'name':'a','kind':'sequence','ops':[{'kind':'relu'},{'kind':'rellu6'}]}]"),
        {s("/layers/0/ops/1/kind"), s("Did you mean \"relu6\"?")});
    row("a misspelled key of an op",
        description(
            "[{'name':'a','kind':'sequence','ops':[{'kind':'convolution','channels':4,'kernel':3,'pading':1}]}]"),
        {s("my.json"), s("/layers/0/ops/0/pading"), s("Did you mean \"padding\"?")});
    row("a misspelled key of a block",
        description("[{'name':'a','kind':'inverted-residual','channels':4,'expanson':6}]"),
        {s("/layers/0/expanson"), s("expansion")});
    row("a key that another kind has", description("[{'name':'a','kind':'relu','channels':4}]"),
        {s("/layers/0/channels")});
    row("an unknown key of the model",
        [] {
            QJsonObject object = description("[{'name':'a','kind':'relu'}]");
            object[QStringLiteral("imput")] = 1;
            return object;
        }(),
        {s("\"/imput\""), s("Did you mean \"input\"?")});
    row("a missing parameter", description("[{'name':'a','kind':'convolution','kernel':3}]"),
        {s("/layers/0/channels"), s("missing")});
    row("a negative stride", description("[{'name':'a','kind':'convolution','channels':4,'kernel':3,'stride':-1}]"),
        {s("/layers/0/stride"), s("-1"), s("from 1")});
    row("a fractional kernel", description("[{'name':'a','kind':'convolution','channels':4,'kernel':2.5}]"),
        {s("/layers/0/kernel"), s("whole number")});
    row("no layers", description("[]"), {s("\"/layers\"")});
    row("a layer that is no object", description("[3]"), {s("/layers/0")});
    row("a sequence of nothing", description("[{'name':'a','kind':'sequence','ops':[]}]"), {s("/layers/0/ops")});
    row("a layer name with a dot", description("[{'name':'a.b','kind':'relu'}]"), {s("/layers/0/name"), s("a.b")});
    row("the same layer name twice", description("[{'name':'a','kind':'relu'},{'name':'a','kind':'relu'}]"),
        {s("\"a\" is there twice"), s("/layers/1")});
    row("an input of two dimensions", description("[{'name':'a','kind':'relu'}]", "[3, 8]"), {s("\"/input\"")});
    row("linear before flatten", description("[{'name':'fc','kind':'linear','features':4}]"),
        {s("layer \"fc\""), s("3×8×4"), s("4 classes")});
    row("convolution after flatten",
        description("[{'name':'f','kind':'flatten'},{'name':'c','kind':'convolution','channels':4,'kernel':3}]"),
        {s("layer \"c\""), s("192"), s("channels×height×width")});
    row("an inverted residual after flatten",
        description("[{'name':'f','kind':'flatten'},{'name':'c','kind':'inverted-residual','channels':4}]"),
        {s("layer \"c\""), s("192"), s("channels×height×width")});
    row("a kernel larger than the image", description("[{'name':'c','kind':'convolution','channels':4,'kernel':9}]"),
        {s("layer \"c\""), s("3×8×8"), s("at least 9")});
    row("groups that do not divide",
        description("[{'name':'c','kind':'convolution','channels':4,'kernel':3,'groups':2}]"),
        {s("layer \"c\""), s("2 groups")});
    row("a residual whose branches differ",
        description(
            "[{'name':'r','kind':'residual','ops':[{'kind':'convolution','channels':6,'kernel':3,'padding':1}]}]"),
        {s("layer \"r\""), s("6×8×8"), s("3×8×8"), s("shortcut")});
    row("an end that does not give the classes",
        description("[{'name':'f','kind':'flatten'},{'name':'l','kind':'linear','features':5}]"),
        {s("layer \"l\""), s("gives 5"), s("4 classes")});
    row("a rectifier of another kind after a residual",
        description("[{'name':'r','kind':'residual','ops':[{'kind':'relu'}],'after':[{'kind':'dropout'}]}]"),
        {s("/layers/0/after/0/kind"), s("relu6")});
    const auto graph = [](const char *ops) {
        return description((QByteArray("[{'name':'g','kind':'graph','ops':") + ops + "}]").constData());
    };
    row("a graph of nothing", graph("[]"), {s("/layers/0/ops"), s("Give 1 to 64 ops")});
    row("an op of a graph without a name", graph("[{'kind':'relu'}]"), {s("/layers/0/ops/0/name"), s("missing")});
    row("an op of a graph with a dot in its name", graph("[{'name':'a.b','kind':'relu'}]"),
        {s("/layers/0/ops/0/name"), s("\"a.b\" is no name")});
    row("two ops of a graph with one name", graph("[{'name':'a','kind':'relu'},{'name':'a','kind':'relu'}]"),
        {s("/layers/0/ops/1/name"), s("\"a\" is taken")});
    row("an op of a graph called as the layer's input", graph("[{'name':'input','kind':'relu'}]"),
        {s("/layers/0/ops/0/name"), s("\"input\" is what the layer takes")});
    row("an op that takes from a misspelled one",
        graph("[{'name':'squeeze','kind':'relu'},{'name':'b','kind':'add','from':['sqeeze','input']}]"),
        {s("/layers/0/ops/1/from/0"), s("sqeeze"), s("Did you mean \"squeeze\"?")});
    row("an op that takes from a later one",
        graph("[{'name':'a','kind':'add','from':['input','b']},{'name':'b','kind':'relu'}]"),
        {s("/layers/0/ops/0/from/1"), s("before this one")});
    row("an op that takes from itself", graph("[{'name':'a','kind':'relu','from':['a']}]"),
        {s("/layers/0/ops/0/from/0")});
    row("a sum of one", graph("[{'name':'a','kind':'add'}]"), {s("/layers/0/ops/0/from"), s("two inputs or more")});
    row("a rectifier of two", graph("[{'name':'a','kind':'relu'},{'name':'b','kind':'relu','from':['a','input']}]"),
        {s("/layers/0/ops/1/from"), s("takes one input")});
    row("a rectifier of none", graph("[{'name':'a','kind':'relu','from':[]}]"),
        {s("/layers/0/ops/0/from"), s("takes one input")});
    row("an op of a graph that leads nowhere",
        graph("[{'name':'lost','kind':'relu'},{'name':'b','kind':'relu','from':['input']}]"),
        {s("/layers/0/ops/0"), s("Nothing takes what \"lost\" gives")});
    row("a sum of different shapes",
        graph("[{'name':'half','kind':'max-pool','kernel':2},{'name':'all','kind':'add','from':['half','input']}]"),
        {s("layer \"g\", op all (add)"), s("3×4×4"), s("3×8×8")});
    row("a sum in a sequence", description("[{'name':'a','kind':'sequence','ops':[{'kind':'add'}]}]"),
        {s("/layers/0/ops/0/kind"), s("\"add\" is unknown here")});
    row("more weights than any device holds",
        description("[{'name':'c','kind':'convolution','channels':1000000,'kernel':1000,'padding':1000}]"),
        {s("layer \"c\""), s("too large")});
    row("an image larger than the limit", description("[{'name':'a','kind':'relu'}]", "[1000000, 1000000, 1000000]"),
        {s("\"/input\"")});
    row("another format",
        [] {
            QJsonObject object = description("[{'name':'a','kind':'relu'}]");
            object[QStringLiteral("format")] = QStringLiteral("hearth-model/9");
            return object;
        }(),
        {s("\"/format\""), s("hearth-model/1")});
}

void DescriptionTest::errorsNamePlaceAndRemedy() {
    QFETCH(QJsonObject, object);
    QFETCH(QStringList, words);
    const auto model = Model::fromJson(object, QStringLiteral("my.json"));
    QVERIFY(!model);
    const QString text = model.error().toString();
    for (const QString &word : words)
        QVERIFY2(text.contains(word), qPrintable(QStringLiteral("\"%1\" is not in: %2").arg(word, text)));
}

void DescriptionTest::shapesFollowTheOps_data() {
    QTest::addColumn<QByteArray>("layer");
    QTest::addColumn<Shape>("output");
    QTest::newRow("convolution without padding shrinks")
        << QByteArray("'convolution','channels':5,'kernel':3") << Shape{5, 6, 6};
    QTest::newRow("convolution with stride 2")
        << QByteArray("'convolution','channels':5,'kernel':3,'stride':2,'padding':1") << Shape{5, 4, 4};
    QTest::newRow("depthwise keeps channels") << QByteArray("'depthwise','kernel':3,'padding':1") << Shape{3, 8, 8};
    QTest::newRow("max-pool halves") << QByteArray("'max-pool','kernel':2") << Shape{3, 4, 4};
    QTest::newRow("max-pool 3 with stride 2 and padding 1")
        << QByteArray("'max-pool','kernel':3,'stride':2,'padding':1") << Shape{3, 4, 4};
    QTest::newRow("average-pool rounds down") << QByteArray("'average-pool','kernel':3") << Shape{3, 2, 2};
    QTest::newRow("global average pool leaves one pixel") << QByteArray("'global-average-pool'") << Shape{3, 1, 1};
    QTest::newRow("relu6 changes no shape") << QByteArray("'relu6'") << Shape{3, 8, 8};
    QTest::newRow("batch-norm changes no shape") << QByteArray("'batch-norm'") << Shape{3, 8, 8};
    QTest::newRow("dropout changes no shape") << QByteArray("'dropout','probability':0.1") << Shape{3, 8, 8};
    QTest::newRow("inverted residual with stride 2")
        << QByteArray("'inverted-residual','channels':7,'stride':2") << Shape{7, 4, 4};
}

void DescriptionTest::shapesFollowTheOps() {
    QFETCH(QByteArray, layer);
    const QByteArray layers = withTail("[{'name':'it','kind':" + layer + "}");
    const auto model = Model::fromJson(description(layers.constData()), QStringLiteral("test"));
    QVERIFY2(model, model ? "" : qPrintable(model.error().toString()));
    QTEST(model->layers.front().shape.outputs.front().shape, "output");
    QCOMPARE(model->layers.back().shape.inputs.front().shape, model->layers.front().shape.outputs.front().shape);
}

void DescriptionTest::defaultsSpelledOutOrNotAreTheSameModel() {
    const auto brief =
        Model::fromJson(description(withTail("[{'name':'c','kind':'convolution','channels':4,'kernel':3}").constData()),
                        QStringLiteral("brief"));
    const auto wordy = Model::fromJson(
        description(
            withTail(
                "[{'padding':0,'bias':true,'groups':1,'kind':'convolution','stride':1,'channels':4,'kernel':3,'name':'c'}")
                .constData()),
        QStringLiteral("wordy"));
    const auto other = Model::fromJson(
        description(withTail("[{'name':'c','kind':'convolution','channels':4,'kernel':3,'bias':false}").constData()),
        QStringLiteral("other"));
    QVERIFY(brief && wordy && other);
    QCOMPARE(brief->sha256(), wordy->sha256());
    QVERIFY(brief->sha256() != other->sha256());
    QCOMPARE(brief->sha256().size(), 64);
}

void DescriptionTest::everyModelSurvivesTheRoundTrip() {
    for (const QString &name : builtinModels()) {
        const auto model = loadModel(name);
        QVERIFY2(model, model ? "" : qPrintable(model.error().toString()));
        const auto text = QJsonDocument(model->toJson()).toJson();
        const auto again = Model::fromJson(QJsonDocument::fromJson(text).object(), QStringLiteral("a peer"));
        QVERIFY(again);
        QCOMPARE(again->toJson(), model->toJson());
        QCOMPARE(again->sha256(), model->sha256());
        QCOMPARE(again->tensors(), model->tensors());
        for (std::size_t i = 0; i < model->layers.size(); ++i) {
            QCOMPARE(again->layers[i].ops, model->layers[i].ops);
        }
    }
}

void DescriptionTest::aResidualBlockHasItsShortcutAndItsRectifier() {
    const auto layers = withTail(
        "[{'name':'r','kind':'residual','ops':[{'kind':'convolution','channels':6,'kernel':3,'stride':2,'padding':1,'bias':false},"
        "{'kind':'batch-norm'}],'shortcut':[{'kind':'convolution','channels':6,'kernel':1,'stride':2}],'after':[{'kind':'relu'}]}");
    const auto model = Model::fromJson(description(layers.constData()), QStringLiteral("test"));
    QVERIFY2(model, model ? "" : qPrintable(model.error().toString()));
    const Layer &layer = model->layers.front();
    QStringList ops;
    for (const Op &op : layer.ops)
        ops << op.name + QLatin1Char(' ') + op.kind;
    QCOMPARE(ops.join(QStringLiteral(", ")),
             QStringLiteral("0 convolution, 1 batch-norm, shortcut.0 convolution, sum add, after.0 relu"));
    QCOMPARE(layer.ops[2].from, std::vector<int>{0});
    QCOMPARE(layer.ops[3].from, (std::vector<int>{2, 3}));
    QStringList names;
    for (const TensorSpec &tensor : layer.shape.tensors)
        names << tensor.name;
    QCOMPARE(
        names.join(QLatin1Char(' ')),
        QStringLiteral(
            "r.0.weight r.1.weight r.1.bias r.1.running_mean r.1.running_var r.shortcut.0.weight r.shortcut.0.bias"));
    QCOMPARE(layer.shape.tensors[3].role, TensorRole::Statistics);
    QCOMPARE(layer.shape.tensors[4].role, TensorRole::Statistics);
    QCOMPARE(layer.shape.tensors[5].role, TensorRole::Trainable);
}

void DescriptionTest::anInvertedResidualBlockExpandsAsPublished() {
    const auto layers = withTail("[{'name':'b','kind':'inverted-residual','channels':3,'expansion':6}");
    const auto model = Model::fromJson(description(layers.constData()), QStringLiteral("test"));
    QVERIFY(model);
    const Layer &layer = model->layers.front();
    QCOMPARE(layer.ops.size(), std::size_t{9});
    QCOMPARE(layer.ops[3].kind, QStringLiteral("depthwise"));
    QCOMPARE(layer.ops[3].outputShape.front(), qint64{18});
    QCOMPARE(layer.ops[3].whole("padding"), 1);
    QCOMPARE(layer.ops[6].whole("channels"), 3);
    QCOMPARE(layer.ops[8].kind, QStringLiteral("add"));
    QCOMPARE(layer.ops[8].from, (std::vector<int>{8, 0}));
    QCOMPARE(layer.shape.parameterCount(), qint64{18 * 3 + 36 + 18 * 9 + 36 + 18 * 3 + 6});
    QCOMPARE(layer.shape.bufferCount(), qint64{36 + 36 + 6});
}

void DescriptionTest::aResidualIsAShortFormOfAGraph() {
    const auto shortForm = withTail(
        "[{'name':'r','kind':'residual','ops':[{'kind':'convolution','channels':6,'kernel':3,'padding':1},{'kind':'batch-norm'}],"
        "'shortcut':[{'kind':'convolution','channels':6,'kernel':1}],'after':[{'kind':'relu'}]}");
    const auto longForm = withTail(
        "[{'name':'r','kind':'graph','ops':[{'name':'a','kind':'convolution','channels':6,'kernel':3,'padding':1},"
        "{'name':'norm','kind':'batch-norm'},{'name':'side','kind':'convolution','channels':6,'kernel':1,'from':['input']},"
        "{'name':'sum','kind':'add','from':['norm','side']},{'name':'out','kind':'relu'}]}");
    const auto one = Model::fromJson(description(shortForm.constData()), QStringLiteral("short"));
    const auto other = Model::fromJson(description(longForm.constData()), QStringLiteral("long"));
    QVERIFY2(one, one ? "" : qPrintable(one.error().toString()));
    QVERIFY2(other, other ? "" : qPrintable(other.error().toString()));
    const Layer &first = one->layers.front(), &second = other->layers.front();
    QCOMPARE(second.shape.outputs.front().shape, first.shape.outputs.front().shape);
    QCOMPARE(second.shape.macs, first.shape.macs);
    QCOMPARE(second.shape.flops, first.shape.flops);
    QCOMPARE(second.shape.tensors.size(), first.shape.tensors.size());
    for (std::size_t i = 0; i < first.shape.tensors.size(); ++i) {
        QCOMPARE(second.shape.tensors[i].shape, first.shape.tensors[i].shape);
        QCOMPARE(second.shape.tensors[i].bound, first.shape.tensors[i].bound);
    }
    QCOMPARE(second.shape.tensors.front().name, QStringLiteral("r.a.weight"));
    for (std::size_t i = 0; i < first.ops.size(); ++i) {
        QCOMPARE(second.ops[i].from, first.ops[i].from);
        QCOMPARE(second.ops[i].cost, first.ops[i].cost);
    }
}

void DescriptionTest::anOpOfAGraphTakesWhatTheOneBeforeGives() {
    const auto implied =
        withTail("[{'name':'g','kind':'graph','ops':[{'name':'a','kind':'relu'},{'name':'b','kind':'relu6'}]}");
    const auto spelled = withTail(
        "[{'name':'g','kind':'graph','ops':[{'name':'a','kind':'relu','from':['input']},{'name':'b','kind':'relu6','from':['a']}]}");
    const auto one = Model::fromJson(description(implied.constData()), QStringLiteral("implied"));
    const auto other = Model::fromJson(description(spelled.constData()), QStringLiteral("spelled"));
    QVERIFY(one && other);
    QCOMPARE(one->sha256(), other->sha256());
    const auto again = Model::fromJson(one->toJson(), QStringLiteral("a peer"));
    QVERIFY(again);
    QCOMPARE(again->sha256(), one->sha256());
    QCOMPARE(again->layers.front().ops, one->layers.front().ops);
}

void DescriptionTest::batchNormAtOnePixelNeedsTwoSamples() {
    const auto layers = withTail(
        "[{'name':'a','kind':'batch-norm'},{'name':'p','kind':'global-average-pool'},{'name':'b','kind':'batch-norm'}");
    const auto model = Model::fromJson(description(layers.constData()), QStringLiteral("test"));
    QVERIFY(model);
    QCOMPARE(model->layers[0].shape.minimumSamples, 1);
    QCOMPARE(model->layers[2].shape.minimumSamples, 2);
}

void DescriptionTest::costsAreCountedByHand() {
    const auto layers = withTail("[{'name':'c','kind':'convolution','channels':5,'kernel':3,'padding':1}");
    const auto model = Model::fromJson(description(layers.constData()), QStringLiteral("test"));
    QVERIFY(model);
    const LayerShape &shape = model->layers.front().shape;
    QCOMPARE(shape.macs, qint64{5 * 8 * 8 * 3 * 9});
    QCOMPARE(shape.flops, 2 * shape.macs);
    QCOMPARE(shape.outputBytes(DType::Float32), qint64{5 * 64 * 4});
    QCOMPARE(shape.outputBytes(DType::Float64), qint64{5 * 64 * 8});
    QCOMPARE(shape.parameterBytes(DType::Float32), qint64{(5 * 27 + 5) * 4});
}

void DescriptionTest::anUnknownNameListsWhatThereIs() {
    const auto model = loadModel(QStringLiteral("fashon-cnn"));
    QVERIFY(!model);
    QCOMPARE(model.error().code, QStringLiteral("model.unknown"));
    const QString text = model.error().toString();
    QVERIFY2(text.contains(QStringLiteral("Did you mean \"fashion-cnn\"?")), qPrintable(text));
    QVERIFY2(text.contains(QStringLiteral("bert-small, efficientnet-b0, efficientnet-b1, fashion-cnn")),
             qPrintable(text));
}

void DescriptionTest::aFileThatIsNoJsonNamesTheLine() {
    QTemporaryFile file;
    QVERIFY(file.open());
    file.write("{\n  \"format\": \"hearth-model/1\",,\n}");
    file.close();
    const auto model = loadModel(file.fileName());
    QVERIFY(!model);
    QVERIFY2(model.error().toString().contains(QStringLiteral("Line 2")), qPrintable(model.error().toString()));
    QVERIFY(model.error().toString().contains(file.fileName()));
}

QTEST_GUILESS_MAIN(DescriptionTest)
#include "description_test.moc"
