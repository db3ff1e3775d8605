// Models of which some layers are not trained.
#pragma once

#include <QJsonArray>
#include <QJsonObject>
#include <QList>
#include <stdexcept>

#include "core/model/model.h"

namespace hearth {

/// The same with these layers frozen.
inline Model modelWithFrozen(const Model &model, const QList<int> &frozen) {
    QJsonObject description = model.toJson();
    QJsonArray layers = description[QStringLiteral("layers")].toArray();
    for (const int layer : frozen) {
        QJsonObject own = layers[layer].toObject();
        own[QStringLiteral("frozen")] = true;
        layers[layer] = own;
    }
    description[QStringLiteral("layers")] = layers;
    const auto changed = Model::fromJson(description, QStringLiteral("the test"));
    return changed ? *changed : throw std::runtime_error(qPrintable(changed.error().toString()));
}

}  // namespace hearth
