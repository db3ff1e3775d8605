#include "core/model/families/efficientnet.h"

#include <algorithm>
#include <array>
#include <cmath>

#include "core/model/graph_builder.h"

namespace hearth {

using namespace Qt::StringLiterals;

namespace {

struct Stage {
    qint64 expansion;
    int kernel, stride;
    qint64 channels;
    int blocks;
};
/// Table 1 of the paper.
constexpr std::array stages{Stage{1, 3, 1, 16, 1}, Stage{6, 3, 2, 24, 2},  Stage{6, 5, 2, 40, 2},
                            Stage{6, 3, 2, 80, 3}, Stage{6, 5, 1, 112, 3}, Stage{6, 5, 2, 192, 4},
                            Stage{6, 3, 1, 320, 1}};
constexpr qint64 stemChannels = 32;
constexpr int smallStage = 1;  // whose stride is 1 for small pictures

/// The nearest multiple of 8 that is not below nine tenths of it.
qint64 roundedChannels(double channels) {
    const qint64 rounded = std::max<qint64>(8, static_cast<qint64>(channels + 4) / 8 * 8);
    return static_cast<double>(rounded) < 0.9 * channels ? rounded + 8 : rounded;
}

class EfficientNet {
  public:
    EfficientNet(const QString &name, const EfficientNetDimensions &dimensions) : m_graph(name), d(dimensions) {}

    QJsonObject make() {
        for (const Stage &stage : stages)
            m_blocks += blocksOf(stage);
        QString x = m_graph.input(u"image"_s, {3, d.side, d.side});
        qint64 channels = channelsOf(stemChannels);
        x = convolution(u"features.0"_s, x, channels, 3, d.small ? 1 : 2, 1, true);
        for (std::size_t s = 0; s < stages.size(); ++s) {
            const Stage &stage = stages[s];
            for (int i = 0; i < blocksOf(stage); ++i) {
                const QString at = "features."_L1 + QString::number(s + 1) + '.'_L1 + QString::number(i);
                const int stride = i > 0 || (d.small && s == smallStage) ? 1 : stage.stride;
                x = block(at, x, stage, channels, stride);
                channels = channelsOf(stage.channels);
            }
        }
        x = convolution(u"features.8"_s, x, 4 * channels, 1, 1, 1, true);
        x = m_graph.plain(u"flatten"_s, "flatten", m_graph.plain(u"avgpool"_s, "global-average-pool", x));
        x = m_graph.dropout(u"classifier.0"_s, x, d.dropout);
        m_graph.output(m_graph.linear(u"classifier.1"_s, x, d.classes));
        return m_graph.description();
    }

  private:
    qint64 channelsOf(qint64 channels) const { return roundedChannels(static_cast<double>(channels) * d.widthFactor); }
    int blocksOf(const Stage &stage) const { return static_cast<int>(std::ceil(stage.blocks * d.depthFactor)); }

    QString convolution(const QString &at, const QString &x, qint64 channels, int kernel, int stride, qint64 groups,
                        bool active) {
        QString y = m_graph.convolution(at + ".0"_L1, x, channels, kernel, stride, (kernel - 1) / 2, groups);
        y = m_graph.batchNorm(at + ".1"_L1, y);
        return active ? m_graph.plain(at + ".2"_L1, "silu", y) : y;
    }

    /// A factor for every channel from the averages of all.
    QString squeezeAndExcite(const QString &at, const QString &x, qint64 channels, qint64 squeezed) {
        const auto pointwise = [&](const char *name, const QString &from, qint64 to) {
            return m_graph.add(at + QLatin1String(name), "convolution", {from},
                               {{u"channels"_s, to}, {u"kernel"_s, 1}});
        };
        QString y = m_graph.plain(at + ".avgpool"_L1, "global-average-pool", x);
        y = m_graph.plain(at + ".activation"_L1, "silu", pointwise(".fc1", y, squeezed));
        y = m_graph.plain(at + ".scale_activation"_L1, "sigmoid", pointwise(".fc2", y, channels));
        return m_graph.product(at + ".scaled"_L1, y, x);
    }

    QString block(const QString &at, const QString &x, const Stage &stage, qint64 in, int stride) {
        const qint64 hidden = in * stage.expansion, out = channelsOf(stage.channels);
        int part = 0;
        const auto next = [&] { return at + ".block."_L1 + QString::number(part++); };
        QString y = x;
        if (stage.expansion != 1)
            y = convolution(next(), y, hidden, 1, 1, 1, true);
        y = convolution(next(), y, hidden, stage.kernel, stride, hidden, true);
        y = squeezeAndExcite(next(), y, hidden, std::max<qint64>(1, in / 4));
        y = convolution(next(), y, out, 1, 1, 1, false);
        const double depth = d.stochasticDepth * m_block++ / m_blocks;
        if (stride != 1 || in != out)
            return y;
        if (depth > 0)
            y = m_graph.add(at + ".stochastic_depth"_L1, "stochastic-depth", {y}, {{u"probability"_s, depth}});
        return m_graph.sum(at + ".sum"_L1, y, x);
    }

    GraphBuilder m_graph;
    const EfficientNetDimensions &d;
    int m_block = 0, m_blocks = 0;
};

}  // namespace

QJsonObject efficientNetDescription(const QString &name, const EfficientNetDimensions &dimensions) {
    return EfficientNet(name, dimensions).make();
}

}  // namespace hearth
