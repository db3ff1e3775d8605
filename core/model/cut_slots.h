// What crosses the cuts of a network.
#pragma once

#include <vector>

#include "core/base/slot.h"
#include "core/model/model.h"

namespace hearth {

/// The tensors that cross the cut before layer `layer`, per sample, where layers compute in `type`; before the first
/// layer it is the network's input, behind the last (`layer` = number of layers) its output. Any thread.
std::vector<Slot> cutSlots(const Model &model, std::size_t layer, DType type);

/// Bytes per sample that cross on the way forward ...
qint64 forwardBytes(const std::vector<Slot> &slots);
/// ... and back.
qint64 backwardBytes(const std::vector<Slot> &slots);

}  // namespace hearth
