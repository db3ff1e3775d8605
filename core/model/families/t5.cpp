#include "core/model/families/t5.h"

#include <cmath>

#include "core/model/graph_builder.h"

namespace hearth {

using namespace Qt::StringLiterals;

namespace {

const QString shared = u"shared"_s;

class T5 {
  public:
    T5(const QString &name, const T5Dimensions &dimensions) : m_graph(name), d(dimensions) {}

    QJsonObject make() {
        const QString tokens = m_graph.wholeInput(u"tokens"_s, {d.sequence});
        m_mask = m_graph.wholeInput(u"mask"_s, {d.sequence});
        const QString answer = m_graph.wholeInput(u"decoder_tokens"_s, {d.answer});
        const QString encoded = side(u"encoder"_s, m_graph.embedding(shared, tokens, d.words, d.width), d.blocks, {});
        const QString words =
            m_graph.add(u"decoder.embed_tokens"_s, "embedding", {answer},
                        {{u"rows"_s, d.words}, {u"features"_s, d.width}}, {{u"weight"_s, shared + ".weight"_L1}});
        QString x = side(u"decoder"_s, words, d.decoderBlocks, encoded);
        GraphBuilder::Tensors tensors;
        if (d.tied) {
            const double factor = 1 / std::sqrt(static_cast<double>(d.width));
            x = m_graph.add(u"lm_head.scaled"_s, "scale", {x}, {{u"factor"_s, factor}});
            tensors[u"weight"_s] = shared + ".weight"_L1;
        }
        m_graph.output(m_graph.linear(u"lm_head"_s, x, d.words, false, tensors));
        return m_graph.description();
    }

  private:
    /// `encoded`: what a decoder looks at; empty for the encoder.
    QString side(const QString &name, const QString &embedded, int blocks, const QString &encoded) {
        const bool decoder = !encoded.isEmpty();
        QString x = m_graph.dropout(name + ".dropout"_L1, embedded, d.dropout);
        for (int i = 0; i < blocks; ++i) {
            const QString at = name + ".block."_L1 + QString::number(i) + ".layer."_L1;
            x = selfAttention(at + '0'_L1, x, name, decoder);
            if (decoder)
                x = crossAttention(at + '1'_L1, x, encoded);
            x = feedForward(at + (decoder ? '2'_L1 : '1'_L1), x);
        }
        x = m_graph.rmsNorm(name + ".final_layer_norm"_L1, x, d.epsilon);
        return m_graph.dropout(name + ".final_dropout"_L1, x, d.dropout);
    }

    QString selfAttention(const QString &at, const QString &x, const QString &side, bool decoder) {
        const QString in = m_graph.rmsNorm(at + ".layer_norm"_L1, x, d.epsilon);
        QJsonObject parameters = attentionParameters();
        parameters[u"causal"_s] = decoder;
        parameters[u"relative"_s] = QJsonObject{
            {u"buckets"_s, d.buckets}, {u"max_distance"_s, d.maximumDistance}, {u"bidirectional"_s, !decoder}};
        // One table for all blocks of the side, called as the first block's.
        const QString table = side + ".block.0.layer.0.SelfAttention.relative_attention_bias.weight"_L1;
        return attention(at, u"SelfAttention"_s, x, in, in, decoder ? QString() : m_mask, parameters,
                         {{u"relative_bias"_s, table}});
    }

    QString crossAttention(const QString &at, const QString &x, const QString &encoded) {
        const QString in = m_graph.rmsNorm(at + ".layer_norm"_L1, x, d.epsilon);
        return attention(at, u"EncDecAttention"_s, x, in, encoded, m_mask, attentionParameters(), {});
    }

    QJsonObject attentionParameters() const {
        return {{u"heads"_s, d.heads}, {u"scale"_s, 1}, {u"dropout"_s, d.dropout}};
    }

    QString attention(const QString &at, const QString &kind, const QString &x, const QString &asks,
                      const QString &answers, const QString &mask, const QJsonObject &parameters,
                      const GraphBuilder::Tensors &tensors) {
        const QString name = at + '.'_L1 + kind;
        const qint64 features = d.heads * d.headWidth;
        QStringList from{m_graph.linear(name + ".q"_L1, asks, features, false),
                         m_graph.linear(name + ".k"_L1, answers, features, false),
                         m_graph.linear(name + ".v"_L1, answers, features, false)};
        if (!mask.isEmpty())
            from << mask;
        QString y = m_graph.add(name, "attention", from, parameters, tensors);
        y = m_graph.linear(name + ".o"_L1, y, d.width, false);
        return m_graph.sum(at + ".sum"_L1, x, m_graph.dropout(at + ".dropout"_L1, y, d.dropout));
    }

    QString feedForward(const QString &at, const QString &x) {
        const QString in = m_graph.rmsNorm(at + ".layer_norm"_L1, x, d.epsilon);
        const QString name = at + ".DenseReluDense"_L1;
        QString y = m_graph.linear(name + (d.gated ? ".wi_0"_L1 : ".wi"_L1), in, d.inner, false);
        y = m_graph.activation(name + ".act"_L1, d.activation, y);
        if (d.gated)
            y = m_graph.product(name + ".gated"_L1, y, m_graph.linear(name + ".wi_1"_L1, in, d.inner, false));
        y = m_graph.dropout(name + ".dropout"_L1, y, d.dropout);
        y = m_graph.linear(name + ".wo"_L1, y, d.width, false);
        return m_graph.sum(at + ".sum"_L1, x, m_graph.dropout(at + ".dropout"_L1, y, d.dropout));
    }

    GraphBuilder m_graph;
    const T5Dimensions &d;
    QString m_mask;
};

}  // namespace

QJsonObject t5Description(const QString &name, const T5Dimensions &dimensions) {
    return T5(name, dimensions).make();
}

T5Dimensions t5Large() {
    T5Dimensions large;
    large.blocks = large.decoderBlocks = 24;
    large.width = 1024;
    large.heads = 16;
    large.inner = 4096;
    return large;
}

}  // namespace hearth
