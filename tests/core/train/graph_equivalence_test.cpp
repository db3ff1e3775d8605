// Same mathematics for a network whose cuts several values cross: token ids and a mask that travel along, an encoder's
// output that every block of the decoder takes, labels for each token.
#include <torch/torch.h>

#include <QJsonArray>
#include <QJsonDocument>
#include <QJsonObject>
#include <QTest>
#include <cmath>
#include <map>

#include "core/base/generator.h"
#include "core/model/adapters.h"
#include "core/model/cut_slots.h"
#include "core/model/graph_builder.h"
#include "core/model/init.h"
#include "core/model/layer_state.h"
#include "core/model/loss_facts.h"
#include "core/model/merge_adapters.h"
#include "core/train/compute_device.h"
#include "core/train/stage_module.h"
#include "core/wire/state_chunks.h"
#include "tests/core/train/plain_coordinator.h"

using namespace hearth;

namespace {

constexpr int batchSize = 16, length = 6, width = 16, heads = 2, vocabulary = 20, classes = 7, rounds = 100;
using Weights = std::map<QString, torch::Tensor>;

/// Keys have no bias: it would have no effect, and its gradient would be rounding alone.
QString attend(GraphBuilder &net, const QString &name, const QString &x, const QString &from) {
    const QString q = net.linear(name + QStringLiteral(".q"), x, width),
                  k = net.linear(name + QStringLiteral(".k"), from, width, false),
                  v = net.linear(name + QStringLiteral(".v"), from, width);
    const QString y = net.add(name + QStringLiteral(".attend"), "attention", {q, k, v, QStringLiteral("mask")},
                              {{QStringLiteral("heads"), heads}});
    return net.sum(name + QStringLiteral(".sum"), net.linear(name + QStringLiteral(".out"), y, width), x);
}

QString feedForward(GraphBuilder &net, const QString &name, const QString &x) {
    QString y = net.linear(name + QStringLiteral(".up"), x, 2 * width);
    y = net.plain(name + QStringLiteral(".act"), "relu", y);
    return net.sum(name + QStringLiteral(".sum"), net.linear(name + QStringLiteral(".down"), y, width), x);
}

/// Layers: encoder.words, encoder.0, encoder.1, decoder.words, decoder.0, decoder.1, head.
Model network() {
    GraphBuilder net(QStringLiteral("encoder-decoder"));
    const QString tokens = net.wholeInput(QStringLiteral("tokens"), {length});
    net.wholeInput(QStringLiteral("mask"), {length});
    QString x = net.embedding(QStringLiteral("encoder.words"), tokens, vocabulary, width);
    for (int i = 0; i < 2; ++i) {
        const QString block = QStringLiteral("encoder.%1").arg(i);
        x = feedForward(net, block + QStringLiteral(".ff"), attend(net, block + QStringLiteral(".self"), x, x));
    }
    const QString encoded = net.layerNorm(QStringLiteral("encoder.norm"), x, 1e-5);
    x = net.embedding(QStringLiteral("decoder.words"), tokens, vocabulary, width);
    for (int i = 0; i < 2; ++i) {
        const QString block = QStringLiteral("decoder.%1").arg(i);
        x = attend(net, block + QStringLiteral(".self"), x, x);
        x = attend(net, block + QStringLiteral(".cross"), x, encoded);
        x = feedForward(net, block + QStringLiteral(".ff"), x);
    }
    net.output(net.linear(QStringLiteral("head"), x, classes));
    auto model = Model::fromJson(net.description(), QStringLiteral("the test"));
    if (!model)
        qFatal("%s", qPrintable(model.error().toString()));
    return *model;
}

constexpr int rank = 3;
constexpr double alpha = 12;

/// LoRA beside queries and values of the decoder and the last block of the encoder; below nothing is trained.
Model adapted(const Model &plain) {
    AdapterSpec spec;
    spec.rank = rank;
    spec.alpha = alpha;
    for (const char *part : {".q", ".v"}) {
        for (const char *block : {"encoder.1*", "decoder*"})
            spec.targets << QLatin1String(block) + QLatin1String(part);
    }
    auto model = withAdapters(plain, spec, {QStringLiteral("*"), QStringLiteral("!head")});
    if (!model)
        qFatal("%s", qPrintable(model.error().toString()));
    return *model;
}

/// Where B begins at zero, A would learn nothing in the first round.
std::vector<NamedTensor> initialWeights(const Model &model, quint64 seed) {
    std::vector<NamedTensor> tensors = initialise(model, seed, DType::Float64);
    for (NamedTensor &tensor : tensors) {
        auto *values = reinterpret_cast<double *>(tensor.data->data());
        for (qint64 i = 0; tensor.spec.name.endsWith(QLatin1String("lora_B.weight")) && i < tensor.spec.elements(); ++i)
            values[i] = 0.02 * static_cast<double>(i % 11 - 5);
    }
    return tensors;
}

/// The label of a token is its number modulo the classes; every fifth is ignored, and a mask hides the end.
SampleBatch batchOf(int size, quint64 seed) {
    const Generator random(seed);
    std::vector<qint64> tokens, mask;
    SampleBatch batch;
    for (int n = 0; n < size; ++n) {
        const auto seen = 2 + static_cast<int>(random.child(1).below(length - 1, static_cast<quint64>(n)));
        for (int t = 0; t < length; ++t) {
            const auto place = static_cast<quint64>(n * length + t);
            tokens.push_back(static_cast<qint64>(random.child(2).below(vocabulary, place)));
            mask.push_back(t < seen ? 1 : 0);
            batch.labels.push_back(t >= seen || place % 5 == 4 ? ignoredLabel : tokens.back() % classes);
        }
    }
    const Slot slot{DType::Int64, {length}, false};
    for (const auto *values : {&tokens, &mask})
        batch.parts.push_back({slot, QByteArray(reinterpret_cast<const char *>(values->data()),
                                                static_cast<qsizetype>(values->size() * sizeof(qint64)))});
    batch.label = {length};
    return batch;
}

torch::Tensor wholes(const void *values, int size) {
    return torch::from_blob(const_cast<void *>(values), {size, length}, torch::kLong).clone();
}

torch::Tensor linear(const Weights &w, const QString &name, const torch::Tensor &x) {
    const auto bias = w.find(name + QStringLiteral(".bias"));
    const torch::Tensor y =
        torch::linear(x, w.at(name + QStringLiteral(".weight")),
                      bias == w.end() ? c10::optional<torch::Tensor>() : c10::optional<torch::Tensor>(bias->second));
    const auto down = w.find(name + QStringLiteral(".lora_A.weight"));
    if (down == w.end())
        return y;
    const torch::Tensor up = w.at(name + QStringLiteral(".lora_B.weight"));
    return y + alpha / rank * x.matmul(down->second.t()).matmul(up.t());
}

torch::Tensor attend(const Weights &w, const QString &name, const torch::Tensor &x, const torch::Tensor &from,
                     const torch::Tensor &mask) {
    const auto split = [&](const char *part, const torch::Tensor &value) {
        return linear(w, name + QLatin1String(part), value).view({-1, length, heads, width / heads}).transpose(1, 2);
    };
    torch::Tensor scores = split(".q", x).matmul(split(".k", from).transpose(2, 3)) / std::sqrt(double(width) / heads);
    scores = scores.masked_fill(mask.eq(0).view({-1, 1, 1, length}), -std::numeric_limits<double>::infinity());
    const torch::Tensor y = scores.softmax(-1).matmul(split(".v", from)).transpose(1, 2).reshape({-1, length, width});
    return linear(w, name + QStringLiteral(".out"), y) + x;
}

torch::Tensor feedForward(const Weights &w, const QString &name, const torch::Tensor &x) {
    return linear(w, name + QStringLiteral(".down"), linear(w, name + QStringLiteral(".up"), x).relu()) + x;
}

torch::Tensor plainly(const Weights &w, const SampleBatch &batch) {
    const torch::Tensor tokens = wholes(batch.parts[0].bytes.constData(), batch.size()),
                        mask = wholes(batch.parts[1].bytes.constData(), batch.size());
    torch::Tensor x = torch::embedding(w.at(QStringLiteral("encoder.words.weight")), tokens);
    for (const char *block : {"encoder.0", "encoder.1"}) {
        const QString name = QLatin1String(block);
        x = feedForward(w, name + QStringLiteral(".ff"), attend(w, name + QStringLiteral(".self"), x, x, mask));
    }
    const torch::Tensor encoded = torch::layer_norm(x, {width}, w.at(QStringLiteral("encoder.norm.weight")),
                                                    w.at(QStringLiteral("encoder.norm.bias")));
    x = torch::embedding(w.at(QStringLiteral("decoder.words.weight")), tokens);
    for (const char *block : {"decoder.0", "decoder.1"}) {
        const QString name = QLatin1String(block);
        x = attend(w, name + QStringLiteral(".self"), x, x, mask);
        x = attend(w, name + QStringLiteral(".cross"), x, encoded, mask);
        x = feedForward(w, name + QStringLiteral(".ff"), x);
    }
    return linear(w, QStringLiteral("head"), x);
}

torch::Tensor lossSum(const torch::Tensor &logits, const SampleBatch &batch) {
    return torch::nn::functional::cross_entropy(
        logits.reshape({-1, classes}), wholes(batch.labels.data(), batch.size()).reshape({-1}),
        torch::nn::functional::CrossEntropyFuncOptions().reduction(torch::kSum).ignore_index(ignoredLabel));
}

TrainingSpec training() {
    TrainingSpec spec;
    spec.precision = Precision::Float64;
    spec.optimizer.learningRate = 0.03;
    spec.optimizer.momentum = 0.9;
    spec.optimizer.weightDecay = 1e-3;
    spec.optimizer.decay = OptimizerSpec::Decay::All;
    return spec;
}

struct Expected {
    std::vector<double> losses;
    Weights weights;
    double testLoss = 0;
    int correct = 0;
};

Expected trainedPlainly(const Model &model, const SampleBatch &test) {
    Expected expected;
    std::vector<torch::Tensor> all;
    for (const NamedTensor &tensor : initialWeights(model, training().seed)) {
        const std::vector<std::int64_t> sizes(tensor.spec.shape.begin(), tensor.spec.shape.end());
        torch::Tensor own = torch::from_blob(tensor.data->data(), sizes, torch::kDouble).clone();
        if (tensor.spec.isTrainable())
            all.push_back(own.set_requires_grad(true));
        expected.weights[tensor.spec.name] = own;
    }
    const OptimizerSpec spec = training().optimizer;
    torch::optim::SGD optimizer(
        all, torch::optim::SGDOptions(spec.learningRate).momentum(spec.momentum).weight_decay(spec.weightDecay));
    for (int r = 0; r < rounds; ++r) {
        const SampleBatch batch = batchOf(batchSize, static_cast<quint64>(r));
        const auto counted = std::ranges::count_if(batch.labels, [](qint64 label) { return label != ignoredLabel; });
        const torch::Tensor loss = lossSum(plainly(expected.weights, batch), batch) / static_cast<double>(counted);
        optimizer.zero_grad();
        loss.backward();
        optimizer.step();
        expected.losses.push_back(loss.item<double>());
    }
    const torch::NoGradGuard guard;
    const torch::Tensor logits = plainly(expected.weights, test);
    expected.testLoss = lossSum(logits, test).item<double>();
    expected.correct =
        static_cast<int>(logits.argmax(-1).eq(wholes(test.labels.data(), test.size())).sum().item<std::int64_t>());
    return expected;
}

TestPlan planNamed(const QString &name) {
    if (name == QLatin1String("one device"))
        return {16, {{0, 7, {{0, 16}}}}};
    if (name == QLatin1String("three stages with a group of two"))
        return {8, {{0, 2, {{0, 8}}, 2}, {2, 5, {{1, 5}, {2, 3}}, 2}, {5, 7, {{3, 8}}, 1}}};
    if (name == QLatin1String("a cut in the encoder and one between the decoder's blocks, recomputed"))
        return {4,
                {{0, 2, {{0, 4}}, 4, true}, {2, 5, {{1, 4}}, 4, true}, {5, 7, {{2, 4}}, 4}},
                QStringLiteral("fill-drain")};
    TestPlan each{4, {}};
    for (int l = 0; l < 7; ++l)
        each.stages.push_back({l, l + 1, {{l, 4}}, 7 - l});
    return each;
}

}  // namespace

class GraphEquivalenceTest : public QObject {
    Q_OBJECT

  private Q_SLOTS:
    void valuesTravelAlong() {
        QStringList names;
        for (const Layer &layer : m_model.layers)
            names << layer.name;
        QCOMPARE(names.join(QLatin1Char(' ')),
                 QStringLiteral("encoder.words encoder.0 encoder.1 decoder.words decoder.0 decoder.1 head"));
        const Slot ids{DType::Int64, {length}, false}, value{DType::Float64, {length, width}, true};
        QCOMPARE(cutSlots(m_model, 2, DType::Float64), (std::vector<Slot>{ids, ids, value}));
        QCOMPARE(cutSlots(m_model, 5, DType::Float64), (std::vector<Slot>{ids, value, value}));
        QCOMPARE(cutSlots(m_model, 6, DType::Float64), (std::vector<Slot>{value}));
    }

    /// Nothing is trained below the encoder's last block, so no gradient crosses the cuts there; the ids never have
    /// one.
    void noGradientCrossesWhereNothingBelowIsTrained() {
        QCOMPARE(m_adapted.layers.size(), m_model.layers.size());
        for (const std::size_t layer : {1, 2})
            QCOMPARE(backwardBytes(cutSlots(m_adapted, layer, DType::Float64)), 0);
        for (const std::size_t layer : {3, 4, 5, 6}) {
            QVERIFY(backwardBytes(cutSlots(m_adapted, layer, DType::Float64)) > 0);
            QCOMPARE(cutSlots(m_adapted, layer, DType::Float64).size(),
                     cutSlots(m_model, layer, DType::Float64).size());
        }
        // The decoder's words, which cross beside what the encoder gives.
        QCOMPARE(backwardBytes(cutSlots(m_adapted, 4, DType::Float64)), length * width * 8);
    }

    void anyPlanEqualsThePlainLoop_data() {
        QTest::addColumn<QString>("plan");
        QTest::addColumn<int>("devices");
        QTest::addColumn<bool>("lora");
        for (const bool lora : {false, true}) {
            const auto row = [&](const char *plan, int devices) {
                QTest::addRow("%s%s", plan, lora ? ", LoRA" : "") << QString::fromLatin1(plan) << devices << lora;
            };
            row("one device", 1);
            row("three stages with a group of two", 4);
            row("a cut in the encoder and one between the decoder's blocks, recomputed", 3);
            row("a stage for each layer", 7);
        }
    }
    void anyPlanEqualsThePlainLoop() {
        QFETCH(QString, plan);
        QFETCH(int, devices);
        QFETCH(bool, lora);
        const SampleBatch &test = testSet();
        const Expected &expected = expectedOf(lora);
        const Model &model = lora ? m_adapted : m_model;
        QVERIFY2(expected.losses.back() < (lora ? 0.99 : 0.8) * expected.losses.front(),
                 qPrintable(QStringLiteral("the plain loop does not learn: %1 to %2")
                                .arg(expected.losses.front())
                                .arg(expected.losses.back())));
        LoopbackHome home(devices);
        Deployment deployment = home.deployment(model, planNamed(plan), batchSize, training(), {});
        deployment.sampleTypes = {DType::Int64, DType::Int64};
        deployment.weightsStreamed = lora;
        std::map<int, qint64> gradients;  // bytes, by the stage that gets them
        home.onFrame = [&](int, int, const TensorFrame &frame) {
            if (frame.header.kind == TensorKind::Gradient)
                gradients[frame.header.stage] += frame.payload->size();
        };
        const auto deployed =
            home.deploy(deployment, lora ? initialWeights(model, training().seed) : std::vector<NamedTensor>());
        QVERIFY2(deployed, qPrintable(deployed ? QString() : deployed.error().toString()));
        for (int r = 1; r <= rounds; ++r) {
            home.feed(static_cast<quint32>(r), batchOf(batchSize, static_cast<quint64>(r - 1)));
            if (r > 2)
                QVERIFY(home.waitForRound(static_cast<quint32>(r - 2)));
        }
        QVERIFY(home.waitForRound(rounds));
        for (int r = 1; r <= rounds; ++r) {
            const double loss = expected.losses[static_cast<std::size_t>(r - 1)];
            QVERIFY2(std::abs(home.loss(static_cast<quint32>(r)) - loss) <= 1e-10 * std::abs(loss),
                     qPrintable(QStringLiteral("round %1: %2, not %3")
                                    .arg(r)
                                    .arg(home.loss(static_cast<quint32>(r)), 0, 'g', 17)
                                    .arg(loss, 0, 'g', 17)));
        }
        compareWeights(home, expected);
        const auto evaluated = home.evaluate(rounds, test);
        QCOMPARE(evaluated.correct, expected.correct);
        QVERIFY(std::abs(evaluated.lossSum - expected.testLoss) <= 1e-10 * expected.testLoss);
        for (std::size_t s = 0; s + 1 < deployment.stages.size(); ++s) {
            const auto cut = static_cast<std::size_t>(deployment.stages[s].lastLayer);
            QCOMPARE(gradients[static_cast<int>(s)],
                     rounds * batchSize * backwardBytes(cutSlots(model, cut, DType::Float64)));
        }
    }

    /// A device dies, layers move, and what of them is frozen comes from the device that has it: the results are those
    /// of the plain loop.
    void aLossLeavesNoTraceInALoraRun() {
        const Expected &expected = expectedOf(true);
        std::vector<SampleBatch> batches;
        for (int r = 0; r < rounds; ++r)
            batches.push_back(batchOf(batchSize, static_cast<quint64>(r)));
        LoopbackHome home(4);
        std::map<std::pair<int, int>, qint64> frozen, moved;  // bytes from device to device
        home.onFrame = [&](int from, int to, const TensorFrame &frame) {
            if (isStateChunk(frame.header))
                (frame.header.version == frozenVersion ? frozen : moved)[{from, to}] += frame.payload->size();
        };
        PlainCoordinator coordinator(home, m_adapted, training(), {}, batches);
        coordinator.sampleTypes = {DType::Int64, DType::Int64};
        coordinator.weights = initialWeights(m_adapted, training().seed);
        QCOMPARE(coordinator.start(planNamed(QStringLiteral("three stages with a group of two"))), QString());
        QCOMPARE(coordinator.runTo(40), QString());
        home.lose(2);
        frozen.clear();
        home.wantedFrozen.clear();
        QCOMPARE(coordinator.recover({4, {{0, 2, {{0, 4}}, 3}, {2, 3, {{1, 4}}, 2}, {3, 7, {{3, 4}}, 1}}}), QString());
        qint64 frozenBytes = 0, stateBytes = 0;
        for (const std::size_t layer : {3, 4}) {
            frozenBytes += LayerStateLayout::ofFrozen(m_adapted.layers[layer], DType::Float64).bytes;
            stateBytes +=
                LayerStateLayout::of(m_adapted.layers[layer], DType::Float64, training().optimizer.state()).bytes;
        }
        QVERIFY(home.wantedFrozen.empty());
        QVERIFY(frozen == (std::map<std::pair<int, int>, qint64>{{{1, 3}, frozenBytes}}));
        QVERIFY(moved == (std::map<std::pair<int, int>, qint64>{{{1, 3}, stateBytes}}));
        QVERIFY(frozenBytes > stateBytes);
        QCOMPARE(coordinator.runTo(rounds), QString());
        for (const auto &[round, loss] : coordinator.losses) {
            const double plain = expected.losses[round - 1];
            QVERIFY2(std::abs(loss - plain) <= 1e-10 * std::abs(plain), qPrintable(QString::number(round)));
        }
        compareWeights(home, expected);
    }

    /// The network without adapters answers the same with what they were merged into.
    void mergedWeightsAnswerTheSame() {
        const std::vector<NamedTensor> weights = initialWeights(m_adapted, 5);
        const auto merged = mergedWeights(m_adapted, weights);
        QVERIFY2(merged, merged ? "" : qPrintable(merged.error().toString()));
        QCOMPARE(merged->size(), m_model.tensors().size());
        const SampleBatch batch = batchOf(9, 77);
        const torch::Tensor before = answers(m_adapted, weights, batch), after = answers(m_model, *merged, batch);
        QVERIFY((before - answers(m_model, withoutAdapters(weights), batch)).norm().item<double>() > 1e-3);
        QVERIFY((before - after).norm().item<double>() <= 1e-13 * before.norm().item<double>());
    }

    void statesHoldAdaptersAlone() {
        const qint64 ofOne = 2 * rank * width;  // A and B
        qint64 bytes = 0;
        for (const Layer &layer : m_adapted.layers)
            bytes += LayerStateLayout::of(layer, DType::Float64, training().optimizer.state()).bytes;
        // Queries and values of one block of the encoder and, twice each, of two of the decoder; the head; momentum.
        QCOMPARE(bytes, ((2 + 2 * 4) * ofOne + width * classes + classes) * 8 * 2);
    }

  private:
    static const SampleBatch &testSet() {
        static const SampleBatch test = batchOf(13, 1000);
        return test;
    }
    const Expected &expectedOf(bool lora) const {
        static const Expected both[]{trainedPlainly(m_model, testSet()), trainedPlainly(m_adapted, testSet())};
        return both[lora];
    }
    static void compareWeights(LoopbackHome &home, const Expected &expected) {
        for (const NamedTensor &tensor : home.weights()) {
            const torch::Tensor plain = expected.weights.at(tensor.spec.name).detach();
            const torch::Tensor ours = torch::from_blob(tensor.data->data(), plain.sizes(), torch::kDouble);
            const double difference = ((ours - plain).norm() / plain.norm().clamp_min(1e-300)).item<double>();
            QVERIFY2(difference <= (tensor.spec.isTrainable() ? 1e-10 : 0),
                     qPrintable(QStringLiteral("%1 differs by %2").arg(tensor.spec.name).arg(difference)));
        }
    }

    static std::vector<NamedTensor> withoutAdapters(std::vector<NamedTensor> weights) {
        std::erase_if(weights,
                      [](const NamedTensor &tensor) { return tensor.spec.name.contains(QLatin1String("lora")); });
        return weights;
    }
    static torch::Tensor answers(const Model &model, const std::vector<NamedTensor> &weights,
                                 const SampleBatch &batch) {
        StageModule module(model, 0, static_cast<int>(model.layers.size()), Precision::Float64, *processor());
        for (int l = 0; l < static_cast<int>(model.layers.size()); ++l) {
            const auto &specs = model.layers[static_cast<std::size_t>(l)].shape.tensors;
            for (int t = 0; t < static_cast<int>(specs.size()); ++t) {
                const auto found = std::ranges::find_if(weights, [&](const NamedTensor &tensor) {
                    return tensor.spec.name == specs[static_cast<std::size_t>(t)].name;
                });
                if (found == weights.end() || !module.load(l, t, found->data->bytes()))
                    qFatal("a tensor is missing");
            }
        }
        const torch::NoGradGuard guard;
        return module
            .forward({wholes(batch.parts[0].bytes.constData(), batch.size()),
                      wholes(batch.parts[1].bytes.constData(), batch.size())},
                     {false})
            .front();
    }

    const Model m_model = network(), m_adapted = adapted(m_model);
};

QTEST_GUILESS_MAIN(GraphEquivalenceTest)
#include "graph_equivalence_test.moc"
