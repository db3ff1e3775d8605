#include "core/model/families/gpt2.h"

#include "core/model/families/last_token.h"

namespace hearth {

using namespace Qt::StringLiterals;

namespace {

class Gpt2 {
  public:
    Gpt2(const QString &name, const Gpt2Dimensions &dimensions) : m_graph(name), d(dimensions) {}

    QJsonObject make() {
        const QString tokens = m_graph.wholeInput(u"tokens"_s, {d.sequence});
        const bool whole = d.head == TextHead::SequenceClassification;
        const QString mask = whole ? m_graph.wholeInput(u"mask"_s, {d.sequence}) : QString();
        QString x = m_graph.embedding(u"transformer.wte"_s, tokens, d.words, d.width);
        const QString table =
            m_graph.parameter(u"transformer.wpe"_s, u"transformer.wpe.weight"_s, x, {d.positions, d.width});
        x = m_graph.sum(u"transformer.embedded"_s, x,
                        m_graph.slice(u"transformer.positions"_s, table, 0, 0, d.sequence));
        x = m_graph.dropout(u"transformer.drop"_s, x, d.embeddingDropout);
        for (int i = 0; i < d.blocks; ++i)
            x = block("transformer.h."_L1 + QString::number(i), x);
        x = m_graph.layerNorm(u"transformer.ln_f"_s, x, d.epsilon);
        m_graph.output(head(x, mask));
        return m_graph.description();
    }

  private:
    /// Hugging Face's Conv1D: a linear layer whose weight is {in, out}.
    QString conv1d(const QString &name, const QString &x, qint64 features) {
        return m_graph.add(name, "linear", {x}, {{u"features"_s, features}, {u"transposed"_s, true}});
    }

    QString block(const QString &at, const QString &x) {
        QString y = m_graph.layerNorm(at + ".ln_1"_L1, x, d.epsilon);
        const QString all = conv1d(at + ".attn.c_attn"_L1, y, 3 * d.width);
        const QString query = m_graph.slice(at + ".attn.query"_L1, all, -1, 0, d.width);
        const QString key = m_graph.slice(at + ".attn.key"_L1, all, -1, d.width, 2 * d.width);
        const QString value = m_graph.slice(at + ".attn.value"_L1, all, -1, 2 * d.width, 3 * d.width);
        QJsonObject parameters{{u"heads"_s, d.heads}, {u"causal"_s, true}, {u"dropout"_s, d.attentionDropout}};
        if (!d.scaled)
            parameters[u"scale"_s] = 1;
        y = m_graph.add(at + ".attn"_L1, "attention", {query, key, value}, parameters);
        y = conv1d(at + ".attn.c_proj"_L1, y, d.width);
        y = m_graph.dropout(at + ".attn.resid_dropout"_L1, y, d.dropout);
        const QString middle = m_graph.sum(at + ".attn.sum"_L1, y, x);
        y = m_graph.layerNorm(at + ".ln_2"_L1, middle, d.epsilon);
        y = conv1d(at + ".mlp.c_fc"_L1, y, d.inner);
        y = m_graph.activation(at + ".mlp.act"_L1, d.activation, y);
        y = conv1d(at + ".mlp.c_proj"_L1, y, d.width);
        y = m_graph.dropout(at + ".mlp.dropout"_L1, y, d.dropout);
        return m_graph.sum(at + ".mlp.sum"_L1, y, middle);
    }

    QString head(const QString &x, const QString &mask) {
        switch (d.head) {
            case TextHead::SequenceClassification:
                return m_graph.linear(u"score"_s, detail::lastToken(m_graph, x, mask, d.sequence), d.classes, false);
            case TextHead::TokenClassification:
                return m_graph.linear(u"classifier"_s, m_graph.dropout(u"dropout"_s, x, d.headDropout), d.classes);
            default:
                break;
        }
        GraphBuilder::Tensors tensors;
        if (d.tied)
            tensors[u"weight"_s] = u"transformer.wte.weight"_s;
        return m_graph.linear(u"lm_head"_s, x, d.words, false, tensors);
    }

    GraphBuilder m_graph;
    const Gpt2Dimensions &d;
};

}  // namespace

QJsonObject gpt2Description(const QString &name, const Gpt2Dimensions &dimensions) {
    return Gpt2(name, dimensions).make();
}

}  // namespace hearth
