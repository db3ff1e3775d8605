// Weights that a network came with, as a run begins with them.
#pragma once

#include "core/model/imported_model.h"

namespace hearth {

/// Writes all tensors of the model to `path`, as safetensors of that type: those that came with it, one after another,
/// so that they need not fit in memory, and the others as this seed gives them. Float16 and bfloat16 are widened.
/// Errors: a tensor of whole numbers, a file that changed, a full disk. Any thread.
Result<void> saveInitialWeights(const ImportedModel &imported, quint64 seed, DType dtype, const QString &path);

/// Where they lie for the runs of this user. Any thread.
QString initialWeightsFolder();
/// Whether this is the path of a file there. Any thread.
bool areInitialWeights(const QString &path);

/// What tells such a file from all others: network, seed, type, and the bytes of every tensor that came with it, in hex
/// digits. It reads them all, one after another, and writes nothing. Errors: a file that changed. Any thread.
Result<QByteArray> initialWeightsKey(const ImportedModel &imported, quint64 seed, DType dtype);

}  // namespace hearth
