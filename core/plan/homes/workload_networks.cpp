// The networks that the model format cannot say, counted from the dimensions that their papers print.
#include "core/plan/homes/workload_builder.h"
#include "core/plan/homes/workloads.h"

namespace hearth {
namespace {

using detail::LayerCounter;

/// Images between the ops of a layer: channels and side.
struct Image {
    qint64 channels;
    qint64 side;
    qint64 positions() const { return side * side; }
    qint64 elements() const { return channels * positions(); }
};

/// Convolution without bias (padded to keep the side where the stride is 1), then BatchNorm.
Image convolution(LayerCounter &counter, const Image &in, qint64 channels, qint64 kernel, qint64 stride,
                  qint64 groups) {
    const Image out{channels, (in.side + stride - 1) / stride};
    const qint64 weights = channels * (in.channels / groups) * kernel * kernel;
    const qint64 macs = weights * out.positions();
    counter.parameters(weights).macs(macs);
    counter.op(2 * static_cast<double>(macs), in.elements(), out.elements(), in.elements());
    counter.batchNorm(channels, out.positions());
    return out;
}

constexpr double siluFlops = 5;
constexpr double geluFlops = 8;
constexpr double normFlops = 5;
constexpr double softmaxFlops = 5;

/// Squeeze and excitation: a factor for every channel from the averages of all.
void squeezeAndExcite(LayerCounter &counter, const Image &image, qint64 squeezed) {
    counter.op(static_cast<double>(image.elements()), image.elements(), image.channels, 0);
    counter.linear(image.channels, squeezed, 1, true).elementwise(siluFlops, squeezed);
    counter.linear(squeezed, image.channels, 1, true).elementwise(siluFlops, image.channels);
    counter.op(static_cast<double>(image.elements()), image.elements() + image.channels, image.elements(),
               image.elements());
}

/// MBConv with squeeze and excitation, at a quarter of the block's own input channels.
Image mobileBlock(LayerCounter &counter, const Image &in, qint64 channels, qint64 expansion, qint64 kernel,
                  qint64 stride) {
    Image image = in;
    if (expansion != 1) {
        image = convolution(counter, image, in.channels * expansion, 1, 1, 1);
        counter.elementwise(siluFlops, image.elements());
    }
    image = convolution(counter, image, image.channels, kernel, stride, image.channels);
    counter.elementwise(siluFlops, image.elements());
    squeezeAndExcite(counter, image, in.channels / 4);
    image = convolution(counter, image, channels, 1, 1, 1);
    if (stride == 1 && in.channels == channels)
        counter.add(image.elements());
    return image;
}

WorkloadLayer embedding(qint64 rows, qint64 tokens, qint64 hidden) {
    const qint64 elements = tokens * hidden;
    LayerCounter counter(QStringLiteral("embedding"));
    counter.parameters(rows * hidden);
    counter.op(3 * static_cast<double>(elements), 3 * elements, elements, 0);  // looks up three tables and adds
    counter.parameters(2 * hidden).elementwise(normFlops, elements);
    counter.op(static_cast<double>(elements), elements, elements, elements);  // dropout keeps its mask
    return counter.finish(elements);
}

/// Vaswani et al., 2017, with the norm after each half.
WorkloadLayer transformerBlock(const QString &name, qint64 tokens, qint64 hidden, qint64 heads, qint64 inner) {
    const qint64 elements = tokens * hidden, scores = heads * tokens * tokens;
    const qint64 attentionMacs = tokens * tokens * hidden;
    const auto twice = [](qint64 count) { return 2 * static_cast<double>(count); };
    LayerCounter counter(name);
    const auto dropout = [&counter](qint64 count) { counter.op(static_cast<double>(count), count, count, count); };
    const auto addAndNorm = [&] {
        dropout(elements);
        counter.add(elements).parameters(2 * hidden).elementwise(normFlops, elements);
    };
    // The three projections read the same tensor.
    counter.linear(hidden, 3 * hidden, tokens, true);
    counter.macs(2 * attentionMacs);
    counter.op(twice(attentionMacs), 2 * elements, scores, 2 * elements);
    counter.elementwise(softmaxFlops, scores);
    dropout(scores);
    counter.op(twice(attentionMacs), scores + elements, elements, scores + elements);
    counter.linear(hidden, hidden, tokens, true);
    addAndNorm();
    counter.linear(hidden, inner, tokens, true).elementwise(geluFlops, tokens * inner);
    counter.linear(inner, hidden, tokens, true);
    addAndNorm();
    return counter.finish(elements);
}

}  // namespace

Workload efficientNetB1(const ImageTask &task) {
    struct Stage {
        qint64 expansion, channels;
        int repeats;
        qint64 stride, kernel;
    };
    // Table 1 of the paper with B1's depth factor of 1.1, repeats rounded up.
    const qint64 first = task.firstStridesOfOne ? 1 : 2;
    const Stage stages[] = {{1, 16, 2, 1, 3},  {6, 24, 3, first, 3}, {6, 40, 3, 2, 5}, {6, 80, 4, 2, 3},
                            {6, 112, 4, 1, 5}, {6, 192, 5, 2, 5},    {6, 320, 2, 1, 3}};
    constexpr qint64 features = 1280;
    Workload workload;
    workload.name = QStringLiteral("efficientnet-b1");
    Image image{3, task.side};
    workload.inputBytes = image.elements();

    LayerCounter stem(QStringLiteral("stem"));
    image = convolution(stem, image, 32, 3, first, 1);
    workload.layers.push_back(stem.elementwise(siluFlops, image.elements()).finish(image.elements()));
    for (const Stage &stage : stages) {
        for (int i = 0; i < stage.repeats; ++i) {
            LayerCounter block(QStringLiteral("block%1").arg(workload.layers.size()));
            image = mobileBlock(block, image, stage.channels, stage.expansion, stage.kernel, i == 0 ? stage.stride : 1);
            workload.layers.push_back(block.finish(image.elements()));
        }
    }
    LayerCounter head(QStringLiteral("head"));
    image = convolution(head, image, features, 1, 1, 1);
    head.elementwise(siluFlops, image.elements());
    head.op(static_cast<double>(image.elements()), image.elements(), features, 0);
    head.op(features, features, features, features);  // dropout
    head.linear(features, task.classes, 1, true);
    workload.layers.push_back(head.finish(task.classes));
    return workload;
}

Workload bertSmall() {
    constexpr qint64 words = 30522, segments = 2, positions = 512, tokens = 32, hidden = 512, heads = 8, inner = 2048,
                     classes = 2;
    constexpr int blocks = 4;
    Workload workload;
    workload.name = QStringLiteral("bert-small");
    workload.inputBytes = tokens * 4;
    workload.layers.push_back(embedding(words + positions + segments, tokens, hidden));
    for (int i = 1; i <= blocks; ++i)
        workload.layers.push_back(transformerBlock(QStringLiteral("block%1").arg(i), tokens, hidden, heads, inner));
    LayerCounter head(QStringLiteral("head"));
    head.linear(hidden, hidden, 1, true).elementwise(geluFlops, hidden).linear(hidden, classes, 1, true);
    workload.layers.push_back(head.finish(classes));
    return workload;
}

}  // namespace hearth
