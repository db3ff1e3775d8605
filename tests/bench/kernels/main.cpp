// Convolutions as the executor runs them against the library's autograd, forward and backward, for the shapes of
// MobileNetV2 on 32x32 images: processor microseconds, medians of interleaved repeats. Usage: kernels [REPEATS]
#include <algorithm>
#include <cstdio>
#include <cstdlib>
#include <ctime>
#include <functional>
#include <vector>

#include "core/train/memory.h"
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
    {"pointwise", 16, 96, 16, 1, 1, 1, 1},    {"pointwise", 24, 144, 8, 1, 1, 1, 2},
    {"pointwise", 144, 32, 4, 1, 1, 1, 1},    {"pointwise", 32, 192, 4, 1, 1, 1, 3},
    {"pointwise", 384, 64, 2, 1, 1, 1, 3},    {"pointwise", 96, 576, 2, 1, 1, 1, 3},
    {"pointwise", 160, 960, 1, 1, 1, 1, 3},   {"pointwise", 320, 1280, 1, 1, 1, 1, 1},
    {"depthwise", 144, 144, 8, 3, 1, 144, 1}, {"depthwise", 192, 192, 4, 3, 1, 192, 2},
    {"depthwise", 384, 384, 2, 3, 1, 384, 4}, {"depthwise", 576, 576, 2, 3, 1, 576, 2},
    {"depthwise", 960, 960, 1, 3, 1, 960, 3},
};

double threadSeconds() {
    timespec now{};
    clock_gettime(CLOCK_THREAD_CPUTIME_ID, &now);
    return static_cast<double>(now.tv_sec) + static_cast<double>(now.tv_nsec) * 1e-9;
}

double median(std::vector<double> values) {
    std::sort(values.begin(), values.end());
    return values[values.size() / 2];
}

at::Tensor images(int samples, int channels, int extent) {
    return at::randn({samples, channels, extent, extent}).contiguous(at::MemoryFormat::ChannelsLast);
}

void compare(const Convolution &shape, int samples, int repeats) {
    const at::Tensor x = images(samples, shape.in, shape.extent).set_requires_grad(true);
    at::Tensor weight = at::randn({shape.out, shape.in / shape.groups, shape.kernel, shape.kernel})
                            .contiguous(at::MemoryFormat::ChannelsLast)
                            .set_requires_grad(true);
    weight.mutable_grad() = at::zeros_like(weight);
    const std::int64_t padding = shape.kernel / 2;
    const auto step = [&](const std::function<at::Tensor()> &forward) {
        const double start = threadSeconds();
        const at::Tensor y = forward();
        torch::autograd::backward({y}, {at::ones_like(y)});
        return threadSeconds() - start;
    };
    const auto library = [&] {
        return at::conv2d(x, weight, {}, {shape.stride, shape.stride}, {padding, padding}, {1, 1}, shape.groups);
    };
    WeightGradientQueue queue;
    const auto own = [&] { return convolve(x, weight, {}, {shape.stride, padding, shape.groups}, queue); };
    std::vector<double> theirs, ours;
    for (int i = 0; i < repeats + 2; ++i) {
        theirs.push_back(step(library));
        ours.push_back(step(own));
    }
    const double a = median({theirs.begin() + 2, theirs.end()}), b = median({ours.begin() + 2, ours.end()});
    std::printf("%7d | %-9s | %4d -> %4d at %2dx%-2d | x%d | %8.0f | %8.0f | %6.2f\n", samples, shape.kind, shape.in,
                shape.out, shape.extent, shape.extent, shape.count, a * 1e6, b * 1e6, a / b);
    std::fflush(stdout);
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
    return 0;
}
