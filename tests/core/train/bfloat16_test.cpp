// Large products in bfloat16: what they are, and that a network trains with them as a plain loop under autocast does.
#include <ATen/autocast_mode.h>
#include <torch/torch.h>

#include <QTest>
#include <cmath>
#include <functional>
#include <numeric>

#include "core/model/catalogue.h"
#include "core/model/init.h"
#include "core/train/attention.h"
#include "core/train/layer_profiler.h"
#include "core/train/weighted_ops.h"
#include "tests/core/train/delegating_device.h"
#include "tests/core/train/loopback_home.h"

using namespace hearth;

namespace {

/// What rounding to 8 significant bits changes, at most, relative to the number.
constexpr double unit = 1.0 / 256;

/// As fast or slow in bfloat16 as a test wants.
class DeviceOfGain final : public DelegatingDevice {
  public:
    explicit DeviceOfGain(double gain) : m_gain(gain) {}
    double bfloat16Gain() override { return m_gain; }

  private:
    double m_gain;
};

const auto gaining = std::make_shared<DeviceOfGain>(2);
const auto notGaining = std::make_shared<DeviceOfGain>(1);

constexpr int batchSize = 128, rounds = 25;

TrainingSpec trainingIn(Precision precision) {
    TrainingSpec training;
    training.precision = precision;
    training.optimizer.learningRate = 0.05;
    return training;
}

InputTransform bordered() {
    InputTransform input;
    input.pad = {2, 2};
    return input;
}

std::vector<SampleBatch> batches(int count) {
    std::vector<SampleBatch> all;
    for (int r = 0; r < count; ++r)
        all.push_back(syntheticBatch(batchSize, 10, 100 + static_cast<quint64>(r)));
    return all;
}

struct Outcome {
    std::vector<double> losses;
    std::vector<std::vector<NamedTensor>> weights;  // by member
};

using Devices = std::vector<std::shared_ptr<ComputeDevice>>;

/// A stage of the first two devices, or the one there is, and a last one of the third.
Outcome trainOn(const Devices &devices, Precision precision, int count = rounds) {
    const Model model = *loadModel(QStringLiteral("fashion-cnn"));
    const TestPlan plan = devices.size() == 1
                              ? TestPlan{batchSize, {{0, 5, {{0, batchSize}}, 1}}}
                              : TestPlan{batchSize, {{0, 3, {{0, 72}, {1, 56}}}, {3, 5, {{2, batchSize}}, 1}}};
    std::vector<WorkerOptions> options;
    for (const auto &device : devices) {
        options.emplace_back();
        options.back().device = device;
    }
    LoopbackHome home(options);
    Outcome outcome;
    if (!home.deploy(home.deployment(model, plan, batchSize, trainingIn(precision), bordered())))
        return outcome;
    quint32 round = 0;
    for (const SampleBatch &batch : batches(count)) {
        home.feed(++round, batch);
        if (!home.waitForRound(round))
            return outcome;
        outcome.losses.push_back(home.loss(round));
    }
    outcome.weights = {home.weights(0), home.weights(1)};
    return outcome;
}

/// LibTorch's own way: every product of this thread in bfloat16.
class Autocast {
  public:
    Autocast() {
        at::autocast::set_autocast_cpu_dtype(at::kBFloat16);
        at::autocast::set_autocast_cache_enabled(false);  // of weights, which change
        at::autocast::set_cpu_enabled(true);
    }
    ~Autocast() {
        at::autocast::set_cpu_enabled(false);
        at::autocast::set_autocast_cache_enabled(true);
    }
    Autocast(const Autocast &) = delete;
    Autocast &operator=(const Autocast &) = delete;
};

double distance(const at::Tensor &actual, const at::Tensor &expected) {
    return ((actual - expected).norm() / expected.norm()).item<double>();
}

bool areSame(const std::vector<NamedTensor> &one, const std::vector<NamedTensor> &other) {
    return !one.empty() && std::ranges::equal(one, other, [](const NamedTensor &a, const NamedTensor &b) {
        return std::ranges::equal(a.data->bytes(), b.data->bytes());
    });
}

at::Tensor noise(std::vector<std::int64_t> sizes) {
    return at::empty(sizes, at::kFloat).normal_(0, 1, makeCpuGenerator(static_cast<std::uint64_t>(sizes.back())));
}

/// An op's result and the gradients of its tensors, in one precision.
using Differentiated = std::vector<at::Tensor>;
Differentiated differentiate(
    const std::vector<at::Tensor> &values,
    const std::function<at::Tensor(const std::vector<at::Tensor> &, WeightGradientQueue &)> &op) {
    std::vector<at::Tensor> leaves;
    for (const at::Tensor &value : values) {
        leaves.push_back(value.clone().set_requires_grad(true));
        leaves.back().mutable_grad() = at::zeros_like(value);
    }
    WeightGradientQueue queue;
    const at::Tensor y = op(leaves, queue);
    y.backward(noise(y.sizes().vec()));
    Differentiated all{y.detach()};
    for (const at::Tensor &leaf : leaves)
        all.push_back(leaf.grad());
    return all;
}

/// What the library's own products in bfloat16 are off by: one rounding where it sums in float32. On a processor
/// without AVX-512 its loops sum in bfloat16; no run multiplies so there, since it gains nothing.
double libraryError() {
    const at::Tensor a = noise({64, 512}), b = noise({512, 64});
    const at::Tensor exact = rounded(a).to(at::kFloat).mm(rounded(b).to(at::kFloat));
    return distance(rounded(a).mm(rounded(b)).to(at::kFloat), exact);
}

}  // namespace

class Bfloat16Test : public QObject {
    Q_OBJECT

  private Q_SLOTS:
    void aLargeProductRoundsItsFactorsAndItsResult() {
        const at::Tensor a = noise({64, 200}), b = noise({200, 96});
        const at::Tensor product = multiply(a, b, Products::Bfloat16);
        QCOMPARE(product.scalar_type(), at::kFloat);
        QVERIFY(product.equal(rounded(a).mm(rounded(b)).to(at::kFloat)));
        const at::Tensor exact = rounded(a).to(at::kDouble).mm(rounded(b).to(at::kDouble));
        const at::Tensor magnitude = rounded(a).to(at::kDouble).abs().mm(rounded(b).to(at::kDouble).abs());
        // The result is rounded once; sums inside are those of float32.
        const at::Tensor allowed = exact.abs() * unit + magnitude * 1e-5;
        if (libraryError() < 2 * unit)
            QVERIFY((product.to(at::kDouble) - exact).abs().le(allowed).all().item<bool>());
        QVERIFY(distance(product, a.mm(b)) > 1e-4);
    }

    void aSmallProductIsLeftAsItIs() {
        const at::Tensor a = noise({8, 64}), b = noise({64, 64});
        QVERIFY(multiply(a, b, Products::Bfloat16).equal(a.mm(b)));
    }

    void doublesAreLeftAsTheyAre() {
        const at::Tensor a = noise({64, 200}).to(at::kDouble), b = noise({200, 96}).to(at::kDouble);
        QVERIFY(multiply(a, b, Products::Bfloat16).equal(a.mm(b)));
    }

    void opsAndTheirGradientsAreNearThoseOfFloat32_data() {
        using Op = std::function<at::Tensor(const std::vector<at::Tensor> &, WeightGradientQueue &, Products)>;
        QTest::addColumn<Op>("op");
        QTest::addColumn<std::vector<at::Tensor>>("tensors");
        QTest::newRow("linear") << Op([](const auto &t, WeightGradientQueue &queue, Products products) {
            return applyLinear(t[0], t[1], t[2], queue, false, products);
        }) << std::vector{noise({4, 32, 96}), noise({128, 96}), noise({128})};
        QTest::newRow("linear, transposed, without bias")
            << Op([](const auto &t, WeightGradientQueue &queue, Products products) {
                   return applyLinear(t[0], t[1], {}, queue, true, products);
               })
            << std::vector{noise({128, 96}), noise({96, 128})};
        QTest::newRow("convolution") << Op([](const auto &t, WeightGradientQueue &queue, Products products) {
            return convolve(t[0], t[1], t[2], ConvolutionShape::square(2, 1, 1), queue, products);
        }) << std::vector{noise({4, 32, 12, 12}), noise({64, 32, 3, 3}), noise({64})};
        QTest::newRow("convolution as a product")
            << Op([](const auto &t, WeightGradientQueue &queue, Products products) {
                   return convolve(t[0], t[1], t[2], ConvolutionShape::square(1, 0, 1), queue, products);
               })
            << std::vector{noise({16, 64, 4, 4}), noise({96, 64, 1, 1}), noise({96})};
        QTest::newRow("a row's convolution") << Op([](const auto &t, WeightGradientQueue &queue, Products products) {
            ConvolutionShape shape;
            shape.before = shape.after = {0, 1};
            return convolve(t[0], t[1], t[2], shape, queue, products);
        }) << std::vector{noise({4, 64, 20}), noise({64, 64, 3}), noise({64})};
        QTest::newRow("attention") << Op([](const auto &t, WeightGradientQueue &, Products products) {
            AttentionShape shape;
            shape.heads = shape.keyHeads = 2;
            shape.causal = true;
            shape.scale = 0.125;
            return attend({t[0], t[1], t[2], {}, {}, {}, {}}, shape, products);
        }) << std::vector{noise({2, 40, 128}), noise({2, 40, 128}), noise({2, 40, 128})};
        QTest::newRow("product of two values") << Op([](const auto &t, WeightGradientQueue &, Products products) {
            return multiplyBroadcast(t[0], t[1], products);
        }) << std::vector{noise({3, 48, 64}), noise({1, 64, 80})};
    }
    void opsAndTheirGradientsAreNearThoseOfFloat32() {
        using Op = std::function<at::Tensor(const std::vector<at::Tensor> &, WeightGradientQueue &, Products)>;
        QFETCH(Op, op);
        QFETCH(std::vector<at::Tensor>, tensors);
        const auto in = [&](Products products) {
            return differentiate(
                tensors, [&](const auto &leaves, WeightGradientQueue &queue) { return op(leaves, queue, products); });
        };
        const double most = std::max<double>(unit, libraryError());
        const Differentiated expected = in(Products::AsGiven), actual = in(Products::Bfloat16);
        QCOMPARE(actual.size(), expected.size());
        for (std::size_t i = 0; i < actual.size(); ++i) {
            QCOMPARE(actual[i].scalar_type(), at::kFloat);
            QCOMPARE(actual[i].sizes().vec(), expected[i].sizes().vec());
            // Two factors and a result are rounded, in attention twice one behind the other.
            const double off = distance(actual[i], expected[i]);
            QVERIFY2(off < 2 * most, qPrintable(QStringLiteral("%1: %2").arg(i).arg(off)));
        }
        QVERIFY(distance(actual.front(), expected.front()) > 1e-4);
    }

    void aTransposedConvolutionIsLeftAsItIs() {
        ConvolutionShape shape = ConvolutionShape::square(2, 0, 1);
        shape.transposed = true;
        const std::vector<at::Tensor> tensors{noise({4, 64, 6, 6}), noise({64, 64, 2, 2}), noise({64})};
        const auto in = [&](Products products) {
            return differentiate(tensors, [&](const auto &t, WeightGradientQueue &queue) {
                return convolve(t[0], t[1], t[2], shape, queue, products);
            });
        };
        const Differentiated expected = in(Products::AsGiven), actual = in(Products::Bfloat16);
        for (std::size_t i = 0; i < expected.size(); ++i)
            QVERIFY(actual[i].equal(expected[i]));
    }

    void aNetworkTrainsAsAPlainLoopUnderAutocast() {
        const Model model = *loadModel(QStringLiteral("fashion-cnn"));
        const TrainingSpec training = trainingIn(Precision::Float32);
        const ReferenceRun exact = trainPlainly(model, training, bordered(), batches(rounds));
        const ReferenceRun plain = [&] {
            const Autocast autocast;
            return trainPlainly(model, training, bordered(), batches(rounds));
        }();
        // One round is one step along the gradient.
        const Outcome first = trainOn({gaining}, Precision::Bfloat16, 1);
        QCOMPARE(first.losses.size(), 1U);
        QVERIFY(std::abs(first.losses[0] - exact.losses[0]) < unit * exact.losses[0]);
        const std::vector<NamedTensor> start = initialise(model, training.seed, DType::Float32);
        const auto tensorOf = [](const NamedTensor &tensor) {
            return at::from_blob(tensor.data->data(), {tensor.spec.elements()}, at::kFloat);
        };
        for (std::size_t i = 0; i < start.size(); ++i) {
            const at::Tensor ours =
                (tensorOf(start[i]) - tensorOf(first.weights[0][i])) / training.optimizer.learningRate;
            const at::Tensor wanted = tensorOf(exact.firstGradients[i]);
            // What rounding adds grows on the way back through rectifiers and pools, which may choose other places:
            // autocast, which rounds all products and what lies between them, says by how much.
            const double off = distance(ours, wanted), theirs = distance(tensorOf(plain.firstGradients[i]), wanted);
            QVERIFY2(off < 1.2 * theirs,
                     qPrintable(QStringLiteral("%1: %2, %3").arg(start[i].spec.name).arg(off).arg(theirs)));
        }
        const Outcome ours = trainOn({gaining}, Precision::Bfloat16);
        QCOMPARE(ours.losses.size(), exact.losses.size());
        const auto end = [](const std::vector<double> &losses) {
            return std::accumulate(losses.end() - 5, losses.end(), 0.0) / 5;
        };
        QVERIFY(end(exact.losses) < 0.5 * exact.losses.front());
        QVERIFY2(std::abs(end(ours.losses) - end(exact.losses)) < 0.05 * exact.losses.front(),
                 qPrintable(QStringLiteral("%1, %2").arg(end(ours.losses)).arg(end(exact.losses))));
        QVERIFY(std::abs(end(ours.losses) - end(plain.losses)) < 0.05 * exact.losses.front());
    }

    void membersOfAMixedGroupHoldTheSameBits() {
        const Outcome mixed = trainOn({gaining, notGaining, gaining}, Precision::Bfloat16);
        const Outcome exact = trainOn({notGaining, notGaining, notGaining}, Precision::Float32);
        QCOMPARE(mixed.losses.size(), std::size_t{rounds});
        QVERIFY(areSame(mixed.weights[0], mixed.weights[1]));
        QVERIFY(!areSame(mixed.weights[0], exact.weights[0]));
        QVERIFY(std::abs(mixed.losses.front() - exact.losses.front()) < unit * exact.losses.front());
        QVERIFY(mixed.losses.back() < 0.5 * mixed.losses.front());
    }

    void aDeviceWithoutGainComputesInFloat32() {
        const Outcome in16 = trainOn({notGaining}, Precision::Bfloat16, 3);
        const Outcome in32 = trainOn({gaining}, Precision::Float32, 3);
        QVERIFY(areSame(in16.weights[0], in32.weights[0]));
        QVERIFY(!areSame(trainOn({gaining}, Precision::Bfloat16, 3).weights[0], in32.weights[0]));
    }

    void aProfileSaysWhatTheDeviceGains() {
        ProfileRequest request;
        request.model = *loadModel(QStringLiteral("fashion-cnn"));
        request.batches = {1};
        request.warmUps = 0;
        request.repeats = 1;
        request.precision = Precision::Bfloat16;
        const auto measured = [&] {
            return profileLayers(
                request, [](int, int) { return true; }, *gaining);
        };
        const auto profile = measured();
        QVERIFY(profile);
        QCOMPARE(profile->precision, QStringLiteral("bfloat16"));
        QCOMPARE(profile->bfloat16Gain, 2.0);
        const auto again = ModelProfile::fromJson(profile->toJson(), QStringLiteral("the test"));
        QVERIFY(again);
        QCOMPARE(again->bfloat16Gain, 2.0);
        request.precision = Precision::Float32;
        QCOMPARE(measured()->bfloat16Gain, 0.0);
    }

    void theProcessorMeasuresItsGain() {
        const double gain = processor()->bfloat16Gain();
        QVERIFY(gain > 0 && std::isfinite(gain));
        QCOMPARE(processor()->bfloat16Gain(), gain);
    }
};

QTEST_GUILESS_MAIN(Bfloat16Test)
#include "bfloat16_test.moc"
