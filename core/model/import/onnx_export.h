// Networks as ONNX files.
#pragma once

#include <limits>
#include <map>
#include <vector>

#include "core/base/error.h"
#include "core/model/model.h"
#include "core/model/named_tensor.h"

namespace hearth {

/// What protobuf reads is less than 2 GiB: the graph and constants have the rest.
inline constexpr qint64 mostWeightsInOnnx = std::numeric_limits<int>::max() - (64 << 20);

/// Writes what the network computes when it is used (operator set 17, the batch left open) with these weights, which
/// are all tensors of the model by name, float32 or float64. Inputs are called as the model's, its output "logits",
/// weights by their names; `metadata` become "metadata_props". Weights of more than `mostInside` bytes lie beside it in
/// `path`.data, written first: that is returned, else nothing. Errors: "onnx.no-export" for an op that ONNX has no like
/// of, those of saveFile(). Weights inside take their memory twice more. Any thread.
Result<QString> exportOnnx(const Model &model, const std::vector<NamedTensor> &weights, const QString &path,
                           const std::map<QString, QString> &metadata = {}, qint64 mostInside = mostWeightsInOnnx);

}  // namespace hearth
