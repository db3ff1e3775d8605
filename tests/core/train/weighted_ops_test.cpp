// Convolutions and linear layers differentiated by hand, against the library's autograd.
#include <QTest>
#include <thread>

#include "core/train/torch_api.h"
#include "core/train/weighted_ops.h"

using namespace hearth;

namespace {

struct Gradients {
    at::Tensor output, input, weight, bias;
};

double difference(const at::Tensor &a, const at::Tensor &b) {
    return (a - b).norm().item<double>() / std::max(1e-30, b.norm().item<double>());
}

/// A leaf of the same values and the same order of memory.
at::Tensor leaf(const at::Tensor &values) {
    return values.defined() ? values.detach().clone().set_requires_grad(true) : values;
}

WeightGradientQueue queue;

at::Tensor withGradient(const at::Tensor &parameter) {
    at::Tensor own = leaf(parameter);
    if (own.defined())
        own.mutable_grad() = at::zeros_like(own);
    return own;
}

}  // namespace

class WeightedOpsTest : public QObject {
    Q_OBJECT

  private Q_SLOTS:
    void init() { queue.doAtOnce(); }

    void convolutionsEqualTheLibrarys_data() {
        QTest::addColumn<int>("in");
        QTest::addColumn<int>("out");
        QTest::addColumn<int>("extent");
        QTest::addColumn<int>("kernel");
        QTest::addColumn<int>("stride");
        QTest::addColumn<int>("groups");
        QTest::addColumn<bool>("bias");
        QTest::newRow("pointwise") << 40 << 10 << 5 << 1 << 1 << 1 << false;
        QTest::newRow("pointwise and wide") << 40 << 10 << 9 << 1 << 1 << 1 << false;
        QTest::newRow("pointwise of few channels") << 6 << 10 << 5 << 1 << 1 << 1 << true;
        QTest::newRow("pointwise with bias at one place") << 40 << 10 << 1 << 1 << 1 << 1 << true;
        QTest::newRow("pointwise with stride") << 6 << 10 << 5 << 1 << 2 << 1 << false;
        QTest::newRow("depthwise and wide") << 40 << 40 << 8 << 3 << 1 << 40 << true;
        QTest::newRow("depthwise at one place") << 300 << 300 << 1 << 3 << 1 << 300 << false;
        QTest::newRow("depthwise at two by two") << 40 << 40 << 2 << 3 << 1 << 40 << false;
        QTest::newRow("depthwise, narrow, with stride") << 40 << 40 << 5 << 3 << 2 << 40 << true;
        QTest::newRow("two outputs for each input") << 8 << 16 << 3 << 3 << 1 << 8 << false;
        QTest::newRow("groups of two") << 8 << 8 << 3 << 3 << 1 << 4 << false;
        QTest::newRow("plain") << 5 << 7 << 6 << 3 << 1 << 1 << true;
    }
    void convolutionsEqualTheLibrarys() {
        QFETCH(int, in);
        QFETCH(int, out);
        QFETCH(int, extent);
        QFETCH(int, kernel);
        QFETCH(int, stride);
        QFETCH(int, groups);
        QFETCH(bool, bias);
        const std::int64_t padding = kernel / 2;
        for (const auto type : {at::kDouble, at::kFloat}) {
            for (const auto format : {at::MemoryFormat::ChannelsLast, at::MemoryFormat::Contiguous}) {
                for (const bool later : {false, true}) {
                    const auto options = at::TensorOptions().dtype(type);
                    const at::Tensor x = at::randn({3, in, extent, extent}, options).contiguous(format);
                    const at::Tensor weight = at::randn({out, in / groups, kernel, kernel}, options).contiguous(format);
                    const at::Tensor offset = bias ? at::randn({out}, options) : at::Tensor();
                    const auto library = [&](const at::Tensor &a, const at::Tensor &w, const at::Tensor &b) {
                        return at::conv2d(a, w, b, {stride, stride}, {padding, padding}, {1, 1}, groups);
                    };
                    const auto own = [&](const at::Tensor &a, const at::Tensor &w, const at::Tensor &b) {
                        return convolve(a, w, b, ConvolutionShape::square(stride, padding, groups), queue);
                    };
                    compare(x, weight, offset, library, own, later, type == at::kDouble ? 1e-12 : 1e-5);
                }
            }
        }
    }

    void linearLayersEqualTheLibrarys() {
        for (const bool bias : {false, true}) {
            const at::Tensor x = at::randn({5, 7}, at::kDouble), weight = at::randn({3, 7}, at::kDouble);
            compare(
                x, weight, bias ? at::randn({3}, at::kDouble) : at::Tensor(),
                [](const auto &a, const auto &w, const auto &b) { return at::linear(a, w, b); },
                [](const auto &a, const auto &w, const auto &b) { return applyLinear(a, w, b, queue); }, bias, 1e-12);
        }
    }

    void gradientsOfSeveralPassesAddUp() {
        const at::Tensor x = at::randn({2, 40, 3, 3}, at::kDouble), weight = withGradient(at::randn({5, 40, 1, 1}));
        const at::Tensor wide = withGradient(weight.detach().to(at::kDouble));
        for (int pass = 0; pass < 3; ++pass)
            torch::autograd::backward({convolve(x, wide, {}, {}, queue).sum()}, {});
        const at::Tensor once = withGradient(wide);
        torch::autograd::backward({convolve(x, once, {}, {}, queue).sum()}, {});
        QVERIFY(difference(wide.grad(), once.grad() * 3) < 1e-14);
    }

    void anOutputMayBeOverwritten() {
        const at::Tensor x = leaf(at::randn({2, 40, 3, 3})), weight = withGradient(at::randn({5, 40, 1, 1}));
        at::Tensor y = convolve(x, weight, {}, {}, queue);
        y.relu_();
        torch::autograd::backward({y.sum()}, {});
        QVERIFY(x.grad().defined());
        QVERIFY(weight.grad().norm().item<double>() > 0);
    }

    void whatIsKeptBackIsComputedInTheOrderOfThePass() {
        const at::Tensor first = withGradient(at::randn({4, 3, 1, 1})), second = withGradient(at::randn({2, 4, 1, 1}));
        const at::Tensor x = leaf(at::randn({2, 3, 2, 2}));
        queue.keepPass();
        torch::autograd::backward({convolve(convolve(x, first, {}, {}, queue), second, {}, {}, queue).sum()}, {});
        QVERIFY(x.grad().defined());
        QVERIFY(queue.holds(first.unsafeGetTensorImpl()) && queue.holds(second.unsafeGetTensorImpl()));
        QCOMPARE(first.grad().norm().item<double>(), 0.0);
        std::vector<const at::TensorImpl *> order;
        queue.runPass([&](const at::Tensor &parameter) { order.push_back(parameter.unsafeGetTensorImpl()); });
        QCOMPARE(order,
                 (std::vector<const at::TensorImpl *>{second.unsafeGetTensorImpl(), first.unsafeGetTensorImpl()}));
        QVERIFY(first.grad().norm().item<double>() > 0);
        QVERIFY(!queue.holds(first.unsafeGetTensorImpl()));
    }

    void severalPassesAreFinishedOneByOne() {
        const at::Tensor weight = withGradient(at::randn({4, 3, 1, 1})), other = withGradient(at::randn({2, 4, 1, 1}));
        const at::Tensor atOnce = withGradient(weight.detach());
        std::vector<at::Tensor> inputs;
        for (int pass = 0; pass < 3; ++pass) {
            const at::Tensor x = leaf(at::randn({2, 3, 2, 2}));
            inputs.push_back(x);
            queue.keepPass();
            at::Tensor y = convolve(x, weight, {}, {}, queue);
            if (pass == 0)
                y = convolve(y, other, {}, {}, queue);
            torch::autograd::backward({y.sum()}, {});
            QVERIFY(x.grad().defined());
        }
        std::vector<std::vector<const at::TensorImpl *>> done(3);
        for (auto &parameters : done)
            queue.runPass([&](const at::Tensor &parameter) { parameters.push_back(parameter.unsafeGetTensorImpl()); });
        // That of `weight` is complete with the last pass alone.
        QCOMPARE(done[0], (std::vector<const at::TensorImpl *>{other.unsafeGetTensorImpl()}));
        QVERIFY(done[1].empty());
        QCOMPARE(done[2], (std::vector<const at::TensorImpl *>{weight.unsafeGetTensorImpl()}));
        queue.doAtOnce();
        for (int pass = 0; pass < 3; ++pass) {
            at::Tensor y = convolve(inputs[static_cast<std::size_t>(pass)], atOnce, {}, {}, queue);
            if (pass == 0)
                y = convolve(y, other, {}, {}, queue);
            torch::autograd::backward({y.sum()}, {});
        }
        QVERIFY(weight.grad().equal(atOnce.grad()));  // added in the same order, so the same bits
    }

    /// As a device's own autograd thread does.
    void thePassMayRunOnAnotherThread() {
        const at::Tensor weight = withGradient(at::randn({4, 3, 1, 1})), x = leaf(at::randn({2, 3, 2, 2}));
        queue.keepPass();
        const at::Tensor y = convolve(x, weight, {}, {}, queue).sum();
        std::thread([&] { torch::autograd::backward({y}, {}); }).join();
        QVERIFY(queue.holds(weight.unsafeGetTensorImpl()));
        QCOMPARE(weight.grad().norm().item<double>(), 0.0);
        queue.runPass([](const at::Tensor &) {});
        QVERIFY(weight.grad().norm().item<double>() > 0);
    }

    void whatIsFrozenGetsNoGradient() {
        const at::Tensor trained = withGradient(at::randn({4, 3, 1, 1})), frozen = at::randn({2, 4, 1, 1});
        const at::Tensor x = at::randn({2, 3, 2, 2});
        queue.keepPass();
        const at::Tensor y = convolve(convolve(x, trained, {}, {}, queue), frozen, {}, {}, queue);
        torch::autograd::backward({y.sum()}, {});
        queue.runPass([&](const at::Tensor &parameter) { QVERIFY(parameter.is_same(trained)); });
        QVERIFY(trained.grad().norm().item<double>() > 0);
        QVERIFY(!frozen.grad().defined());
        QVERIFY(!applyLinear(at::randn({5, 7}), at::randn({3, 7}), {}, queue).requires_grad());
    }

  private:
    template <class Library, class Own>
    static void compare(const at::Tensor &x, const at::Tensor &weight, const at::Tensor &bias, Library library, Own own,
                        bool later, double tolerance) {
        const at::Tensor x1 = leaf(x), w1 = leaf(weight), b1 = leaf(bias);
        const at::Tensor expected = library(x1, w1, b1);
        const at::Tensor gradient = at::randn_like(expected);
        torch::autograd::backward({expected}, {gradient});
        const at::Tensor x2 = leaf(x), w2 = withGradient(weight), b2 = withGradient(bias);
        if (later)
            queue.keepPass();
        else
            queue.doAtOnce();
        const at::Tensor actual = own(x2, w2, b2);
        torch::autograd::backward({actual}, {gradient});
        queue.runPass([](const at::Tensor &) {});
        QVERIFY(difference(actual.detach(), expected.detach()) <= tolerance);
        QVERIFY(difference(x2.grad(), x1.grad()) <= tolerance);
        QVERIFY(difference(w2.grad(), w1.grad()) <= tolerance);
        QVERIFY(!bias.defined() || difference(b2.grad(), b1.grad()) <= tolerance);
        // A first layer: nothing asks for the gradient of its input.
        const at::Tensor w3 = withGradient(weight), b3 = withGradient(bias);
        queue.doAtOnce();
        torch::autograd::backward({own(x.detach(), w3, b3)}, {gradient});
        QVERIFY(difference(w3.grad(), w1.grad()) <= tolerance);
    }
};

QTEST_GUILESS_MAIN(WeightedOpsTest)
#include "weighted_ops_test.moc"
