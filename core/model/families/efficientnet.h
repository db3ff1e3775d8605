// EfficientNet (Tan and Le, 2019), with the names of torchvision's modules.
#pragma once

#include <QJsonObject>

namespace hearth {

/// Defaults: EfficientNet-B0 on small pictures. One input of {3, side, side}.
struct EfficientNetDimensions {
    double widthFactor = 1;  // of channels, rounded to multiples of 8
    double depthFactor = 1;  // of blocks in a stage, rounded up: 1.1 for B1
    qint64 side = 32;
    bool small = true;  // strides of 1 in the stem and the third stage, so that 32×32 pictures stay large enough
    double dropout = 0.2;
    double stochasticDepth = 0.2;  // of the last block; it grows linearly from 0
    qint64 classes = 10;
};

/// A "hearth-model/1" description.
QJsonObject efficientNetDescription(const QString &name, const EfficientNetDimensions &dimensions);

}  // namespace hearth
