// Weights that a network came with, as a run begins with them.
#pragma once

#include "core/model/imported_model.h"

namespace hearth {

/// Writes all tensors of the model to `path`, as safetensors of that type: those that came with it, one after another,
/// so that they need not fit in memory, and the others as this seed gives them. Float16 and bfloat16 are widened.
/// Errors: a tensor of whole numbers, a file that changed, a full disk. Any thread.
Result<void> saveInitialWeights(const ImportedModel &imported, quint64 seed, DType dtype, const QString &path);

}  // namespace hearth
