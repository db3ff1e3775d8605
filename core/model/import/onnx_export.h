// Networks as ONNX files.
#pragma once

#include <map>
#include <vector>

#include "core/base/error.h"
#include "core/model/model.h"
#include "core/model/named_tensor.h"

namespace hearth {

/// Writes what the network computes when it is used (operator set 17, the batch left open) with these weights, which
/// are all tensors of the model by name, float32 or float64. Inputs are called as the model's, its output "logits",
/// weights by their names; `metadata` become "metadata_props". Errors: "onnx.no-export" for an op that ONNX has no like
/// of, "onnx.too-large" above the 2 GiB that a file may have, those of saveFile(). Takes as much memory as the weights.
/// Any thread.
Result<void> exportOnnx(const Model &model, const std::vector<NamedTensor> &weights, const QString &path,
                        const std::map<QString, QString> &metadata = {});

}  // namespace hearth
