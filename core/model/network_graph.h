// Internal to core/model: the second form of a description, a whole network as one graph of ops.
#pragma once

#include "core/base/json_reader.h"
#include "core/model/model.h"

namespace hearth::detail {

/// Reads "inputs", "graph" and "outputs", and finds layers. On success the model is complete but for its name and what
/// concerns all tensors together.
Result<Model> readGraphModel(JsonReader &reader);
/// Adds the three to a description.
void describeGraphModel(const Model &model, QJsonObject &to);

}  // namespace hearth::detail
