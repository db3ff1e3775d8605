// Multilayer perceptrons, with the names of torch.nn.Sequential's modules.
#pragma once

#include <QJsonObject>

namespace hearth {

/// For rows of a table. One input "features" of {features}.
struct MlpDimensions {
    qint64 features = 4;
    qint64 hidden = 64;  // of each layer but the last
    int layers = 3;      // linear ones, all but the last with ReLU
    qint64 classes = 3;  // answers; 1 for a quantity
    double dropout = 0;  // after each ReLU
};

/// A "hearth-model/1" description.
QJsonObject mlpDescription(const QString &name, const MlpDimensions &dimensions);

}  // namespace hearth
