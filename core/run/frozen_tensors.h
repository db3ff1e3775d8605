// Frozen tensors of given weights: no state and no checkpoint has them, so the run's folder keeps them once.
#pragma once

#include <QString>
#include <vector>

#include "core/base/buffer.h"
#include "core/base/error.h"
#include "core/model/model.h"
#include "core/model/named_tensor.h"

namespace hearth {

/// Plain value, any thread.
struct FrozenTensors {
    /// One list per layer in the order of its tensors; those that are not frozen have no data. Empty: the model has
    /// none, or they are those of the seed.
    std::vector<std::vector<NamedTensor>> layers;
    std::vector<QString> sha256;  // by layer, of its bytes (LayerStateLayout::ofFrozen); empty: it has none

    bool isEmpty() const { return layers.empty(); }
    qint64 bytes(int layer) const;
    /// A chunk of a layer's bytes on their way to a worker: within one tensor nothing is copied.
    Payload chunk(int layer, int index) const;
};

/// Of weights by layer, whose memory they share. Reads all their bytes, for the hashes.
FrozenTensors frozenOf(const std::vector<std::vector<NamedTensor>> &weights);

/// Their file in the folder of a run.
QString frozenFile(const QString &runFolder);
/// Once, atomically; blocks while it writes. Without any it does nothing.
Result<void> saveFrozen(const QString &runFolder, const FrozenTensors &frozen);
/// Those of a run that goes on; empty where the folder has none. Errors: of readSafetensors(), and "weights.mismatch".
Result<FrozenTensors> loadFrozen(const QString &runFolder, const Model &model, DType dtype);

}  // namespace hearth
