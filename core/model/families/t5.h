// T5 (Raffel et al., 2020), with the names of Hugging Face's modules.
#pragma once

#include <QJsonObject>

namespace hearth {

/// An encoder and a decoder; positions are a learned bias of attention by distance, shared by all blocks of a side.
/// Defaults: T5-small, 60.5 M parameters. Inputs: "tokens" and "mask" of {sequence}, "decoder_tokens" of {answer}: the
/// answer moved by one, after a token that begins it.
struct T5Dimensions {
    int blocks = 6;
    int decoderBlocks = 6;
    qint64 width = 512;
    int heads = 8;
    qint64 headWidth = 64;
    qint64 inner = 2048;
    qint64 words = 32128;
    int buckets = 32;
    int maximumDistance = 128;
    qint64 sequence = 128;
    qint64 answer = 128;
    QString activation = QStringLiteral("relu");
    bool gated = false;  // the feed-forward part multiplies two halves (T5 1.1)
    double epsilon = 1e-6;
    double dropout = 0.1;
    bool tied = true;  // then the last product is scaled by 1/√width
};

/// A "hearth-model/1" description.
QJsonObject t5Description(const QString &name, const T5Dimensions &dimensions);

/// T5-large, 737.7 M parameters.
T5Dimensions t5Large();

}  // namespace hearth
