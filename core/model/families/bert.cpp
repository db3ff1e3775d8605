#include "core/model/families/bert.h"

#include "core/model/graph_builder.h"

namespace hearth {

using namespace Qt::StringLiterals;

namespace {

/// The same modules under two sets of names.
struct Names {
    QString base, blocks;
    QString query, key, value, attentionOutput, attentionNorm, inner, outer, norm;
};
Names namesOf(bool distilled) {
    if (distilled) {
        return {u"distilbert"_s,       u".transformer.layer."_s, u".attention.q_lin"_s, u".attention.k_lin"_s,
                u".attention.v_lin"_s, u".attention.out_lin"_s,  u".sa_layer_norm"_s,   u".ffn.lin1"_s,
                u".ffn.lin2"_s,        u".output_layer_norm"_s};
    }
    return {u"bert"_s,
            u".encoder.layer."_s,
            u".attention.self.query"_s,
            u".attention.self.key"_s,
            u".attention.self.value"_s,
            u".attention.output.dense"_s,
            u".attention.output.LayerNorm"_s,
            u".intermediate.dense"_s,
            u".output.dense"_s,
            u".output.LayerNorm"_s};
}

class Bert {
  public:
    Bert(const QString &name, const BertDimensions &dimensions)
        : m_graph(name), d(dimensions), m_names(namesOf(dimensions.distilled)) {}

    QJsonObject make() {
        const QString tokens = m_graph.wholeInput(u"tokens"_s, {d.sequence});
        m_mask = m_graph.wholeInput(u"mask"_s, {d.sequence});
        QString x = embed(tokens);
        for (int i = 0; i < d.blocks; ++i)
            x = block(m_names.base + m_names.blocks + QString::number(i), x, i + 1 == d.blocks);
        m_graph.output(head(x));
        return m_graph.description();
    }

  private:
    QString embed(const QString &tokens) {
        const QString at = m_names.base + ".embeddings."_L1;
        const bool kinds = !d.distilled, chosen = kinds && d.segments;
        const QString segments = chosen ? m_graph.wholeInput(u"segments"_s, {d.sequence}) : QString();
        QString x = m_graph.embedding(wordsName(), tokens, d.words, d.width, d.padding);
        if (chosen) {
            x = m_graph.sum(at + "with_segments"_L1, x,
                            m_graph.embedding(at + "token_type_embeddings"_L1, segments, d.segmentKinds, d.width));
        } else if (kinds) {
            const QString table = m_graph.parameter(
                at + "token_type_embeddings"_L1, at + "token_type_embeddings.weight"_L1, x, {d.segmentKinds, d.width});
            x = m_graph.sum(at + "with_segments"_L1, x, m_graph.slice(at + "first_segment"_L1, table, 0, 0, 1));
        }
        const QString table = m_graph.parameter(at + "position_embeddings"_L1, at + "position_embeddings.weight"_L1, x,
                                                {d.positions, d.width});
        x = m_graph.sum(at + "with_positions"_L1, x, m_graph.slice(at + "positions"_L1, table, 0, 0, d.sequence));
        x = m_graph.layerNorm(at + "LayerNorm"_L1, x, d.epsilon);
        return m_graph.dropout(at + "dropout"_L1, x, d.dropout);
    }

    QString block(const QString &at, const QString &x, bool isLast) {
        // Of the last one a classifier of the whole text reads the first token alone.
        const bool isFirstRead = isLast && d.head == TextHead::SequenceClassification;
        const QString read = isFirstRead ? m_graph.slice(at + ".first"_L1, x, 0, 0, 1) : x;
        const QString query = m_graph.linear(at + m_names.query, read, d.width);
        const QString key = m_graph.linear(at + m_names.key, x, d.width);
        const QString value = m_graph.linear(at + m_names.value, x, d.width);
        QString y = m_graph.add(at + ".attention"_L1, "attention", {query, key, value, m_mask},
                                {{u"heads"_s, d.heads}, {u"dropout"_s, d.attentionDropout}});
        y = m_graph.linear(at + m_names.attentionOutput, y, d.width);
        if (!d.distilled)
            y = m_graph.dropout(at + ".attention.output.dropout"_L1, y, d.dropout);
        y = m_graph.sum(at + ".attention.sum"_L1, y, read);
        const QString middle = m_graph.layerNorm(at + m_names.attentionNorm, y, d.epsilon);
        y = m_graph.linear(at + m_names.inner, middle, d.inner);
        y = m_graph.activation(at + ".activation"_L1, d.activation, y);
        y = m_graph.linear(at + m_names.outer, y, d.width);
        y = m_graph.dropout(at + ".output.dropout"_L1, y, d.dropout);
        y = m_graph.sum(at + ".output.sum"_L1, y, middle);
        return m_graph.layerNorm(at + m_names.norm, y, d.epsilon);
    }

    QString head(const QString &x) {
        if (d.head == TextHead::MaskedLanguage)
            return words(x);
        QString y = x;
        if (d.head == TextHead::SequenceClassification) {
            const QString pooler = d.distilled ? u"pre_classifier"_s : u"bert.pooler.dense"_s;
            y = m_graph.select(u"pooler.first"_s, y, 0, 0);
            y = m_graph.linear(pooler, y, d.width);
            y = m_graph.plain(u"pooler.activation"_s, d.distilled ? "relu" : "tanh", y);
        }
        y = m_graph.dropout(u"dropout"_s, y, d.headDropout);
        return m_graph.linear(u"classifier"_s, y, d.classes);
    }

    QString words(const QString &x) {
        const QString dense = d.distilled ? u"vocab_transform"_s : u"cls.predictions.transform.dense"_s;
        const QString norm = d.distilled ? u"vocab_layer_norm"_s : u"cls.predictions.transform.LayerNorm"_s;
        const QString decoder = d.distilled ? u"vocab_projector"_s : u"cls.predictions.decoder"_s;
        QString y = m_graph.linear(dense, x, d.width);
        y = m_graph.activation(dense + ".activation"_L1, d.activation, y);
        y = m_graph.layerNorm(norm, y, d.epsilon);
        GraphBuilder::Tensors tensors;
        if (d.tied)
            tensors[u"weight"_s] = wordsName() + ".weight"_L1;
        if (!d.distilled)
            tensors[u"bias"_s] = u"cls.predictions.bias"_s;
        return m_graph.linear(decoder, y, d.words, true, tensors);
    }

    QString wordsName() const { return m_names.base + ".embeddings.word_embeddings"_L1; }

    GraphBuilder m_graph;
    const BertDimensions &d;
    const Names m_names;
    QString m_mask;
};

}  // namespace

QJsonObject bertDescription(const QString &name, const BertDimensions &dimensions) {
    return Bert(name, dimensions).make();
}

}  // namespace hearth
