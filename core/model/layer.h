// Internal to core/model: layers from and to JSON.
#pragma once

#include "core/model/model.h"

namespace hearth::detail {

/// Reads one entry of "layers" and fits it on `input`; on success shape, description and ops are complete.
/// `path` is its place in `source` ("layers[3]").
Result<Layer> readLayer(const QJsonValue &value, const QString &source, const QString &path, const Shape &input);

}  // namespace hearth::detail
