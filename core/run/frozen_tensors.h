// Frozen tensors of given weights: no state and no checkpoint has them, so the run's folder keeps them once.
#pragma once

#include <QString>
#include <vector>

#include "core/base/error.h"
#include "core/model/model.h"
#include "core/model/named_tensor.h"

namespace hearth {

/// One list per layer in the order of its tensors; those that are not frozen have no data. Empty: the model has none,
/// or they are those of the seed.
using FrozenTensors = std::vector<std::vector<NamedTensor>>;

/// Of weights by layer, whose memory they share.
FrozenTensors frozenOf(const std::vector<std::vector<NamedTensor>> &weights);

/// Their file in the folder of a run.
QString frozenFile(const QString &runFolder);
/// Once, atomically; blocks while it writes. Without any it does nothing.
Result<void> saveFrozen(const QString &runFolder, const FrozenTensors &frozen);
/// Those of a run that goes on; empty where the folder has none. Errors: of readSafetensors(), and "weights.mismatch".
Result<FrozenTensors> loadFrozen(const QString &runFolder, const Model &model, DType dtype);

}  // namespace hearth
