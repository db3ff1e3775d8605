#include "core/model/families/resnet.h"

#include "core/model/graph_builder.h"

namespace hearth {

using namespace Qt::StringLiterals;

namespace {

class Resnet {
  public:
    Resnet(const QString &name, const ResnetDimensions &dimensions) : m_graph(name), d(dimensions) {}

    QJsonObject make() {
        QString x = m_graph.input(u"image"_s, {3, d.side, d.side});
        x = d.small ? m_graph.convolution(u"conv1"_s, x, d.width, 3, 1, 1)
                    : m_graph.convolution(u"conv1"_s, x, d.width, 7, 2, 3);
        x = m_graph.plain(u"relu"_s, "relu", m_graph.batchNorm(u"bn1"_s, x));
        if (!d.small)
            x = m_graph.add(u"maxpool"_s, "max-pool", {x}, {{u"kernel"_s, 3}, {u"stride"_s, 2}, {u"padding"_s, 1}});
        qint64 channels = d.width, width = d.width;
        for (std::size_t s = 0; s < d.blocks.size(); ++s, width *= 2) {
            for (int i = 0; i < d.blocks[s]; ++i) {
                const QString at = "layer"_L1 + QString::number(s + 1) + '.'_L1 + QString::number(i);
                x = block(at, x, channels, width, s > 0 && i == 0 ? 2 : 1);
                channels = d.bottleneck ? 4 * width : width;
            }
        }
        x = m_graph.plain(u"flatten"_s, "flatten", m_graph.plain(u"avgpool"_s, "global-average-pool", x));
        m_graph.output(m_graph.linear(u"fc"_s, x, d.classes));
        return m_graph.description();
    }

  private:
    QString block(const QString &at, const QString &x, qint64 in, qint64 width, int stride) {
        const qint64 out = d.bottleneck ? 4 * width : width;
        const auto part = [&](int number, const QString &from, qint64 channels, int kernel, int step, bool active) {
            const QString n = QString::number(number);
            const QString y = m_graph.convolution(at + ".conv"_L1 + n, from, channels, kernel, step, kernel / 2);
            const QString normed = m_graph.batchNorm(at + ".bn"_L1 + n, y);
            return active ? m_graph.plain(at + ".relu"_L1 + n, "relu", normed) : normed;
        };
        QString y;
        if (d.bottleneck) {
            y = part(1, x, width, 1, 1, true);
            y = part(2, y, width, 3, stride, true);
            y = part(3, y, out, 1, 1, false);
        } else {
            y = part(1, x, width, 3, stride, true);
            y = part(2, y, out, 3, 1, false);
        }
        QString shortcut = x;
        if (stride != 1 || in != out) {
            shortcut = m_graph.convolution(at + ".downsample.0"_L1, x, out, 1, stride, 0);
            shortcut = m_graph.batchNorm(at + ".downsample.1"_L1, shortcut);
        }
        return m_graph.plain(at + ".relu"_L1, "relu", m_graph.sum(at + ".sum"_L1, y, shortcut));
    }

    GraphBuilder m_graph;
    const ResnetDimensions &d;
};

}  // namespace

QJsonObject resnetDescription(const QString &name, const ResnetDimensions &dimensions) {
    return Resnet(name, dimensions).make();
}

}  // namespace hearth
