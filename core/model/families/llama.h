// Llama (Touvron et al., 2023) and what is built like it (Qwen2), with the names of Hugging Face's modules.
#pragma once

#include <QJsonObject>

#include "core/model/families/text_head.h"

namespace hearth {

/// RMS norms, rotary positions, grouped queries, SwiGLU. Inputs as in Gpt2Dimensions. Defaults: Llama-2-7B.
struct LlamaDimensions {
    int blocks = 32;
    qint64 width = 4096;
    int heads = 32;
    int keyHeads = 32;       // that `heads` queries share
    qint64 headWidth = 128;  // of each
    qint64 inner = 11008;
    qint64 words = 32000;
    qint64 padding = -1;  // as BertDimensions::padding
    qint64 sequence = 128;
    QString activation = QStringLiteral("silu");
    double epsilon = 1e-6;
    double rotaryBase = 10000;
    bool queryBias = false;   // of query, key and value
    bool outputBias = false;  // of attention's output
    bool innerBias = false;   // of the feed-forward part
    double attentionDropout = 0;
    double headDropout = 0.1;
    TextHead head = TextHead::CausalLanguage;  // that, sequence-classification or token-classification
    qint64 classes = 2;
    bool tied = false;
};

/// A "hearth-model/1" description.
QJsonObject llamaDescription(const QString &name, const LlamaDimensions &dimensions);

}  // namespace hearth
