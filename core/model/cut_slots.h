// What crosses the cuts of a network.
#pragma once

#include <vector>

#include "core/base/slot.h"
#include "core/model/model.h"

namespace hearth {

/// The tensors that cross the cut before layer `layer`, per sample, where layers compute in `type`; before the first
/// layer it is the network's input, behind the last (`layer` = number of layers) its output. Any thread.
std::vector<Slot> cutSlots(const Model &model, std::size_t layer, DType type);

/// Whether a rectifier gives that tensor of the cut, itself or through ops that only choose among its values: where it
/// is zero, its gradient comes to nothing, whatever it is. Any thread.
bool isRectified(const Model &model, std::size_t layer, std::size_t slot);

/// Bytes per sample that cross on the way forward ...
qint64 forwardBytes(const std::vector<Slot> &slots);
/// ... and back.
qint64 backwardBytes(const std::vector<Slot> &slots);

}  // namespace hearth
