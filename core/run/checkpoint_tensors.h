// Internal to checkpoints: states of layers as named tensors, and back.
#pragma once

#include <QString>
#include <vector>

#include "core/model/model.h"
#include "core/model/named_tensor.h"
#include "core/run/checkpoint_store.h"

namespace hearth::detail {

/// Which part of the states one file of a checkpoint holds: the tensors themselves, or the optimizer's buffers.
enum class CheckpointPart { Weights, Optimizer };

/// Copies, `between` after each. The states fit the model.
std::vector<NamedTensor> checkpointTensors(const CheckpointStore::Subject &subject, const LayerStates &states,
                                           CheckpointPart part, const BetweenPieces &between = {});

/// One state per layer, uninitialised.
std::vector<std::shared_ptr<Buffer>> emptyStates(const CheckpointStore::Subject &subject);

/// Copies the tensors of a file to their places. Error "checkpoint.damaged": one is missing, too many, or has another
/// shape or type than the model's.
Result<void> fillStates(const CheckpointStore::Subject &subject, CheckpointPart part,
                        const std::vector<NamedTensor> &tensors, const QString &source,
                        std::vector<std::shared_ptr<Buffer>> *states);

}  // namespace hearth::detail
