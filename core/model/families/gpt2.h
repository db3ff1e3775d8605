// GPT-2 (Radford et al., 2019), with the names of Hugging Face's modules.
#pragma once

#include <QJsonObject>

#include "core/model/families/text_head.h"

namespace hearth {

/// Defaults: the smallest, 124 M parameters. Inputs: "tokens" of {sequence}; "mask" where a whole text is classified,
/// whose last token then counts.
struct Gpt2Dimensions {
    int blocks = 12;
    qint64 width = 768;
    int heads = 12;
    qint64 inner = 3072;
    qint64 words = 50257;
    qint64 positions = 1024;
    qint64 sequence = 128;
    QString activation = QStringLiteral("gelu_new");
    double epsilon = 1e-5;
    double embeddingDropout = 0.1;
    double dropout = 0.1;
    double attentionDropout = 0.1;
    double headDropout = 0.1;
    bool scaled = true;                        // attention by 1/√(width of a head)
    TextHead head = TextHead::CausalLanguage;  // that, sequence-classification or token-classification
    qint64 classes = 2;
    bool tied = true;
};

/// A "hearth-model/1" description.
QJsonObject gpt2Description(const QString &name, const Gpt2Dimensions &dimensions);

}  // namespace hearth
