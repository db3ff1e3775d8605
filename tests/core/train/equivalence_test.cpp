// Same mathematics: any plan gives the losses and weights of a plain LibTorch loop.
#include <QJsonDocument>
#include <QJsonObject>
#include <QMutex>
#include <QTest>
#include <algorithm>
#include <cmath>
#include <set>
#include <stdexcept>

#include "core/model/catalogue.h"
#include "tests/core/train/loopback_home.h"
#include "tests/core/train/narrow_cnn.h"

using namespace hearth;

namespace {

constexpr int batchSize = 16;

const bool areAllCases = qEnvironmentVariableIsSet("HEARTH_ALL_CASES");
const int rounds = areAllCases ? 60 : 30;

/// How weights are updated.
TrainingSpec rule(const char *name) {
    const QLatin1String wanted(name);
    TrainingSpec training;
    training.precision = Precision::Float64;
    training.rounds = rounds;
    OptimizerSpec &spec = training.optimizer;
    spec.learningRate = 0.02;
    spec.momentum = 0.9;
    spec.weightDecay = 5e-4;
    spec.decay = OptimizerSpec::Decay::All;
    if (wanted == QLatin1String("Nesterov, decay of weights alone, along a cosine")) {
        spec.nesterov = true;
        spec.decay = OptimizerSpec::Decay::Weights;
        training.schedule = {.kind = RateSchedule::Kind::Cosine, .warmupRounds = 5, .last = 0.1};
    }
    if (wanted == QLatin1String("Adam") || wanted == QLatin1String("AdamW, decay of weights alone, in one cycle")) {
        spec.kind = OptimizerSpec::Kind::Adam;
        spec.learningRate = 0.001;
        spec.weightDecay = 1e-3;
        spec.momentum = 0;
    }
    if (wanted == QLatin1String("AdamW, decay of weights alone, in one cycle")) {
        spec.kind = OptimizerSpec::Kind::AdamW;
        spec.learningRate = 0.003;
        spec.weightDecay = 0.1;
        spec.decay = OptimizerSpec::Decay::Weights;
        training.schedule.kind = RateSchedule::Kind::OneCycle;
    }
    return training;
}
constexpr const char *momentum = "SGD with momentum and decay";

InputTransform padded() {
    InputTransform input;
    input.pad = {2, 2};
    return input;
}

/// All networks here have five layers.
TestPlan planNamed(const QString &name) {
    if (name == QLatin1String("one device, whole batch"))
        return {16, {{0, 5, {{0, 16}}}}};
    if (name == QLatin1String("one device, micro-batches of 4"))
        return {4, {{0, 5, {{0, 4}}}}};
    if (name == QLatin1String("two stages"))
        return {4, {{0, 2, {{0, 4}}, 3}, {2, 5, {{1, 4}}, 1}}};
    if (name == QLatin1String("two stages, recomputed, fill and drain"))
        return {4, {{0, 2, {{0, 4}}, 4, true}, {2, 5, {{1, 4}}, 4}}, QStringLiteral("fill-drain")};
    if (name == QLatin1String("three stages without bubbles"))
        return {2, {{0, 1, {{0, 2}}, 6}, {1, 3, {{1, 2}}, 4}, {3, 5, {{2, 2}}, 8}}, QStringLiteral("zero-bubble")};
    if (name == QLatin1String("groups without bubbles"))
        return {4, {{0, 2, {{0, 3}, {1, 1}}, 4}, {2, 5, {{2, 1}, {3, 2}, {4, 1}}, 3}}, QStringLiteral("zero-bubble")};
    if (name == QLatin1String("two stages without bubbles, one recomputed"))
        return {4, {{0, 2, {{0, 4}}, 4, true}, {2, 5, {{1, 4}}, 4}}, QStringLiteral("zero-bubble")};
    if (name == QLatin1String("interleaved on two devices"))
        return {2, {{0, 1, {{0, 2}}, 6}, {1, 2, {{1, 2}}, 5}, {2, 3, {{0, 2}}, 3}, {3, 5, {{1, 2}}, 1}}};
    if (name == QLatin1String("interleaved, the first and the last on one device, without bubbles"))
        return {
            4,
            {{0, 1, {{0, 4}}, 4}, {1, 2, {{1, 4}}, 4}, {2, 3, {{0, 4}}, 4}, {3, 4, {{1, 4}}, 4}, {4, 5, {{0, 4}}, 4}},
            QStringLiteral("zero-bubble")};
    if (name == QLatin1String("interleaved on three devices, one stage recomputed, fill and drain"))
        return {4,
                {{0, 1, {{0, 4}}, 4}, {1, 2, {{1, 4}}, 4, true}, {2, 3, {{2, 4}}, 4}, {3, 5, {{1, 4}}, 4}},
                QStringLiteral("fill-drain")};
    if (name == QLatin1String("three stages"))
        return {2, {{0, 1, {{0, 2}}, 5}, {1, 3, {{1, 2}}, 3}, {3, 5, {{2, 2}}, 1}}};
    if (name == QLatin1String("a group of two with shares 5 and 3"))
        return {8, {{0, 5, {{0, 5}, {1, 3}}, 1}}};
    if (name == QLatin1String("a group of three"))
        return {8, {{0, 5, {{0, 4}, {1, 3}, {2, 1}}, 1}}};
    if (name == QLatin1String("one device, then a group of two"))
        return {8, {{0, 2, {{0, 8}}, 3}, {2, 5, {{1, 5}, {2, 3}}, 1}}};
    if (name == QLatin1String("a group of two, then one device"))
        return {8, {{0, 3, {{0, 3}, {1, 5}}, 3}, {3, 5, {{2, 8}}, 1}}};
    // Samples are re-cut: 0-4 | 5-7 becomes 0-1 | 2-6 | 7.
    return {8, {{0, 2, {{0, 5}, {1, 3}}, 3}, {2, 5, {{2, 2}, {3, 5}, {4, 1}}, 1}}};
}

Model modelOf(const QByteArray &json) {
    const auto model = Model::fromJson(QJsonDocument::fromJson(json).object(), QStringLiteral("the test"));
    return model ? *model : throw std::runtime_error(qPrintable(model.error().toString()));
}

/// Graphs in which ops share inputs, sums of two and three, an op that takes one value twice; five layers.
Model graphModel() {
    return modelOf(
        R"({"format": "hearth-model/1", "name": "graphs", "input": [1, 32, 32], "classes": 10, "layers": [
      {"name": "stem", "kind": "graph", "ops": [
        {"name": "fine", "kind": "convolution", "channels": 8, "kernel": 3, "stride": 4, "padding": 1},
        {"name": "coarse", "kind": "convolution", "channels": 8, "kernel": 5, "stride": 4, "padding": 2, "from": ["input"]},
        {"name": "fine-relu", "kind": "relu", "from": ["fine"]},
        {"name": "sum", "kind": "add", "from": ["fine-relu", "coarse", "fine"]},
        {"name": "out", "kind": "relu"}]},
      {"name": "twice", "kind": "graph", "ops": [
        {"name": "a", "kind": "convolution", "channels": 8, "kernel": 3, "padding": 1},
        {"name": "double", "kind": "add", "from": ["a", "a"]},
        {"name": "relu", "kind": "relu6"},
        {"name": "sum", "kind": "add", "from": ["relu", "input"]}]},
      {"name": "block", "kind": "residual", "ops": [
        {"kind": "convolution", "channels": 16, "kernel": 3, "stride": 2, "padding": 1}, {"kind": "relu"},
        {"kind": "convolution", "channels": 16, "kernel": 3, "padding": 1}],
        "shortcut": [{"kind": "convolution", "channels": 16, "kernel": 1, "stride": 2}], "after": [{"kind": "relu"}]},
      {"name": "pool", "kind": "graph", "ops": [
        {"name": "largest", "kind": "max-pool", "kernel": 2},
        {"name": "mean", "kind": "average-pool", "kernel": 2, "from": ["input"]},
        {"name": "sum", "kind": "add", "from": ["largest", "mean"]}]},
      {"name": "head", "kind": "sequence", "ops": [
        {"kind": "global-average-pool"}, {"kind": "flatten"}, {"kind": "linear", "features": 10}]}]})");
}

/// Pointwise and depthwise convolutions of every kind that the executor runs by itself; five layers.
Model separableModel() {
    return modelOf(
        R"({"format": "hearth-model/1", "name": "separable", "input": [1, 32, 32], "classes": 10, "layers": [
      {"name": "stem", "kind": "sequence", "ops": [
        {"kind": "convolution", "channels": 16, "kernel": 3, "stride": 4, "padding": 1}, {"kind": "relu"}]},
      {"name": "wide", "kind": "sequence", "ops": [
        {"kind": "depthwise", "kernel": 3, "stride": 2, "padding": 1}, {"kind": "relu"},
        {"kind": "convolution", "channels": 20, "kernel": 1}, {"kind": "relu"}]},
      {"name": "narrow", "kind": "sequence", "ops": [
        {"kind": "depthwise", "kernel": 3, "stride": 2, "padding": 1}, {"kind": "relu"},
        {"kind": "convolution", "channels": 24, "kernel": 1, "bias": false}, {"kind": "relu"}]},
      {"name": "place", "kind": "sequence", "ops": [
        {"kind": "depthwise", "kernel": 3, "stride": 2, "padding": 1}, {"kind": "relu"},
        {"kind": "convolution", "channels": 32, "kernel": 1}, {"kind": "relu"}]},
      {"name": "head", "kind": "sequence", "ops": [
        {"kind": "global-average-pool"}, {"kind": "flatten"}, {"kind": "linear", "features": 10}]}]})");
}

const QStringList plans{QStringLiteral("one device, whole batch"),
                        QStringLiteral("one device, micro-batches of 4"),
                        QStringLiteral("two stages"),
                        QStringLiteral("two stages, recomputed, fill and drain"),
                        QStringLiteral("three stages"),
                        QStringLiteral("a group of two with shares 5 and 3"),
                        QStringLiteral("a group of three"),
                        QStringLiteral("one device, then a group of two"),
                        QStringLiteral("a group of two, then one device"),
                        QStringLiteral("a group of two re-cut for a group of three")};

const QStringList plansWithGroups = plans.filter(QStringLiteral("group"));
const QString gloo = QStringLiteral("gloo");

Deployment overFabric(const QString &fabric, Deployment deployment) {
    for (Deployment::Stage &stage : deployment.stages)
        stage.fabric = fabric;
    return deployment;
}

int devicesOf(const TestPlan &plan) {
    std::set<int> devices;
    for (const TestStage &stage : plan.stages) {
        for (const auto &[device, samples] : stage.shares)
            devices.insert(device);
    }
    return static_cast<int>(devices.size());
}

std::vector<SampleBatch> batchesOf(int count) {
    std::vector<SampleBatch> batches;
    for (int r = 0; r < count; ++r)
        batches.push_back(syntheticBatch(batchSize, 10, 100 + static_cast<quint64>(r)));
    return batches;
}

}  // namespace

class EquivalenceTest : public QObject {
    Q_OBJECT

  private Q_SLOTS:
    void float64RunEqualsPlainLoop_data();
    void float64RunEqualsPlainLoop();
    void float32FirstGradientsEqualPlainLoop_data();
    void float32FirstGradientsEqualPlainLoop();

  private:
    const Model m_model = *loadModel(QStringLiteral("fashion-cnn"));
};

void EquivalenceTest::float64RunEqualsPlainLoop_data() {
    QTest::addColumn<QString>("plan");
    QTest::addColumn<QByteArray>("update");
    QTest::addColumn<QString>("network");
    QTest::addColumn<QString>("fabric");
    const QString builtin = Deployment::builtinFabric();
    const QString whole = QStringLiteral("fashion-cnn"), narrow = QStringLiteral("a narrow fashion-cnn"),
                  separable = QStringLiteral("separable convolutions"), graphs = QStringLiteral("graphs");
    for (const char *plan : {"one device, whole batch", "three stages", "a group of two re-cut for a group of three"})
        QTest::newRow(qPrintable(QLatin1String(plan) + QStringLiteral(", fashion-cnn")))
            << QString::fromLatin1(plan) << QByteArray(momentum) << whole << builtin;
    const auto updated = [&](const QString &plan, const char *update) {
        QTest::newRow(qPrintable(QStringLiteral("%1, %2").arg(plan, QLatin1String(update))))
            << plan << QByteArray(update) << narrow << builtin;
    };
    for (const QString &plan : plans)
        updated(plan, momentum);
    for (const char *plan : {"one device, whole batch", "two stages", "a group of two re-cut for a group of three"})
        updated(QString::fromLatin1(plan), "Adam");
    for (const char *update :
         {"Nesterov, decay of weights alone, along a cosine", "AdamW, decay of weights alone, in one cycle"})
        updated(QStringLiteral("one device, then a group of two"), update);
    for (const char *plan :
         {"three stages without bubbles", "groups without bubbles", "two stages without bubbles, one recomputed",
          "interleaved on two devices", "interleaved, the first and the last on one device, without bubbles",
          "interleaved on three devices, one stage recomputed, fill and drain"})
        updated(QString::fromLatin1(plan), momentum);
    QTest::newRow("interleaved on two devices, graphs")
        << QStringLiteral("interleaved on two devices") << QByteArray(momentum) << graphs << builtin;
    updated(QStringLiteral("interleaved on two devices"), "Adam");
    QTest::newRow("groups without bubbles, graphs")
        << QStringLiteral("groups without bubbles") << QByteArray(momentum) << graphs << builtin;
    for (const char *plan : {"one device, micro-batches of 4", "two stages, recomputed, fill and drain", "three stages",
                             "a group of three", "one device, then a group of two"})
        QTest::newRow(qPrintable(QLatin1String(plan) + QStringLiteral(", separable convolutions")))
            << QString::fromLatin1(plan) << QByteArray(momentum) << separable << builtin;
    for (const char *plan : {"one device, whole batch", "two stages, recomputed, fill and drain", "three stages",
                             "a group of two re-cut for a group of three"})
        QTest::newRow(qPrintable(QLatin1String(plan) + QStringLiteral(", graphs")))
            << QString::fromLatin1(plan) << QByteArray(momentum) << graphs << builtin;
    if (!makeFabricBackend(gloo))
        return;
    for (const QString &plan : plansWithGroups)
        QTest::newRow(qPrintable(plan + QStringLiteral(", over Gloo")))
            << plan << QByteArray(momentum) << narrow << gloo;
    QTest::newRow("a group of three, over Gloo, Adam")
        << QStringLiteral("a group of three") << QByteArray("Adam") << narrow << gloo;
}

void EquivalenceTest::float64RunEqualsPlainLoop() {
    QFETCH(QString, plan);
    QFETCH(QByteArray, update);
    const TrainingSpec training = rule(update.constData());
    static const std::vector<SampleBatch> batches = batchesOf(rounds);
    QFETCH(QString, network);
    static const std::map<QString, Model> networks{{QStringLiteral("a narrow fashion-cnn"), narrowCnn()},
                                                   {QStringLiteral("separable convolutions"), separableModel()},
                                                   {QStringLiteral("graphs"), graphModel()}};
    const Model &model = networks.contains(network) ? networks.at(network) : m_model;
    static std::map<std::pair<QByteArray, QString>, ReferenceRun> references;
    ReferenceRun &expected = references[{update, network}];
    if (expected.losses.empty())
        expected = trainPlainly(model, training, padded(), batches);
    QVERIFY2(expected.losses.back() < (areAllCases ? 0.8 : 0.99) * expected.losses.front(),
             qPrintable(QStringLiteral("the oracle itself does not learn: from %1 to %2")
                            .arg(expected.losses.front())
                            .arg(expected.losses.back())));

    QFETCH(QString, fabric);
    const TestPlan chosen = planNamed(plan);
    LoopbackHome home(devicesOf(chosen));
    const auto deployed =
        home.deploy(overFabric(fabric, home.deployment(model, chosen, batchSize, training, padded())));
    QVERIFY2(deployed, qPrintable(deployed ? QString() : deployed.error().toString()));
    for (int r = 1; r <= rounds; ++r) {
        home.feed(static_cast<quint32>(r), batches[static_cast<std::size_t>(r - 1)]);
        if (r > 2)
            QVERIFY(home.waitForRound(static_cast<quint32>(r - 2)));
    }
    QVERIFY(home.waitForRound(static_cast<quint32>(rounds)));
    for (int r = 1; r <= rounds; ++r) {
        const double loss = expected.losses[static_cast<std::size_t>(r - 1)];
        QVERIFY2(std::abs(home.loss(static_cast<quint32>(r)) - loss) <= 1e-10 * std::abs(loss),
                 qPrintable(QStringLiteral("round %1: %2, not %3")
                                .arg(r)
                                .arg(home.loss(static_cast<quint32>(r)), 0, 'g', 17)
                                .arg(loss, 0, 'g', 17)));
    }
    QVERIFY(home.fabricFailures.empty());
    const std::vector<NamedTensor> weights = home.weights();
    QCOMPARE(differenceOf(weights, expected.weights), QString());
    for (int member = 1; member < devicesOf(chosen); ++member) {
        const std::vector<NamedTensor> others = home.weights(member);
        QCOMPARE(others.size(), weights.size());
        for (std::size_t i = 0; i < weights.size(); ++i)
            QVERIFY2(std::ranges::equal(others[i].data->bytes(), weights[i].data->bytes()),
                     qPrintable(QStringLiteral("member %1: other bits in %2").arg(member).arg(weights[i].spec.name)));
    }
}

void EquivalenceTest::float32FirstGradientsEqualPlainLoop_data() {
    QTest::addColumn<QString>("plan");
    QTest::addColumn<QString>("fabric");
    for (const QString &plan : plans)
        QTest::newRow(qPrintable(plan)) << plan << Deployment::builtinFabric();
    if (!makeFabricBackend(gloo))
        return;
    for (const QString &plan : plansWithGroups)
        QTest::newRow(qPrintable(plan + QStringLiteral(", over Gloo"))) << plan << gloo;
}

void EquivalenceTest::float32FirstGradientsEqualPlainLoop() {
    QFETCH(QString, plan);
    TrainingSpec training = rule(momentum);
    training.precision = Precision::Float32;
    static const std::vector<SampleBatch> batches = batchesOf(1);
    static const ReferenceRun expected = trainPlainly(m_model, training, padded(), batches);
    const TestPlan chosen = planNamed(plan);
    LoopbackHome home(devicesOf(chosen));
    QMutex mutex;
    QHash<QString, std::vector<NamedTensor>> gradients;  // all members' by tensor
    for (int i = 0; i < devicesOf(chosen); ++i) {
        home.worker(i).observeGradients([&](quint32, const std::vector<NamedTensor> &tensors) {
            const QMutexLocker lock(&mutex);
            for (const NamedTensor &tensor : tensors)
                gradients[tensor.spec.name].push_back(tensor);
        });
    }
    QFETCH(QString, fabric);
    QVERIFY(home.deploy(overFabric(fabric, home.deployment(m_model, chosen, batchSize, training, padded()))));
    home.feed(1, batches.front());
    QVERIFY(home.waitForRound(1));
    const QMutexLocker lock(&mutex);
    QVERIFY(home.fabricFailures.empty());
    QVERIFY(std::abs(home.loss(1) - expected.losses[0]) <= 1e-5 * expected.losses[0]);
    for (const NamedTensor &tensor : expected.firstGradients) {
        QVERIFY2(gradients.contains(tensor.spec.name), qPrintable(tensor.spec.name));
        for (const NamedTensor &actual : gradients[tensor.spec.name]) {
            const double difference = relativeDifference(actual, tensor);
            QVERIFY2(difference <= 1e-5,
                     qPrintable(QStringLiteral("%1 differs by %2").arg(tensor.spec.name).arg(difference)));
        }
    }
}

QTEST_GUILESS_MAIN(EquivalenceTest)
#include "equivalence_test.moc"
