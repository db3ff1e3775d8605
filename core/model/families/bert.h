// BERT (Devlin et al., 2019) and DistilBERT (Sanh et al., 2019), with the names of Hugging Face's modules.
#pragma once

#include <QJsonObject>

#include "core/model/families/text_head.h"

namespace hearth {

/// Defaults: BERT-small (Turc et al., 2019), 28.8 M parameters. Inputs: "tokens" and "mask" (1 = a token, 0 = filling)
/// of {sequence}, with `segments` also "segments".
struct BertDimensions {
    bool distilled = false;  // DistilBERT's names; it has no segments and another head
    int blocks = 4;
    qint64 width = 512;
    int heads = 8;
    qint64 inner = 2048;
    qint64 words = 30522;
    qint64 positions = 512;
    qint64 segmentKinds = 2;
    qint64 padding = 0;  // id of the word that fills; its row gets no gradient; none where negative
    qint64 sequence = 32;
    bool segments = false;  // an input; else all tokens are of kind 0
    QString activation = QStringLiteral("gelu");
    double epsilon = 1e-12;
    double dropout = 0.1;
    double attentionDropout = 0.1;
    double headDropout = 0.1;
    TextHead head = TextHead::SequenceClassification;  // that, token-classification or masked-language
    qint64 classes = 2;
    bool tied = true;  // the word's output and input weights are the same
};

/// A "hearth-model/1" description.
QJsonObject bertDescription(const QString &name, const BertDimensions &dimensions);

}  // namespace hearth
