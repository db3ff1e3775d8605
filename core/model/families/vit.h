// Vision transformers (Dosovitskiy et al., 2021; Touvron et al., 2021), with the names of Hugging Face's modules.
#pragma once

#include <QJsonObject>

namespace hearth {

/// Defaults: ViT-Ti/16, 5.7 M parameters. One input of {channels, side, side}.
struct VitDimensions {
    int blocks = 12;
    qint64 width = 192;
    int heads = 3;
    qint64 inner = 768;
    qint64 channels = 3;
    qint64 side = 224;
    int patch = 16;
    bool queryBias = true;
    QString activation = QStringLiteral("gelu");
    double epsilon = 1e-12;
    double dropout = 0;
    double attentionDropout = 0;
    qint64 classes = 1000;
};

/// A "hearth-model/1" description. `side` is a multiple of `patch`.
QJsonObject vitDescription(const QString &name, const VitDimensions &dimensions);

}  // namespace hearth
