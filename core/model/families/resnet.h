// ResNet (He et al., 2016), with the names of torchvision's modules.
#pragma once

#include <QJsonObject>
#include <array>

namespace hearth {

/// Defaults: ResNet18 on small pictures. One input of {3, side, side}.
struct ResnetDimensions {
    std::array<int, 4> blocks{2, 2, 2, 2};
    bool bottleneck = false;  // blocks of 1×1, 3×3, 1×1 (ResNet50) instead of two 3×3
    qint64 width = 64;        // of the first stage; it doubles with every other
    qint64 side = 32;
    bool small = true;  // a stem of 3×3 with stride 1 and without pooling, as for CIFAR, instead of 7×7
    qint64 classes = 10;
};

/// A "hearth-model/1" description.
QJsonObject resnetDescription(const QString &name, const ResnetDimensions &dimensions);

}  // namespace hearth
