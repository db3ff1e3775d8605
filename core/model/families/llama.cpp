#include "core/model/families/llama.h"

#include "core/model/families/last_token.h"

namespace hearth {

using namespace Qt::StringLiterals;

namespace {

class Llama {
  public:
    Llama(const QString &name, const LlamaDimensions &dimensions) : m_graph(name), d(dimensions) {}

    QJsonObject make() {
        const QString tokens = m_graph.wholeInput(u"tokens"_s, {d.sequence});
        const bool whole = d.head == TextHead::SequenceClassification;
        const QString mask = whole ? m_graph.wholeInput(u"mask"_s, {d.sequence}) : QString();
        QString x = m_graph.embedding(u"model.embed_tokens"_s, tokens, d.words, d.width, d.padding);
        for (int i = 0; i < d.blocks; ++i)
            x = block("model.layers."_L1 + QString::number(i), x);
        x = m_graph.rmsNorm(u"model.norm"_s, x, d.epsilon);
        m_graph.output(head(x, mask));
        return m_graph.description();
    }

  private:
    QString turned(const QString &name, const QString &x, int heads) {
        return m_graph.add(name, "rotary", {x},
                           {{u"heads"_s, heads}, {u"base"_s, d.rotaryBase}, {u"style"_s, u"half"_s}});
    }

    QString block(const QString &at, const QString &x) {
        const QString in = m_graph.rmsNorm(at + ".input_layernorm"_L1, x, d.epsilon);
        QString query = m_graph.linear(at + ".self_attn.q_proj"_L1, in, d.heads * d.headWidth, d.queryBias);
        QString key = m_graph.linear(at + ".self_attn.k_proj"_L1, in, d.keyHeads * d.headWidth, d.queryBias);
        const QString value = m_graph.linear(at + ".self_attn.v_proj"_L1, in, d.keyHeads * d.headWidth, d.queryBias);
        query = turned(at + ".self_attn.turned_q"_L1, query, d.heads);
        key = turned(at + ".self_attn.turned_k"_L1, key, d.keyHeads);
        QString y = m_graph.add(at + ".self_attn"_L1, "attention", {query, key, value},
                                {{u"heads"_s, d.heads},
                                 {u"kv_heads"_s, d.keyHeads},
                                 {u"causal"_s, true},
                                 {u"dropout"_s, d.attentionDropout}});
        y = m_graph.linear(at + ".self_attn.o_proj"_L1, y, d.width, d.outputBias);
        const QString middle = m_graph.sum(at + ".self_attn.sum"_L1, y, x);
        y = m_graph.rmsNorm(at + ".post_attention_layernorm"_L1, middle, d.epsilon);
        const QString gate = m_graph.activation(at + ".mlp.act_fn"_L1, d.activation,
                                                m_graph.linear(at + ".mlp.gate_proj"_L1, y, d.inner, d.innerBias));
        const QString up = m_graph.linear(at + ".mlp.up_proj"_L1, y, d.inner, d.innerBias);
        y = m_graph.linear(at + ".mlp.down_proj"_L1, m_graph.product(at + ".mlp.gated"_L1, gate, up), d.width,
                           d.innerBias);
        return m_graph.sum(at + ".mlp.sum"_L1, y, middle);
    }

    QString head(const QString &x, const QString &mask) {
        switch (d.head) {
            case TextHead::SequenceClassification:
                return m_graph.linear(u"score"_s, detail::lastToken(m_graph, x, mask, d.sequence), d.classes, false);
            case TextHead::TokenClassification:
                return m_graph.linear(u"score"_s, m_graph.dropout(u"dropout"_s, x, d.headDropout), d.classes);
            default:
                break;
        }
        GraphBuilder::Tensors tensors;
        if (d.tied)
            tensors[u"weight"_s] = u"model.embed_tokens.weight"_s;
        return m_graph.linear(u"lm_head"_s, x, d.words, false, tensors);
    }

    GraphBuilder m_graph;
    const LlamaDimensions &d;
};

}  // namespace

QJsonObject llamaDescription(const QString &name, const LlamaDimensions &dimensions) {
    return Llama(name, dimensions).make();
}

}  // namespace hearth
