// Ops as the executor runs them against the library's autograd, forward and backward: convolutions of MobileNetV2 and
// depthwise ones of EfficientNet on 32x32 images, and what Hearth differentiates itself of language models. Processor
// microseconds, medians of interleaved repeats. Usage: kernels [REPEATS]
#include <cmath>
#include <cstdio>
#include <cstdlib>
#include <ctime>
#include <functional>
#include <vector>

#include "core/base/median.h"
#include "core/train/attention.h"
#include "core/train/memory.h"
#include "core/train/ops/op_run.h"
#include "core/train/random_mask.h"
#include "core/train/threads.h"
#include "core/train/torch_api.h"
#include "core/train/weighted_ops.h"

using namespace hearth;

namespace {

struct Convolution {
    const char *kind;
    int in, out, extent, kernel, stride, groups;
    int count;  // in the model
};

const std::vector<Convolution> shapes{
    {"pointwise", 16, 96, 16, 1, 1, 1, 1},       {"pointwise", 24, 144, 8, 1, 1, 1, 2},
    {"pointwise", 144, 32, 4, 1, 1, 1, 1},       {"pointwise", 32, 192, 4, 1, 1, 1, 3},
    {"pointwise", 384, 64, 2, 1, 1, 1, 3},       {"pointwise", 96, 576, 2, 1, 1, 1, 3},
    {"pointwise", 160, 960, 1, 1, 1, 1, 3},      {"pointwise", 320, 1280, 1, 1, 1, 1, 1},
    {"depthwise", 144, 144, 8, 3, 1, 144, 1},    {"depthwise", 192, 192, 4, 3, 1, 192, 2},
    {"depthwise", 384, 384, 2, 3, 1, 384, 4},    {"depthwise", 576, 576, 2, 3, 1, 576, 2},
    {"depthwise", 960, 960, 1, 3, 1, 960, 3},    {"depthwise", 144, 144, 8, 5, 2, 144, 1},
    {"depthwise", 240, 240, 4, 5, 1, 240, 2},    {"depthwise", 672, 672, 2, 5, 1, 672, 3},
    {"depthwise", 1152, 1152, 1, 5, 1, 1152, 4},
};

double threadSeconds() {
    timespec now{};
    clock_gettime(CLOCK_THREAD_CPUTIME_ID, &now);
    return static_cast<double>(now.tv_sec) + static_cast<double>(now.tv_nsec) * 1e-9;
}

at::Tensor images(int samples, int channels, int extent) {
    return at::randn({samples, channels, extent, extent}).contiguous(at::MemoryFormat::ChannelsLast);
}

struct Times {
    double library = 0, own = 0;
};

/// Seconds of one step each: forward, and backward to what requires a gradient.
Times compareSteps(const std::function<at::Tensor()> &library, const std::function<at::Tensor()> &own, int repeats) {
    const auto step = [&](const std::function<at::Tensor()> &forward) {
        const double start = threadSeconds();
        const at::Tensor y = forward();
        torch::autograd::backward({y}, {at::ones_like(y)});
        return threadSeconds() - start;
    };
    std::vector<double> theirs, ours;
    for (int i = 0; i < repeats + 2; ++i) {
        theirs.push_back(step(library));
        ours.push_back(step(own));
    }
    return {medianOf<double>({theirs.begin() + 2, theirs.end()}), medianOf<double>({ours.begin() + 2, ours.end()})};
}

at::Tensor leaf(at::Tensor values) {
    values.set_requires_grad(true);
    values.mutable_grad() = at::zeros_like(values);
    return values;
}

void compare(const Convolution &shape, int samples, int repeats) {
    const at::Tensor x = images(samples, shape.in, shape.extent).set_requires_grad(true);
    const at::Tensor weight = leaf(at::randn({shape.out, shape.in / shape.groups, shape.kernel, shape.kernel})
                                       .contiguous(at::MemoryFormat::ChannelsLast));
    const std::int64_t padding = shape.kernel / 2;
    WeightGradientQueue queue;
    const Times times = compareSteps(
        [&] {
            return at::conv2d(x, weight, {}, {shape.stride, shape.stride}, {padding, padding}, {1, 1}, shape.groups);
        },
        [&] { return convolve(x, weight, {}, ConvolutionShape::square(shape.stride, padding, shape.groups), queue); },
        repeats);
    std::printf("%7d | %-9s | %4d -> %4d at %2dx%-2d | x%d | %8.0f | %8.0f | %6.2f\n", samples, shape.kind, shape.in,
                shape.out, shape.extent, shape.extent, shape.count, times.library * 1e6, times.own * 1e6,
                times.library / times.own);
    std::fflush(stdout);
}

void compareOp(const char *name, const std::function<at::Tensor()> &library, const std::function<at::Tensor()> &own,
               int repeats) {
    const Times times = compareSteps(library, own, repeats);
    std::printf("%-52s | %8.0f | %8.0f | %6.2f\n", name, times.library * 1e6, times.own * 1e6,
                times.library / times.own);
    std::fflush(stdout);
}

/// The library's own words for it, with a causal mask.
at::Tensor plainAttention(const at::Tensor &query, const at::Tensor &key, const at::Tensor &value, std::int64_t heads) {
    const std::int64_t n = query.size(0), t = query.size(1), d = query.size(2) / heads;
    const auto split = [&](const at::Tensor &x) { return x.view({n, t, heads, d}).transpose(1, 2); };
    const at::Tensor hidden = at::ones({t, t}, at::kBool).triu_(1);
    const at::Tensor scores =
        split(query).matmul(split(key).transpose(2, 3)).mul(1 / std::sqrt(static_cast<double>(d)));
    const at::Tensor weights = at::softmax(scores.masked_fill(hidden, -1e30), -1);
    return weights.matmul(split(value)).transpose(1, 2).reshape({n, t, heads * d});
}

void compareAttention(const char *name, int samples, int tokens, int features, int heads, int repeats) {
    const auto part = [&] { return at::randn({samples, tokens, features}).set_requires_grad(true); };
    const at::Tensor query = part(), key = part(), value = part();
    AttentionShape shape;
    shape.heads = shape.keyHeads = heads;
    shape.causal = true;
    shape.scale = 1 / std::sqrt(static_cast<double>(features) / heads);
    compareOp(
        name, [&] { return plainAttention(query, key, value, heads); },
        [&] {
            return attend({query, key, value, {}, {}, {}, {}}, shape);
        },
        repeats);
}

void compareLanguage(int repeats) {
    compareAttention("attention, 32 samples of 32 tokens, 8 heads of 64", 32, 32, 512, 8, repeats);
    compareAttention("attention, 4 samples of 128 tokens, 12 heads of 64", 4, 128, 768, 12, repeats);
    WeightGradientQueue queue;
    const at::Tensor ids = at::randint(30522, {32, 32}, at::kLong), table = leaf(at::randn({30522, 512}));
    compareOp(
        "embedding, 1024 of 30522 rows of 512", [&] { return at::embedding(table, ids); },
        [&] { return lookUp(table, ids, std::nullopt, queue); }, repeats);
    const at::Tensor x = at::randn({32, 32, 512}).set_requires_grad(true);
    const at::Tensor weight = leaf(at::randn({2048, 512})), bias = leaf(at::randn({2048}));
    compareOp(
        "linear, 1024 tokens, 512 -> 2048", [&] { return at::linear(x, weight, bias); },
        [&] { return applyLinear(x, weight, bias, queue); }, repeats);
    const auto run = [&](const char *kind) {
        Op op;
        op.kind = QLatin1String(kind);
        op.parameters = {{QStringLiteral("epsilon"), 1e-6}};
        op.inputShapes = {{32, 512}};
        return runOf(op.kind).bind(op);
    };
    const at::Tensor scale = leaf(at::ones({512}));
    const RunOp norm = run("rms-norm");
    OpCall call{*processor(), queue};
    call.inputs = std::span(&x, 1);
    call.tensors = std::span(&scale, 1);
    compareOp(
        "RMS norm, 1024 tokens of 512",
        [&] { return x.mul(x.square().mean(std::vector<std::int64_t>{-1}, true).add(1e-6).rsqrt()).mul(scale); },
        [&] { return norm(call); }, repeats);
    compareOp(
        "dropout of a tenth, 1024 tokens of 512", [&] { return at::dropout(x, 0.1, true); },
        [&] { return dropWithMask(x, randomMask(x.sizes().vec(), x.strides().vec(), 0.1, 1, *processor()), 0.1); },
        repeats);
}

}  // namespace

int main(int argc, char **argv) {
    const int repeats = argc > 1 ? std::atoi(argv[1]) : 15;
    if (repeats < 1)
        return std::fprintf(stderr, "Usage: kernels [REPEATS]\n"), 2;
    installTensorMemory();
    prepareComputeThread(1);
    std::printf("samples | kind      | channels and extent  | in the model | library us | ours us | library / ours\n");
    for (const int samples : {16, 32, 128}) {
        for (const Convolution &shape : shapes)
            compare(shape, samples, repeats);
    }
    std::printf("\n%-52s | library us | ours us | library / ours\n", "op");
    compareLanguage(repeats);
    return 0;
}
