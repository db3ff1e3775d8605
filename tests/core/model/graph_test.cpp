// Networks that are one graph of ops: what they mean, and what a person is told when they are wrong.
#include <QJsonArray>
#include <QJsonDocument>
#include <QTest>

#include "core/model/cut_slots.h"
#include "core/model/model.h"
#include "tests/core/base/quoted_json.h"

using namespace hearth;

namespace {

/// In a notation where ' stands for ".
QJsonObject description(QByteArray ops, QByteArray inputs = "[{'name':'x','shape':[3,8,8]}]", QByteArray rest = {}) {
    return test::quotedJson("{'format':'hearth-model/1','name':'tiny','inputs':" + inputs + ",'graph':" + ops + rest +
                            "}");
}

Model modelOf(const QJsonObject &object) {
    auto model = Model::fromJson(object, QStringLiteral("test"));
    if (!model)
        qFatal("%s", qPrintable(model.error().toString()));
    return *model;
}

QStringList namesOf(const Model &model) {
    QStringList names;
    for (const Layer &layer : model.layers)
        names << layer.name;
    return names;
}

const QByteArray residual =
    "[{'name':'stem.conv','kind':'convolution','channels':4,'kernel':3,'padding':1},{'name':'stem.act','kind':'relu'},"
    "{'name':'layer1.0.conv1','kind':'convolution','channels':4,'kernel':3,'padding':1},{'name':'layer1.0.relu','kind':'relu'},"
    "{'name':'layer1.0.conv2','kind':'convolution','channels':4,'kernel':3,'padding':1},"
    "{'name':'layer1.0.sum','kind':'add','from':['layer1.0.conv2','stem.act']},"
    "{'name':'layer1.1.conv1','kind':'convolution','channels':4,'kernel':3,'padding':1},"
    "{'name':'layer1.1.sum','kind':'add','from':['layer1.1.conv1','layer1.0.sum']},"
    "{'name':'pool','kind':'global-average-pool'},{'name':'flat','kind':'flatten'},"
    "{'name':'fc','kind':'linear','features':5}]";

}  // namespace

class GraphTest : public QObject {
    Q_OBJECT

  private Q_SLOTS:
    void errorsNamePlaceAndRemedy_data();
    void errorsNamePlaceAndRemedy();
    void aGraphIsCutAroundItsBlocks();
    void aGraphSurvivesTheRoundTrip();
    void tensorsAreNamedAfterTheirOps();
    void anOpCanBeFrozen();
    void aMillionOpsAreRefused();
    void aHundredThousandOpsAreRead();
};

void GraphTest::errorsNamePlaceAndRemedy_data() {
    QTest::addColumn<QJsonObject>("object");
    QTest::addColumn<QStringList>("words");
    const auto row = [](const char *name, const QJsonObject &object, QStringList words) {
        QTest::newRow(name) << object << words;
    };
    const auto s = [](const char *text) { return QString::fromUtf8(text); };
    const QByteArray fine = "[{'name':'f','kind':'flatten'},{'name':'l','kind':'linear','features':4}]";
    row("no ops", description("[]"), {s("\"/graph\""), s("Give 1 to 100000 ops")});
    row("no inputs", description(fine, "[]"), {s("\"/inputs\""), s("Give 1 to 8 inputs")});
    row("two inputs of one name", description(fine, "[{'name':'x','shape':[3]},{'name':'x','shape':[3]}]"),
        {s("/inputs/1/name"), s("is taken")});
    row("an input of a misspelled type", description(fine, "[{'name':'x','dtype':'int46','shape':[3]}]"),
        {s("/inputs/0/dtype"), s("Did you mean \"int64\"?")});
    row("an input without extent", description(fine, "[{'name':'x','shape':[0]}]"), {s("/inputs/0/shape")});
    row("an op called as an input", description("[{'name':'x','kind':'relu'}]"), {s("/graph/0/name"), s("is taken")});
    row("an op with a space in its name", description("[{'name':'a b','kind':'relu'}]"),
        {s("/graph/0/name"), s("a b")});
    row("an op that takes from a later one",
        description("[{'name':'a','kind':'relu','from':['b']},{'name':'b','kind':'relu'}]"),
        {s("/graph/0/from/0"), s("before this one")});
    row("an input that nothing takes", description(fine, "[{'name':'x','shape':[3]},{'name':'mask','shape':[3]}]"),
        {s("nothing takes the input \"mask\""), s("Leave it out")});
    row("an op that leads nowhere",
        description("[{'name':'lost','kind':'relu'},{'name':'f','kind':'flatten','from':['x']}]"),
        {s("/graph/0"), s("Nothing takes what \"lost\" gives"), s("outputs")});
    row("two outputs", description(fine, "[{'name':'x','shape':[3,8,8]}]", ",'outputs':['f','l']"),
        {s("/outputs"), s("Name one op")});
    row("an output that is none", description(fine, "[{'name':'x','shape':[3,8,8]}]", ",'outputs':['lin']"),
        {s("/outputs/0"), s("\"lin\"")});
    row("whole numbers where real ones belong", description(fine, "[{'name':'x','dtype':'int64','shape':[8]}]"),
        {s("op \"l\" (linear)"), s("whole numbers"), s("embedding or a cast")});
    row("a name that its op has no tensor of",
        description("[{'name':'f','kind':'flatten','tensors':{'weight':'other.weight'}}]"),
        {s("op \"f\" (flatten)"), s("no tensor \"weight\"")});
    row("layers beside a graph", description(fine, "[{'name':'x','shape':[3,8,8]}]", ",'layers':[]"), {s("/layers")});
}

void GraphTest::errorsNamePlaceAndRemedy() {
    QFETCH(QJsonObject, object);
    QFETCH(QStringList, words);
    const auto model = Model::fromJson(object, QStringLiteral("my.json"));
    QVERIFY(!model);
    const QString text = model.error().toString();
    for (const QString &word : words)
        QVERIFY2(text.contains(word), qPrintable(QStringLiteral("\"%1\" is not in: %2").arg(word, text)));
}

void GraphTest::aGraphIsCutAroundItsBlocks() {
    const Model model = modelOf(description(residual));
    QCOMPARE(namesOf(model), (QStringList{QStringLiteral("stem"), QStringLiteral("layer1.0"),
                                          QStringLiteral("layer1.1"), QStringLiteral("fc")}));
    QCOMPARE(model.classes, 5);
    QCOMPARE(model.layers[1].kind, QStringLiteral("block"));
    QCOMPARE(model.layers[3].kind, QStringLiteral("linear"));
    for (std::size_t cut = 0; cut <= model.layers.size(); ++cut)
        QCOMPARE(cutSlots(model, cut, DType::Float32).size(), std::size_t{1});
    QVERIFY(!cutSlots(model, 0, DType::Float32).front().needsGradient);
    QVERIFY(cutSlots(model, 1, DType::Float32).front().needsGradient);
}

void GraphTest::aGraphSurvivesTheRoundTrip() {
    const Model model = modelOf(description(residual));
    const Model again = modelOf(QJsonDocument::fromJson(QJsonDocument(model.toJson()).toJson()).object());
    QCOMPARE(again.toJson(), model.toJson());
    QCOMPARE(again.sha256(), model.sha256());
    QCOMPARE(again.tensors(), model.tensors());
    for (std::size_t i = 0; i < model.layers.size(); ++i) {
        QCOMPARE(again.layers[i].ops, model.layers[i].ops);
        QCOMPARE(again.layers[i].outputs, model.layers[i].outputs);
    }
}

void GraphTest::tensorsAreNamedAfterTheirOps() {
    const Model model = modelOf(description(residual));
    QStringList names;
    for (const TensorSpec &tensor : model.tensors())
        names << tensor.name;
    QCOMPARE(names.mid(0, 4),
             (QStringList{QStringLiteral("stem.conv.weight"), QStringLiteral("stem.conv.bias"),
                          QStringLiteral("layer1.0.conv1.weight"), QStringLiteral("layer1.0.conv1.bias")}));
    const Model renamed = modelOf(description(
        "[{'name':'f','kind':'flatten'},{'name':'l','kind':'linear','features':4,'tensors':{'weight':'head.w'}}]"));
    QCOMPARE(renamed.tensors().front().name, QStringLiteral("head.w"));
    QCOMPARE(renamed.tensors().back().name, QStringLiteral("l.bias"));
}

void GraphTest::anOpCanBeFrozen() {
    QByteArray text = residual;
    text.replace("'name':'stem.conv',", "'name':'stem.conv','frozen':true,");
    const Model model = modelOf(description(text));
    QCOMPARE(model.layers[0].shape.tensors.front().role, TensorRole::Frozen);
    QVERIFY(model.layers[0].frozen);
    QCOMPARE(model.layers[1].shape.tensors.front().role, TensorRole::Trainable);
    QVERIFY(!cutSlots(model, 1, DType::Float32).front().needsGradient);
    QVERIFY(cutSlots(model, 2, DType::Float32).front().needsGradient);
    QCOMPARE(modelOf(model.toJson()).sha256(), model.sha256());
}

void GraphTest::aMillionOpsAreRefused() {
    QJsonArray ops;
    for (int i = 0; i < 1'000'000; ++i)
        ops.append(QJsonObject{{QStringLiteral("name"), QString::number(i)},
                               {QStringLiteral("kind"), QStringLiteral("relu")}});
    QJsonObject object = description("[{'name':'f','kind':'flatten'}]");
    object[QStringLiteral("graph")] = ops;
    const auto model = Model::fromJson(object, QStringLiteral("test"));
    QVERIFY(!model);
    QVERIFY2(model.error().toString().contains(QLatin1String("Give 1 to")), qPrintable(model.error().toString()));
}

void GraphTest::aHundredThousandOpsAreRead() {
    // Every second op has a shortcut around it, so that no two have one border. In more than linear time the test would
    // not end within its limit.
    QJsonArray ops;
    ops.append(QJsonObject{{QStringLiteral("name"), QStringLiteral("f")},
                           {QStringLiteral("kind"), QStringLiteral("flatten")}});
    QString before = QStringLiteral("f");
    while (ops.size() < ModelLimits::ops) {
        const QString name = QStringLiteral("block.%1").arg(ops.size());
        ops.append(QJsonObject{{QStringLiteral("name"), name},
                               {QStringLiteral("kind"), QStringLiteral("linear")},
                               {QStringLiteral("features"), 4},
                               {QStringLiteral("from"), QJsonArray{before}}});
        if (ops.size() % 2 == 0) {
            before = name;
            continue;
        }
        ops.append(QJsonObject{{QStringLiteral("name"), name + QStringLiteral(".sum")},
                               {QStringLiteral("kind"), QStringLiteral("add")},
                               {QStringLiteral("from"), QJsonArray{before, name}}});
        before = name + QStringLiteral(".sum");
    }
    QJsonObject object = description("[{'name':'f','kind':'flatten'}]", "[{'name':'x','shape':[4]}]");
    object[QStringLiteral("graph")] = ops;
    const auto model = Model::fromJson(object, QStringLiteral("test"));
    QVERIFY2(model, model ? "" : qPrintable(model.error().toString()));
    QCOMPARE(model->layers.size(), std::size_t{400});
}

QTEST_GUILESS_MAIN(GraphTest)
#include "graph_test.moc"
