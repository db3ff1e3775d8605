// What ops keep until their backward pass, as their facts say and as the allocator counts it; and what is random.
#include <QTest>
#include <algorithm>

#include "core/model/catalogue.h"
#include "core/profile/declared_facts.h"
#include "core/train/layer_profiler.h"
#include "core/train/memory.h"
#include "core/train/threads.h"
#include "tests/core/train/op_case.h"

using namespace hearth;
using test::OpCase;

namespace {

constexpr std::int64_t samples = 8;

/// By the op's facts: of float32 values.
double keptBytes(const OpCase &own) {
    const OpCost &cost = own.op.cost;
    double bytes = static_cast<double>(cost.keptBesides) * 4;
    for (std::size_t i = 0; i < own.inputs.size(); ++i) {
        if ((cost.keptInputs >> i & 1) != 0)
            bytes += static_cast<double>(elementCount(own.op.inputShapes[i])) *
                     static_cast<double>(own.inputs[i].element_size());
    }
    if (cost.keepsOutput)
        bytes += static_cast<double>(elementCount(own.op.outputShape)) * 4;
    return bytes * samples;
}

}  // namespace

class OpMemoryTest : public QObject {
    Q_OBJECT

  private Q_SLOTS:
    void initTestCase() { installTensorMemory(); }

    void opsKeepWhatTheirFactsSay_data();
    void opsKeepWhatTheirFactsSay() {
        QFETCH(QByteArray, op);
        QFETCH(QByteArray, shapes);
        OpCase own(op, shapes, samples, at::kFloat);
        const RunOp run = runOf(own.op.kind).bind(own.op);
        WeightGradientQueue queue;
        // What an op makes once for all calls.
        { run(own.call(queue)); }
        const qint64 before = tensorMemory().held;
        std::vector<at::Tensor> inputs;
        for (const at::Tensor &input : own.inputs)
            inputs.push_back(input.is_floating_point() ? input.mul(1) : input.clone());
        OpCall call = own.call(queue);
        call.inputs = inputs;
        call.mayOverwrite = inputs.front().is_floating_point();
        at::Tensor y = run(call);
        const auto graph = y.grad_fn();
        y.reset();
        inputs.clear();
        const auto held = static_cast<double>(tensorMemory().held - before);
        const double expected = keptBytes(own);
        QVERIFY2(std::abs(held - expected) <= 0.03 * expected + 512,
                 qPrintable(QStringLiteral("%1 bytes are kept, not %2").arg(held).arg(expected)));
    }

    void networksTakeNoMoreThanTheirDescriptionSays_data();
    void networksTakeNoMoreThanTheirDescriptionSays() {
        QFETCH(QString, network);
        prepareComputeThread(1);
        ProfileRequest request;
        request.model = *loadModel(network);
        request.batches = {8};
        request.secondsPerBatch = 0;
        request.triesPacking = false;
        const auto profile = profileLayers(request, [](int, int) { return true; });
        QVERIFY2(profile, profile ? "" : qPrintable(profile.error().toString()));
        const auto bytesOf = [](const std::vector<LayerFacts> &layers) {
            qint64 saved = 0, workspace = 0;
            for (const LayerFacts &layer : layers) {
                saved += layer.savedBytes;
                workspace = std::max(workspace, layer.workspaceBytes);
            }
            return saved + workspace;
        };
        const double told = static_cast<double>(bytesOf(estimatedFacts(request.model, DType::Float32)));
        const double part = told / static_cast<double>(bytesOf(profile->layers));
        QVERIFY2(part >= 1 && part < 3, qPrintable(QStringLiteral("%1 times what it takes").arg(part)));
    }

    void aRepeatedPassDropsTheSame_data();
    void aRepeatedPassDropsTheSame() {
        QFETCH(QByteArray, op);
        QFETCH(QByteArray, shapes);
        OpCase own(op, shapes, 400, at::kDouble);
        for (at::Tensor &input : own.inputs)
            input = at::ones_like(input).set_requires_grad(true);
        const RunOp run = runOf(own.op.kind).bind(own.op);
        WeightGradientQueue queue;
        const at::Tensor y = run(own.call(queue));
        QVERIFY(at::equal(run(own.call(queue)), y));
        OpCall other = own.call(queue);
        other.salt = 8;
        QVERIFY(!at::equal(run(other), y));
        OpCall evaluation = own.call(queue);
        evaluation.training = false;
        // In the mean nothing changes.
        const double mean = run(evaluation).mean().item<double>();
        QVERIFY2(std::abs(y.mean().item<double>() - mean) < 0.1 * mean, qPrintable(QString::number(mean)));
        // The function is linear in its last input that is real, and its gradient leaves out the same.
        const at::Tensor gradient = at::randn_like(y);
        torch::autograd::backward({y}, {gradient});
        at::Tensor x = own.inputs[own.inputs.size() > 2 ? 2 : 0];
        const double product = (x.grad() * x).sum().item<double>(), whole = (y * gradient).sum().item<double>();
        QVERIFY(std::abs(product - whole) <= 1e-10 * std::abs(whole));
    }

    void aSampleIsDroppedWhole() {
        OpCase own("{'kind':'stochastic-depth','probability':0.5}", "3,2", 50, at::kDouble);
        const RunOp run = runOf(own.op.kind).bind(own.op);
        WeightGradientQueue queue;
        const at::Tensor y = run(own.call(queue)), x = own.inputs.front();
        int dropped = 0;
        for (int i = 0; i < 50; ++i) {
            const bool zero = y[i].abs().sum().item<double>() == 0;
            dropped += zero ? 1 : 0;
            QVERIFY(zero || at::allclose(y[i], x[i] * 2, 1e-12));
        }
        QVERIFY(dropped > 10 && dropped < 40);
    }

    void theOrderOfMemoryIsKept() {
        OpCase own("{'kind':'dropout','probability':0.5}", "3,4,5", 2, at::kFloat);
        own.inputs.front() = own.inputs.front().detach().contiguous(at::MemoryFormat::ChannelsLast);
        own.inputs.front().set_requires_grad(true);
        const RunOp run = runOf(own.op.kind).bind(own.op);
        WeightGradientQueue queue;
        const at::Tensor y = run(own.call(queue));
        QVERIFY(y.is_contiguous(at::MemoryFormat::ChannelsLast));
        // A gradient in another order.
        torch::autograd::backward({y}, {at::ones(y.sizes())});
        QVERIFY(at::equal(own.inputs.front().grad() * own.inputs.front(), y));
    }
};

void OpMemoryTest::opsKeepWhatTheirFactsSay_data() {
    QTest::addColumn<QByteArray>("op");
    QTest::addColumn<QByteArray>("shapes");
    const auto row = [](const char *op, const char *shapes) {
        QTest::addRow("%s of %s", op, shapes) << QByteArray(op) << QByteArray(shapes);
    };
    for (const char *kind : {"relu",
                             "relu6",
                             "leaky-relu",
                             "silu",
                             "gelu",
                             "hard-swish",
                             "elu",
                             "softplus",
                             "sigmoid",
                             "hard-sigmoid",
                             "tanh",
                             "exp",
                             "log",
                             "sqrt",
                             "reciprocal",
                             "neg",
                             "abs",
                             "erf",
                             "scale",
                             "softmax",
                             "log-softmax",
                             "flatten",
                             "identity",
                             "batch-norm",
                             "global-average-pool",
                             "dropout",
                             "stochastic-depth"})
        row(qPrintable(QStringLiteral("{'kind':'%1'}").arg(QLatin1String(kind))), "32,15,16");
    row("{'kind':'clip','min':0}", "32,15,16");
    row("{'kind':'power','exponent':2}", "32,15,16");
    for (const char *kind : {"add", "sub", "mul", "div", "maximum", "minimum"})
        row(qPrintable(QStringLiteral("{'kind':'%1'}").arg(QLatin1String(kind))), "32,15,16;32,1,1");
    row("{'kind':'mul'}", "32,15,16;32,15,16");
    row("{'kind':'concat','axis':0}", "32,15,16;8,15,16");
    row("{'kind':'matmul'}", "4,60,33;4,33,50");
    row("{'kind':'slice','axis':0,'end':16}", "32,15,16");
    row("{'kind':'pad','padding':[[0,0],[1,1],[2,2]]}", "32,15,16");
    row("{'kind':'pad','padding':[[0,0],[1,1],[2,2]],'mode':'reflect'}", "32,15,16");
    row("{'kind':'reshape','shape':[-1,16]}", "32,15,16");
    row("{'kind':'transpose','axes':[1,2,0]}", "32,15,16");
    row("{'kind':'select','axis':0,'index':0}", "32,15,16");
    row("{'kind':'mean','axes':[1,2]}", "32,15,16");
    row("{'kind':'sum','axes':[0]}", "32,15,16");
    row("{'kind':'max','axes':[1,2]}", "32,15,16");
    row("{'kind':'layer-norm'}", "64,128");
    row("{'kind':'group-norm','groups':4}", "32,15,16");
    row("{'kind':'rms-norm'}", "64,128");
    row("{'kind':'convolution','channels':16,'kernel':3}", "32,15,16");
    row("{'kind':'convolution','channels':16,'kernel':3,'padding':[0,0,1,1]}", "32,15,16");
    row("{'kind':'depthwise','kernel':3}", "32,15,16");
    row("{'kind':'transposed-convolution','channels':16,'kernel':2,'stride':2}", "32,15,16");
    row("{'kind':'convolution','channels':16,'kernel':3}", "32,150");
    row("{'kind':'linear','features':64}", "64,128");
    row("{'kind':'linear','features':64,'transposed':true}", "64,128");
    row("{'kind':'max-pool','kernel':2}", "32,15,16");
    row("{'kind':'average-pool','kernel':2}", "32,15,16");
    row("{'kind':'adaptive-average-pool','size':[4,4]}", "32,15,16");
    row("{'kind':'upsample','scale':2}", "32,15,16");
    row("{'kind':'upsample','scale':2,'mode':'bilinear'}", "32,15,16");
    row("{'kind':'embedding','rows':300,'features':64}", "i128");
    row("{'kind':'parameter','shape':[64,128]}", "64,128");
    row("{'kind':'sinusoidal-positions'}", "64,128");
    row("{'kind':'rotary','heads':4}", "64,128");
    row("{'kind':'attention','heads':4}", "64,128;64,128;64,128");
    row("{'kind':'attention','heads':4,'kv_heads':2,'causal':true}", "64,128;64,64;64,64");
    row("{'kind':'attention','heads':4,'dropout':0.1}", "64,128;64,128;64,128;i64");
    row("{'kind':'attention','heads':4,'relative':{}}", "64,128;64,128;64,128");
}

void OpMemoryTest::networksTakeNoMoreThanTheirDescriptionSays_data() {
    QTest::addColumn<QString>("network");
    for (const char *network :
         {"fashion-cnn", "mobilenetv2", "efficientnet-b0:image=32", "resnet18:image=32", "bert-small:sequence=64"})
        QTest::newRow(network) << QString::fromLatin1(network);
}

void OpMemoryTest::aRepeatedPassDropsTheSame_data() {
    QTest::addColumn<QByteArray>("op");
    QTest::addColumn<QByteArray>("shapes");
    QTest::newRow("dropout") << QByteArray("{'kind':'dropout','probability':0.3}") << QByteArray("7,5");
    QTest::newRow("stochastic depth") << QByteArray("{'kind':'stochastic-depth','probability':0.3}")
                                      << QByteArray("7,5");
    QTest::newRow("attention") << QByteArray("{'kind':'attention','heads':2,'dropout':0.3}")
                               << QByteArray("5,6;5,6;5,6");
}

QTEST_GUILESS_MAIN(OpMemoryTest)
#include "op_memory_test.moc"
