#include "core/model/families/vit.h"

#include "core/model/graph_builder.h"

namespace hearth {

using namespace Qt::StringLiterals;

namespace {

class Vit {
  public:
    Vit(const QString &name, const VitDimensions &dimensions) : m_graph(name), d(dimensions) {}

    QJsonObject make() {
        QString x = embed(m_graph.input(u"image"_s, {d.channels, d.side, d.side}));
        for (int i = 0; i < d.blocks; ++i)
            x = block("vit.encoder.layer."_L1 + QString::number(i), x, i + 1 == d.blocks);
        x = m_graph.layerNorm(u"vit.layernorm"_s, x, d.epsilon);
        m_graph.output(m_graph.linear(u"classifier"_s, m_graph.select(u"vit.class"_s, x, 0, 0), d.classes));
        return m_graph.description();
    }

  private:
    /// One token for every patch, after one that gathers what is said of the whole picture.
    QString embed(const QString &image) {
        const QString at = u"vit.embeddings."_s;
        const qint64 patches = (d.side / d.patch) * (d.side / d.patch);
        QString x = m_graph.add(at + "patch_embeddings.projection"_L1, "convolution", {image},
                                {{u"channels"_s, d.width}, {u"kernel"_s, d.patch}, {u"stride"_s, d.patch}});
        x = m_graph.reshape(at + "flat"_L1, x, {d.width, patches});
        x = m_graph.transpose(at + "patches"_L1, x, {1, 0});
        const QString first = m_graph.parameter(at + "cls_token"_L1, at + "cls_token"_L1, x, {1, d.width});
        x = m_graph.add(at + "tokens"_L1, "concat", {first, x}, {{u"axis"_s, 0}});
        const QString positions =
            m_graph.parameter(at + "position_embeddings"_L1, at + "position_embeddings"_L1, x, {patches + 1, d.width});
        x = m_graph.sum(at + "with_positions"_L1, x, positions);
        return m_graph.dropout(at + "dropout"_L1, x, d.dropout);
    }

    QString block(const QString &at, const QString &x, bool isLast) {
        // Of the last one the classifier reads the first token alone.
        const auto read = [&](const char *name, const QString &tokens) {
            return isLast ? m_graph.slice(at + QLatin1String(name), tokens, 0, 0, 1) : tokens;
        };
        const QString in = m_graph.layerNorm(at + ".layernorm_before"_L1, x, d.epsilon);
        const QString self = at + ".attention.attention."_L1;
        const QString query = m_graph.linear(self + "query"_L1, read(".first_query", in), d.width, d.queryBias);
        const QString key = m_graph.linear(self + "key"_L1, in, d.width, d.queryBias);
        const QString value = m_graph.linear(self + "value"_L1, in, d.width, d.queryBias);
        QString y = m_graph.add(at + ".attention"_L1, "attention", {query, key, value},
                                {{u"heads"_s, d.heads}, {u"dropout"_s, d.attentionDropout}});
        y = m_graph.linear(at + ".attention.output.dense"_L1, y, d.width);
        y = m_graph.dropout(at + ".attention.output.dropout"_L1, y, d.dropout);
        const QString middle = m_graph.sum(at + ".attention.sum"_L1, y, read(".first", x));
        y = m_graph.layerNorm(at + ".layernorm_after"_L1, middle, d.epsilon);
        y = m_graph.linear(at + ".intermediate.dense"_L1, y, d.inner);
        y = m_graph.activation(at + ".activation"_L1, d.activation, y);
        y = m_graph.linear(at + ".output.dense"_L1, y, d.width);
        y = m_graph.dropout(at + ".output.dropout"_L1, y, d.dropout);
        return m_graph.sum(at + ".output.sum"_L1, y, middle);
    }

    GraphBuilder m_graph;
    const VitDimensions &d;
};

}  // namespace

QJsonObject vitDescription(const QString &name, const VitDimensions &dimensions) {
    return Vit(name, dimensions).make();
}

}  // namespace hearth
